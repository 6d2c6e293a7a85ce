"""Diagrams of critical differences between average ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.reporting.arena.ranks import (
    LEVEL,
    average_ranks,
    joined,
    significance_matrix,
    smallest_p,
)
from beyond_accuracy_pipeline.reporting.arena.values import tables_by_kind
from beyond_accuracy_pipeline.reporting.drawn_values import title_points
from beyond_accuracy_pipeline.reporting.figures import (
    COLOURS,
    figure_style,
    message_figure,
    panel_grid,
)
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure_critical_difference(report: Report) -> Figure:
    """Draw the methods' average ranks; bars join methods that do not differ significantly.

    There is one panel per measure and kind of data, that is dense or sparse features.
    """
    tables = [each for each in tables_by_kind(report) if min(each[2].shape) > 1]
    # Dense features first.
    tables.sort(key=lambda each: each[1])
    if not tables:
        return message_figure("Two methods on two data sets are needed for a comparison.")
    # It imports seaborn and statsmodels, which takes two seconds.
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
                label_props={"fontsize": 8},
                marker_props={"s": 12},
                color_palette=[COLOURS["blue"]] * len(labels),
            )
            for (bar,) in drawn["crossbars"]:
                # The library draws a bar's points in the order of a set, which differs by run.
                bar.set_xdata(np.sort(bar.get_xdata()))
            for marks in panel.collections:
                positions = marks.get_offsets()[:, 0]
                title_points(marks, [_mark_title(ranks.rename(labels), x) for x in positions])
            title = f"{measure_name(measure)}, {kind}, {len(table)} data sets"
            if smallest_p(*table.shape) > LEVEL:
                title += ", too few to tell any pair apart"
            panel.set_title(title, loc="left")
        figure.supxlabel("Average rank among the methods, the best on the left")
    return figure


def _mark_title(ranks: pd.Series, position: float) -> str:
    methods = ranks.index[np.isclose(ranks, position)]
    return f"{', '.join(methods)}: average rank {position:.2f}"
