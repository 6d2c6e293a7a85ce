"""The arena: the papers' methods beside yardsticks of today, on tasks of many data sets."""

from functools import partial

from beyond_accuracy.papers.arena.names import CONTESTANTS, DATA_SETS, METHODS
from beyond_accuracy.reporting import Chart, Paper
from beyond_accuracy.reporting.arena import figures, tables
from beyond_accuracy.reporting.arena.recommendation import recommendation_table

PROTOCOL = """
Of each data set a sample of rows and at most two classes are drawn, each class against the rest;
the sample is drawn anew in each random state. Every method chooses one of six candidates by three
folds of the training part and by the measure itself, and is fitted to all of it. Dense features are
standardized on the training part. Methods that are trained on a measure are fitted for each; the
others share fits. A tuned threshold is the exact best one of each fold, on average.

Methods are ranked by data set, for each measure by itself, never over measures. Methods that take
dense features only have no value on sparse data, which then take no part in comparisons with them.
"""

PAPER = Paper(
    id="arena",
    title="The arena: which method for which measure",
    citation="No paper: a comparison of this project's methods with yardsticks of today.",
    data_sets=DATA_SETS,
    methods=METHODS,
    tables={
        "table_recommendation": partial(recommendation_table, contestants=CONTESTANTS),
        "table_ranks": tables.table_ranks,
        "table_against_best": tables.table_against_best,
        "table_situations": tables.table_situations,
        "table_pairs": tables.table_pairs,
        "table_scores": tables.table_scores,
    },
    figures={
        "figure_critical_difference": Chart(
            figures.figure_critical_difference,
            "Average ranks over data sets, the best on the left. Methods that are joined by a bar "
            "are not told apart by pairwise Wilcoxon tests after Holm's correction.",
        ),
        "figure_frontier": Chart(
            figures.figure_frontier,
            "Mean score over data sets against seconds. Blue: no other method is both faster and "
            "better.",
        ),
        "figure_learning_curves": Chart(
            figures.figure_learning_curves,
            "F1 by the number of training examples.",
        ),
    },
    claims={},
    timed=("figure_frontier",),
    protocol=PROTOCOL,
)
