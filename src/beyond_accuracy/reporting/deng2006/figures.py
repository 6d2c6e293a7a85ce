"""Figure 1, the tree of metaclasses; and the ROC surface of a three-class data set."""

import json
import math
import textwrap
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.deng2006.methods import (
    AVERAGE_COST,
    BASELINE,
    ERROR_RATE,
    LABELS,
    SIX,
)
from beyond_accuracy.reporting.deng2006.optimum import EXACT
from beyond_accuracy.reporting.deng2006.values import selected_methods
from beyond_accuracy.reporting.figures import COLOURS, PAGE_WIDTH, figure_style, message_figure
from beyond_accuracy.results import PaperResults, Scores

FIGURE_CAPTIONS = {
    "figure1": (
        "Figure 1. The tree of metaclasses that MetaClass fits to nursery (naive Bayes scores of "
        "all examples, every error costs 1). Each box holds the classes of a metaclass and the "
        "number of their examples; an example goes left if the ratio of the left metaclass's score "
        "to the right one's exceeds the number on the branch."
    ),
    "figure_surface": (
        "The attainable front of the ROC surface of a three-class data set. Axes: share of the "
        "examples of the first and of the second class that are predicted rightly; colour: the "
        "largest share of the third that is attainable there on the test folds by fixed weights of "
        "a lattice, 81 values of each of two ratios of weights, so that the true front may lie "
        "slightly above. Markers: the operating points of each method, large with a white border "
        "for the error rate, small with a black one for each cost matrix, coloured by their share "
        "of the third class on the same scale. Classes are in the order of the data set's file; "
        "weights are fitted anew in each fold, and OG and MC are no weights, so that points may "
        "lie beyond."
    ),
}
MARKERS = dict(zip((BASELINE, *SIX, EXACT), "osv^DPX*", strict=True))
TREE_DATA_SET = "nursery"
SURFACE_LEVELS = 200
# A metaclass of more classes is shown by their number.
MOST_NAMED = 6


