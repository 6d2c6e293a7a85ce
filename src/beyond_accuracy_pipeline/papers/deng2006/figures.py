"""Figure 1, the tree of metaclasses; and the ROC surface of a three-class data set."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.papers.deng2006.names import (
    AVERAGE_COST,
    BASELINE,
    ERROR_RATE,
    EXACT,
    META_CLASS,
    SIX,
)
from beyond_accuracy_pipeline.papers.deng2006.values import root_thresholds
from beyond_accuracy_pipeline.reporting.figures import (
    COLOURS,
    PAGE_WIDTH,
    figure_style,
    message_figure,
    panel_grid,
)
from beyond_accuracy_pipeline.reporting.paper import Chart
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.results.layout import fitted_pairs
from beyond_accuracy_pipeline.results.scores import PREDICTION, SURFACE, TREE, TRUE_CLASSES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TREE_DATA_SET = "nursery"
# A metaclass of more classes is shown by their number.
MOST_NAMED = 6

MARKERS = dict(zip((BASELINE, *SIX, EXACT), "osv^DPX*", strict=True))
ADDED_MARKERS = "<>ph"
SURFACE_LEVELS = 200
SHARES = {"cmap": "viridis", "vmin": 0, "vmax": 1}


def figure1(report: Report) -> Figure:
    """The tree on nursery, or on the first data set that has one."""
    trees = _arrays(report, META_CLASS, TREE)
    from matplotlib.figure import Figure

    if not trees:
        return message_figure("There is no tree: no data set is at hand.")
    data_set = TREE_DATA_SET if TREE_DATA_SET in trees else next(iter(trees))
    nodes = json.loads(str(trees[data_set][TREE]))
    positions = _positions(nodes)
    width = 1 + max(x for x, _ in positions)
    depth = 1 + max(-y for _, y in positions)
    with figure_style():
        size = (max(PAGE_WIDTH, 1.1 * width), 0.5 + 0.85 * depth)
        figure = Figure(figsize=size, layout="constrained")
        panel = figure.subplots()
        panel.set_axis_off()
        for index in range(len(nodes)):
            _node(panel, nodes, positions, index)
        panel.set_xlim(-0.6, width - 0.4)
        panel.set_ylim(0.6 - depth, 0.4)
        panel.set_title(_title(report, data_set), loc="left")
    return figure


def _title(report: Report, data_set: str) -> str:
    """The threshold at the root in the folds of the run, and as the paper prints it."""
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


def _node(
    panel: Axes,
    nodes: Sequence[Mapping[str, Any]],
    positions: Sequence[tuple[float, float]],
    index: int,
) -> None:
    """Draw a metaclass, and the branch to it."""
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
    panel.text(x, y, f"{text}\n{node['n_examples']:,}", fontsize=7, zorder=3, bbox=box, **centred)
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
        fontsize=6.5,
        zorder=2,
        bbox={"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"},
        **centred,
    )


def _positions(nodes: Sequence[Mapping[str, Any]]) -> list[tuple[float, float]]:
    """x and y of every node: leaves side by side, a parent above the middle of its children.

    Rows come parents first, the left child before the right.
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


