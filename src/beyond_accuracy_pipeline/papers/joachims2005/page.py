"""The table of values on the paper's page."""

from beyond_accuracy_pipeline.papers.joachims2005.names import (
    BASELINE,
    METHODS,
    PROPOSED,
    measure_label,
)
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
    """Both methods on each collection by each measure, with the test over classes."""
    frame = read_table(report, "table2")
    head = ["collection", "measure", METHODS[PROPOSED], METHODS[BASELINE]]
    head += ["improvement, {range over states}", "p, {range}"]
    return [
        head,
        *(
            [
                report.label(row["data_set"]),
                measure_label(row["measure"]),
                points(row[PROPOSED]),
                points(row[BASELINE]),
                median_and_range(row, "difference", signed_points),
                median_and_range(row, "p_value", p_value),
            ]
            for row in frame[frame["of_the_paper"]].to_dict("records")
        ),
    ]
