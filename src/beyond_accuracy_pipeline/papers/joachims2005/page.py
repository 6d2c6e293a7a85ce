"""Tables on the page of Joachims (2005), as rows of Markdown cells."""

from beyond_accuracy_pipeline.papers.joachims2005.names import (
    BASELINE,
    COLLECTIONS,
    METHODS,
    PROPOSED,
)
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.page_tables import (
    Rows,
    median_and_range,
    p_value,
    points,
    read_table,
    signed_points,
)
from beyond_accuracy_pipeline.reporting.report import Report


def page_table(report: Report) -> Rows:
    """Return a table of both methods' macro-averages, with the test over classes."""
    frame = read_table(report, "table2")
    head = ["collection", "measure", METHODS[PROPOSED], METHODS[BASELINE]]
    head += ["improvement, {range over seeds}", "p, {range over seeds}"]
    return [
        head,
        *(
            [
                report.label(row["data_set"]),
                measure_name(row["measure"]),
                points(row[PROPOSED]),
                points(row[BASELINE]),
                median_and_range(row, "difference", signed_points),
                median_and_range(row, "p_value", p_value),
            ]
            for row in frame[frame["of_the_paper"]].to_dict("records")
        ),
    ]


def threshold_table(report: Report) -> Rows:
    """Return a table of F1 with fitted thresholds and with the best ones for the test labels."""
    frame = read_table(report, "table_oracle_thresholds")
    frame = frame[(frame["measure"] == "f1") & frame["data_set"].isin(COLLECTIONS)]
    rows = frame.to_dict("records")
    cells = {
        (row["data_set"], row["method"]): f"{points(row['average'])} → {points(row['oracle'])}"
        for row in rows
    }
    return [
        ["F1: own → best thresholds", *METHODS.values()],
        *(
            [report.label(data_set), *(cells.get((data_set, method), "–") for method in METHODS)]
            for data_set in dict.fromkeys(row["data_set"] for row in rows)
        ),
    ]
