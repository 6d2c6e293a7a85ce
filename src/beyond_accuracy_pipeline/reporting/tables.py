"""Declarations of tables: a DataFrame of numbers, and the columns that readers see."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import pandas as pd

from .formats import UNAVAILABLE, percent_interval, text

Row = Mapping[str, Any]

STACKED = "Quantity"
"""The heading of the index level that has the titles of the lines of an `Across`."""

INSIDE, OUTSIDE = "inside", "outside"
"""Styles of a published number: whether it is inside our interval."""

_SEPARATOR = re.compile(r" ?[/:] ?")
_NUMBER = re.compile(r"[+−]?[\d.,]+")

LEAST, MOST = "_least_of_states", "_most_of_states"
"""Suffixes of columns with the range over seeds."""


@dataclass(frozen=True)
class Column:
    """Column of a table for readers: its title, and how its cells are formatted.

    `values` names one or more columns of the DataFrame `Table.frame`. The function `form` takes
    their values in a row, and returns the text of the cell. Other attributes also name columns of
    this DataFrame:

    - `interval`: the ends of an interval
    - `stars`: texts such as "**"
    - `bold` and `underline`: booleans
    - `marks`: booleans, mapped to a mark that follows the text where the column is true
    - `status`: "ok", or a text that replaces the value
    """

    title: str
    values: str | tuple[str, ...]
    form: Callable[..., str] = text
    # Ends of an interval of fractions, shown in brackets; those of differences have a sign.
    interval: tuple[str, str] | None = None
    signed_interval: bool = False
    marks: Mapping[str, str] = field(default_factory=dict)
    stars: str | None = None
    bold: str | None = None
    underline: str | None = None
    # The status "unavailable" is shown as "n/a".
    status: str | None = None
    # A second column, shown in the same cell.
    after: "Column | None" = None
    # A published number and the ends of our interval, for the style "inside" or "outside".
    inside: tuple[str, str, str] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns of `Table.frame` from which the text of a cell is made."""
        return (self.values,) if isinstance(self.values, str) else self.values

    def cell(self, row: Row) -> str:
        """Return the text of this column's cell for one row of the table's DataFrame."""
        if self.status and row[self.status] != "ok":
            state = row[self.status]
            return UNAVAILABLE if pd.isna(state) or state == "unavailable" else state
        names = self.names
        content = self.form(*(row[name] for name in names))
        if content and names[0] + LEAST in row:
            content += self._range(row, names)
        if content:
            content += row[self.stars] if self.stars else ""
            content += "".join(mark for name, mark in self.marks.items() if is_true(row[name]))
        if self.interval is not None:
            ends = (row[name] for name in self.interval)
            content = f"{content} {percent_interval(*ends, sign=self.signed_interval)}".strip()
        return content if self.after is None else f"{content} {self.after.cell(row)}".strip()

    def _range(self, row: Row, names: Sequence[str]) -> str:
        """Return the range over the seeds in braces, or "" if both ends have the same text."""
        least, most = (
            self.form(*(row.get(name + end, row[name]) for name in names)) for end in (LEAST, MOST)
        )
        if least == most:
            return ""
        # Each number has a range: wins and losses may be extreme in different seeds.
        separator = _SEPARATOR.search(least)
        ends = list(zip(_SEPARATOR.split(least), _SEPARATOR.split(most), strict=False))
        if separator and all(_NUMBER.fullmatch(end) for pair in ends for end in pair):
            ranges = (low if low == high else f"{low}–{high}" for low, high in ends)
            return f" {{{separator[0].join(ranges)}}}"
        return f" {{{least}–{most}}}"

    def style(self, row: Row) -> str:
        """Return the style names of this column's cell in one row, separated by blanks."""
        looks = (("bold", self.bold), ("underline", self.underline))
        styles = [look for look, name in looks if name and is_true(row[name])]
        if self.inside is not None:
            printed, low, high = (row[name] for name in self.inside)
            if not any(map(pd.isna, (printed, low, high))):
                styles.append(INSIDE if low <= printed <= high else OUTSIDE)
        return " ".join(styles)


@dataclass(frozen=True)
class Across:
    """Group of columns in a table for readers, such as one column per method.

    `by` names a column of the DataFrame `Table.frame`, such as "method". Each distinct value in it
    gets a column, whose heading is `title(value)`. `lines` are the cells below each heading.
    """

    by: str
    title: Callable[[Any], str]
    # The titles of several lines become the last level of the index, or are below the heading if
    # the lines are `beside` each other.
    lines: Sequence[Column]
    beside: bool = False

    @property
    def stacked(self) -> bool:
        """Whether each row of the table has several lines, one below the other."""
        return len(self.lines) > 1 and not self.beside

    def headings(self, value: Any) -> list[str]:
        """Return the headings for one value of the column `by`, one per cell in `lines`.

        If the cells are side by side, a heading is the title of the value, a tab, and the title of
        the cell.
        """
        title = self.title(value)
        return [f"{title}\t{line.title}" if self.beside else title for line in self.lines]


