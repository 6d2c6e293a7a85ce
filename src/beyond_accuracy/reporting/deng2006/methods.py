"""What the paper compares, and how its reports call it."""

BASELINE = "naive_bayes"

# The columns of Tables 1 and 2; the linear program has two, for its two forms.
METHOD_LABELS = {
    BASELINE: "NB",
    "sequential": "LF",
    "boundary_matrix": "OG",
    "meta_class": "MC",
    "linear_program": "LP",
    "linear_program_normalized": "LP, normalized",
    "fractional": "GA-SOLFF",
    "genetic": "GA",
}
REWEIGHTED = tuple(method for method in METHOD_LABELS if method != BASELINE)

EXTRA_LABELS = {
    "naive_bayes_expected_cost": "NB, least expected cost",
    "sequential_ascending": "LF, rare classes first",
    "exact_three_class": "Exact optimum",
    "gradient_boosting": "Gradient boosting",
    "gradient_boosting_expected_cost": "least expected cost",
    "gradient_boosting_sequential": "LF",
    "gradient_boosting_genetic": "GA",
}
LABELS = METHOD_LABELS | EXTRA_LABELS

# As printed, the linear program predicts one class throughout: its normalized form stands for it.
LINEAR_PROGRAM = "linear_program_normalized"
GENETIC = "genetic"
GREEDY = ("sequential", "boundary_matrix", "meta_class")
SOPHISTICATED = (LINEAR_PROGRAM, "fractional", GENETIC)
SIX = (*GREEDY, *SOPHISTICATED)

# Methods whose decisions need not be those of a weight vector.
OTHER_RULES = ("boundary_matrix", "meta_class")

ERROR_RATE = "error_rate"
AVERAGE_COST = "average_cost"
OUT_OF_FOLD = "error_rate_out_of_fold"

LEVEL = 0.05

METHOD_NOTE = (
    "NB: naive Bayes as WEKA's default. Re-weighted by LF: Lachiche and Flach (2003), one class at "
    "a time; OG: O'Brien and Gray (2005), boundary matrix; MC: MetaClass; LP: the linear program "
    "as printed, whose optimum w = 0 predicts the first class throughout, and normalized (weights "
    "that sum to 1); GA-SOLFF: sum of linear fractional functions, by the genetic algorithm; GA: "
    "the genetic algorithm on the cost itself."
)
