"""Critical differences, scores against seconds, and learning curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.reporting.arena.ranks import (
    average_ranks,
    joined,
    significance_matrix,
    smallest_p,
)
from beyond_accuracy_pipeline.reporting.arena.values import (
    LOSSES,
    by_data_set,
    kinds_of_data,
    task_values,
)
from beyond_accuracy_pipeline.reporting.drawn_values import title_points
from beyond_accuracy_pipeline.reporting.figures import (
    COLOURS,
    figure_style,
    message_figure,
    panel_grid,
)
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.results.variants import HEADLINE, under_reading, variants

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CURVES = ("lr", "lr_tuned", "hgb", "hgb_tuned", "multivariate_svm", "capo_hgb")
_SHAPES = ("o", "^", "s")
_PALETTE = ("blue", "sky", "vermilion", "orange", "green", "purple", "grey", "black")


def figure_critical_difference(report: Report) -> Figure:
    """Average ranks; neighbours that pairwise tests do not tell apart are joined."""
    rows = report.once(task_values)
    tables = [
        (measure, kind, by_data_set(rows[kind.holds(rows)], measure))
        for kind in kinds_of_data(rows)
        for measure in report.measures
    ]
    tables = [each for each in tables if min(each[2].shape) > 1]
    if not tables:
        return message_figure("Two methods on two data sets are needed for a comparison.")
    # It imports seaborn and statsmodels, two seconds.
    from scikit_posthocs import critical_difference_diagram

    with figure_style():
        figure, panels = panel_grid(len(tables), 1, height=2.2)
        for (measure, kind, table), panel in zip(tables, panels, strict=True):
            labels = {name: report.method_label(name) for name in table.columns}
            ranks = average_ranks(table)
            bars = joined(ranks, significance_matrix(table)).astype(float)
            drawn = critical_difference_diagram(
                ranks.rename(labels),
                bars.rename(index=labels, columns=labels),
                ax=panel,
                label_fmt_left="{label} ({rank:.1f})",
                label_fmt_right="({rank:.1f}) {label}",
                label_props={"fontsize": 7},
                marker_props={"s": 12},
                color_palette=[COLOURS["blue"]] * len(labels),
            )
            for (bar,) in drawn["crossbars"]:
                # Its points come in the order of a set of names, another one in each run.
                bar.set_xdata(np.sort(bar.get_xdata()))
            for marks in panel.collections:
                places = marks.get_offsets()[:, 0]
                title_points(marks, [_at_rank(ranks.rename(labels), place) for place in places])
            title = f"{measure_name(measure)}, {kind.label}, {len(table)} data sets"
            if smallest_p(*table.shape) > 0.05:
                title += ", too few to tell any pair apart"
            panel.set_title(title, loc="left")
    return figure


def _at_rank(ranks: pd.Series, place: float) -> str:
    there = ranks[np.isclose(ranks, place)]
    return f"{', '.join(there.index)}: average rank {place:.2f}"


def figure_frontier(report: Report) -> Figure:
    """Mean score against the seconds of a fit with its selection; the best trade-offs joined."""
    rows, seconds = report.once(task_values), fit_seconds(report)
    panels_of = {measure: by_data_set(rows, measure) for measure in report.measures}
    panels_of = {name: table for name, table in panels_of.items() if len(table)}
    if not panels_of or seconds.empty:
        return message_figure("Nothing to draw.")
    order = list(dict.fromkeys(name for table in panels_of.values() for name in table.columns))
    with figure_style():
        figure, panels = panel_grid(len(panels_of), 2, height=2.3)
        for (measure, table), panel in zip(panels_of.items(), panels, strict=True):
            own = seconds[seconds["data_set"].isin(table.index)]
            median = own.groupby("method")["cpu_seconds"].median()
            _frontier(panel, report, table.mean(), median, order)
            panel.set_title(measure_name(measure), loc="left")
        lines = {line.get_label(): line for panel in panels for line in panel.get_lines()}
        lines = {label: line for label, line in lines.items() if not label.startswith("_")}
        figure.legend(lines.values(), lines, loc="outside upper center", ncols=4)
        figure.supxlabel("CPU seconds a task and measure, median over data sets", fontsize=8)
        figure.supylabel("Mean over data sets (less is better of losses: negative)", fontsize=8)
    return figure


def _frontier(
    panel: Axes, report: Report, means: pd.Series, seconds: pd.Series, order: list[str]
) -> None:
    points = pd.DataFrame({"score": means})
    points["label"] = [report.method_label(name) for name in points.index]
    points["seconds"] = seconds_of(points.index, seconds, report.method_label)
    points = points.dropna().sort_values(["seconds", "score"], ascending=[True, False])
    best = points[points["score"] > points["score"].cummax().shift(fill_value=-np.inf)]
    _log_axis(panel)
    panel.step(best["seconds"], best["score"], where="post", color=COLOURS["grey"], linewidth=0.8)
    for point in points.itertuples():
        # Colours and shapes are those of the method in all panels.
        number = order.index(point.Index)
        panel.plot(
            point.seconds,
            point.score,
            _SHAPES[number // len(_PALETTE) % len(_SHAPES)],
            markersize=4,
            color=COLOURS[_PALETTE[number % len(_PALETTE)]],
            label=point.label,
        )


def seconds_of(
    names: Iterable[str], seconds: pd.Series, label: Callable[[str], str]
) -> list[float | None]:
    """Return the seconds of methods, and of decisions ("BR, meuf") those of their method's fits."""
    fits = {label(name): value for name, value in seconds.items()}
    return [seconds.get(name, fits.get(str(name).partition(",")[0])) for name in names]


