"""Tables on the page of Cheng et al. (2016), as rows of Markdown cells."""

from beyond_accuracy_pipeline.papers.cheng2016.names import (
    COLLECTIONS,
    METHODS,
    PAPER_METHODS,
    SVM_PERF,
    TUNED,
)
from beyond_accuracy_pipeline.papers.cheng2016.values import ALGORITHM_1
from beyond_accuracy_pipeline.reporting.page_tables import (
    Rows,
    median_and_range,
    points,
    read_table,
)
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.results.variants import HEADLINE


def page_table(report: Report) -> Rows:
    """Return a table of F1 by data set and method; § marks where w = 0 is optimal for SVM-perf."""
    frame = read_table(report, "table3")
    frame = frame[frame["data_set"].isin(COLLECTIONS) & frame["f1"].notna()]
    columns = {(name, HEADLINE): METHODS[name] for name in [*PAPER_METHODS, TUNED]}
    columns[SVM_PERF, ALGORITHM_1] = f"{METHODS[SVM_PERF]}, `{ALGORITHM_1}`"
    cells = {
        (row["data_set"], row["method"], row["reading"]): median_and_range(row, "f1", points)
        for row in frame.to_dict("records")
    }
    frame = frame[frame["reading"] == HEADLINE]
    degenerate = frame[frame["degenerate"].fillna(False).astype(bool)]
    nothing_to_learn = set(degenerate.loc[degenerate["method"] == SVM_PERF, "data_set"])
    return [
        ["F1", *columns.values()],
        *(
            [
                report.label(data_set) + ("§" if data_set in nothing_to_learn else ""),
                *(cells.get((data_set, *column), "–") for column in columns),
            ]
            for data_set in frame["data_set"].unique()
        ),
    ]


def iterations_table(report: Report) -> Rows:
    """Return a table of iterations without over with line search, by data set and case."""
    frame = read_table(report, "table_iterations")
    frame = frame[frame["data_set"].isin(COLLECTIONS) & frame["ratio"].notna()]
    cells = {
        (row["data_set"], row["case"]): f"{row['ratio']:.1f}" for row in frame.to_dict("records")
    }
    cases = list(frame["case"].unique())
    return [
        ["iterations, BM-nls-CS / BM-ls-CS", *cases],
        *(
            [report.label(data_set), *(cells.get((data_set, case), "–") for case in cases)]
            for data_set in frame["data_set"].unique()
        ),
    ]
