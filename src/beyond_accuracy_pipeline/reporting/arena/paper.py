"""Definition of the reports that all arenas (comparisons of many methods) share."""

from collections.abc import Mapping, Sequence
from functools import partial

from ..arena import tables
from ..paper import Chart, Paper
from .figures import figure_critical_difference
from .recommendation import Contestants, recommendation_table


def arena(
    name: str,
    short_name: str,
    title: str,
    *,
    data_sets: Sequence[str],
    methods: Mapping[str, str],
    contestants: Contestants,
) -> Paper:
    """Return the definition of an arena, a comparison of many methods on many data sets.

    `name` is the id of the arena. `methods` maps ids of methods to names. `contestants` says
    which of them can be recommended, and in which order.
    """
    return Paper(
        id=name,
        name=short_name,
        title=title,
        citation="No paper: a comparison of this project's methods with yardsticks of today.",
        data_sets=data_sets,
        methods=methods,
        over_states="mean",
        tables={
            "table_recommendation": partial(recommendation_table, contestants=contestants),
            "table_tasks": tables.table_tasks,
            "table_ranks": tables.table_ranks,
            "table_pairs": tables.table_pairs,
            "table_scores": tables.table_scores,
        },
        figures={
            "figure_critical_difference": Chart(
                figure_critical_difference,
                "Average ranks over data sets, the best on the left. A bar covers neighbouring "
                "ranks of which no pair of methods is told apart by pairwise Wilcoxon tests after "
                "Holm's correction; of other pairs the table “Pairs” tells.",
            )
        },
        claims={},
    )
