"""What the paper compares, and how its reports call it."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.comparison import Comparison, Pair, compare_all
from beyond_accuracy.reporting.results import PaperResults

PAIR = Pair(proposed="multivariate_svm", baseline="cost_model_svm")
METHOD_LABELS = {
    "multivariate_svm": "Multivariate SVM",
    "cost_model_svm": "SVM with cost model",
}

# Lower edges of the bins of positive training examples in Figure 1: about half a decade each.
FREQUENCY_EDGES = (1, 3, 10, 30, 100, 300)


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
    converged = chosen["converged"].where(~plain, chosen["converged_without_line_search"])
    return chosen.assign(iterations=counts, sufficed=converged.eq(True))
