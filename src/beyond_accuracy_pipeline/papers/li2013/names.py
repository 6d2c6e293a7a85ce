"""Names and labels of the data sets, methods and measures of Li et al. (2013).

CAPO (classifier adaptation) is a multivariate SVM on the features and the outputs of auxiliary
classifiers. CAPO* has three of them.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from beyond_accuracy_pipeline.reporting.comparison import Pair
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.tables import Column

IJCNN1, REUTERS, USPS = "ijcnn1", "reuters-money-fx", "usps-01234"
SPLICE = "splice"
COLLECTIONS = (IJCNN1, "mitfaces", REUTERS, SPLICE, USPS)
BUT_REUTERS = tuple(name for name in COLLECTIONS if name != REUTERS)

MEASURES = ("accuracy", "f1", "prbep", "roc_area")

# Each CAPO with one auxiliary, and its auxiliary.
AUXILIARY_OF = {"capo_cvm": "core_vector_machine", "capo_c45": "c45", "capo_rbfn": "rbf_network"}
AUXILIARIES = tuple(AUXILIARY_OF.values())
STAR, SVM_PERF, RBF = "capo_star", "svmperf_linear", "svmperf_rbf"
CAPO = (*AUXILIARY_OF, STAR)
FIGURE1 = (SVM_PERF, "capo_cvm", STAR)
LINEAR = (SVM_PERF, "svmlight_linear")
COST_MODELS = ("svmlight_linear", "svmlight_rbf")
BASELINES = (SVM_PERF, RBF, *COST_MODELS)
# Columns of Table 2.
TABLE2_METHODS = (*CAPO, *BASELINES)
ONE, FIVE, ENSEMBLE = "capo_cvm", "capo_5cvm", "weighted_ensemble_5cvm"

METHODS = {
    "capo_cvm": "CAPO_cvm",
    "capo_c45": "CAPO_c45",
    "capo_rbfn": "CAPO_rbfn",
    STAR: "CAPO*",
    SVM_PERF: "SVM-perf linear",
    "svmlight_linear": "Cost model linear",
    RBF: "SVM-perf RBF",
    "svmlight_rbf": "Cost model RBF",
    "core_vector_machine": "CVM",
    "c45": "C4.5",
    "rbf_network": "RBF network",
    FIVE: "CAPO, 5 CVMs",
    ENSEMBLE: "Weighted ensemble, 5 CVMs",
}

# Largest distance of a value that is near the published one. It was fixed before any run.
NEAR = 0.03

WINS, COMPARISONS = "wins", "comparisons"
IN_PRINT_ALONE = "verdict on the tasks in print alone"
RIVALS_BEATEN_IN_PRINT = "rivals beaten on the tasks in print"
DELTA_FUNCTION = Pair(FIVE, ENSEMBLE)


def data_set_and_measure(report: Report) -> list[Column]:
    """Return two table columns, which show the data set and the measure of each row."""
    return [report.data_set_column(), Column("Measure", "measure", measure_name)]


def finding(numbers: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a sentence that states the main result of Li et al. (2013).

    `numbers` maps the id of each claim to a dict of computed values, such as {"CAPO* against
    SVM-perf linear: wins": 12}.
    """
    main = numbers["more-effective-than-rivals"]
    n = max(main[f"{_against(rival)}: {COMPARISONS}"] for rival in BASELINES)
    wins = {rival: main[f"{_against(rival)}: {WINS}"] for rival in BASELINES}
    linear = _span(wins.pop(rival) for rival in LINEAR)
    return (
        f"{METHODS[STAR]} beats linear rivals on {linear} of {n:g} tasks (data set × measure), RBF "
        f"rivals on {_span(wins.values())}; on those in print: {main[IN_PRINT_ALONE]}."
    )


def _against(rival: str) -> str:
    """Return "CAPO* against" followed by the rival's label, for the names of a claim's numbers."""
    return f"{METHODS[STAR]} against {METHODS[rival]}"


def _span(values: Iterable[float]) -> str:
    """Return "smallest–largest" of some values, or a single value if both are equal."""
    ends = sorted(values)
    return "–".join(dict.fromkeys(f"{end:g}" for end in (ends[0], ends[-1])))
