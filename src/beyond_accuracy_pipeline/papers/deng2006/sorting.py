"""Count comparisons for sorting in MetaClass and in the method of Lachiche and Flach.

Each search for a threshold counts as one sort of all its values. This package's implementation
sorts fewer.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.papers.deng2006.names import META_CLASS, SEQUENTIAL
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.results.scores import TREE

Tree = Sequence[Mapping[str, Any]]
"""Tree of metaclasses in the results of a run: one row per node, the root first."""


def class_sizes(tree: Tree) -> list[int]:
    """Return the number of examples of each class, in the order of the classes at the root."""
    leaves = {node["classes"][0]: node["n_examples"] for node in tree if _is_leaf(node)}
    return [leaves[name] for name in tree[0]["classes"]]


def meta_class_sorts(tree: Tree) -> list[int]:
    """Return how many values MetaClass sorts at each split of its tree: one per example there."""
    return [node["n_examples"] for node in tree if not _is_leaf(node)]


def sequential_sorts(
    sizes: Sequence[int],
    order: str | Sequence[int] = "frequency_descending",
    examples: str = "seen_classes",
) -> list[int]:
    """Return how many values Lachiche and Flach's method sorts for each class after the first.

    It sorts one value per example of the classes so far or, if `examples` is "all", of all classes.
    """
    if examples == "all":
        return [sum(sizes)] * (len(sizes) - 1)
    named = {
        "frequency_descending": sorted(sizes, reverse=True),
        "frequency_ascending": sorted(sizes),
        "index": sizes,
    }
    taken = named[order] if isinstance(order, str) else [sizes[c] for c in order]
    return np.cumsum(taken)[1:].tolist()


def count_comparisons(sorts: Iterable[int]) -> float:
    """Return the number of comparisons of several sorts, counting n·log₂(n) for n values."""
    return math.fsum(n * math.log2(n) for n in sorts if n)


def sorting_comparisons(report: Report, data_sets: Sequence[str]) -> pd.DataFrame:
    """Return the comparisons of `sequential` and `meta_class`, and `n_classes`, by data set.

    Data sets without a tree of MetaClass are left out.
    """
    parameters = report.configuration["methods"][SEQUENTIAL].get("reweighter_parameters") or {}
    rows = {}
    for data_set in data_sets:
        arrays = report.results.scores(data_set, META_CLASS).arrays
        if TREE not in arrays:
            continue
        tree = json.loads(str(arrays[TREE]))
        sizes = class_sizes(tree)
        own = {name: parameters[name] for name in ("order", "examples") if name in parameters}
        rows[data_set] = (
            count_comparisons(sequential_sorts(sizes, **own)),
            count_comparisons(meta_class_sorts(tree)),
            len(sizes),
        )
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=[SEQUENTIAL, META_CLASS, "n_classes"]
    )


def _is_leaf(node: Mapping[str, Any]) -> bool:
    return len(node["classes"]) == 1
