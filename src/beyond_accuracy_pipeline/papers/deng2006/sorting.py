"""What MetaClass and Lachiche and Flach's method have to sort, by the sizes of classes.

Every search for a threshold counts as a sort of all its values. Ours leave out most that lie far
from the best one, how many depends on the scores.
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
"""A tree of metaclasses as a run keeps it: a row a node, the root first."""


def class_sizes(tree: Tree) -> list[int]:
    """Numbers of examples of the classes, in their order."""
    leaves = {node["classes"][0]: node["n_examples"] for node in tree if _is_leaf(node)}
    return [leaves[name] for name in tree[0]["classes"]]


def meta_class_sorts(tree: Tree) -> list[int]:
    """Numbers of values that MetaClass sorts: at each split, one of each example of the node."""
    return [node["n_examples"] for node in tree if not _is_leaf(node)]


def sequential_sorts(
    sizes: Sequence[int],
    order: str | Sequence[int] = "frequency_descending",
    examples: str = "seen_classes",
) -> list[int]:
    """Numbers of values that Lachiche and Flach's method sorts, by the options of its estimator.

    For each class but the first it is one of each example of the classes so far, or of all.
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


def comparisons(sorts: Iterable[int]) -> float:
    """Comparisons of sorting, n·log2 n for n values."""
    return math.fsum(n * math.log2(n) for n in sorts if n)


def sorting_comparisons(report: Report, data_sets: Sequence[str]) -> pd.DataFrame:
    """Comparisons of both methods, fitted to all examples, and numbers of classes.

    By data set of which the run has kept a tree; its splits are those that MetaClass made.
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
            comparisons(sequential_sorts(sizes, **own)),
            comparisons(meta_class_sorts(tree)),
            len(sizes),
        )
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=[SEQUENTIAL, META_CLASS, "n_classes"]
    )


def _is_leaf(node: Mapping[str, Any]) -> bool:
    return len(node["classes"]) == 1
