"""The arena of several classes: decision rules for the scores of yardsticks of today."""

from beyond_accuracy_pipeline.papers.arena_multiclass.names import CONTESTANTS, DATA_SETS, METHODS
from beyond_accuracy_pipeline.reporting import Paper
from beyond_accuracy_pipeline.reporting.arena.reports import FIGURES, arena_tables

PROTOCOL = """
Five folds of each data set, the same for all methods, and three random cost matrices. Decision
rules that re-weight classes see scores of an inner cross-validation. Methods are ranked by data
set, for each measure by itself.
"""

PAPER = Paper(
    id="arena_multiclass",
    name="Arena, several classes",
    title="The arena of several classes: which decision rule",
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
