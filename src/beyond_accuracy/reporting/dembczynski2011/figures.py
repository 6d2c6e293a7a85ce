"""Figure 1 in three panels, the propositions, and the calibration of expected F-measures."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.dembczynski2011.evidence import LabelResults
from beyond_accuracy.reporting.dembczynski2011.names import BR, PCC, row_label
from beyond_accuracy.reporting.figures import (
    COLOURS,
    COLUMN_WIDTH,
    PAGE_WIDTH,
    figure_style,
    message_figure,
)
from beyond_accuracy.results import PaperResults

LINES = {
    "gfm": ("GFM", "blue", "o"),
    "gfm_threshold": ("GFM-T", "sky", "s"),
    "meuf": ("MEUF", "vermilion", "^"),
    "meuf_jansche": ("MEUF, Jansche", "orange", "v"),
    "meuf_approx": ("MEUF approx", "purple", "D"),
    "marginal_threshold": ("H", "grey", "x"),
}
SECONDS_LABELS = {"meuf": "MEUF, Ye et al."}
CODINGS = {
    "zero_one": "labels in {0, 1}, as printed",
    "plus_minus_one": "labels in {−1, 1}",
}
CONSTRUCTIONS = {
    "all_or_nothing": "Proposition 2.1: all labels or none",
    "misleading_order": "Proposition 2.3: misleading order",
}
LEVEL = 0.95
BINS = 10

FIGURE_CAPTIONS = {
    "figure1_left": (
        "Figure 1, left. Expected F-measure of decisions from samples of independent labels of the "
        "same probability: mean over trials and its 95 % interval; dashed, the optimum. Values are "
        "exact under the true distribution."
    ),
    "figure1_centre": (
        "Figure 1, centre. The same for the dependent labels of Equation (9), as printed and with "
        "labels in {−1, 1}."
    ),
    "figure1_right": (
        "Figure 1, right. CPU seconds of one decision given samples, by the number of labels: "
        "median and central 95 % of the trials. MEUF as Jansche published it is what the paper "
        "timed; the quadratic algorithm of Ye et al. (2012) came later, and with it MEUF costs no "
        "more than GFM. Seconds differ from run to run."
    ),
    "figure_propositions": (
        "Expected F-measure lost against the optimum on the distributions of the two "
        "propositions, by the number of labels. GFM loses nothing. Dashed: the limit 1, left, and "
        "the bound max(0, 1/6 − 2/(m + 4)), right."
    ),
    "figure_calibration": (
        "Beyond the paper: F-measure expected and achieved. Test examples in ten bins of equal "
        "size by the expected F; mean of a bin and its 95 % interval."
    ),
}


def figure1_left(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """Expected F against the number of samples, independent labels."""
    if configuration["simulations"].get("independent_labels") is None:
        return message_figure("The simulation independent_labels is not configured.")
    frame = results.simulation("independent_labels")
    with figure_style():
        figure = Figure(figsize=(COLUMN_WIDTH, 2.7), layout="constrained")
        panel = figure.subplots()
        _by_samples(panel, frame)
        panel.set(ylabel="Expected F-measure", title="Independent labels")
        panel.legend(loc="lower right")
    return figure


def figure1_centre(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """Expected F against the number of samples, dependent labels in two codings."""
    if configuration["simulations"].get("dependent_labels") is None:
        return message_figure("The simulation dependent_labels is not configured.")
    frame = results.simulation("dependent_labels")
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 2.7), layout="constrained")
        for panel, (coding, title) in zip(figure.subplots(1, 2), CODINGS.items(), strict=True):
            _by_samples(panel, frame[frame["distribution"] == coding])
            panel.set_title(title)
            panel.legend(loc="best")
        figure.supylabel("Expected F-measure", fontsize=8)
    return figure


def figure1_right(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """Seconds of a decision against the number of labels."""
    if configuration["simulations"].get("inference_seconds") is None:
        return message_figure("The simulation inference_seconds is not configured.")
    frame = results.simulation("inference_seconds")
    with figure_style():
        figure = Figure(figsize=(COLUMN_WIDTH, 2.9), layout="constrained")
        panel = figure.subplots()
        for method in ("meuf_jansche", "meuf_approx", "meuf", "gfm", "gfm_threshold"):
            label, colour, marker = LINES[method]
            chosen = frame[frame["method"] == method].groupby("n_labels")["seconds"]
            low, middle, high = (chosen.quantile(share) for share in (0.025, 0.5, 0.975))
            panel.errorbar(
                middle.index,
                middle,
                yerr=[middle - low, high - middle],
                color=COLOURS[colour],
                marker=marker,
                markersize=3.5,
                linewidth=1.1,
                capsize=2,
                elinewidth=0.8,
                label=SECONDS_LABELS.get(method, label),
            )
        panel.set(xlabel="Number of labels", ylabel="CPU seconds of a decision", yscale="log")
        panel.legend(loc="upper left", ncols=2)
        low, high = panel.get_ylim()
        panel.set_ylim(low, 12 * high)
    return figure


def figure_propositions(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """Regrets on the constructions of Propositions 2.1 and 2.3."""
    if configuration["simulations"].get("worst_cases") is None:
        return message_figure("The simulation worst_cases is not configured.")
    frame = results.simulation("worst_cases")
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 2.7), layout="constrained")
        panels = figure.subplots(1, 2)
        for panel, (construction, title) in zip(panels, CONSTRUCTIONS.items(), strict=True):
            chosen = frame[frame["construction"] == construction]
            for method, size in (
                ("gfm_threshold", 6.5),
                ("marginal_threshold", 5),
                ("meuf", 3.5),
                ("gfm", 3),
            ):
                label, colour, marker = LINES[method]
                line = chosen[chosen["method"] == method].sort_values("n_labels")
                panel.plot(
                    line["n_labels"],
                    line["regret"],
                    color=COLOURS[colour],
                    marker=marker,
                    markersize=size,
                    markerfacecolor="none" if method == "gfm_threshold" else None,
                    linewidth=1.1,
                    label=label,
                )
            bound = chosen[chosen["method"] == "gfm"].sort_values("n_labels")
            limit = np.ones(len(bound)) if construction == "all_or_nothing" else bound["bound"]
            dashes = {"color": COLOURS["black"], "linestyle": "--", "linewidth": 0.9}
            panel.plot(bound["n_labels"], limit, **dashes, label="limit, bound")
            panel.set(xlabel="Number of labels", title=title)
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
        figure.supylabel("Expected F-measure lost", fontsize=8)
    return figure


def figure_calibration(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """Achieved against expected F-measure, one panel a data set."""
    run = LabelResults(results, configuration)
    rows = ((PCC, "gfm", "blue", "o"), (PCC, "meuf", "vermilion", "^"), (BR, "meuf", "orange", "s"))
    data_sets = [
        name for name in run.data_sets if any(run.has(name, row[0], row[1]) for row in rows)
    ]
    if not data_sets:
        return message_figure("Nothing to draw: no data set has results.")
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 2.3), layout="constrained")
        panels = figure.subplots(1, len(data_sets), sharex=True, sharey=True, squeeze=False)[0]
        for panel, data_set in zip(panels, data_sets, strict=True):
            panel.plot([0, 1], [0, 1], color=COLOURS["black"], linewidth=0.8)
            for model, inference, colour, marker in rows:
                if run.has(data_set, model, inference):
                    _calibration_line(
                        panel,
                        run.expected(data_set, model, inference),
                        run.achieved(data_set, model, inference),
                        row_label(model, inference),
                        {"color": COLOURS[colour], "marker": marker},
                    )
            panel.set(title=data_set_label(results, data_set), xlim=(0, 1), ylim=(0, 1))
        panels[0].legend(loc="upper left")
        figure.supxlabel("Expected F-measure", fontsize=8)
        figure.supylabel("Achieved F-measure", fontsize=8)
    return figure


def _by_samples(panel: Axes, frame: pd.DataFrame) -> None:
    # GFM-T below, with larger hollow marks: it often coincides with GFM.
    for method, marks in (
        ("gfm_threshold", {"markersize": 6.5, "markerfacecolor": "none"}),
        ("meuf", {"markersize": 3.5}),
        ("gfm", {"markersize": 3.5}),
    ):
        label, colour, marker = LINES[method]
        groups = frame[frame["method"] == method].groupby("n_samples")["value"]
        mean, half = groups.mean(), groups.apply(_half_width)
        panel.errorbar(
            mean.index,
            mean,
            yerr=half,
            color=COLOURS[colour],
            marker=marker,
            linewidth=1.1,
            capsize=2,
            elinewidth=0.8,
            label=label,
            **marks,
        )
    panel.axhline(frame["optimum"].iloc[0], color=COLOURS["black"], linestyle="--", linewidth=0.9)
    panel.set(xscale="log", xlabel="Number of samples")


def _half_width(values: Sequence[float]) -> float:
    """Half of Student's interval of a mean."""
    values = np.asarray(values, dtype=np.float64)
    if len(values) < 2:
        return 0.0
    quantile = scipy.stats.t.ppf((1 + LEVEL) / 2, len(values) - 1)
    return float(quantile * values.std(ddof=1) / np.sqrt(len(values)))


def _calibration_line(
    panel: Axes,
    expected: np.ndarray,
    achieved: np.ndarray,
    label: str,
    style: Mapping[str, Any],
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
        label=label,
        **style,
    )
