"""The tables and figures that every arena has, by name."""

from collections.abc import Callable
from functools import partial

from beyond_accuracy_pipeline.reporting.arena import figures, tables
from beyond_accuracy_pipeline.reporting.arena.recommendation import (
    Contestants,
    recommendation_table,
)
from beyond_accuracy_pipeline.reporting.paper import Chart
from beyond_accuracy_pipeline.reporting.tables import Table


def arena_tables(contestants: Contestants) -> dict[str, Callable[..., Table]]:
    """Return the tables, the recommendation first."""
    return {
        "table_recommendation": partial(recommendation_table, contestants=contestants),
        "table_tasks": tables.table_tasks,
        "table_ranks": tables.table_ranks,
        "table_against_best": tables.table_against_best,
        "table_pairs": tables.table_pairs,
        "table_scores": tables.table_scores,
    }


FIGURES = {
    "figure_critical_difference": Chart(
        figures.figure_critical_difference,
        "Average ranks over data sets, the best on the left. A bar covers neighbouring ranks of "
        "which no pair of methods is told apart by pairwise Wilcoxon tests after Holm's "
        "correction; of other pairs the table “Pairs” tells.",
    ),
    "figure_frontier": Chart(
        figures.figure_frontier,
        "Mean score over data sets against seconds. On the line: no other method is both faster "
        "and better.",
    ),
}
