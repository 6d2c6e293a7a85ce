"""What the paper compares, and how its reports call it."""

from beyond_accuracy.measures.multiclass import MULTICLASS_MEASURES
from beyond_accuracy.reporting.formats import decimals, percent
from beyond_accuracy.reporting.report import Report

DATA_SETS = (
    *("anneal", "audiology", "autos", "balance-scale", "car", "cmc", "dermatology", "ecoli"),
    *("flags", "glass", "hypothyroid", "letter-weka", "nursery", "optdigits-weka", "page-blocks"),
    *("pendigits", "primary-tumor", "segment", "solar-flare_2", "soybean", "splice-weka"),
    *("vehicle", "vowel", "waveform-5000", "wine-weka"),
)

BASELINE = "naive_bayes"

# The columns of Tables 1 and 2; the linear program has two, for its two forms.
PAPER_COLUMNS = {
    BASELINE: "NB",
    "sequential": "LF",
    "boundary_matrix": "OG",
    "meta_class": "MC",
    "linear_program": "LP",
    "linear_program_normalized": "LP, normalized",
    "fractional": "GA-SOLFF",
    "genetic": "GA",
}
REWEIGHTED = tuple(method for method in PAPER_COLUMNS if method != BASELINE)

EXACT = "exact_three_class"
BOOSTING = "gradient_boosting"
EXPECTED_COST = {
    BASELINE: "naive_bayes_expected_cost",
    BOOSTING: "gradient_boosting_expected_cost",
}
BOOSTED = (
    BOOSTING,
    EXPECTED_COST[BOOSTING],
    "gradient_boosting_sequential",
    "gradient_boosting_genetic",
)
METHODS = PAPER_COLUMNS | {
    EXPECTED_COST[BASELINE]: "NB, least expected cost",
    EXACT: "Exact optimum",
    **dict(zip(BOOSTED, ("Gradient boosting", "least expected cost", "LF", "GA"), strict=True)),
}

# Methods whose decisions need not be those of a weight vector.
OTHER_RULES = ("boundary_matrix", "meta_class")

# As printed, the linear program predicts one class throughout: its normalized form stands for it.
LINEAR_PROGRAM = "linear_program_normalized"
GENETIC = "genetic"
GREEDY = ("sequential", "boundary_matrix", "meta_class")
SOPHISTICATED = (LINEAR_PROGRAM, "fractional", GENETIC)
SIX = (*GREEDY, *SOPHISTICATED)

ERROR_RATE = "error_rate"
AVERAGE_COST = "average_cost"
OUT_OF_FOLD = "error_rate_out_of_fold"
MEASURES = {name: MULTICLASS_MEASURES[name].label for name in (ERROR_RATE, AVERAGE_COST)}

# Of the tests over folds.
LEVEL = 0.05

METHOD_NOTE = (
    "NB: naive Bayes as WEKA's default. Re-weighted by LF: Lachiche and Flach (2003), one class at "
    "a time; OG: O'Brien and Gray (2005), boundary matrix; MC: MetaClass; LP: the linear program "
    "as printed, whose optimum w = 0 predicts the first class throughout, and normalized (weights "
    "that sum to 1); GA-SOLFF: sum of linear fractional functions, by the genetic algorithm; GA: "
    "the genetic algorithm on the cost itself."
)


def compared_measures(report: Report) -> dict[str, str]:
    """Return the labels of the paper's two measures, then of those added in the configuration."""
    added = [name for name in report.measures if name not in (*MEASURES, OUT_OF_FOLD)]
    return MEASURES | {name: MULTICLASS_MEASURES[name].label for name in added}


def measured_value(value: float, measure: str) -> str:
    """Show a cost with three decimals, any other measure in percent."""
    return (decimals(3) if MULTICLASS_MEASURES[measure].under_costs else percent)(value)
