"""The arena of label vectors: models and decisions on multi-label data sets."""

from beyond_accuracy_pipeline.papers.arena_multilabel.names import CONTESTANTS, DATA_SETS, METHODS
from beyond_accuracy_pipeline.reporting import Paper
from beyond_accuracy_pipeline.reporting.arena.reports import FIGURES, arena_tables

PROTOCOL = """
Each data set has its own test part. The strength of the penalty, and of gradient boosting (HGB) the
learning rate, is chosen by the log-loss in three folds, of five values, once for all measures. Each
decision is taken from the same probabilities; the best thresholds, one a label for macro-F and one
for micro-F, are those of held-out folds of the training part.
Methods are ranked by data set, for each measure by itself.
"""

PAPER = Paper(
    id="arena_multilabel",
    name="Arena, several labels",
    title="The arena of label vectors: which decision for which measure",
    citation="No paper: a comparison of this project's methods with yardsticks of today.",
    data_sets=DATA_SETS,
    methods=METHODS,
    over_states="mean",
    tables=arena_tables(CONTESTANTS),
    figures=FIGURES,
    claims={},
    timed=("figure_frontier",),
    protocol=PROTOCOL,
)
