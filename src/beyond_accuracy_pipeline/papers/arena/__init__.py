"""The arena: the papers' methods beside yardsticks of today, on tasks of many data sets."""

from beyond_accuracy_pipeline.papers.arena.names import CONTESTANTS, DATA_SETS, METHODS
from beyond_accuracy_pipeline.reporting import Chart, Paper
from beyond_accuracy_pipeline.reporting.arena.figures import figure_learning_curves
from beyond_accuracy_pipeline.reporting.arena.reports import FIGURES, arena_tables
from beyond_accuracy_pipeline.reporting.arena.tables import table_situations

PROTOCOL = """
Of each data set a sample of rows and at most two classes are drawn, each class against the rest;
the sample is drawn anew in each random state. Every method chooses one of six candidates by three
folds of the training part and by the measure itself, and is fitted to all of it. Dense features are
standardized on the training part. Methods that are trained on a measure are fitted for each; the
others share fits. A tuned threshold is the exact best one of each fold, on average. A multivariate
SVM has none of its own: where w = 0 is optimal at each C it predicts one class, and its F1 is 0.
LR is logistic regression, HGB scikit-learn's histogram gradient boosting.

Methods are ranked by data set, for each measure by itself, never over measures. Methods that take
dense features only have no value on sparse data, which then take no part in comparisons with them.
"""

PAPER = Paper(
    id="arena",
    name="Arena",
    title="The arena: which method for which measure",
    citation="No paper: a comparison of this project's methods with yardsticks of today.",
    data_sets=DATA_SETS,
    methods=METHODS,
    over_states="mean",
    tables=arena_tables(CONTESTANTS) | {"table_situations": table_situations},
    figures=FIGURES
    | {
        "figure_learning_curves": Chart(
            figure_learning_curves,
            "F1 by the number of training examples, means over random states and over the classes "
            "that have enough positives at every size; named where these are not all.",
        )
    },
    claims={},
    timed=("figure_frontier",),
    protocol=PROTOCOL,
)
