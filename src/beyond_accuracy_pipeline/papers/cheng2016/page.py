"""The table of values on the paper's page."""

from beyond_accuracy_pipeline.papers.cheng2016.names import (
    COLLECTIONS,
    METHODS,
    PAPER_METHODS,
    SVM_PERF,
    TUNED,
)
from beyond_accuracy_pipeline.reporting.page_tables import (
    Rows,
    median_and_range,
    points,
    read_table,
)
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.results.variants import HEADLINE


def page_table(report: Report) -> Rows:
    """F1 of each method on the data sets at hand; § where the optimum of SVM-perf is w = 0."""
    frame = read_table(report, "table3")
    frame = frame[(frame["reading"] == HEADLINE) & frame["data_set"].isin(COLLECTIONS)]
    frame = frame[frame["f1"].notna()]
    methods = [*PAPER_METHODS, TUNED]
    cells = {
        (row["data_set"], row["method"]): median_and_range(row, "f1", points)
        for row in frame.to_dict("records")
    }
    degenerate = frame[frame["degenerate"].fillna(False).astype(bool)]
    nothing_to_learn = set(degenerate.loc[degenerate["method"] == SVM_PERF, "data_set"])
    return [
        ["F1", *(METHODS[name] for name in methods)],
        *(
            [
                report.label(data_set) + ("§" if data_set in nothing_to_learn else ""),
                *(cells.get((data_set, name), "–") for name in methods),
            ]
            for data_set in frame["data_set"].unique()
        ),
    ]