@dataclass(frozen=True)
class Table:
    """Table before it is formatted: a DataFrame of numbers, the columns to show, and texts."""

    # Numbers at full precision. Columns that begin with an underscore are not written to the CSV.
    frame: pd.DataFrame
    # The columns that name the rows. Rows of the frame with the same index share a row.
    index: Sequence[Column]
    # A `Column` shows the first row of the frame with the same index, an `Across` all of them. A
    # tab in a title separates two levels of headings.
    columns: Sequence[Column | Across]
    caption: str
    # Conventions. Notes on intervals, substitutes and missing data sets are added later.
    notes: Sequence[str] = ()
    # Rows at the end: for each row's title, its texts by heading.
    foot: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    # Functions that compute a column from a row, such as stars from a p-value, or from the whole
    # frame. For several seeds, they take the medians.
    derived: Mapping[str, Callable[[Row], Any]] = field(default_factory=dict)
    among: Mapping[str, Callable[[pd.DataFrame], pd.Series]] = field(default_factory=dict)
    # Columns that join the values of all seeds; others show the most common value.
    of_any: Set[str] = frozenset()

    @property
    def numbers(self) -> pd.DataFrame:
        """The columns for the CSV file: all whose names do not begin with an underscore."""
        return self.frame[[name for name in self.frame if not str(name).startswith("_")]]

    @property
    def stacked(self) -> bool:
        """Whether a row has several lines. If so, web pages cannot sort the rows by a column."""
        return any(isinstance(column, Across) and column.stacked for column in self.columns)

    @property
    def lines(self) -> Iterator[Column]:
        """Iterator over each `Column`, including those in groups and those that share a cell."""
        for column in self.columns:
            for line in column.lines if isinstance(column, Across) else [column]:
                while line is not None:
                    yield line
                    line = line.after

    @property
    def has_intervals(self) -> bool:
        return any(line.interval for line in self.lines)


def display(table: Table) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Format a table; return two DataFrames: texts of the cells, and styles such as "bold".

    If two rows of the table's DataFrame belong to one cell of an `Across`, raise ValueError.
    """
    cells: dict[tuple[str, ...], dict[str, tuple[str, str]]] = {}
    for number, row in enumerate(table.frame.to_dict("records")):
        key = tuple(column.cell(row) for column in table.index) or (str(number),)
        for column in table.columns:
            if isinstance(column, Across):
                for line, title in zip(column.lines, column.headings(row[column.by]), strict=True):
                    own = (*key, line.title) if column.stacked else key
                    line_cells = cells.setdefault(own, {})
                    if title in line_cells:
                        raise _two_rows(table, column, row)
                    line_cells[title] = (line.cell(row), line.style(row))
            elif column.title not in cells.setdefault(key, {}):
                cells[key][column.title] = (column.cell(row), column.style(row))
    several = table.stacked
    if several:
        cells = {key: line for key, line in cells.items() if any(cell for cell, _ in line.values())}
    names = [column.title for column in table.index] + [STACKED] * several
    for title, line in table.foot.items():
        foot = {heading: (cell, "") for heading, cell in line.items()}
        cells[(title, *[""] * (len(names) - 1))] = foot
    titles = _titles(table)
    lines = [[line.get(title, ("", "")) for title in titles] for line in cells.values()]
    frame = pd.DataFrame(lines, index_of_texts(list(cells), names), titles, dtype=object)
    if any("\t" in title for title in titles):
        frame.columns = pd.MultiIndex.from_tuples([(*t.split("\t"), "")[:2] for t in titles])
    return frame.map(itemgetter(0)), frame.map(itemgetter(1))


def _two_rows(table: Table, column: Across, row: Row) -> ValueError:
    """Return the error for a second row of the table's DataFrame with the same cell."""
    names = [name for index in table.index for name in index.names]
    cell = ", ".join(f"{name}={row[name]}" for name in [*names, column.by])
    return ValueError(
        f"two rows of the frame for one cell ({cell}); add a column in which they differ, such as "
        "measure, to `index`"
    )


def _titles(table: Table) -> list[str]:
    """Return the headings of all columns in their order, without repetitions."""
    titles = []
    for column in table.columns:
        if isinstance(column, Across):
            for value in dict.fromkeys(table.frame[column.by]):
                titles += column.headings(value)
        else:
            titles.append(column.title)
    # Columns with the same upper heading are neighbours.
    tops = [title.split("\t")[0] for title in titles]
    return sorted(dict.fromkeys(titles), key=lambda title: tops.index(title.split("\t")[0]))


def index_of_texts(keys: Sequence[tuple[str, ...]], names: Sequence[str]) -> pd.Index:
    """Return a pandas index of row names (tuples of texts), or row numbers if `names` is empty."""
    if not names:
        return pd.RangeIndex(len(keys))
    if len(names) == 1:
        return pd.Index([key[0] for key in keys], name=names[0], dtype=object)
    return pd.MultiIndex.from_tuples(keys, names=names)


def with_derived(frame: pd.DataFrame, derived: Mapping[str, Callable[[Row], Any]]) -> pd.DataFrame:
    """Add columns to a DataFrame; `derived` maps their names to functions of a row (a dict)."""
    rows = frame.to_dict("records")
    return frame.assign(**{name: [make(row) for row in rows] for name, make in derived.items()})


def largest(frame: pd.DataFrame, value: str, within: Sequence[str]) -> pd.Series:
    """Return which rows have the largest `value` among rows with equal columns `within`."""
    return frame[value].eq(frame.groupby(list(within), sort=False)[value].transform("max"))


def is_true(value: object) -> bool:
    """Return whether a value is True or a text that is not empty; NaN counts as False."""
    return bool(value) and not pd.isna(value)