def _log_axis(panel: Axes) -> None:
    """A logarithmic x-axis, of which also parts of a decade have numbers, which do not overlap."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    panel.set_xscale("log")
    panel.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.xaxis.set_minor_formatter(NullFormatter())


def fit_seconds(report: Report) -> pd.DataFrame:
    """Return CPU seconds of selection, fit and prediction by data set and method, a task's mean.

    They are divided by the measures that a method is fitted for, since these share fits.
    """
    rows = report.results.seconds
    total = rows.groupby(["data_set", "method"])["cpu_seconds"].sum()
    fits = report.results.fits
    cells = fits.groupby(["data_set", "method"]).size()
    return (total / cells).dropna().rename("cpu_seconds").reset_index()


def of_common_tasks(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the tasks that each `reading` has; small samples lack positives."""
    readings = rows.groupby("task")["reading"].nunique()
    return rows[rows["task"].map(readings) == rows["reading"].nunique()]


def figure_learning_curves(report: Report) -> Figure:
    """The first measure by the examples of the training part, a panel for each data set."""
    measure = report.measures[0]
    parts = []
    for variant in variants(report.results.whole):
        sample = under_reading(report.results.whole, variant.reading).get("sample")
        if sample and variant.state == 1:
            own = report.once(task_values, variant.reading)
            parts.append(own[own["measure"] == measure].assign(reading=variant.reading))
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["reading"])
    small = rows[rows["reading"] != HEADLINE]
    if small.empty:
        return message_figure("No reading with fewer training examples is selected.")
    data_sets = list(dict.fromkeys(small["data_set"]))
    sign = " (less is better)" if measure in LOSSES else ""
    with figure_style():
        figure, panels = panel_grid(len(data_sets), 3, height=2.6)
        methods = [name for name in _CURVES if name in set(small["method"])]
        for data_set, panel in zip(data_sets, panels, strict=True):
            every = rows[rows["data_set"] == data_set]
            own = of_common_tasks(every)
            for colour, method in zip(_PALETTE, methods, strict=False):
                of_method = own[own["method"] == method]
                curve = of_method.groupby("n_train")["value"].mean().sort_index()
                label = report.method_label(method)
                panel.plot(curve.index, curve, "o-", markersize=3, linewidth=1,
                           color=COLOURS[colour], label=label)  # fmt: skip
            _log_axis(panel)
            kept = own["task"].unique()
            some = f", {', '.join(kept)} alone" if len(kept) < every["task"].nunique() else ""
            panel.set_title(f"{report.label(data_set)}{some}", loc="left")
        lines, labels = panels[0].get_legend_handles_labels()
        figure.legend(lines, labels, loc="outside upper center", ncols=6)
        figure.supxlabel("Training examples", fontsize=8)
        figure.supylabel(f"{measure_name(measure)}{sign}", fontsize=8)
    return figure
