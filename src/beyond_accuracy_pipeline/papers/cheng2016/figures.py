"""Draw Figures 1 and 2 of Cheng et al. (2016): one line search, and the objective by iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.reporting.figures import (
    COLOURS,
    figure_style,
    message_figure,
    panel_grid,
)
from beyond_accuracy_pipeline.reporting.paper import Chart
from beyond_accuracy_pipeline.reporting.report import Report

from .names import COLLECTIONS, METHODS
from .values import minimizations, suboptimality

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NOTHING = "Nothing to draw: no data set has results."

# Number of breakpoints on each side of the zero, in the right panel of Figure 1.
NEIGHBOURS = 12
STYLES = {
    "bm_ls_cs": {"color": COLOURS["blue"], "linewidth": 1.4},
    "bm_nls_cs": {"color": COLOURS["vermilion"], "linewidth": 1.2},
}
VISITED = {"color": COLOURS["orange"], "linewidth": 0.5}


def figure1(report: Report) -> Figure:
    """Draw Figure 1 of Cheng et al. (2016): the derivative of the objective in a line search.

    The line search is on the first of the paper's data sets that has results.
    """
    searches = report.results.study("line_search")
    data_sets = sorted(searches["data_set"].unique(), key=lambda name: name not in COLLECTIONS)
    if not data_sets:
        return message_figure(NOTHING)
    rows = searches[searches["data_set"] == data_sets[0]]
    rows = rows[rows["task"] == rows["task"].iloc[0]]
    search = rows[["k", "before", "after"]]
    k = search["k"].to_numpy()
    # Algorithm 2 stays at k = 0 if the zero is negative.
    zero = max(subdifferential_zero(*search.to_numpy().T), 0.0)
    with figure_style():
        figure, (whole, near) = panel_grid(2, 2, height=2.2)
        width = max(1.5, 1.5 * abs(zero))
        _subdifferential(whole, search, zero, (zero - width, zero + width))
        nearest = int(np.searchsorted(k, zero))
        low, high = max(nearest - NEIGHBOURS, 0), min(nearest + NEIGHBOURS, len(k) - 1)
        _subdifferential(near, search, zero, (k[low], k[high]))
        whole.set_title("The whole line", loc="left")
        near.set_title("Near the zero", loc="left")
        iteration, C = int(rows["iteration"].iloc[0]), rows["C"].iloc[0]
        figure.suptitle(
            f"{report.label(data_sets[0])}, C = {C:g}: line search of iteration "
            f"{iteration}, {len(k):,} breakpoints"
        )
        figure.supxlabel("Step k along the line")
        figure.supylabel("Derivative of the primal objective")
        whole.legend(loc="lower right")
    return figure


def subdifferential_zero(k: np.ndarray, before: np.ndarray, after: np.ndarray) -> float:
    """Return the step along a line at which the derivative of an objective crosses 0.

    `before` and `after` are the derivatives just below and just above each of the steps `k`, where
    the derivative jumps. Between these steps, it is interpolated linearly.
    """
    derivatives = np.column_stack([before, after]).ravel()
    return float(np.interp(0.0, derivatives, np.repeat(k, 2)))


def _subdifferential(
    panel: Axes, search: pd.DataFrame, zero: float, limits: tuple[float, float]
) -> None:
    inside = search[search["k"].between(*limits)]
    # Each breakpoint is a vertical segment between the derivatives before and after it.
    derivatives = inside[["before", "after"]].to_numpy().ravel()
    line = {"color": COLOURS["blue"], "linewidth": 1.1, "label": "derivative"}
    panel.plot(np.repeat(inside["k"], 2), derivatives, **line)
    panel.axhline(0, color=COLOURS["black"], linewidth=0.7)
    dot = {"color": COLOURS["vermilion"], "markersize": 5, "zorder": 3}
    panel.plot([zero], [0], "o", label=f"end of the search, k = {zero:.4g}", **dot)
    panel.set_xlim(limits)


def figure2(report: Report) -> Figure:
    """Draw how far two bundle methods are from the optimum after each iteration.

    One of them has a line search. There is one panel per data set.
    """
    case = f"C = {report.study_settings('convergence', 'figure2')['C_shown']:g}"
    curves = minimizations(report)
    keys = [curves[key] for key in ("data_set", "task", "case")]
    # Iteration 0 of the bundle methods is w = 0.
    at_zero = suboptimality(curves, "primal").where(curves["iteration"] == 0)
    start = at_zero.groupby(keys).transform("max")
    for column in ("primal", "visited"):
        curves[f"{column}_left"] = suboptimality(curves, column) / start
    curves = curves[curves["case"] == case]
    if curves.empty:
        return message_figure(NOTHING)
    with figure_style():
        data_sets = [name for name in report.data_sets if (curves["data_set"] == name).any()]
        figure, panels = panel_grid(len(data_sets), 3, height=1.75)
        for panel, data_set in zip(panels, data_sets, strict=True):
            panel.set_title(report.label(data_set), loc="left", fontweight="bold")
            of_data_set = curves[curves["data_set"] == data_set]
            _iterations_panel(
                panel, of_data_set[of_data_set["task"] == of_data_set["task"].iloc[0]]
            )
        handles, names = panels[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside upper center", ncols=len(names))
        figure.supxlabel(f"Iterations ({case})")
        figure.supylabel("Suboptimality / suboptimality at w = 0")
    return figure


def _iterations_panel(panel: Axes, curves: pd.DataFrame) -> None:
    bundle = curves[curves["method"].isin(STYLES)]
    for method, rows in bundle.groupby("method", sort=False):
        # Iteration 0 is w = 0, and a logarithmic axis cannot show 0.
        steps = rows["iteration"] + 1
        if method == "bm_nls_cs":
            panel.plot(steps, rows["visited_left"], label="BM-nls-CS, point visited", **VISITED)
        label = f"{METHODS[method]}, best point"
        panel.plot(steps, rows["primal_left"], label=label, **STYLES[method])
    panel.set(xscale="log", yscale="log")


FIGURES = {
    "figure1": Chart(
        figure1,
        "Figure 1. The subdifferential of the primal objective along one line search of BM-ls-CS: "
        "linear between the breakpoints, at which an example's hinge loss begins or ends and the "
        "derivative jumps. k = 0 is the best point so far, k = 1 the minimizer of the planes. "
        "Right: the neighbourhood of the zero.",
    ),
    "figure2": Chart(
        figure2,
        "Figure 2. Suboptimality against iterations of BM-ls-CS and BM-nls-CS: how far the primal "
        "objective is above the best known lower bound, relative to w = 0, the first point. "
        "Both minimize the same objective to the same gap.",
    ),
}
