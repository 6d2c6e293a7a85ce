"""Tables over several seeds: medians, and the ranges behind them."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from beyond_accuracy_pipeline.results.variants import headline_states

from .report import Report
from .tables import LEAST, MOST, Across, Table, is_true, with_derived


def table_over_states(report: Report, function: Callable[[Report], Table]) -> Table:
    """Compute a table for each seed, and combine them into one table with medians and ranges.

    `function` makes the table for one seed. Texts in the result are the most common ones. If no
    columns identify the rows, return the first seed's table.
    """
    states = headline_states(report.results.whole)
    tables = [function(report.under(state)) for state in states]
    frames = [table.frame for table in tables]
    table = tables[0]
    # One state, and tables that do not depend on the state, have no range.
    if all(frame.equals(table.frame) for frame in frames[1:]):
        return table
    names = [name for column in table.index for name in column.names]
    names += [column.by for column in table.columns if isinstance(column, Across)]
    keys = list(dict.fromkeys(names))
    if not keys or any(frame.duplicated(keys).any() for frame in frames):
        return table
    ends = {name for line in table.lines for name in line.interval or ()}
    rows = pd.concat(frames)
    following = {*keys, *table.derived, *table.among}
    names = [name for name in table.frame if name not in following]
    numbers = [
        name
        for name in names
        if pd.api.types.is_numeric_dtype(rows[name]) and not pd.api.types.is_bool_dtype(rows[name])
    ]
    grouped = rows.groupby(keys, sort=False, dropna=False)
    alike = grouped[numbers].median()
    # Medians of counts stay whole numbers unless one of them is a half.
    is_whole = {name: (alike[name].dropna() % 1 == 0).all() for name in numbers}
    counts = [name for name in numbers if pd.api.types.is_integer_dtype(rows[name])]
    alike = alike.astype({name: rows[name].dtype for name in counts if is_whole[name]})
    for name in set(names) - set(numbers):
        joined = _of_any if name in table.of_any else lambda own: Counter(own).most_common(1)[0][0]
        alike[name] = grouped[name].agg(joined).astype(table.frame[name].dtype)
    least, most = grouped[numbers].min(), grouped[numbers].max()
    frame = table.frame.assign(**table.frame[keys].join(alike, on=keys)[names])
    # Numbers that are equal in all states, such as the paper's, have no range.
    differ = {name for name in numbers if not least[name].equals(most[name])}
    drawn = [name for name in numbers if name in differ and name not in ends]
    frame = frame.join(least[drawn].add_suffix(LEAST), on=keys)
    frame = frame.join(most[drawn].add_suffix(MOST), on=keys)
    note = (
        f"Numbers and interval ends are medians over {len(frames)} seeds; braces show the range. "
        "Each count is a median of its own, so counts in one cell need not add up. Stars belong to "
        "the p-value shown. Bold and other text are those of most seeds. Notes are those of the "
        "first seed, and of other seeds that differ by more than numbers."
        + (
            " Marks of fits and grids that ended early are those of any seed."
            if table.of_any
            else ""
        )
    )
    frame = with_derived(frame, table.derived).assign(**table.among)
    foot = {}
    for title, line in table.foot.items():
        is_same = all(other.foot.get(title) == line for other in tables[1:])
        foot[title if is_same else f"{title}, first seed"] = line
    return replace(table, frame=frame, notes=[*_notes(tables), note], foot=foot)


def _notes(tables: Sequence[Table]) -> list[str]:
    """Return the first table's notes, and notes of other tables that differ not only in numbers."""
    states: dict[str, list[int]] = {}
    for state, table in enumerate(tables, 1):
        for note in dict.fromkeys(table.notes):
            states.setdefault(note, []).append(state)

    def without_numbers(note: str) -> str:
        return re.sub(r"\d[\d.,]*", "#", note)

    known = set(map(without_numbers, tables[0].notes))
    notes = []
    for note, own in states.items():
        if len(own) == len(tables):
            notes.append(note)
        elif own[0] == 1:
            notes.append(f"First seed: {note}")
        elif without_numbers(note) not in known:
            which = f"Seeds {', '.join(map(str, own))}" if len(own) > 1 else f"Seed {own[0]}"
            notes.append(f"{which}: {note}")
    return notes


def _of_any(values: pd.Series) -> Any:
    """Return the distinct texts of all seeds, joined; for booleans, whether any is true."""
    said = dict.fromkeys(values[values.map(is_true)])
    if any(isinstance(value, str) for value in values):
        return "; ".join(said)
    return bool(said)
