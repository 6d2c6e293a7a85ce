"""Draw the figures of Li et al. (2013): sweeps, and the selection of auxiliary classifiers.

A sweep fits methods for several values of C, of B, or of the training size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.reporting.comparison import CELL
from beyond_accuracy_pipeline.reporting.figures import (
    COLOURS,
    figure_style,
    message_figure,
    panel_grid,
)
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.paper import Chart
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.results.variants import headline_states

from .names import FIGURE1, RBF, REUTERS, SVM_PERF, USPS
from .times import ALGORITHM_1, ALGORITHM_1_BY_B, sweep_seconds, with_rbf_machine
from .values import TASK, changes_by_state

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Methods differ in colour and in marker, so that figures are readable in grey.
STYLES = {
    "svmperf_linear": {"color": COLOURS["vermilion"], "marker": "s"},
    "svmperf_rbf": {"color": COLOURS["purple"], "marker": "D"},
    "capo_cvm": {"color": COLOURS["blue"], "marker": "o"},
    "capo_c45": {"color": COLOURS["sky"], "marker": "P"},
    "capo_rbfn": {"color": COLOURS["grey"], "marker": "X"},
    "capo_5cvm": {"color": COLOURS["green"], "marker": "^"},
    "capo_star": {"color": COLOURS["orange"], "marker": "v"},
}
# Styles of added methods.
OTHERS = [
    {"color": COLOURS[name], "marker": marker}
    for name, marker in (("black", "*"), ("purple", "<"), ("grey", ">"))
]
LABELS = {
    "C": "C, in SVM-perf's convention",
    "B": "B, the penalty of the auxiliaries' weights",
    "train_fraction": "Share of the training part",
    "n_train": "Training examples",
    "value": "Test value of the measure",
    "cpu_seconds": "Processor seconds",
    "oracle_calls": "Searches for the most violated labelling",
}
NOTHING = "Nothing to draw: no data set has results."
BARS = {
    "auxiliary_value": ("mean of the five auxiliaries", COLOURS["grey"]),
    "capo_value": ("CAPO with these five", COLOURS["blue"]),
}
WHISKERS = {"ecolor": COLOURS["black"], "elinewidth": 0.8, "capsize": 2}


def draw_sweep(report: Report, study: str, x: str, y: str) -> Figure:
    """Draw how a result of each method depends on a parameter, such as test values on C.

    `study` names the experiment that varies the parameter. In its results, `x` is the column of the
    parameter, and `y` the column to draw. There is one row of panels per data set and one column
    per measure. Lines are medians over the seeds, and bands ranges. Open markers are fits that
    stopped before convergence.
    """
    rows = _medians_over_seeds(report, partial(_rows, study=study, y=y), [*CELL, x], y)
    if rows.empty:
        return message_figure(NOTHING)
    levels = pd.DataFrame(columns=[*CELL, y])
    if study in ("by_B", ALGORITHM_1_BY_B):
        levels = _medians_over_seeds(report, partial(_values_without_B, study=study, y=y), CELL, y)
    data_sets = _in_order(rows["data_set"], report.data_sets)
    measures = _in_order(rows["measure"], report.measures)
    methods = _in_order([*rows["method"], *levels["method"]], STYLES)
    others = [method for method in methods if method not in STYLES]
    styles = STYLES | {name: OTHERS[k % len(OTHERS)] for k, name in enumerate(others)}
    handles = {}
    with figure_style():
        n_panels = len(data_sets) * len(measures)
        # Leave space for the legend.
        height = 1.6 + 0.4 / len(data_sets)
        figure, panels = panel_grid(n_panels, len(measures), height=height, sharex=True)
        cells = [(data_set, measure) for data_set in data_sets for measure in measures]
        for panel, (data_set, measure) in zip(panels, cells, strict=True):
            if measure == measures[0]:
                panel.set_ylabel(report.label(data_set), fontweight="bold")
            panel.set_title(measure_name(measure), loc="left")
            panel.set_label(f"{report.label(data_set)}, {measure_name(measure)}")
            fits = rows[(rows["data_set"] == data_set) & (rows["measure"] == measure)]
            if fits.empty:
                panel.text(0.5, 0.5, "n/a", transform=panel.transAxes, ha="center")
                continue
            for method in _in_order(fits["method"], methods):
                line = fits[fits["method"] == method].sort_values(x, kind="stable")
                style = {**styles[method], "markersize": 3.5}
                (handles[method],) = panel.plot(line[x], line[y], linewidth=1.2, **style)
                band = {"color": style["color"], "alpha": 0.15, "linewidth": 0}
                panel.fill_between(line[x], line["least"], line["most"], **band)
                stopped = line[line["status"] != "ok"]
                panel.plot(stopped[x], stopped[y], linestyle="", markerfacecolor="white", **style)
            at = levels[(levels["data_set"] == data_set) & (levels["measure"] == measure)]
            for place, (method, level) in enumerate(zip(at["method"], at[y], strict=True)):
                # The dashes of a line are in the gaps of others, so that equal levels are visible.
                dash = (4 * place, (4, 4 * max(len(at) - 1, 1)))
                style = {"color": styles[method]["color"], "linestyle": dash}
                ends = [fits[x].min(), fits[x].max()]
                (handles[method],) = panel.plot(ends, [level] * 2, linewidth=1.2, **style)
            if x != "train_fraction":
                _logarithmic_x(panel, fits[x])
            if y != "value":
                _logarithmic_y(panel, fits[y])
        named = {report.method_label(method): handles[method] for method in methods}
        if (rows["least"] < rows["most"]).any():
            band = panels[0].fill_between([], [], color=COLOURS["grey"], alpha=0.3, linewidth=0)
            named["range over the seeds"] = band
        if (rows["status"] != "ok").any():
            open_mark = {"markerfacecolor": "white", "linestyle": "", "color": COLOURS["grey"]}
            (named["stopped at the limit"],) = panels[0].plot([], [], "o", **open_mark)
        figure.legend(named.values(), named, loc="outside upper center", ncols=min(len(named), 5))
        figure.supxlabel(LABELS[x])
        figure.supylabel(LABELS[y])
    return figure


def _medians_over_seeds(
    report: Report, rows_of: Callable[[Report], pd.DataFrame], keys: Sequence[str], y: str
) -> pd.DataFrame:
    """Return medians of `y` over the seeds by `keys`, with the range `least` to `most`.

    `status` is "ok" if the fits of all seeds are.
    """
    states = headline_states(report.results.whole)
    rows = pd.concat([rows_of(report.under(each)) for each in states], ignore_index=True)
    rows = rows.dropna(subset=[*keys, y])
    grouped = rows.groupby(list(keys), sort=False)
    frame = grouped[y].agg(**{y: "median", "least": "min", "most": "max"})
    frame["status"] = grouped["status"].agg(
        lambda states_of_fits: next((s for s in states_of_fits if s != "ok"), "ok")
    )
    return frame.reset_index()


def _rows(report: Report, study: str, y: str) -> pd.DataFrame:
    if y == "oracle_calls":
        rows = report.results.study(study)
        return rows[rows["data_set"].isin([REUTERS, USPS]) & rows["method"].isin(FIGURE1)]
    if y != "cpu_seconds":
        return report.results.study(study)
    if study != ALGORITHM_1:
        return sweep_seconds(report, study)
    # The other rows of these runs are only for Table 3.
    rows, shown = with_rbf_machine(report), report.results.study("by_C")
    return rows[rows["data_set"].isin(shown["data_set"]) & rows["method"].isin(shown["method"])]


def _values_without_B(report: Report, study: str, y: str) -> pd.DataFrame:
    """Return the fits of SVM-perf, which has no penalty B, at the C of a study over B."""
    rows = report.results.study(study)
    others = with_rbf_machine(report) if y == "cpu_seconds" else report.results.study("by_C")
    others = others[others["C"].isin(rows["C"]) & others["method"].isin([SVM_PERF, RBF])]
    return others[others["data_set"].isin(rows["data_set"])]


def figure2(report: Report) -> Figure:
    """Draw how much test values change if CAPO's auxiliary classifiers are selected.

    CAPO is an SVM with the outputs of five auxiliary classifiers as additional features. The
    classifiers are defaults, or selected by cross-validation. Bars show the relative change of the
    classifiers' mean value and of CAPO's value, with one panel per measure.
    """
    by_state = 100 * changes_by_state(report)
    if by_state.empty:
        return message_figure(NOTHING)
    grouped = by_state.groupby(TASK)
    middle, least, most = grouped.median(), grouped.min(), grouped.max()
    n_states = by_state.index.unique("state").size
    data_sets = _in_order(middle.index.get_level_values("data_set"), report.data_sets)
    measures = _in_order(middle.index.get_level_values("measure"), report.measures)
    positions = np.arange(len(data_sets))
    with figure_style():
        figure, panels = panel_grid(len(measures), len(measures), height=2.2)
        for panel, measure in zip(panels, measures, strict=True):
            at, low, high = (
                each.xs(measure, level="measure").reindex(data_sets)
                for each in (middle, least, most)
            )
            for side, (part, (label, colour)) in enumerate(BARS.items()):
                x, value = positions + 0.4 * side - 0.2, at[part]
                panel.bar(x, value, 0.38, color=colour, label=label)
                if n_states > 1:
                    ends = [value - low[part], high[part] - value]
                    panel.errorbar(x, value, ends, fmt="none", **WHISKERS)
            panel.axhline(0, color=COLOURS["black"], linewidth=0.7)
            labels = [report.label(name) for name in data_sets]
            panel.set_xticks(positions, labels, rotation=35, ha="right")
            panel.grid(axis="x", visible=False)
            panel.set_title(measure_name(measure), loc="left")
        handles, texts = panels[0].get_legend_handles_labels()
        title = f"medians and ranges of {n_states} seeds" if n_states > 1 else "one seed"
        figure.legend(handles, texts, loc="outside upper center", ncols=len(texts), title=title)
        figure.supylabel("Relative change (%)")
    return figure


def _in_order(names: Iterable[str], order: Sequence[str]) -> list[str]:
    """Return the distinct `names`: first names in `order`, in this order, then all others."""
    present = list(dict.fromkeys(names))
    return [name for name in order if name in present] + [x for x in present if x not in order]


# If the range is small, logarithmic axes are labelled at 1, 2 and 5 times powers of ten.


def _logarithmic_x(panel: Axes, values: pd.Series) -> None:
    from matplotlib.ticker import EngFormatter, LogLocator, NullFormatter

    panel.set_xscale("log")
    if values.max() < 30 * values.min():
        panel.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        panel.xaxis.set_major_formatter(EngFormatter(sep=""))
        panel.xaxis.set_minor_formatter(NullFormatter())


def _logarithmic_y(panel: Axes, values: pd.Series) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    panel.set_yscale("log")
    plain = FuncFormatter(lambda value, _: f"{value:g}")
    panel.yaxis.set_major_formatter(plain)
    few = values.max() < 30 * values.min()
    if few:
        panel.yaxis.set_minor_locator(LogLocator(subs=(2, 5)))
    panel.yaxis.set_minor_formatter(plain if few else NullFormatter())


_STATES = "Lines are medians over the seeds of the run."
SAME_FITS = "Processor seconds of the same fits, without those of the auxiliaries"
BY_ALGORITHM_1 = (
    "Processor seconds of Algorithm 1, without those of the auxiliaries; with the RBF kernel of "
    f"fits with line search, which only helps it. {_STATES}"
)

FIGURES = {
    "figure1": Chart(
        partial(draw_sweep, study="oracle_calls_by_C", x="C", y="oracle_calls"),
        "Figure 1. Calls of the search for the most violated labelling in Algorithm 1 (cutting "
        "planes without line search, to SVM-perf's accuracy) against C, both axes logarithmic. "
        f"{_STATES}",
    ),
    "figure2": Chart(
        figure2,
        "Figure 2. Relative change of the five auxiliaries' mean test value and of CAPO's when "
        "the five core vector machines are not those of the default widths but the best of fifty "
        "(five kernels, ten widths) by cross-validation of the target measure. CAPO with the "
        "default five is that of Table 5, of the same seed. Bars are medians over the "
        "seeds of the run, whiskers their range.",
    ),
    "figure3": Chart(
        partial(draw_sweep, study="by_C", x="C", y="value"),
        "Figure 3, performance. Test values against C: CAPO with one core vector machine and with "
        f"five, SVM-perf linear and with an RBF kernel. {_STATES}",
    ),
    "figure3_seconds": Chart(
        partial(draw_sweep, study=ALGORITHM_1, x="C", y="cpu_seconds"),
        f"Figure 3, time. {BY_ALGORITHM_1}",
    ),
    "figure4": Chart(
        partial(draw_sweep, study="by_B", x="B", y="value"),
        "Figure 4, performance. Test values against the penalty B of the auxiliaries' weights at "
        "C = 1 (SVM-perf's): CAPO with one core vector machine and with five, and SVM-perf, linear "
        f"and with an RBF kernel, which has no B. {_STATES}",
    ),
    "figure4_seconds": Chart(
        partial(draw_sweep, study=ALGORITHM_1_BY_B, x="B", y="cpu_seconds"),
        f"Figure 4, time. {BY_ALGORITHM_1}",
    ),
    "figure5": Chart(
        partial(draw_sweep, study="by_training_size", x="train_fraction", y="value"),
        "Figure 5, performance. Test values against the share of the training part that is used, "
        "B = C = 1 (SVM-perf's), by Algorithm 1: CAPO with one core vector machine and with five, "
        f"SVM-perf linear and with an RBF kernel. {_STATES}",
    ),
    "figure5_seconds": Chart(
        partial(draw_sweep, study="by_training_size", x="n_train", y="cpu_seconds"),
        f"Figure 5, time. {SAME_FITS}; both axes logarithmic. {_STATES}",
    ),
}
