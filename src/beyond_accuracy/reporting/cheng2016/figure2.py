"""Figure 2: the primal objective against iterations, and against seconds."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from beyond_accuracy.reporting.cheng2016.convergence import relative_gaps
from beyond_accuracy.reporting.cheng2016.methods import method_label
from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.figures import COLOURS, PAGE_WIDTH, figure_style, message_figure
from beyond_accuracy.results import PaperResults

FIGURE2_CAPTION = (
    "Figure 2. The primal objective, relative to that of w = 0, against iterations of BM-ls-CS and "
    "of BM-nls-CS: the best point so far, and, thin, the point that BM-nls-CS visits. All minimize "
    "the same objective to the same relative gap. The first point is w = 0."
)
FIGURE2_SECONDS_CAPTION = (
    "The same minimizations, and LIBLINEAR's stopped after ever more rounds: how far the primal "
    "objective is above the best known lower bound, relatively, against processor seconds."
)
COLUMNS = 3
STYLES = {
    "bm_ls_cs": {"color": COLOURS["blue"], "linewidth": 1.4},
    "bm_nls_cs": {"color": COLOURS["vermilion"], "linewidth": 1.2},
    "svm_cs": {"color": COLOURS["green"], "linewidth": 1.2, "marker": ".", "markersize": 4},
}


def figure2(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """One panel a data set: the primal against iterations, which are on a logarithmic axis."""
    return _figure(
        results,
        configuration,
        _iterations_panel,
        results.convergence_curves,
        ("Iterations", "Primal objective / objective at w = 0"),
    )


def figure2_seconds(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """One panel a data set: relative distance to the optimum against CPU seconds."""
    keys = ["data_set", "task", "C", "method", "iteration"]
    curves = results.convergence_curves
    curves = curves.assign(gap=relative_gaps(curves))
    curves = curves.merge(results.convergence_seconds, on=keys, validate="one_to_one")
    return _figure(
        results,
        configuration,
        _seconds_panel,
        curves,
        ("Processor seconds", "(primal − lower bound) / primal"),
    )


def _figure(results, configuration, draw, curves, labels) -> Figure:
    shown_C = configuration["convergence"]["C_shown"]
    data_sets = results.data_set_names(configuration["data_sets"])
    curves = curves[curves["C"] == shown_C]
    if curves.empty:
        return message_figure("Nothing to draw: no data set has results.")
    rows = -(-len(data_sets) // COLUMNS)
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 0.7 + 1.75 * rows), layout="constrained")
        panels = figure.subplots(rows, COLUMNS, squeeze=False).ravel()
        for panel, data_set in zip(panels, data_sets, strict=False):
            panel.set_title(data_set_label(results, data_set), loc="left", fontweight="bold")
            own = curves[curves["data_set"] == data_set]
            if own.empty:
                panel.text(0.5, 0.5, "n/a", transform=panel.transAxes, ha="center")
                panel.set(xticks=[], yticks=[])
                continue
            draw(panel, own[own["task"] == own["task"].iloc[0]])
        for panel in panels[len(data_sets) :]:
            panel.set_axis_off()
        drawn = next(panel for panel in panels if panel.get_legend_handles_labels()[0])
        handles, names = drawn.get_legend_handles_labels()
        figure.legend(handles, names, loc="outside upper center", ncols=len(names))
        figure.supxlabel(f"{labels[0]} (C = {shown_C:g})", fontsize=8)
        figure.supylabel(labels[1], fontsize=8)
    return figure


def _iterations_panel(panel: Axes, curves: pd.DataFrame) -> None:
    bundle = curves[curves["method"].isin(["bm_ls_cs", "bm_nls_cs"])]
    start = bundle["primal"].iloc[0]
    for method, rows in bundle.groupby("method", sort=False):
        # Iteration 0 is w = 0; a logarithmic axis begins with 1.
        steps = rows["iteration"] + 1
        style = STYLES[method]
        if method == "bm_nls_cs":
            thin = {**style, "linewidth": 0.5, "alpha": 0.6}
            panel.plot(steps, rows["visited"] / start, label="visited by BM-nls-CS", **thin)
        panel.plot(steps, rows["primal"] / start, label=method_label(method), **style)
    lowest = (bundle["primal"] / start).min()
    panel.set_xscale("log")
    room = 1.0 - lowest
    # The first points that are visited may be orders of magnitude higher.
    panel.set_ylim(lowest - 0.06 * room, 1.0 + 0.25 * room)


def _seconds_panel(panel: Axes, curves: pd.DataFrame) -> None:
    positive = curves["gap"][curves["gap"] > 0]
    floor = positive.min() / 2 if len(positive) else 1e-6
    for method, rows in curves.groupby("method", sort=False):
        gap = np.maximum(rows["gap"], floor)
        panel.plot(rows["cpu_seconds"], gap, label=method_label(method), **STYLES[method])
    panel.set(xscale="log", yscale="log")
