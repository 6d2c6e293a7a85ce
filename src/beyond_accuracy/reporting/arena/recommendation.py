"""Which method to use: a decision table, computed from the values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.arena.ranks import (
    ROPE,
    average_ranks,
    best_ranked,
    posterior,
)
from beyond_accuracy.reporting.arena.values import (
    SITUATIONS,
    by_data_set,
    measure_title,
    task_values,
)
from beyond_accuracy.reporting.formats import if_known, percent_change
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.tables import Across, Column, Table

AS_GOOD = 0.9
"""The probability of not being worse in practice that a recommendation needs."""

FEWEST = 5
"""Fewer data sets say nothing."""

_MISSING = float("nan")


@dataclass(frozen=True)
class Contestants:
    """What a recommendation has to know of methods.

    Attributes
    ----------
    simple_first : sequence of str
        Methods that can be recommended, the simpler ones first.
    probabilistic : sequence of str
        Those of which the scores are probabilities that need no correction.
    thresholds : sequence of str
        Those of which nothing but a threshold is tuned, and those that are used as they are.
    """

    simple_first: Sequence[str]
    probabilistic: Sequence[str] = ()
    thresholds: Sequence[str] = ()


def recommend(table: pd.DataFrame, simple_first: Sequence[str]) -> dict[str, Any]:
    """Return the simplest method that is as good as the best one, and the evidence.

    Parameters
    ----------
    table : DataFrame
        A row a data set, a column a method, more is better.
    simple_first : sequence of str
        Columns in the order in which they are preferred.

    Returns
    -------
    dict
        `recommended` is "" if there are fewer than `FEWEST` data sets or no method. Else it is the
        first method that with the probability `AS_GOOD` is not worse than the best-ranked one, by
        more than `ROPE`; that one itself, if no simpler one is.
    """
    order = [name for name in simple_first if name in table]
    n_data_sets = len(table)
    if n_data_sets < FEWEST or not order:
        nothing = dict.fromkeys(("rank", "rank_of_best", "difference", "not_worse"), _MISSING)
        return {"recommended": "", "best": "", "n_data_sets": n_data_sets, **nothing}
    table = table[order]
    best, ranks = best_ranked(table), average_ranks(table)
    for method in order:
        compared = posterior(table, method, best)
        if method == best or compared.equivalent + compared.better >= AS_GOOD:
            break
    return {
        "recommended": method,
        "best": best,
        "n_data_sets": n_data_sets,
        "rank": ranks[method],
        "rank_of_best": ranks[best],
        "difference": float((table[method] - table[best]).mean()),
        "not_worse": 1.0 if method == best else compared.equivalent + compared.better,
    }


def recommendations(report: Report, contestants: Contestants) -> pd.DataFrame:
    """Return a row for each measure and situation, those without tasks left out."""
    rows = report.once(task_values)
    found = []
    for measure in report.measures:
        for situation in SITUATIONS:
            own = rows[situation.holds(rows)]
            if own.empty:
                continue
            kinds: Mapping[bool, Sequence[str]] = {False: contestants.simple_first}
            if contestants.probabilistic:
                kinds |= {True: contestants.probabilistic}
            for probabilities, methods in kinds.items():
                order = [name for name in methods if name in set(own["method"])]
                result = recommend(by_data_set(own, measure, order), order)
                keys = {"measure": measure, "situation": situation.name}
                keys |= {"when": situation.label, "probabilities": probabilities}
                tuned = result["recommended"] in contestants.thresholds
                found.append(
                    keys | result | {"threshold_suffices": tuned, "evidence": "table_ranks"}
                )
    return pd.DataFrame(found)


def for_probabilities(recommended: pd.DataFrame) -> dict[tuple[str, str], str]:
    """Return what to take where probabilities are needed and the usual advice has none.

    By measure and kind of tasks (`when`), of a table as `recommendations` returns it.
    """
    keys = ["measure", "when"]
    usual, needed = (
        recommended[recommended["probabilities"] == whether].set_index(keys)["recommended"].dropna()
        for whether in (False, True)
    )
    return {key: name for key, name in needed.items() if name and usual.get(key) != name}


def recommendation_table(report: Report, contestants: Contestants) -> Table:
    """The simplest method as good as the best, by measure and kind of task."""
    frame = recommendations(report, contestants)
    frame["column"] = frame["when"] + frame["probabilities"].map(
        {True: ", probabilities needed", False: ""}
    )
    lines = [
        Column("Use", "recommended", lambda name: report.method_label(name) or "too few data sets"),
        Column("Best-ranked", "best", report.method_label),
        Column("Evidence", ("difference", "not_worse", "n_data_sets"), if_known(_evidence)),
    ]
    return Table(
        frame=frame,
        index=[Column("Tasks", "column")],
        columns=[Across("measure", measure_title, lines)],
        caption=(
            "What to use: the simplest method that is not worse than the best-ranked one by more "
            f"than {100 * ROPE:g} percentage point, with a probability of {AS_GOOD:.0%}."
        ),
        notes=[
            "Simpler methods are those that stand first: "
            f"{', '.join(map(report.method_label, contestants.simple_first))}.",
            "Evidence: mean difference from the best-ranked in percentage points; probability of "
            "not being worse, by the Bayesian signed-rank test (Benavoli et al. 2017); "
            f"number of data sets. Fewer than {FEWEST} give no recommendation.",
            "More of it: table_ranks, table_against_best and figure_critical_difference.",
        ],
    )


def _evidence(difference: float, not_worse: float, n_data_sets: int) -> str:
    return f"{percent_change(difference)}; {not_worse:.2f}; {n_data_sets}"
