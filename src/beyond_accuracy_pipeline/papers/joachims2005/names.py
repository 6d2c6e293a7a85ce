"""Names and labels of the data sets, methods and measures of Joachims (2005)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.reporting.comparison import Pair
from beyond_accuracy_pipeline.reporting.formats import percent

REUTERS = "reuters21578-modapte"
ARXIV = "arxiv-physics"
OPTDIGITS = "optdigits"
COVERTYPE = "covertype"
COLLECTIONS = (REUTERS, ARXIV, OPTDIGITS, COVERTYPE)

# With the collections, the 16 macro-averages of the paper's Table 2.
MEASURES = ("f1", "prbep", "recall_at_2p", "roc_area")

PROPOSED, BASELINE, TUNED = "multivariate_svm", "cost_model_svm", "cost_model_svm_tuned"
PAIR = Pair(PROPOSED, BASELINE)
METHODS = {
    PROPOSED: "Multivariate SVM",
    BASELINE: "SVM with cost model",
    TUNED: "SVM with cost model, threshold tuned",
}

# Lower edges of the bins of training positives in Figure 1, each about half a decade wide. The
# paper's bins are not legible.
FREQUENCY_EDGES = (1, 3, 10, 30, 100, 300)


def cutting_plane_iterations(fits: pd.DataFrame) -> pd.DataFrame:
    """Return the successful fits of the multivariate SVM, with their numbers of iterations.

    Two columns are added: `iterations`, and `sufficed`, which says whether the fit reached its
    tolerance. If a fit was repeated without line search, as in the paper, the columns describe the
    repeated fit.
    """
    chosen = fits[(fits["method"] == PROPOSED) & (fits["status"] == "ok")]
    plain = chosen["n_iter_without_line_search"].notna()
    counts = chosen["n_iter"].where(~plain, chosen["n_iter_without_line_search"])
    converged, plainly = (
        chosen[name].eq(True) for name in ("converged", "converged_without_line_search")
    )
    return chosen.assign(iterations=counts, sufficed=converged.where(~plain, plainly))


def finding(numbers: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a sentence that states the main result of Joachims (2005).

    `numbers` maps the id of each claim to a dict of computed values, such as {"improved": 12}.
    """
    reuters, averages = numbers["f1-reuters"], numbers["most-improve"]
    ours, other = (percent(reuters[f"F1: {method}"]) for method in PAIR.methods)
    return (
        f"Trained for a measure, SVMs beat class costs in {averages['improved']} of "
        f"{averages['known']} averages over classes (median over seeds); on Reuters F1 is "
        f"{ours} % against {other} %."
    )
