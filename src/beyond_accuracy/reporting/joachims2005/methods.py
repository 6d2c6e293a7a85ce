"""What the paper compares, and how its reports call it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.comparison import Comparison, Pair, compare_all
from beyond_accuracy.reporting.data_set_names import data_set_label, data_set_notes
from beyond_accuracy.reporting.results import PaperResults

# The 16 macro-averages of the paper's Table 2.
REUTERS = "reuters21578-modapte"
ARXIV = "arxiv-physics"
OPTDIGITS = "optdigits"
COVERTYPE = "covertype"
COLLECTIONS = (REUTERS, ARXIV, OPTDIGITS, COVERTYPE)
MEASURES = ("f1", "prbep", "recall_at_2p", "roc_area")

NOT_THE_PAPER = "¶"

PAIR = Pair(proposed="multivariate_svm", baseline="cost_model_svm")
METHOD_LABELS = {
    "multivariate_svm": "Multivariate SVM",
    "multivariate_svm_at_most_k": "Multivariate SVM, at most k",
    "cost_model_svm": "SVM with cost model",
}

# Lower edges of the bins of positive training examples in Figure 1: about half a decade each.
FREQUENCY_EDGES = (1, 3, 10, 30, 100, 300)


def method_label(method: str) -> str:
    """How tables call a method; one added in the configuration goes by its own name."""
    return METHOD_LABELS.get(method, method)


def collection_label(results: PaperResults, data_set: str) -> str:
    """Return the name of a data set, marked if it is a substitute or none of the paper's."""
    mark = "" if data_set in COLLECTIONS else NOT_THE_PAPER
    return data_set_label(results, data_set) + mark


def collection_notes(results: PaperResults, data_sets: Sequence[str]) -> tuple[str, ...]:
    """Explain the marks of `collection_label`, and each data set that is unavailable."""
    notes = data_set_notes(results, data_sets)
    if set(data_sets) <= set(COLLECTIONS):
        return notes
    return (f"{NOT_THE_PAPER} not one of the paper's collections; enters no claim.", *notes)


def comparisons(
    results: PaperResults, configuration: Mapping[str, Any]
) -> dict[tuple[str, str], Comparison]:
    """Compare both methods on all (data set, measure), in the order of the configuration."""
    return compare_all(
        results,
        results.data_set_names(configuration["data_sets"]),
        configuration["measures"],
        PAIR,
        zero_method=configuration["significance"]["zero_method"],
    )


def cutting_plane_iterations(fits: pd.DataFrame) -> pd.DataFrame:
    """Return the proposed method's successful fits with `iterations` and `sufficed`.

    The paper's algorithm has no line search: where fits were repeated without it to count their
    iterations, those count. `sufficed` is whether the tolerance was reached.
    """
    chosen = fits[(fits["method"] == PAIR.proposed) & (fits["status"] == "ok")]
    plain = chosen["n_iter_without_line_search"].notna()
    counts = chosen["n_iter"].where(~plain, chosen["n_iter_without_line_search"])
    converged, plainly = (
        chosen[name].eq(True) for name in ("converged", "converged_without_line_search")
    )
    return chosen.assign(iterations=counts, sufficed=converged.where(~plain, plainly))


def shares_done(iterations: pd.DataFrame) -> pd.Series:
    """Return the share of fits that were done by a number of iterations, indexed by that number.

    `iterations` is what `cutting_plane_iterations` returns. A fit that was stopped before it
    reached the tolerance is never done, so that the last share may be below 1.
    """
    done = iterations.loc[iterations["sufficed"], "iterations"]
    return done.value_counts().sort_index().cumsum() / len(iterations)
