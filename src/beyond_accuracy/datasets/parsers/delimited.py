"""Columns of numbers with a class column, read by numpy."""

import io

import numpy as np
from numpy.lib.recfunctions import structured_to_unstructured

from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import ParseError
from beyond_accuracy.datasets.raw_files import RawFile
from beyond_accuracy.datasets.table import Table, labelled_tables

_CLASS_WIDTH = 64


def parse_delimited(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Tables of all parts; every column but the class and the dropped ones must be numeric.

    Raises ParseError with the line of a missing, extra, non-numeric, NaN or infinite value.
    """
    return labelled_tables({role: _read(entry, file) for role, file in files.items()})


def _read(entry: Entry, file: RawFile) -> tuple[np.ndarray, list[str]]:
    delimiter = entry.parser.delimiter
    with file.open() as stream:
        text = stream.read().decode("latin-1")
    lines = [(n, line) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise ParseError(file.location, None, "no rows", "one row of numbers a line")
    n_columns = len(lines[0][1].split(delimiter))
    class_column = _column(entry.parser.class_column, n_columns, file)
    dropped = {_column(column, n_columns, file) for column in entry.drop_columns}
    kept_as_text = {class_column} | dropped
    numeric = [column for column in range(n_columns) if column not in kept_as_text]
    kinds = ["f8" if column in numeric else f"U{_CLASS_WIDTH}" for column in range(n_columns)]
    dtype = [(str(column), kind) for column, kind in enumerate(kinds)]
    options = {"delimiter": delimiter, "comments": None, "ndmin": 1}
    try:
        rows = np.loadtxt(io.StringIO(text), dtype=dtype, **options)
    except ValueError as error:
        line, found = _malformed_line(lines, delimiter, n_columns, numeric)
        expected = f"{n_columns} columns, with numbers in all but {sorted(kept_as_text)} (from 0)"
        raise ParseError(file.location, line, found or str(error), expected) from error
    X = structured_to_unstructured(rows[[str(column) for column in numeric]], dtype=np.float64)
    bad = np.flatnonzero(~np.isfinite(X).all(axis=1))
    if bad.size:
        line = lines[int(bad[0])][0]
        raise ParseError(file.location, line, "a NaN or infinite value", "finite numbers")
    return np.ascontiguousarray(X), [str(label).strip() for label in rows[str(class_column)]]


def _column(index: int | str, n_columns: int, file: RawFile) -> int:
    try:
        return range(n_columns)[index]
    except (IndexError, TypeError):
        valid = f"a column with index {index!r} (from 0)"
        raise ParseError(file.location, None, f"{n_columns} columns", valid) from None


def _malformed_line(
    lines: list[tuple[int, str]], delimiter: str | None, n_columns: int, numeric: list[int]
) -> tuple[int | None, str | None]:
    for number, line in lines:
        values = line.split(delimiter)
        if len(values) != n_columns:
            return number, f"{len(values)} columns"
        for column in numeric:
            try:
                float(values[column])
            except ValueError:
                return number, f"{values[column]!r} in column {column}"
    return None, None
