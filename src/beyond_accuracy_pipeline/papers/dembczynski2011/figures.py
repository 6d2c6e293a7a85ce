"""Figure 1 in three panels, the propositions, and the calibration of expected F-measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy

from beyond_accuracy_pipeline.papers.dembczynski2011.names import BR, PCC, row_label, table_rows
from beyond_accuracy_pipeline.papers.dembczynski2011.values import decided, examples, simulation
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

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINES = {
    "gfm": ("GFM", "blue", "o"),
    "gfm_threshold": ("GFM-T", "sky", "s"),
    "meuf": ("MEUF", "vermilion", "^"),
    "meuf_jansche": ("MEUF, Jansche", "orange", "v"),
    "meuf_approx": ("MEUF approx", "purple", "D"),
    "marginal_threshold": ("H", "grey", "x"),
}
CODINGS = {
    "zero_one": "labels in {0, 1}, as printed",
    "plus_minus_one": "labels in {−1, 1}",
    "plus_minus_one_shifted": "−i/2, labels in {−1, 1}",
}
CONSTRUCTIONS = {
    "all_or_nothing": "Proposition 2.1: all labels or none",
    "misleading_order": "Proposition 2.3: misleading order",
}
CALIBRATED = {
    (PCC, "gfm"): ("blue", "o"),
    (PCC, "meuf"): ("vermilion", "^"),
    (BR, "meuf"): ("orange", "s"),
}
ADDED_LOOKS = (("green", "v"), ("purple", "D"), ("sky", "P"), ("grey", "X"))
LEVEL = 0.95
BINS = 10
DASHED = {"color": COLOURS["black"], "linestyle": "--", "linewidth": 0.9}
BARS = {"capsize": 2, "elinewidth": 0.8}
HOLLOW = {"markersize": 6.5, "markerfacecolor": "none"}


def of_simulation(
    name: str, draw: Callable[..., Figure], **options: Any
) -> Callable[[Report], Figure]:
    """Return what draws the table of a simulation."""

    def figure(report: Report) -> Figure:
        frame = simulation(report, name)
        if frame is None:
            return message_figure(f"The simulation {name} is not configured.")
        return draw(frame, **options)

    return figure


def figure_samples(frame: pd.DataFrame, *, panels: Mapping[str, str], legend: str) -> Figure:
    """Expected F against the number of samples of a simulation, a titled panel a distribution."""
    width = COLUMN_WIDTH if len(panels) == 1 else PAGE_WIDTH
    with figure_style():
        figure, axes = panel_grid(len(panels), len(panels), width=width, height=2.2)
        for panel, (distribution, title) in zip(axes, panels.items(), strict=True):
            rows = frame[frame["distribution"] == distribution]
            # GFM-T and MEUF approx below, with larger hollow marks: they often coincide.
            lines = {"gfm_threshold": HOLLOW, "meuf_approx": HOLLOW, "meuf": {}, "gfm": {}}
            for method, marks in lines.items():
                groups = rows[rows["method"] == method].groupby("n_samples")["value"]
                mean, half = groups.mean(), groups.apply(_half_width)
                panel.errorbar(mean.index, mean, yerr=half, **BARS, **_look(method, **marks))
            panel.axhline(rows["optimum"].iloc[0], **DASHED)
            panel.set(xscale="log", xlabel="Number of samples", title=title)
            panel.legend(loc=legend)
        figure.supylabel("Expected F-measure", fontsize=8)
    return figure


def figure_seconds(frame: pd.DataFrame) -> Figure:
    """Seconds of a decision against the number of labels."""
    with figure_style():
        figure, [panel] = panel_grid(1, 1, width=COLUMN_WIDTH, height=2.4)
        for method in ("meuf_jansche", "meuf_approx", "meuf", "gfm", "gfm_threshold"):
            seconds = frame[frame["method"] == method].groupby("n_labels")["seconds"]
            low, middle, high = (seconds.quantile(share) for share in (0.025, 0.5, 0.975))
            label = {"label": "MEUF, Ye et al."} if method == "meuf" else {}
            bars = [middle - low, high - middle]
            panel.errorbar(middle.index, middle, yerr=bars, **BARS, **_look(method, **label))
        panel.set(xlabel="Number of labels", ylabel="CPU seconds of a decision", yscale="log")
        panel.legend(loc="upper left", ncols=2)
        low, high = panel.get_ylim()
        panel.set_ylim(low, 12 * high)
    return figure


def figure_propositions(frame: pd.DataFrame) -> Figure:
    """Regrets on the families for Propositions 2.1 and 2.3."""
    sizes = {
        "gfm_threshold": HOLLOW,
        "marginal_threshold": {"markersize": 5},
        "meuf": {},
        "gfm": {"markersize": 3},
    }
    with figure_style():
        figure, panels = panel_grid(2, 2, height=2.2)
        for panel, (construction, title) in zip(panels, CONSTRUCTIONS.items(), strict=True):
            rows = frame[frame["construction"] == construction].sort_values("n_labels")
            for method, marks in sizes.items():
                line = rows[rows["method"] == method].set_index("n_labels")
                panel.plot(line["regret"], **_look(method, **marks))
            bounds = rows.groupby("n_labels")["bound"].first()
            if construction == "all_or_nothing":
                bounds[:] = 1.0
                panel.set_xscale("log")
            panel.plot(bounds, **DASHED, label="limit, bound")
            panel.set(xlabel="Number of labels", title=title)
        worst = frame[frame["construction"] == "worst_distribution"].set_index("n_labels")
        if len(worst):
            star = {"color": COLOURS["black"], "marker": "*", "linestyle": "none"}
            panels[1].plot(worst["regret"], **star, label="worst distribution for GFM-T")
        handles, labels = panels[1].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
        figure.supylabel("Expected F-measure lost", fontsize=8)
    return figure


def figure_calibration(report: Report) -> Figure:
    """Achieved against expected F-measure, one panel a data set."""
    present = decided(report)
    rows = table_rows(report, tuple(CALIBRATED), ("gfm", "meuf"))
    added = [row for row in rows if row not in CALIBRATED]
    looks = CALIBRATED | dict(zip(added, cycle(ADDED_LOOKS)))
    data_sets = [name for name in report.data_sets if any((name, *row) in present for row in rows)]
    if not data_sets:
        return message_figure("Nothing to draw: no data set has results.")
    with figure_style():
        options: dict[str, Any] = {"sharex": True, "sharey": True, "height": 1.8}
        figure, panels = panel_grid(len(data_sets), min(len(data_sets), 4), **options)
        for panel, data_set in zip(panels, data_sets, strict=True):
            panel.plot([0, 1], [0, 1], color=COLOURS["black"], linewidth=0.8)
            own = [row for row in rows if (data_set, *row) in present]
            for row, values in examples(report, data_set, own).items():
                colour, marker = looks[row]
                style = {"color": COLOURS[colour], "marker": marker, "label": row_label(*row)}
                _calibration_line(panel, *values, style)
            panel.set(title=report.label(data_set), xlim=(0, 1), ylim=(0, 1))
        panels[0].legend(loc="upper left")
        figure.supxlabel("Expected F-measure", fontsize=8)
        figure.supylabel("Achieved F-measure", fontsize=8)
    return figure


FIGURES = {
    "figure1_left": Chart(
        of_simulation(
            "independent_labels",
            figure_samples,
            panels={"independent": "Independent labels"},
            legend="lower right",
        ),
        "Figure 1, left. Expected F-measure of decisions from samples of independent labels of the "
        "same probability: mean over trials and its 95 % interval; dashed, the optimum. Values are "
        "exact under the true distribution.",
    ),
    "figure1_centre": Chart(
        of_simulation("dependent_labels", figure_samples, panels=CODINGS, legend="best"),
        "Figure 1, centre. The same for the dependent labels, as printed, with labels in {−1, 1}, "
        "and these with −i/2 in place of −(i − 1)/2. The printed axis reaches 0.6.",
    ),
    "figure1_right": Chart(
        of_simulation("inference_seconds", figure_seconds),
        "Figure 1, right. CPU seconds of one decision given samples, by the number of labels: "
        "median and central 95 % of the trials. MEUF as Jansche published it is what the paper "
        "timed; the quadratic algorithm of Ye et al. (2012) came later, and with it, as with the "
        "approximation here, MEUF of many labels costs no more than GFM. Seconds differ from run "
        "to run.",
    ),
    "figure_propositions": Chart(
        of_simulation("worst_cases", figure_propositions),
        "Expected F-measure lost against the optimum on a family of ours for each of the two "
        "propositions, by the number of labels; MEUF to a million, 1 − 2/√m. GFM loses nothing. "
        "Dashed: the limit 1, left, and the bound max(0, 1/6 − 2/(m + 4)), right. Stars: beyond "
        "the paper, the supremum over all distributions of what thresholds lose.",
    ),
    "figure_calibration": Chart(
        figure_calibration,
        "Beyond the paper: F-measure expected and achieved. Test examples in ten bins of equal "
        "size by the expected F; mean of a bin and its 95 % interval.",
    ),
}


def _look(method: str, **look: Any) -> dict[str, Any]:
    """How one method's line is drawn."""
    label, colour, marker = LINES[method]
    own = {"label": label, "color": COLOURS[colour], "marker": marker, "markersize": 3.5}
    return own | {"linewidth": 1.1} | look


def _half_width(values: Sequence[float]) -> float:
    """Half of Student's interval of a mean."""
    values = np.asarray(values, dtype=np.float64)
    if len(values) < 2:
        return 0.0
    quantile = scipy.stats.t.ppf((1 + LEVEL) / 2, len(values) - 1)
    return float(quantile * values.std(ddof=1) / np.sqrt(len(values)))


def _calibration_line(
    panel: Axes, expected: np.ndarray, achieved: np.ndarray, style: Mapping[str, Any]
) -> None:
    order = np.argsort(expected, kind="stable")
    bins = [part for part in np.array_split(order, BINS) if len(part)]
    panel.errorbar(
        [expected[part].mean() for part in bins],
        [achieved[part].mean() for part in bins],
        yerr=[_half_width(achieved[part]) for part in bins],
        markersize=3,
        linewidth=0.9,
        capsize=1.5,
        elinewidth=0.7,
        **style,
    )
