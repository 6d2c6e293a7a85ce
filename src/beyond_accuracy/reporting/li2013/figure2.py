"""Figure 2: what selecting the auxiliaries by the target measure brings."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.figures import COLOURS, PAGE_WIDTH, figure_style, message_figure
from beyond_accuracy.reporting.li2013.methods import COLLECTIONS, MEASURES, measure_label
from beyond_accuracy.reporting.li2013.panels import NOTHING
from beyond_accuracy.reporting.li2013.sweeps import (
    AUXILIARY_CHANGE,
    CAPO_CHANGE,
    in_order,
    relative_changes,
)
from beyond_accuracy.results import PaperResults

FIGURE2_CAPTION = (
    "Figure 2. Relative change of the five auxiliaries' mean test value and of CAPO's when the "
    "five core vector machines are not those of the default widths but the best of fifty (five "
    "kernels, ten widths) by cross-validation of the target measure."
)
PARTS = {
    AUXILIARY_CHANGE: ("mean of the five auxiliaries", COLOURS["grey"]),
    CAPO_CHANGE: ("CAPO with these five", COLOURS["blue"]),
}


def figure2(results: PaperResults, configuration: Mapping[str, Any]) -> Figure:
    """One panel a measure, two bars a data set."""
    changes = 100 * relative_changes(results, configuration)
    if changes.empty:
        return message_figure(NOTHING)
    names = changes.index.get_level_values
    data_sets = in_order(pd.Series(names("data_set")), COLLECTIONS)
    measures = in_order(pd.Series(names("measure")), MEASURES)
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 2.7), layout="constrained")
        axes = figure.subplots(1, len(measures), squeeze=False)[0]
        for panel, measure in zip(axes, measures, strict=True):
            own = changes.xs(measure, level="measure").reindex(data_sets)
            places = np.arange(len(data_sets))
            for side, (part, (label, colour)) in enumerate(PARTS.items()):
                panel.bar(places + 0.4 * side - 0.2, own[part], 0.38, color=colour, label=label)
            panel.axhline(0, color=COLOURS["black"], linewidth=0.7)
            labels = [data_set_label(results, name) for name in data_sets]
            panel.set_xticks(places, labels, rotation=35, ha="right")
            panel.grid(axis="x", visible=False)
            panel.set_title(measure_label(measure), loc="left")
        handles, texts = axes[0].get_legend_handles_labels()
        figure.legend(handles, texts, loc="outside upper center", ncols=len(texts))
        figure.supylabel("Relative change (%)", fontsize=8)
    return figure
