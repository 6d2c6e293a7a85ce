"""Columns of numbers with a class column, read by numpy."""

import io
from collections.abc import Iterator
from itertools import islice

import numpy as np

from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import ParseError
from beyond_accuracy.datasets.raw_files import RawFile
from beyond_accuracy.datasets.table import Table, labelled_tables


def parse_delimited(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Tables of all parts; every column but the class and the dropped ones must be numeric.

    Raises ParseError with the line of a missing, extra, non-numeric, NaN or infinite value, and of
    a class that is missing: empty or ``?``.
    """
    return labelled_tables({role: _read(entry, file) for role, file in files.items()})


def _read(entry: Entry, file: RawFile) -> tuple[np.ndarray, list[str]]:
    delimiter = entry.parser.delimiter
    with file.open() as stream:
        for _ in range(entry.parser.skip_lines):
            stream.readline()
        text = stream.read().decode("latin-1")
    first = next(_lines(text), None)
    if first is None:
        raise ParseError(file.location, None, "no rows", "one row of numbers a line")
    n_columns = len(first[1].split(delimiter))
    class_column = _column(entry.parser.class_column, n_columns, file)
    as_text = {class_column, *(_column(index, n_columns, file) for index in entry.drop_columns)}
    numeric = [column for column in range(n_columns) if column not in as_text]
    expected = f"{n_columns} columns, with numbers in all but {sorted(as_text)} (from 0)"
    # A text takes some fifty bytes: of a line one at a time, of a class once.
    classes, names = [], {}
    for number, line in _lines(text):
        values = line.split(delimiter)
        if len(values) != n_columns:
            raise ParseError(file.location, number, f"{len(values)} columns", expected)
        name = values[class_column].strip()
        classes.append(names.setdefault(name, name))
    options = {"delimiter": delimiter, "usecols": numeric, "comments": None, "ndmin": 2}
    try:
        X = np.loadtxt((line for _, line in _lines(text)), **options)
    except ValueError as error:
        number, found = _not_a_number(text, delimiter, numeric)
        raise ParseError(file.location, number, found or str(error), expected) from error
    bad = np.flatnonzero(~np.isfinite(X).all(axis=1))
    if bad.size:
        number = _line_of(text, bad[0])
        raise ParseError(file.location, number, "a NaN or infinite value", "finite numbers")
    missing = [classes.index(name) for name in ("", "?") if name in names]
    if missing:
        row = min(missing)
        found = f"the class {classes[row]!r}"
        raise ParseError(file.location, _line_of(text, row), found, "a class in every row")
    return X, classes


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers, from 1."""
    numbered = enumerate(io.StringIO(text, newline=None), start=1)
    return ((number, line.rstrip("\n")) for number, line in numbered if line.strip())


def _line_of(text: str, row: int) -> int:
    return next(islice(_lines(text), row, None))[0]


def _column(index: int | str, n_columns: int, file: RawFile) -> int:
    try:
        return range(n_columns)[index]
    except (IndexError, TypeError):
        valid = f"a column with index {index!r} (from 0)"
        raise ParseError(file.location, None, f"{n_columns} columns", valid) from None


def _not_a_number(
    text: str, delimiter: str | None, numeric: list[int]
) -> tuple[int | None, str | None]:
    """The first value that is none: its line, and what it is."""
    for number, line in _lines(text):
        values = line.split(delimiter)
        for column in numeric:
            try:
                float(values[column])
            except ValueError:
                return number, f"{values[column]!r} in column {column}"
    return None, None
