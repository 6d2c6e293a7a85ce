"""What the paper compares, and how its reports call it."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.results import PaperResults

PAPER = "cheng2016"
MEASURE = "f1"

# The five methods of the paper, and those added.
PAPER_METHODS = {
    "svm_perf": "SVM-perf",
    "svm_cs": "SVM-CS",
    "lr_f": "LR-F",
    "bm_nls_cs": "BM-nls-CS",
    "bm_ls_cs": "BM-ls-CS",
}
METHOD_LABELS = {
    **PAPER_METHODS,
    "svm_perf_line_search": "SVM-perf with line search",
    "lr_tuned": "LR, tuned threshold",
    "error_rate": "Error rate",
}
COLLECTIONS = ("a3a", "acoustic", "ijcnn1", "letter", "news20", "satimage")

PROPOSED = "bm_ls_cs"
PAIR = Pair(proposed=PROPOSED, baseline="svm_perf")
FURTHER_PAIRS = tuple(
    Pair(proposed=PROPOSED, baseline=method)
    for method in METHOD_LABELS
    if method not in PAIR.methods
)

NOT_THE_PAPER = (
    "Rows below the paper's six data sets are generated; they show that everything runs without "
    "mirror and network, and enter no test and no claim."
)


def method_label(method: str) -> str:
    """How tables call a method; one added in the configuration goes by its own name."""
    return METHOD_LABELS.get(method, method)


def values_by_method(
    results: PaperResults, configuration: Mapping[str, Any], status: str = "ok"
) -> pd.DataFrame:
    """Mean F1 over the tasks of each data set, one column a method; NaN where not all are ok."""
    data_sets = results.data_set_names(configuration["data_sets"])
    methods = configuration["methods_selected"]
    frame = results.measurements[results.measurements["measure"] == MEASURE]
    value = frame["value"].where(frame["status"] == status)
    grouped = value.groupby([frame["data_set"], frame["method"]], sort=False)
    means = grouped.mean().where(grouped.count() == grouped.size())
    return means.unstack("method").reindex(index=data_sets, columns=list(methods))


def seconds_by_method(results: PaperResults, configuration: Mapping[str, Any]) -> pd.DataFrame:
    """CPU seconds of `fit`, `predict` (medians of the repetitions) and `select` (in all).

    Columns are the stages; the index is (data_set, method). Tasks of a data set are added up.
    """
    frame = results.seconds
    keys = ["data_set", "method", "task", "stage"]
    medians = frame[frame["stage"] != "select"].groupby(keys)["cpu_seconds"].median()
    selection = frame[frame["stage"] == "select"].groupby(keys)["cpu_seconds"].sum()
    both = pd.concat([medians, selection]).groupby(["data_set", "method", "stage"]).sum()
    wanted = pd.MultiIndex.from_product(
        [
            results.data_set_names(configuration["data_sets"]),
            configuration["methods_selected"],
        ],
        names=["data_set", "method"],
    )
    return both.unstack("stage").reindex(index=wanted, columns=["fit", "select", "predict"])
