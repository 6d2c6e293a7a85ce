"""Columns of numbers with a class column, read by numpy."""

import io

import numpy as np
from numpy.lib.recfunctions import structured_to_unstructured

from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import ParseError
from beyond_accuracy.datasets.raw_files import RawFile
from beyond_accuracy.datasets.table import Table, encode, numeric_order

_CLASS_WIDTH = 64


def parse_delimited(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Tables of all parts; every column but the class and the dropped ones must be numeric.

    Raises ParseError with the line of a missing, extra, non-numeric, NaN or infinite value.
    """
    contents = {role: _read(entry, file) for role, file in files.items()}
    class_names = numeric_order({label for _, labels in contents.values() for label in labels})
    return {
        role: Table(X=X, y=encode(labels, class_names), class_names=class_names)
        for role, (X, labels) in contents.items()
    }


def _read(entry: Entry, file: RawFile) -> tuple[np.ndarray, list[str]]:
    delimiter = entry.parser.delimiter
    with file.open() as stream:
        text = stream.read().decode("latin-1")
    lines = [(n, line) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise ParseError(file.location, None, "no rows", "one row of numbers a line")
    n_columns = len(lines[0][1].split(delimiter))
    kept_as_text = {_column(entry.parser.class_column, n_columns, file)}
    kept_as_text |= {_column(column, n_columns, file) for column in entry.drop_columns}
    numeric = [column for column in range(n_columns) if column not in kept_as_text]
    dtype = [
        (str(column), f"U{_CLASS_WIDTH}" if column in kept_as_text else "f8")
        for column in range(n_columns)
    ]
    try:
        rows = np.loadtxt(
            io.StringIO(text), dtype=dtype, delimiter=delimiter, comments=None, ndmin=1
        )
    except ValueError as error:
        line, found = _malformed_line(lines, delimiter, n_columns, numeric)
        expected = f"{n_columns} columns, with numbers in all but {sorted(kept_as_text)} (from 0)"
        raise ParseError(file.location, line, found or str(error), expected) from error
    X = structured_to_unstructured(rows[[str(column) for column in numeric]], dtype=np.float64)
    bad = np.flatnonzero(~np.isfinite(X).all(axis=1))
    if bad.size:
        line = lines[int(bad[0])][0]
        raise ParseError(file.location, line, "a NaN or infinite value", "finite numbers")
    class_column = _column(entry.parser.class_column, n_columns, file)
    return np.ascontiguousarray(X), [str(label).strip() for label in rows[str(class_column)]]


def _column(index: int | str, n_columns: int, file: RawFile) -> int:
    try:
        return range(n_columns)[index]
    except (IndexError, TypeError):
        raise ParseError(
            file.location, None, f"{n_columns} columns", f"a column with index {index!r} (from 0)"
        ) from None


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
