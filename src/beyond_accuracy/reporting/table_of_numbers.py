"""A table of which the numbers alone are left, as the reference has those of arenas."""

from typing import Any

import pandas as pd

from beyond_accuracy.reporting.formats import if_known, significant, text
from beyond_accuracy.reporting.names import (
    contestant_name,
    data_set_name,
    in_words,
    measure_name,
    spaced,
)
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.tables import Across, Column, Table

_METHODS = ("method", "first", "second", "best", "recommended", "threshold_method")
_ACROSS = ("rank", "value")
"""Columns that stand side by side for the methods, which are a row each in the numbers."""
_NAMES = {"measure": measure_name, "data_set": data_set_name}


def table_of_numbers(report: Report, frame: pd.DataFrame, title: str) -> Table:
    """Return a table of the columns of a frame, under the names that readers know."""
    shown = [name for name in _ACROSS if name in frame]
    if "method" not in frame or not shown:
        columns = [_column(report, frame, name) for name in frame]
        return Table(frame, [], columns, f"{title}, from its numbers.")
    index = [name for name in frame if name in ("data_set", "measure", "situation")]
    lines = [_column(report, frame, shown[0])]
    return Table(
        frame,
        [_column(report, frame, name) for name in index],
        [Across("method", lambda name: contestant_name(name, report.paper.methods), lines)],
        f"{title}, from its numbers: {shown[0]}s of the methods.",
    )


def _column(report: Report, frame: pd.DataFrame, name: str) -> Column:
    title = spaced(name)

    def called(value: Any) -> str:
        if name in _METHODS:
            return contestant_name(value, report.paper.methods)
        if name in _NAMES:
            return _NAMES[name](value)
        return in_words(text(value), report.paper.methods)

    numeric = pd.api.types.is_numeric_dtype(frame[name]) and frame[name].dtype != bool
    form = significant if numeric else called
    return Column(title[:1].upper() + title[1:], name, if_known(form))
