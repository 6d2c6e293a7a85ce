"""Draw Figure 1 of Dembczyński et al. (2011): expected F-measures and seconds in simulations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy

from beyond_accuracy_pipeline.reporting.figures import (
    COLOURS,
    COLUMN_WIDTH,
    PAGE_WIDTH,
    figure_style,
    message_figure,
    panel_grid,
)
from beyond_accuracy_pipeline.reporting.paper import Chart
from beyond_accuracy_pipeline.reporting.report import Report

from .values import simulation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINES = {
    "gfm": ("GFM", "blue", "o"),
    "gfm_threshold": ("GFM-T", "sky", "s"),
    "meuf": ("MEUF", "vermilion", "^"),
    "meuf_jansche": ("MEUF, Jansche", "orange", "v"),
    "meuf_approx": ("MEUF approx", "purple", "D"),
}
CODINGS = {
    "zero_one": "labels in {0, 1}, as printed",
    "plus_minus_one": "labels in {−1, 1}",
    "plus_minus_one_shifted": "−i/2, labels in {−1, 1}",
}
LEVEL = 0.95
DASHED = {"color": COLOURS["black"], "linestyle": "--", "linewidth": 0.9}
BARS = {"capsize": 2, "elinewidth": 0.8}
HOLLOW = {"markersize": 6.5, "markerfacecolor": "none"}


def draw_samples(frame: pd.DataFrame, panels: Mapping[str, str]) -> Figure:
    """Draw the expected F-measure of predictions against the number of samples.

    `frame` has one row per trial of a simulation. `panels` maps names of distributions, from which
    samples are drawn, to titles of panels. There is one line per inference method.
    """
    width = COLUMN_WIDTH if len(panels) == 1 else PAGE_WIDTH
    with figure_style():
        figure, axes = panel_grid(len(panels), len(panels), width=width, height=2.2)
        for panel, (distribution, title) in zip(axes, panels.items(), strict=True):
            rows = frame[frame["distribution"] == distribution]
            # GFM-T and MEUF approx have larger hollow marks below, because lines often coincide.
            lines = {"gfm_threshold": HOLLOW, "meuf_approx": HOLLOW, "meuf": {}, "gfm": {}}
            for method, marks in lines.items():
                groups = rows[rows["method"] == method].groupby("n_samples")["value"]
                mean, half = groups.mean(), groups.apply(_half_width)
                panel.errorbar(mean.index, mean, yerr=half, **_line_style(method, **marks))
            panel.axhline(rows["optimum"].iloc[0], label="optimum", **DASHED)
            panel.set(xscale="log", xlabel="Number of samples", title=title)
        handles, names = axes[0].get_legend_handles_labels()
        columns = 3 if len(panels) == 1 else len(names)
        figure.legend(handles, names, loc="outside upper center", ncols=columns)
        figure.supylabel("Expected F-measure")
    return figure


def draw_seconds(frame: pd.DataFrame) -> Figure:
    """Draw the CPU seconds of one prediction against the number of labels.

    `frame` has one row per trial, with the columns `method`, `n_labels` and `seconds`.
    """
    with figure_style():
        figure, [panel] = panel_grid(1, 1, width=COLUMN_WIDTH, height=2.4)
        for method in ("meuf_jansche", "meuf_approx", "meuf", "gfm", "gfm_threshold"):
            seconds = frame[frame["method"] == method].groupby("n_labels")["seconds"]
            low, middle, high = (seconds.quantile(share) for share in (0.025, 0.5, 0.975))
            label = {"label": "MEUF, Ye et al."} if method == "meuf" else {}
            bars = [middle - low, high - middle]
            panel.errorbar(middle.index, middle, yerr=bars, **_line_style(method, **label))
        panel.set(xlabel="Number of labels", ylabel="CPU seconds of a decision", yscale="log")
        panel.legend(loc="upper left", ncols=2)
        low, high = panel.get_ylim()
        panel.set_ylim(low, 12 * high)
    return figure


def _line_style(method: str, **options: Any) -> dict[str, Any]:
    label, colour, marker = LINES[method]
    style = {"label": label, "color": COLOURS[colour], "marker": marker, "markersize": 3.5}
    return BARS | style | {"linewidth": 1.1} | options


def _half_width(values: Sequence[float]) -> float:
    """Return half the width of Student's 95 % confidence interval for the mean."""
    values = np.asarray(values, dtype=np.float64)
    if len(values) < 2:
        return 0.0
    quantile = scipy.stats.t.ppf((1 + LEVEL) / 2, len(values) - 1)
    return float(quantile * values.std(ddof=1) / np.sqrt(len(values)))


def _chart(name: str, draw: Callable[..., Figure], caption: str, **options: Any) -> Chart:
    """Return the chart in which `draw(rows, **options)` draws the rows of a simulation."""

    def figure(report: Report) -> Figure:
        frame = simulation(report, name)
        if frame is None:
            return message_figure(f"The simulation {name} is not configured.")
        return draw(frame, **options)

    return Chart(figure, caption)


FIGURES = {
    "figure1_left": _chart(
        "independent_labels",
        draw_samples,
        "Figure 1, left. Expected F-measure of decisions from samples of independent labels of the "
        "same probability: mean over trials and its 95 % interval. Values are exact under the true "
        "distribution.",
        panels={"independent": "Independent labels"},
    ),
    "figure1_centre": _chart(
        "dependent_labels",
        draw_samples,
        "Figure 1, centre. Expected F-measure for dependent labels: as printed, with labels in "
        "{−1, 1}, and these with −i/2 instead of −(i − 1)/2. The printed axis reaches 0.6.",
        panels=CODINGS,
    ),
    "figure1_right": _chart(
        "inference_seconds",
        draw_seconds,
        "Figure 1, right. CPU seconds of one decision given samples, by the number of labels: "
        "median and central 95 % of the trials. MEUF as Jansche published it is what the paper "
        "timed; the quadratic algorithm of Ye et al. (2012) came later, and with it, as with the "
        "approximation here, MEUF of many labels costs no more than GFM. Seconds differ from run "
        "to run.",
    ),
}
