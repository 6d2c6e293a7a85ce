"""How far the values of CAPO* are from the published ones."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.data_set_names import data_set_label
from beyond_accuracy.reporting.li2013.methods import NEAR, measure_label
from beyond_accuracy.reporting.li2013.values import (
    Intervals,
    at,
    data_notes,
    interval_note,
    published_values,
    values_by_task,
)
from beyond_accuracy.reporting.tables import UNAVAILABLE, Table, percent, percent_interval
from beyond_accuracy.results import PaperResults

METHOD = "capo_star"
ABOVE, WITHIN, BELOW = "above", "within", "below"
TEXT = {
    ABOVE: "at or above",
    WITHIN: f"below, by at most {NEAR:g}",
    BELOW: f"below by more than {NEAR:g}",
}


def place(value: float, published: float) -> str:
    """Where a value stands; empty if either is missing."""
    if pd.isna(value) or pd.isna(published):
        return ""
    # As printed: four decimals.
    difference = round(round(value, 4) - published, 4)
    return ABOVE if difference >= 0 else WITHIN if difference >= -NEAR else BELOW


def is_near(value: float, published: float) -> bool:
    """Whether a value is within the tolerance of the published one, or above it."""
    return place(value, published) in (ABOVE, WITHIN)


def table_differences(results: PaperResults, configuration: Mapping[str, Any]) -> Table:
    """Ours, its interval, the published value, and whether the interval holds it."""
    values, published = values_by_task(results, configuration), published_values()
    intervals = Intervals(results)
    rows, shown = [], {}
    for task in values.index:
        data_set, measure = task
        value, known = at(values, task, METHOD), at(published, task, METHOD)
        low, high = intervals(task, METHOD)
        compared = pd.notna(value) and pd.notna(known) and pd.notna(low)
        side = "" if not compared else "below" if high < known else "above" if low > known else ""
        row = {
            "data_set": data_set,
            "measure": measure,
            "value": value,
            "low": low,
            "high": high,
            "published": known,
            "difference": value - known,
            "place": place(value, known),
            "differs": side,
        }
        rows.append(row)
        shown[data_set_label(results, data_set), measure_label(measure)] = {
            "CAPO* (%)": f"{percent(value)} {percent_interval(low, high)}".strip(),
            "Published (%)": "" if pd.isna(known) else percent(known),
            "Difference": "" if pd.isna(known) else percent(value - known, sign=True),
            "Place": TEXT.get(row["place"], UNAVAILABLE if pd.notna(known) else ""),
            "Interval": _interval_text(compared, side),
        }
    frame = pd.DataFrame(rows)
    index = pd.MultiIndex.from_tuples(list(shown), names=["Data set", "Measure"])
    compared = frame[frame["place"] != ""]
    near = int(compared["place"].isin([ABOVE, WITHIN]).sum())
    return Table(
        frame=frame,
        display=pd.DataFrame(list(shown.values()), index=index),
        caption=(
            f"CAPO* beside the published values: {near} of {len(compared)} are within {NEAR:g} of "
            "the published value or above it."
        ),
        notes=(
            "A difference is more than chance of the test examples where the bootstrap interval "
            "does not hold the published value.",
            interval_note(configuration),
            *data_notes(results, list(dict.fromkeys(frame["data_set"]))),
        ),
    )


def _interval_text(compared: bool, side: str) -> str:
    if not compared:
        return ""
    return f"ours is {side} it" if side else "holds the published value"
