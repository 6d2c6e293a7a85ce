"""Panels of the figures over C, B or the training size: a row a data set, a column a measure."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, FuncFormatter, LogLocator, NullFormatter

from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.figures import COLOURS, PAGE_WIDTH, figure_style, message_figure
from beyond_accuracy.reporting.li2013.methods import (
    COLLECTIONS,
    MEASURES,
    measure_label,
    method_label,
)
from beyond_accuracy.reporting.li2013.sweeps import in_order
from beyond_accuracy.results import PaperResults

# Methods differ in colour and in marker, so that figures can be read in grey.
STYLES = {
    "svmperf_linear": {"color": COLOURS["vermilion"], "marker": "s"},
    "svmperf_rbf": {"color": COLOURS["purple"], "marker": "D"},
    "capo_cvm": {"color": COLOURS["blue"], "marker": "o"},
    "capo_c45": {"color": COLOURS["sky"], "marker": "P"},
    "capo_rbfn": {"color": COLOURS["grey"], "marker": "X"},
    "capo_5cvm": {"color": COLOURS["green"], "marker": "^"},
    "capo_star": {"color": COLOURS["orange"], "marker": "v"},
}
OTHERS = [
    {"color": COLOURS[name], "marker": marker}
    for name, marker in (("black", "*"), ("purple", "<"), ("grey", ">"))
]
NOTHING = "Nothing to draw: no data set has results."


def panels(
    results: PaperResults,
    rows: pd.DataFrame,
    *,
    x: str,
    y: str,
    x_label: str,
    y_label: str,
    log_x: bool = False,
    log_y: bool = False,
) -> Figure:
    """Draw `y` against `x`, a line a method; what was stopped at a limit has an open marker."""
    rows = rows[rows[y].notna()]
    if rows.empty:
        return message_figure(NOTHING)
    data_sets = in_order(rows["data_set"], COLLECTIONS)
    measures = in_order(rows["measure"], MEASURES)
    methods = in_order(rows["method"], tuple(STYLES))
    with figure_style():
        height = 0.9 + 1.6 * len(data_sets)
        figure = Figure(figsize=(PAGE_WIDTH, height), layout="constrained")
        axes = figure.subplots(len(data_sets), len(measures), squeeze=False, sharex=True)
        for line, data_set in zip(axes, data_sets, strict=True):
            line[0].set_ylabel(data_set_label(results, data_set), fontweight="bold")
            for panel, measure in zip(line, measures, strict=True):
                own = rows[(rows["data_set"] == data_set) & (rows["measure"] == measure)]
                panel.set_title(measure_label(measure), loc="left")
                if own.empty:
                    panel.text(0.5, 0.5, "n/a", transform=panel.transAxes, ha="center")
                for method in methods:
                    _line(panel, own[own["method"] == method], x, y, method, methods)
                if log_x and len(own):
                    _logarithmic_x(panel, own[x])
                if log_y and len(own):
                    _logarithmic(panel, own[y])
        handles = {
            label: handle
            for panel in axes.flat
            for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
        }
        names = [method_label(name) for name in methods]
        figure.legend(
            [handles[name] for name in names], names, loc="outside upper center", ncols=len(names)
        )
        figure.supxlabel(x_label, fontsize=8)
        figure.supylabel(y_label, fontsize=8)
    return figure


def _logarithmic_x(panel: Axes, values: pd.Series) -> None:
    """Make x logarithmic; within few powers of ten label once, twice and five times each."""
    panel.set_xscale("log")
    if values.max() < 30 * values.min():
        panel.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        panel.xaxis.set_major_formatter(EngFormatter(sep=""))
        panel.xaxis.set_minor_formatter(NullFormatter())


def _logarithmic(panel: Axes, values: pd.Series) -> None:
    """Make y logarithmic; where powers of ten are too few, label twice and five times them too."""
    panel.set_yscale("log")
    plain = FuncFormatter(lambda value, _: f"{value:g}")
    panel.yaxis.set_major_formatter(plain)
    few = values.max() < 30 * values.min()
    if few:
        panel.yaxis.set_minor_locator(LogLocator(subs=(2, 5)))
    panel.yaxis.set_minor_formatter(plain if few else NullFormatter())


def _line(panel: Axes, rows: pd.DataFrame, x: str, y: str, method: str, methods: list[str]) -> None:
    if rows.empty:
        return
    unknown = [name for name in methods if name not in STYLES]
    style = STYLES.get(method) or OTHERS[unknown.index(method) % len(OTHERS)]
    style = {**style, "markersize": 3.5}
    rows = rows.sort_values(x, kind="stable")
    panel.plot(rows[x], rows[y], label=method_label(method), linewidth=1.2, **style)
    stopped = rows[rows["status"] != "ok"]
    panel.plot(stopped[x], stopped[y], linestyle="", markerfacecolor="white", **style)
