"""Tables over several random states: medians, and the range that they are taken from."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pandas as pd

from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.tables import LEAST, MOST, Across, Column, Table
from beyond_accuracy.results.variants import HEADLINE, variants


def table_over_states(report: Report, function: Callable[[Report], Table]) -> Table:
    """Return a table of medians over the states of the headline, with the range of each number.

    With one state it is what the function makes of the report.
    """
    states = [each for each in variants(report.results.whole) if each.reading == HEADLINE]
    return _with_ranges([function(report.under(state)) for state in states])


def _with_ranges(tables: Sequence[Table]) -> Table:
    """Put medians of the tables in place of the numbers of the first, and add their range.

    Rows are told apart by what stands in the table's index and beside it; where that is not enough
    the first table stays as it is.
    """
    table = tables[0]
    frames = [each.frame for each in tables]
    if len(frames) == 1:
        return table
    keys = [name for column in table.index for name in _names(column)]
    keys += [column.by for column in table.columns if isinstance(column, Across)]
    keys = list(dict.fromkeys(keys))
    if not keys or any(frame.duplicated(keys).any() for frame in frames):
        return table
    shown = {name for column in _lines(table) for name in _names(column)} - set(keys)
    ends = {name for column in _lines(table) for name in column.interval or ()}
    numbers = [
        name for name in sorted(shown | ends) if pd.api.types.is_float_dtype(table.frame[name])
    ]
    grouped = pd.concat(frames).groupby(keys, sort=False, dropna=False)[numbers]
    medians = table.frame[keys].join(grouped.median(), on=keys)
    frame = table.frame.assign(**{name: medians[name] for name in numbers})
    # What is the same in all states, as the numbers of the paper are, has no range.
    least, most = grouped.min(), grouped.max()
    drawn = [name for name in numbers if name not in ends and not least[name].equals(most[name])]
    frame = frame.join(least[drawn].add_suffix(LEAST), on=keys)
    frame = frame.join(most[drawn].add_suffix(MOST), on=keys)
    note = (
        f"In braces: the range over {len(frames)} random states, of which values and the ends of "
        "intervals are medians. Stars and counts beside them are those of the first state."
    )
    return replace(table, frame=frame, notes=[*table.notes, note])


def _lines(table: Table) -> Iterator[Column]:
    for column in table.columns:
        lines = column.lines if isinstance(column, Across) else [column]
        for line in lines:
            while line is not None:
                yield line
                line = line.after


def _names(column: Column) -> tuple[str, ...]:
    return (column.values,) if isinstance(column.values, str) else column.values