def figure_surface(report: Report) -> Figure:
    """The front of each three-class data set, and every method's operating points."""
    surfaces = _arrays(report, EXACT, SURFACE)
    if not surfaces:
        return message_figure("There is no three-class data set at hand.")
    from matplotlib.lines import Line2D

    added = cycle(ADDED_MARKERS)
    markers = {
        method: MARKERS.get(method) or next(added) for method in report.methods(tuple(MARKERS))
    }
    fitted = set(fitted_pairs(report.configuration))
    grid = np.linspace(0, 1, SURFACE_LEVELS + 1)
    with figure_style():
        figure, panels = panel_grid(len(surfaces), min(len(surfaces), 2), height=3.0)
        for panel, (data_set, arrays) in zip(panels, surfaces.items(), strict=True):
            heights = attainable(arrays[SURFACE], SURFACE_LEVELS).T
            options = {"shading": "nearest", "rasterized": True}
            surface = panel.pcolormesh(grid, grid, heights, **options, **SHARES)
            points = [
                _points(panel, report.results.scores(data_set, method).arrays, marker)
                for method, marker in markers.items()
                if (data_set, method) in fitted
            ]
            # Show what lies up and right of all points, rounded to tenths.
            lowest = np.concatenate(points).min(axis=0, initial=1.05)
            left, bottom = np.maximum(np.floor(10 * lowest - 0.5) / 10, 0.0) - 0.005
            panel.set(xlim=(left, 1.005), ylim=(bottom, 1.005))
            panel.set_title(report.label(data_set), loc="left", fontweight="bold")
            figure.colorbar(surface, ax=panel, label="share of class 3 right")
        figure.supxlabel("Share of class 1 predicted rightly", fontsize=8)
        figure.supylabel("Share of class 2 predicted rightly", fontsize=8)
        style = {"color": COLOURS["grey"], "linestyle": "", "markersize": 5}
        handles = [Line2D([], [], marker=marker, **style) for marker in markers.values()]
        labels = [report.method_label(method) for method in markers]
        figure.legend(handles, labels, loc="outside upper center", ncols=min(len(markers), 8))
    return figure


def attainable(points: np.ndarray, levels: int) -> np.ndarray:
    """Largest third share that some point attains with given shares of the other two, or more.

    `points` has the shape (n, 3). Returns float64, shape (levels + 1, levels + 1), for the shares
    0, 1/levels, … 1 of the first and of the second; NaN where no point attains both.
    """
    cells = np.floor(points[:, :2] * levels + 1e-9).astype(np.int64)
    highest = np.full((levels + 1, levels + 1), -np.inf)
    np.maximum.at(highest, (cells[:, 0], cells[:, 1]), points[:, 2])
    for axis in (0, 1):
        highest = np.flip(np.maximum.accumulate(np.flip(highest, axis), axis=axis), axis)
    return np.where(np.isneginf(highest), np.nan, highest)


def _points(panel: Axes, arrays: Mapping[str, np.ndarray], marker: str) -> np.ndarray:
    """Draw the points of a method: one for the error rate, one for each cost matrix.

    Returns their shares of the first two classes, shape (n, 2).
    """
    truth = arrays.get(TRUE_CLASSES, np.empty(0))
    drawn = [np.empty((0, 2))]
    for measure, is_error in ((AVERAGE_COST, False), (ERROR_RATE, True)):
        predicted = arrays.get(PREDICTION + measure, np.empty((0, len(truth))))
        predicted = predicted[(predicted >= 0).all(axis=1)]
        shares = np.array(
            [[np.mean(row[truth == c] == c) for c in range(3)] for row in predicted]
        ).reshape(-1, 3)
        panel.scatter(
            shares[:, 0],
            shares[:, 1],
            c=shares[:, 2],
            marker=marker,
            s=48 if is_error else 18,
            linewidths=1.1 if is_error else 0.4,
            edgecolors="white" if is_error else COLOURS["black"],
            zorder=4 if is_error else 3,
            **SHARES,
        )
        drawn.append(shares[:, :2])
    return np.concatenate(drawn)


def _arrays(report: Report, method: str, name: str) -> dict[str, Mapping[str, np.ndarray]]:
    """Return what a method has left of each data set for which it has the array `name`."""
    fitted = [data_set for data_set, fit in fitted_pairs(report.configuration) if fit == method]
    arrays = {data_set: report.results.scores(data_set, method).arrays for data_set in fitted}
    return {data_set: own for data_set, own in arrays.items() if name in own}


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
    ),
    "figure_surface": Chart(
        figure_surface,
        "The attainable front of the ROC surface of a three-class data set. Axes: share of the "
        "examples of the first and of the second class that are predicted rightly; colour: the "
        "largest share of the third that is attainable there on the test folds by fixed weights of "
        "a lattice, 81 values of each of two ratios of weights, so that the true front may lie "
        "slightly above. Markers: the operating points of each method, large with a white border "
        "for the error rate, small with a black one for each cost matrix, coloured by their share "
        "of the third class on the same scale. Classes are in the order of the data set's file; "
        "weights are fitted anew in each fold, and OG and MC are no weights, so that points may "
        "lie beyond.",
    ),
}
