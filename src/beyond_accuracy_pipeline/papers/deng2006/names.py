"""Names and labels of the data sets, methods and measures of Deng et al. (2006).

LF is the method of Lachiche and Flach, OG of O'Brien and Gray, and GA a genetic algorithm.
"""

from beyond_accuracy.measures.multiclass import MULTICLASS_MEASURES
from beyond_accuracy_pipeline.reporting.formats import decimals, percent
from beyond_accuracy_pipeline.reporting.report import Report

DATA_SETS = (
    *("anneal", "audiology", "autos", "balance-scale", "car", "cmc", "dermatology", "ecoli"),
    *("flags", "glass", "hypothyroid", "letter-weka", "nursery", "optdigits-weka", "page-blocks"),
    *("pendigits", "primary-tumor", "segment", "solar-flare_2", "soybean", "splice-weka"),
    *("vehicle", "vowel", "waveform-5000", "wine-weka"),
)

BASELINE = "naive_bayes"

# Columns of Tables 1 and 2.
PAPER_COLUMNS = {
    BASELINE: "NB",
    "sequential": "LF",
    "boundary_matrix": "OG",
    "meta_class": "MC",
    "linear_program": "LP",
    "fractional": "GA-SOLFF",
    "genetic": "GA",
}
SEQUENTIAL, META_CLASS = "sequential", "meta_class"
LINEAR_PROGRAM, GENETIC = "linear_program", "genetic"
GENETIC_ALGORITHMS = ("fractional", GENETIC)
GREEDY = (SEQUENTIAL, "boundary_matrix", META_CLASS)
SOPHISTICATED = (LINEAR_PROGRAM, *GENETIC_ALGORITHMS)
SIX = (*GREEDY, *SOPHISTICATED)
# The paper takes wins and losses of the other two methods from earlier papers.
RUN_BY_THE_AUTHORS = (META_CLASS, *SOPHISTICATED)

DESCENT = "coordinate_descent"
EXPECTED_COST = "naive_bayes_expected_cost"
CALIBRATED_COST = "naive_bayes_calibrated_expected_cost"
# Other base classifiers, and their decision rules.
BASES = {
    "gradient_boosting": "Gradient boosting",
    "logistic_regression": "Logistic regression",
    "random_forest": "Random forest",
}
RULES = {"": "as it is", "_expected_cost": "least expected cost", "_sequential": "LF",
         "_genetic": "GA", f"_{DESCENT}": "CD"}  # fmt: skip
METHODS = PAPER_COLUMNS | {
    DESCENT: "CD",
    EXPECTED_COST: "NB, least expected cost",
    CALIBRATED_COST: "NB calibrated, least expected cost",
    "exact_three_class": "Exact optimum",
    **{
        f"{base}{rule}": f"{name}, {label}"
        for base, name in BASES.items()
        for rule, label in RULES.items()
    },
}

ERROR_RATE = "error_rate"
AVERAGE_COST = "average_cost"
OUT_OF_FOLD = {ERROR_RATE: "error_rate_out_of_fold", AVERAGE_COST: "average_cost_out_of_fold"}
OUT_OF_FOLD_READING = "out_of_fold"
MEASURES = {name: MULTICLASS_MEASURES[name].label for name in (ERROR_RATE, AVERAGE_COST)}

# Significance level of the tests over folds.
LEVEL = 0.05

METHOD_NOTE = (
    "NB: naive Bayes as WEKA's default. Re-weighted by LF: Lachiche and Flach (2003), one class at "
    "a time; OG: O'Brien and Gray (2005), boundary matrix; MC: MetaClass; LP: the linear program "
    "as printed, which mostly ends at w = 0 and then predicts the first class throughout; "
    "GA-SOLFF: sum of linear fractional functions, by the genetic algorithm; GA: the genetic "
    "algorithm on the cost itself. Beyond the paper, CD: coordinate descent on the cost itself."
)


def compared_measures(report: Report) -> dict[str, str]:
    """Return {name: label} of error rate, average cost, and the measures that users added."""
    added = [name for name in report.measures if name not in (*MEASURES, *OUT_OF_FOLD.values())]
    return MEASURES | {name: MULTICLASS_MEASURES[name].label for name in added}


def measured_value(value: float, measure: str) -> str:
    return (decimals(3) if MULTICLASS_MEASURES[measure].under_costs else percent)(value)
