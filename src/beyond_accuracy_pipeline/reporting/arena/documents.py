"""Write the arenas' recommendations into documents and for the overview page of a run.

An arena is a comparison of many methods on many data sets.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.damage import existing

from ..formats import decimals, if_known
from ..names import contestant_name, measure_name
from ..page_tables import markdown_table
from ..pages import render_pages
from ..paper import Paper
from ..reference_values import Reference
from .recommendation import FEWEST, advice, for_probabilities, known, threshold_advice

_DENSE, _SPARSE, _ALL = "dense features", "sparse features", "all tasks"
SEVERAL = {"arena_multiclass": "several classes", "arena_multilabel": "several labels"}
"""Kind of tasks, for readers, of the arenas that have only one kind."""
SITUATIONS = (
    (_DENSE,),
    ("dense, below 10 % positives", "dense, 10 % positives or more"),
    ("dense, below 1,000 examples", "dense, 1,000 examples or more"),
    (_SPARSE,),
    (_ALL,),
    ("below 1,000 examples", "1,000 examples or more"),
)
"""Kinds of tasks with recommendations. Pairs of kinds, which divide the tasks, are only shown if
one of the two has enough data sets."""
THRESHOLD = "is a tuned threshold enough"


def arena_pages(values: Reference, arenas: Mapping[str, Paper]) -> dict[str, str]:
    """Fill in the templates of the arenas' Markdown pages: a dict from path to text.

    `arenas` maps the id of each arena, a comparison of many methods on many data sets, to its
    definition.
    """

    def recommended(arena: str) -> str:
        frame = read_arena_table(values.folder, arena, "table_recommendation")
        title = SEVERAL.get(arena, "measure")
        return markdown_table(decision_table(frame, arenas[arena].methods, title))

    def threshold(arena: str) -> str:
        frame = read_arena_table(values.folder, arena, "table_recommendation")
        return markdown_table(threshold_table(frame, arenas[arena].methods, f"{THRESHOLD}?"))

    def ranks(arena: str, situation: str) -> str:
        frame = read_arena_table(values.folder, arena, "table_ranks")
        rows = frame[frame["situation"] == situation]
        return markdown_table(_ranks(arenas[arena], rows, SEVERAL.get(arena, situation)))

    functions = {"recommended": recommended, "threshold": threshold, "ranks": ranks}
    return render_pages("arena", values, functions)


def read_arena_table(reference: str | Path, arena: str, table: str) -> pd.DataFrame:
    """Read an arena's table from its CSV file in the folder `reference` of results."""
    path = layout.TABLE.format(paper=arena, table=table, suffix="csv")
    return pd.read_csv(existing(Path(reference) / path))


def recommended_methods(
    recommended: pd.DataFrame, labels: Mapping[str, str], when: str
) -> tuple[int, dict[str, list[str]]]:
    """Return (number of data sets, {name of a recommended method: measures}) for a kind of tasks.

    `when` is the kind, such as "dense features". `recommended` is a table made by
    `recommendations`. `labels` maps ids of methods to names. In the dict, the key "" has the
    measures without a recommendation.
    """
    usual = recommended[~recommended["probabilities"] & (recommended["when"] == when)]
    measures: dict[str, list[str]] = {}
    for measure, name in zip(usual["measure"], usual["recommended"], strict=True):
        method = contestant_name(name, labels) if known(name) else ""
        measures.setdefault(method, []).append(measure_name(measure))
    return int(usual["n_data_sets"].max()), measures


def decision_table(
    recommended: pd.DataFrame, labels: Mapping[str, str], title: str, slices: bool = True
) -> list[list[str]]:
    """Return a table of recommended methods, one row per measure and one column per kind of tasks.

    `recommended` is a table made by `recommendations`. `labels` maps ids of methods to names. Kinds
    of tasks are, for example, tasks with sparse features. With `slices`, there are also columns for
    tasks of certain sizes and shares of positives. The result is a list of rows of texts; the first
    row begins with `title`.
    """
    usual = recommended[~recommended["probabilities"]]
    label = partial(contestant_name, methods=labels)
    others = for_probabilities(recommended, label)
    numbers = usual.groupby("when")["n_data_sets"].max()
    kinds = [
        name
        for names in SITUATIONS
        if len(names) == 1 or slices and (numbers.reindex(names) >= FEWEST).any()
        for name in names
        if name in numbers
    ]

    def cell(row: Mapping[str, Any]) -> str:
        return advice(row, label, others.get((row["measure"], row["when"])))

    return _by_measure(usual, kinds, title, cell)


def threshold_table(
    recommended: pd.DataFrame, labels: Mapping[str, str], title: str
) -> list[list[str]]:
    """Return a table that says, per measure, whether tuning a decision threshold is enough.

    Tuning is enough if no other method is clearly better. `recommended` is a table made by
    `recommendations`. `labels` maps ids of methods to names. The result is a list of rows of texts;
    the first row begins with `title`. If no method tunes a threshold, return [].
    """
    usual = recommended[~recommended["probabilities"] & recommended["threshold"].map(known)]
    kinds = [name for name in (_DENSE, _SPARSE, _ALL) if name in set(usual["when"])]
    if not kinds:
        return []
    label = partial(contestant_name, methods=labels)
    return _by_measure(usual, kinds, title, partial(threshold_advice, label=label))


def _by_measure(
    usual: pd.DataFrame, kinds: list[str], title: str, cell: Callable[[Mapping[str, Any]], str]
) -> list[list[str]]:
    rows = {(row["measure"], row["when"]): cell(row) for row in usual.to_dict("records")}
    numbers = usual.groupby("when")["n_data_sets"].max()
    counts = [f"{numbers[kind]} data set{'' if numbers[kind] == 1 else 's'}" for kind in kinds]
    head = [f"{kind} ({count})" for kind, count in zip(kinds, counts, strict=True)]
    body = [
        [measure_name(measure), *(rows.get((measure, kind), "") for kind in kinds)]
        for measure in dict.fromkeys(usual["measure"])
    ]
    return [[title, *head], *body]


def _ranks(paper: Paper, ranks: pd.DataFrame, of: str) -> list[list[str]]:
    wide = ranks.pivot_table("rank", "method", "measure", sort=False)
    texts = wide.map(if_known(decimals(1)))
    texts = texts.mask(wide.eq(wide.min()), "**" + texts + "**")
    texts.insert(0, "method", [contestant_name(method, paper.methods) for method in wide.index])
    return [[f"average rank, {of}", *map(measure_name, wide)], *texts.to_numpy().tolist()]
