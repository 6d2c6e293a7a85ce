"""Diagrams of critical differences between average ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..drawn_values import title_points
from ..figures import COLOURS, figure_style, message_figure, panel_grid
from ..names import measure_name
from ..report import Report
from .ranks import LEVEL, average_ranks, joined, significance_matrix, smallest_p
from .values import tables_by_kind

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure_critical_difference(report: Report) -> Figure:
    """Draw the methods' average ranks; bars join methods that do not differ significantly."""
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
                titles = []
                for position in marks.get_offsets()[:, 0]:
                    methods = ranks.rename(labels).index[np.isclose(ranks, position)]
                    titles.append(f"{', '.join(methods)}: average rank {position:.2f}")
                title_points(marks, titles)
            title = f"{measure_name(measure)}, {kind}, {len(table)} data sets"
            if smallest_p(*table.shape) > LEVEL:
                title += "\ntoo few to tell any pair apart"
            panel.set_title(title, loc="left")
        figure.supxlabel("Average rank among the methods, the best on the left")
    return figure
