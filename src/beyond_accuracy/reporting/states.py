"""Tables over several random states: medians, and the range that they are taken from."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

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
    """Put what the tables hold together in the rows of the first, with the range of its numbers.

    Numbers become medians, of counts the lower one; all else, stars and bold among it, what it is
    in most tables, or in the first of those that equally many are like. Rows are told apart by what
    stands in the table's index and beside it; where that is not enough the first table stays as it
    is.
    """
    table = tables[0]
    frames = [each.frame for each in tables]
    # Of one state, or of what does not depend on it, there is no range.
    if all(frame.equals(table.frame) for frame in frames[1:]):
        return table
    keys = [name for column in table.index for name in _names(column)]
    keys += [column.by for column in table.columns if isinstance(column, Across)]
    keys = list(dict.fromkeys(keys))
    if not keys or any(frame.duplicated(keys).any() for frame in frames):
        return table
    ends = {name for line in _lines(table) for name in line.interval or ()}
    rows = pd.concat(frames)
    names = [name for name in table.frame if name not in keys]
    numbers = [name for name in names if _is_number(rows[name])]
    grouped = rows.groupby(keys, sort=False, dropna=False)
    counts = [name for name in numbers if pd.api.types.is_integer_dtype(rows[name])]
    medians = grouped[numbers].median()
    if counts:
        medians[counts] = grouped[counts].quantile(0.5, interpolation="lower")
    alike = medians.astype({name: rows[name].dtype for name in numbers})
    for name in set(names) - set(numbers):
        alike[name] = grouped[name].agg(_most_common).astype(table.frame[name].dtype)
    frame = table.frame.assign(**table.frame[keys].join(alike, on=keys)[names])
    # What is the same in all states, as the numbers of the paper are, has no range.
    least, most = grouped[numbers].min(), grouped[numbers].max()
    drawn = [name for name in numbers if name not in ends and not least[name].equals(most[name])]
    frame = frame.join(least[drawn].add_suffix(LEAST), on=keys)
    frame = frame.join(most[drawn].add_suffix(MOST), on=keys)
    note = (
        f"In braces: the range over {len(frames)} random states, of which numbers and the ends of "
        "intervals are medians. Stars, bold and other text are those of most states."
    )
    return replace(table, frame=frame, notes=[*table.notes, note])


def _is_number(values: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)


def _most_common(values: pd.Series) -> Any:
    return Counter(values).most_common(1)[0][0]


def _lines(table: Table) -> Iterator[Column]:
    for column in table.columns:
        lines = column.lines if isinstance(column, Across) else [column]
        for line in lines:
            while line is not None:
                yield line
                line = line.after


def _names(column: Column) -> tuple[str, ...]:
    return (column.values,) if isinstance(column.values, str) else column.values
