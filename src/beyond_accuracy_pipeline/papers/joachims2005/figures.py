"""Draw Figure 1 of Joachims (2005): improvement on Reuters by class frequency."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.reporting.comparison import (
    Comparison,
    bin_labels,
    frequency_bins,
    training_positives,
)
from beyond_accuracy_pipeline.reporting.drawn_values import title_points
from beyond_accuracy_pipeline.reporting.figures import (
    COLOURS,
    figure_style,
    message_figure,
    panel_grid,
)
from beyond_accuracy_pipeline.reporting.formats import percent_change
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.paper import Chart
from beyond_accuracy_pipeline.reporting.report import IntervalLookup, Report

from .names import FREQUENCY_EDGES, PAIR, REUTERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


AVERAGES = {"color": COLOURS["blue"], "marker": "o", "markersize": 4, "linewidth": 1.2}
AVERAGES |= {"capsize": 2.5, "elinewidth": 1, "zorder": 3}
CLASSES = {"s": 11, "color": COLOURS["orange"], "alpha": 0.55, "linewidths": 0, "zorder": 2}
# Numbers of classes just above the x axis.
COUNTS = {"xycoords": ("data", "axes fraction"), "ha": "center", "color": COLOURS["grey"]}
COUNTS |= {"xytext": (0, 2), "textcoords": "offset points"}


def figure1(report: Report) -> Figure:
    """Draw Figure 1 of Joachims (2005): improvement of each class against its frequency.

    The improvement is the test value of the multivariate SVM minus the value of an SVM with class
    costs. The frequency is the number of positive training examples. There is one panel per
    measure.
    """
    data_set = REUTERS if REUTERS in report.data_sets else report.data_sets[0]
    comparisons = [report.compare(data_set, measure, PAIR) for measure in report.measures]
    if not any(comparison.available for comparison in comparisons):
        return message_figure(f"{data_set}: nothing to draw.\n{comparisons[0].reason}")
    label = report.label(data_set)
    if data_set != REUTERS:
        label += " (Reuters is not selected)"
    positives = training_positives(report.results.fits, data_set)
    with figure_style():
        figure, panels = panel_grid(len(comparisons), 2, sharex=True)
        for panel, comparison in zip(panels, comparisons, strict=True):
            _panel(panel, comparison, positives, report.intervals)
        handles = {}
        for panel in panels:
            marks, names = panel.get_legend_handles_labels()
            handles |= zip(names, marks, strict=True)
        title = f"{label}: improvement over the SVM with cost model"
        place = "outside upper center"
        figure.legend(handles.values(), handles, loc=place, ncols=len(handles), title=title)
        figure.supxlabel("Positive training examples of the class")
        figure.supylabel("Improvement (percentage points)")
    return figure


FIGURES = {
    "figure1": Chart(
        figure1,
        "Figure 1. Improvement of the multivariate SVM over the SVM with cost model, in percentage "
        "points, by the number of positive training examples of a class, the most popular classes "
        "on the left. Numbers above the axis count the classes of a bin. The bins are ours.",
    )
}


def _panel(
    panel: Axes, comparison: Comparison, positives: pd.Series, intervals: IntervalLookup
) -> None:
    panel.set_title(measure_name(comparison.measure), loc="left", fontweight="bold")
    panel.set_xscale("log")
    panel.axhline(0, color=COLOURS["black"], linewidth=0.8)
    if not comparison.available:
        panel.text(0.5, 0.5, "n/a", transform=panel.transAxes, ha="center")
        return
    changes = 100 * comparison.task_differences
    positives = positives.reindex(changes.index)
    bins = frequency_bins(positives, FREQUENCY_EDGES)
    labels = [label for label in bin_labels(FREQUENCY_EDGES) if (bins == label).any()]
    centres = np.exp(np.log(positives).groupby(bins).mean())[labels].to_numpy()
    means, sizes = (changes.groupby(bins).agg(name)[labels].to_numpy() for name in ("mean", "size"))
    pair = (comparison.data_set, comparison.measure, PAIR)
    lows, highs = 100 * np.transpose([intervals.difference(*pair, label) for label in labels])
    bottom, top = _y_limits(changes.to_numpy(), lows, highs)
    _classes(panel, positives, changes, bottom, top)
    bars = np.clip([means - lows, highs - means], 0, None)
    panel.errorbar(centres, means, bars, label="average of a bin, 95 % interval", **AVERAGES)
    for centre, size in zip(centres, sizes, strict=True):
        panel.annotate(str(size), (centre, 0), **COUNTS)
    low, high = positives.min() / 1.4, positives.max() * 1.4
    # The limits include a power of ten, for the labels.
    panel.set_xlim(high, min(low, 0.9 * 10 ** np.floor(np.log10(high))))
    panel.set_ylim(bottom, top)
    from matplotlib.ticker import FuncFormatter, NullLocator

    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    panel.xaxis.set_minor_locator(NullLocator())


def _y_limits(changes: np.ndarray, lows: np.ndarray, highs: np.ndarray) -> tuple[float, float]:
    """Return limits of the y axis that include all intervals and 90 % of the classes."""
    inner = np.quantile(changes, [0.05, 0.95])
    bottom = np.nanmin([0, inner[0], np.nanmin(lows)])
    top = np.nanmax([0, inner[1], np.nanmax(highs)])
    room = 0.12 * max(top - bottom, 0.1)
    return bottom - 2 * room, top + room


def _classes(
    panel: Axes, positives: pd.Series, changes: pd.Series, bottom: float, top: float
) -> None:
    # The lowest strip of the panel shows numbers of classes.
    lowest, highest = bottom + 0.1 * (top - bottom), top - 0.03 * (top - bottom)
    below, above = changes < lowest, changes > highest
    for chosen, marker, label in (
        (~below & ~above, "o", "one class"),
        (above, "^", "one class, above the axis"),
        (below, "v", "below the axis"),
    ):
        if not chosen.any():
            continue
        y = changes[chosen].clip(lowest, highest)
        marks = panel.scatter(positives[chosen], y, marker=marker, label=label, **CLASSES)
        named = zip(changes.index[chosen], positives[chosen], changes[chosen], strict=True)
        title_points(
            marks, [f"{name}: {n:,} positives, {percent_change(d / 100)}" for name, n, d in named]
        )
