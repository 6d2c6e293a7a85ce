"""What the paper compares, and how its reports call it."""

import pandas as pd

from beyond_accuracy.reporting.report import Report

MEASURE = "f1"

# The five methods of the paper, and those added.
PAPER_METHODS = {
    "svm_perf": "SVM-perf",
    "svm_cs": "SVM-CS",
    "lr_f": "LR-F",
    "bm_nls_cs": "BM-nls-CS",
    "bm_ls_cs": "BM-ls-CS",
}
METHODS = {
    **PAPER_METHODS,
    "svm_perf_line_search": "SVM-perf with line search",
    "lr_tuned": "LR, tuned threshold",
    "error_rate": "Error rate",
}
COLLECTIONS = ("a3a", "acoustic", "ijcnn1", "letter", "news20", "satimage")

PROPOSED = "bm_ls_cs"


def values_by_method(report: Report) -> pd.DataFrame:
    """Mean F1 over the tasks of each data set, one column a method; NaN where not all are ok."""
    frame = report.results.measurements
    frame = frame[frame["measure"] == MEASURE]
    value = frame["value"].where(frame["status"] == "ok")
    grouped = value.groupby([frame["data_set"], frame["method"]], sort=False)
    means = grouped.mean().where(grouped.count() == grouped.size())
    return means.unstack("method").reindex(index=report.data_sets, columns=report.methods())


def seconds_by_method(report: Report) -> pd.DataFrame:
    """CPU seconds of `fit`, `predict` (medians of the repetitions) and `select` (in all).

    Columns are the stages; the index is (data_set, method). Tasks of a data set are added up.
    """
    frame = report.results.seconds
    keys = ["data_set", "method", "task", "stage"]
    medians = frame[frame["stage"] != "select"].groupby(keys)["cpu_seconds"].median()
    selection = frame[frame["stage"] == "select"].groupby(keys)["cpu_seconds"].sum()
    both = pd.concat([medians, selection]).groupby(["data_set", "method", "stage"]).sum()
    index = pd.MultiIndex.from_product(
        [report.data_sets, report.methods()], names=["data_set", "method"]
    )
    return both.unstack("stage").reindex(index=index, columns=["fit", "select", "predict"])


def published_values(report: Report, measure: str) -> pd.Series:
    """The paper's own values of "f1_percent" or "seconds" by data set and method."""
    return report.published_values("table3", "measure", "data_set", "method").xs(measure)