def figure1(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """The tree on nursery, or on the first data set that has one."""
    data_sets = results.data_set_names(configuration["data_sets"])
    data_sets = sorted(data_sets, key=lambda name: name != TREE_DATA_SET)
    for data_set in data_sets:
        scores = _scores(results, data_set, "meta_class")
        if scores is not None and "tree" in scores.arrays:
            break
    else:
        return message_figure("There is no tree: no data set is at hand.")
    nodes = json.loads(str(scores.arrays["tree"]))
    places = _places(nodes)
    width = 1 + max(x for x, _ in places)
    depth = 1 + max(-y for _, y in places)
    with figure_style():
        figure = Figure(
            figsize=(max(PAGE_WIDTH, 1.1 * width), 0.5 + 0.85 * depth), layout="constrained"
        )
        panel = figure.subplots()
        panel.set_axis_off()
        for node, place in zip(nodes, places, strict=True):
            _node(panel, nodes, places, node, place)
        panel.set_xlim(-0.6, width - 0.4)
        panel.set_ylim(0.6 - depth, 0.4)
        panel.set_title(f"MetaClass on {data_set_label(results, data_set)}", loc="left")
    return figure


def _node(panel: Axes, nodes, places, node, place) -> None:
    is_leaf = node["log_threshold"] is None
    names = node["classes"]
    text = names[0] if is_leaf else "{" + ", ".join(names) + "}"
    if len(names) > MOST_NAMED:
        text = f"{len(names)} classes"
    text = textwrap.fill(text, 24, break_long_words=False)
    panel.text(
        *place,
        f"{text}\n{node['n_examples']:,}",
        ha="center",
        va="center",
        fontsize=7,
        zorder=3,
        bbox={
            "boxstyle": "round,pad=0.35",
            "facecolor": "#e8f1f8" if is_leaf else "white",
            "edgecolor": COLOURS["blue"] if is_leaf else COLOURS["grey"],
            "linewidth": 0.8,
        },
    )
    if node["parent"] is None:
        return
    above = places[node["parent"]]
    panel.plot([above[0], place[0]], [above[1], place[1]], color=COLOURS["grey"], lw=0.8, zorder=1)
    ratio = math.exp(nodes[node["parent"]]["log_threshold"])
    sign = ">" if node["side"] == "left" else "≤"
    middle = (0.45 * above[0] + 0.55 * place[0], 0.45 * above[1] + 0.55 * place[1])
    panel.text(
        *middle,
        f"{sign} {ratio:.3g}",
        ha="center",
        va="center",
        fontsize=6.5,
        zorder=2,
        bbox={"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"},
    )


def _places(nodes) -> list[tuple[float, float]]:
    """x and y of every node: leaves side by side, a parent above the middle of its children.

    Rows come parents first, the left child before the right.
    """
    children = {index: [] for index in range(len(nodes))}
    depths = []
    for index, node in enumerate(nodes):
        parent = node["parent"]
        depths.append(0 if parent is None else depths[parent] + 1)
        if parent is not None:
            children[parent].append(index)
    leaves = iter(range(len(nodes)))
    x: dict[int, float] = {index: float(next(leaves)) for index in children if not children[index]}
    for index in reversed(range(len(nodes))):
        if children[index]:
            x[index] = sum(x[child] for child in children[index]) / 2
    return [(x[index], -float(depths[index])) for index in range(len(nodes))]


def figure_surface(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """The front of each three-class data set, and every method's operating points."""
    found = {
        data_set: scores
        for data_set in results.data_set_names(configuration["data_sets"])
        if (scores := _scores(results, data_set, EXACT)) is not None and "surface" in scores.arrays
    }
    if not found:
        return message_figure("There is no three-class data set at hand.")
    methods = selected_methods(configuration, tuple(MARKERS))
    columns = min(len(found), 2)
    rows = -(-len(found) // columns)
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 0.7 + 2.9 * rows), layout="constrained")
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        for panel, (data_set, scores) in zip(panels, found.items(), strict=False):
            drawn = _surface(panel, scores.arrays["surface"])
            points = [_points(panel, _scores(results, data_set, name), name) for name in methods]
            _zoom(panel, np.concatenate(points))
            panel.set_title(data_set_label(results, data_set), loc="left", fontweight="bold")
            figure.colorbar(drawn, ax=panel, label="share of class 3 right")
        for panel in panels[len(found) :]:
            panel.set_axis_off()
        figure.supxlabel("Share of class 1 predicted rightly", fontsize=8)
        figure.supylabel("Share of class 2 predicted rightly", fontsize=8)
        handles = [
            Line2D(
                [], [], color=COLOURS["grey"], marker=MARKERS[method], linestyle="", markersize=5
            )
            for method in methods
        ]
        labels = [LABELS[method] for method in methods]
        figure.legend(handles, labels, loc="outside upper center", ncols=len(methods))
    return figure


def attainable(points: np.ndarray, levels: int) -> np.ndarray:
    """Largest third share that some point attains with given shares of the other two, or more.

    `points` has the shape (n, 3). Returns float64, shape (levels + 1, levels + 1), for the shares
    0, 1/levels, … 1 of the first and of the second; NaN where no point attains both.
    """
    places = np.floor(points[:, :2] * levels + 1e-9).astype(np.int64)
    highest = np.full((levels + 1, levels + 1), -np.inf)
    np.maximum.at(highest, (places[:, 0], places[:, 1]), points[:, 2])
    for axis in (0, 1):
        highest = np.flip(np.maximum.accumulate(np.flip(highest, axis), axis=axis), axis)
    return np.where(np.isneginf(highest), np.nan, highest)


def _surface(panel: Axes, points: np.ndarray):
    """Colour each place by the largest third share that is attainable there."""
    grid = np.linspace(0, 1, SURFACE_LEVELS + 1)
    return panel.pcolormesh(
        grid,
        grid,
        attainable(points, SURFACE_LEVELS).T,
        cmap="viridis",
        vmin=0,
        vmax=1,
        shading="nearest",
        rasterized=True,
    )


def _zoom(panel: Axes, points: np.ndarray) -> None:
    """Show what lies up and right of all points, rounded to tenths."""
    if len(points):
        low = np.maximum(np.floor(10 * points.min(axis=0) - 0.5) / 10, 0.0)
        panel.set_xlim(low[0] - 0.005, 1.005)
        panel.set_ylim(low[1] - 0.005, 1.005)


def _points(panel: Axes, scores: Scores | None, method: str) -> np.ndarray:
    """Draw the points of a method: one for the error rate, one for each cost matrix.

    Returns their shares of the first two classes, shape (n, 2).
    """
    drawn = [np.empty((0, 2))]
    if scores is None:
        return drawn[0]
    truth = scores.arrays["true_class"]
    for measure, is_error in ((AVERAGE_COST, False), (ERROR_RATE, True)):
        predicted = scores.arrays.get(f"prediction.{measure}")
        if predicted is None:
            continue
        predicted = predicted[(predicted >= 0).all(axis=1)]
        shares = np.array(
            [[np.mean(row[truth == c] == c) for c in range(3)] for row in predicted]
        ).reshape(-1, 3)
        panel.scatter(
            shares[:, 0],
            shares[:, 1],
            c=shares[:, 2],
            cmap="viridis",
            vmin=0,
            vmax=1,
            marker=MARKERS[method],
            s=48 if is_error else 18,
            linewidths=1.1 if is_error else 0.4,
            edgecolors="white" if is_error else COLOURS["black"],
            zorder=4 if is_error else 3,
        )
        drawn.append(shares[:, :2])
    return np.concatenate(drawn)


def _scores(results: PaperResults, data_set: str, method: str) -> Scores | None:
    """Predictions of a fit; None if the data set was unavailable or the method is not for it."""
    try:
        scores = results.scores(data_set, method)
    except FileNotFoundError:
        return None
    return scores if "true_class" in scores.arrays else None
