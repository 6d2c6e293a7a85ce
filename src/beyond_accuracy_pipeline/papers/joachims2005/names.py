"""Names and labels of the data sets, methods and measures of Joachims (2005)."""

import pandas as pd

from beyond_accuracy_pipeline.reporting.comparison import Pair

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

    The columns `iterations` and `sufficed` (whether the fit reached its tolerance) are added. If a
    fit was repeated without line search, they describe the repeated fit.
    """
    chosen = fits[(fits["method"] == PROPOSED) & (fits["status"] == "ok")]
    plain = chosen["n_iter_without_line_search"].notna()
    counts = chosen["n_iter"].where(~plain, chosen["n_iter_without_line_search"])
    converged, plainly = (
        chosen[name].eq(True) for name in ("converged", "converged_without_line_search")
    )
    return chosen.assign(iterations=counts, sufficed=converged.where(~plain, plainly))
