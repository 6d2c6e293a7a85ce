"""Draw Figure 1 of Deng et al. (2006): a tree of metaclasses, which are sets of classes."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from beyond_accuracy_pipeline.reporting.figures import (
    COLOURS,
    PAGE_WIDTH,
    figure_style,
    message_figure,
)
from beyond_accuracy_pipeline.reporting.paper import Chart
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.results.layout import fitted_pairs
from beyond_accuracy_pipeline.results.scores import TREE

from .names import META_CLASS
from .values import Tree, root_thresholds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TREE_DATA_SET = "nursery"
# A metaclass with more classes is labelled by the number of classes.
MOST_NAMED = 6


def figure1(report: Report) -> Figure:
    """Draw the tree that MetaClass fits: a binary tree of sets of classes.

    The data set is nursery or, if nursery has no tree, the first data set with a tree.
    """
    trees = {}
    for data_set, method in fitted_pairs(report.configuration):
        if method == META_CLASS:
            arrays = report.results.scores(data_set, method).arrays
            if TREE in arrays:
                trees[data_set] = json.loads(str(arrays[TREE]))
    if not trees:
        return message_figure("There is no tree: no data set is at hand.")
    from matplotlib.figure import Figure

    data_set = TREE_DATA_SET if TREE_DATA_SET in trees else next(iter(trees))
    nodes = trees[data_set]
    positions = _positions(nodes)
    width = 1 + max(x for x, _ in positions)
    depth = 1 + max(-y for _, y in positions)
    with figure_style():
        size = (max(PAGE_WIDTH, 1.1 * width), 0.5 + 0.85 * depth)
        figure = Figure(figsize=size, layout="constrained")
        panel = figure.subplots()
        panel.set_axis_off()
        for index in range(len(nodes)):
            _draw_node(panel, nodes, positions, index)
        panel.set_xlim(-0.6, width - 0.4)
        panel.set_ylim(0.6 - depth, 0.4)
        panel.set_title(_title(report, data_set), loc="left")
    return figure


def _title(report: Report, data_set: str) -> str:
    title = f"MetaClass on {report.label(data_set)}"
    folds = root_thresholds(report, data_set)
    if len(folds):
        title += (
            f". Threshold at the root in {len(folds)} folds: {_range(folds)}; of the inverse "
            f"ratio: {_range(1 / folds)}"
        )
    printed = report.published_values("figure1", "data_set")
    if data_set in printed:
        title += f"; the paper's: {printed[data_set]:g}"
    return textwrap.fill(title, 96)


def _range(values: pd.Series) -> str:
    return f"{values.min():.3g} to {values.max():.3g}, median {values.median():.3g}"


def _draw_node(panel: Axes, nodes: Tree, positions: Sequence[tuple], index: int) -> None:
    node, (x, y) = nodes[index], positions[index]
    is_leaf = node["log_threshold"] is None
    names = node["classes"]
    text = names[0] if is_leaf else "{" + ", ".join(names) + "}"
    if len(names) > MOST_NAMED:
        text = f"{len(names)} classes"
    text = textwrap.fill(text, 24, break_long_words=False)
    box = {
        "boxstyle": "round,pad=0.35",
        "facecolor": "#e8f1f8" if is_leaf else "white",
        "edgecolor": COLOURS["blue"] if is_leaf else COLOURS["grey"],
        "linewidth": 0.8,
    }
    centred = {"ha": "center", "va": "center"}
    panel.text(x, y, f"{text}\n{node['n_examples']:,}", zorder=3, bbox=box, **centred)
    if node["parent"] is None:
        return
    parent_x, parent_y = positions[node["parent"]]
    panel.plot([parent_x, x], [parent_y, y], color=COLOURS["grey"], lw=0.8, zorder=1)
    ratio = math.exp(nodes[node["parent"]]["log_threshold"])
    sign = "≥" if node["side"] == "left" else "<"
    panel.text(
        0.45 * parent_x + 0.55 * x,
        0.45 * parent_y + 0.55 * y,
        f"{sign} {ratio:.3g}",
        zorder=2,
        bbox={"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"},
        **centred,
    )


def _positions(nodes: Tree) -> list[tuple[float, float]]:
    """Return (x, y) of each node: leaves side by side, and parents centred above their children.

    In `nodes`, parents come before children, and left children before right children.
    """
    children: list[list[int]] = [[] for _ in nodes]
    depths = []
    for index, node in enumerate(nodes):
        parent = node["parent"]
        depths.append(0 if parent is None else depths[parent] + 1)
        if parent is not None:
            children[parent].append(index)
    leaves = [index for index in range(len(nodes)) if not children[index]]
    x = {leaf: float(number) for number, leaf in enumerate(leaves)}
    for index in reversed(range(len(nodes))):
        if children[index]:
            x[index] = sum(x[child] for child in children[index]) / 2
    return [(x[index], -float(depth)) for index, depth in enumerate(depths)]


FIGURES = {
    "figure1": Chart(
        figure1,
        "Figure 1. The tree of metaclasses that MetaClass fits to nursery (naive Bayes scores of "
        "all examples, every error costs 1). Each box holds the classes of a metaclass and the "
        "number of their examples; an example goes left if the ratio of the left metaclass's score "
        "to the right one's is at least the number on the branch. The paper does not say on which "
        "examples, and at which costs, it has made its tree. Its threshold, below 1, favours the "
        "left metaclass, as its text says. The title has the thresholds of the tables' folds, and "
        "their inverses, of the right score over the left: there a number below 1 favours the "
        "right one.",
    )
}
