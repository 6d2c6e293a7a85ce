"""All methods that the configuration selects, those that were added to the paper's two included."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.measures import get_measure
from beyond_accuracy.reporting.comparison import Pair, compare, measured_together
from beyond_accuracy.reporting.intervals_table import IntervalLookup
from beyond_accuracy.reporting.joachims2005.methods import (
    METHOD_LABELS,
    PAIR,
    collection_label,
    collection_notes,
    method_label,
)
from beyond_accuracy.reporting.results import PaperResults
from beyond_accuracy.reporting.tables import Table, percent, percent_interval


def table_methods(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Macro-averages of every selected method on every data set and measure, with intervals."""
    intervals = IntervalLookup(results.intervals)
    data_sets = results.data_set_names(configuration["data_sets"])
    rows, shown = [], {}
    for data_set in data_sets:
        for measure in configuration["measures"]:
            key = (collection_label(results, data_set), get_measure(measure).label)
            cells = shown.setdefault(key, {})
            for method in configuration["methods_selected"]:
                row = _row(results, intervals, data_set, measure, method)
                if row:
                    rows.append(row)
                cells[method_label(method)] = _cell(row)
    display = pd.DataFrame.from_dict(shown, orient="index")
    display.index = pd.MultiIndex.from_tuples(list(shown), names=["Collection", "Measure"])
    level = configuration["bootstrap"]["level"]
    proposed, baseline = (METHOD_LABELS[method] for method in PAIR.methods)
    return Table(
        frame=pd.DataFrame(rows),
        display=display,
        caption=(
            "Macro-averages over classes in percent of every method, each selected by the measure "
            f"itself; {level:.0%} bootstrap intervals in brackets."
        ),
        notes=(
            f"An average is over the classes on which the method and {proposed} succeeded (that "
            f"of {proposed}: it and {baseline}); where this leaves classes out, their number "
            "follows.",
            "Empty: the method is not fitted for this measure.",
            *collection_notes(results, data_sets),
        ),
    )


def _row(
    results: PaperResults, intervals: IntervalLookup, data_set: str, measure: str, method: str
) -> dict[str, Any]:
    """Return the average of one method and what it stands on; empty if it was not fitted."""
    pair = PAIR if method == PAIR.proposed else Pair(PAIR.proposed, method)
    if not measured_together(results.measurements, data_set, measure, pair):
        return {}
    one = compare(results.measurements, data_set, measure, pair)
    low, high = intervals(data_set, measure, method)
    return {
        "data_set": data_set,
        "substitute_for": results.record(data_set).get("substitute_for"),
        "measure": measure,
        "method": method,
        "n_tasks": one.n_tasks,
        "n_excluded": one.n_excluded,
        "average": one.average(method),
        "low": low,
        "high": high,
        "reason": one.reason,
    }


def _cell(row: Mapping[str, Any]) -> str:
    if not row:
        return ""
    text = f"{percent(row['average'])} {percent_interval(row['low'], row['high'])}".strip()
    if not row["n_excluded"]:
        return text
    return f"{text} ({row['n_tasks']} of {row['n_tasks'] + row['n_excluded']})"
