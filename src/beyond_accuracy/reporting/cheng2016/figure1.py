"""Figure 1: the subdifferential of the objective along a line search, with its zero."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from beyond_accuracy.reporting.cheng2016.methods import COLLECTIONS
from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.figures import COLOURS, PAGE_WIDTH, figure_style, message_figure
from beyond_accuracy.results import PaperResults

FIGURE1_CAPTION = (
    "Figure 1. The subdifferential of the primal objective along one line search of BM-ls-CS: "
    "linear between the breakpoints, at which an example's hinge loss begins or ends and the "
    "derivative jumps. The dot is the zero, where the search ends: k = 0 is the best point so far, "
    "k = 1 the minimizer of the planes. Right: the neighbourhood of the zero."
)
# Breakpoints on either side of the zero in the panel on the right.
NEIGHBOURS = 12


def figure1(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """The line search of the first data set that has one, those of the paper before others."""
    searches = results.line_searches
    known = list(dict.fromkeys(searches["data_set"]))
    chosen = [name for name in COLLECTIONS if name in known] or known
    if not chosen:
        return message_figure("Nothing to draw: no data set has results.")
    rows = searches[searches["data_set"] == chosen[0]]
    rows = rows[rows["task"] == rows["task"].iloc[0]]
    k, before, after = (rows[name].to_numpy() for name in ("k", "before", "after"))
    zero = subdifferential_zero(k, before, after)
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 2.7), layout="constrained")
        whole, near = figure.subplots(1, 2)
        width = max(1.5, 1.5 * abs(zero))
        _panel(whole, k, before, after, zero, (zero - width, zero + width))
        place = int(np.searchsorted(k, zero))
        low, high = max(place - NEIGHBOURS, 0), min(place + NEIGHBOURS, len(k) - 1)
        _panel(near, k, before, after, zero, (k[low], k[high]))
        whole.set_title("The whole line", loc="left")
        near.set_title("Near the zero", loc="left")
        iteration, C = int(rows["iteration"].iloc[0]), rows["C"].iloc[0]
        figure.suptitle(
            f"{data_set_label(results, chosen[0])}, C = {C:g}: line search of iteration "
            f"{iteration}, {len(k):,} breakpoints",
            fontsize=9,
        )
        figure.supxlabel("Step k along the line", fontsize=8)
        figure.supylabel("Derivative of the primal", fontsize=8)
    return figure


def subdifferential_zero(k: np.ndarray, before: np.ndarray, after: np.ndarray) -> float:
    """The k at which the subdifferential holds zero, by linear interpolation between breakpoints.

    `k` ascends; the derivative does not descend.
    """
    place = int(np.searchsorted(after, 0.0))
    if place == len(k):
        return float(k[-1])
    if before[place] <= 0.0 or place == 0:
        return float(k[place])
    rise = before[place] - after[place - 1]
    return float(k[place - 1] - after[place - 1] * (k[place] - k[place - 1]) / rise)


def _panel(
    panel: Axes,
    k: np.ndarray,
    before: np.ndarray,
    after: np.ndarray,
    zero: float,
    limits: tuple[float, float],
) -> None:
    shown = (k >= limits[0]) & (k <= limits[1])
    # Every breakpoint is a vertical segment from the derivative before to that after it.
    path = pd.DataFrame({"k": np.repeat(k[shown], 2)})
    path["derivative"] = np.column_stack([before[shown], after[shown]]).ravel()
    panel.plot(path["k"], path["derivative"], color=COLOURS["blue"], linewidth=1.1)
    panel.axhline(0, color=COLOURS["black"], linewidth=0.7)
    panel.plot([zero], [0], "o", color=COLOURS["vermilion"], markersize=5, zorder=3)
    panel.annotate(
        f"k = {zero:.4g}",
        (zero, 0),
        xytext=(6, -11),
        textcoords="offset points",
        fontsize=7,
        color=COLOURS["vermilion"],
    )
    panel.set_xlim(limits)
