"""Weka's ARFF, read by liac-arff."""

import csv
import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import arff
import numpy as np
import scipy.sparse as sp

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.faults import suggestion
from beyond_accuracy_pipeline.datasets.parsers.arff_lines import ArffLines
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.table import Table, as_csr, number_name, numeric_order

_EXPECTED = "valid ARFF: a value for each attribute, nominal ones among those declared"
_SPARSE = re.compile(
    r"^[^\S\n]*+@data[^\n]*\n(?:[^\S\n]*+(?:%[^\n]*)?\n)*+[^\S\n]*+\{", re.IGNORECASE | re.MULTILINE
)
_CHUNK = 20_000
_NAMES_SHOWN = 30


@dataclass(frozen=True)
class ArffContent:
    """All cells of an ARFF file, which ``location`` names in messages.

    values : float64 array or CSR matrix of shape (rows, attributes); nominal values are codes,
        missing ones NaN (a bare ``?``; a quoted one is a value).
    names, nominal : name of each attribute, and its declared values (None for numbers).
    lines : line of each row, from 1.
    """

    location: str
    values: np.ndarray | sp.csr_matrix
    names: tuple[str, ...]
    nominal: tuple[tuple[str, ...] | None, ...]
    lines: Sequence[int]

    def column(self, number: int) -> np.ndarray:
        """The values of one attribute, dense."""
        values = self.values[:, [number]]
        return (values.toarray() if sp.issparse(values) else values).ravel()


def parse_arff(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Tables of all parts; classes are the values that occur, in declared or numeric order.

    What only a later part declares comes after what the first one does.

    Raises ParseError for malformed lines, literal NaN or infinite numbers, date and string
    attributes, a target or dropped column that is not there, and a missing class.
    """
    contents = {role: read_arff(file) for role, file in files.items()}
    classes = {role: _classes(entry, content) for role, content in contents.items()}
    occurring = {
        names[code] for names, codes in classes.values() for code in np.unique(codes) if code >= 0
    }
    declared = [content.nominal[content.names.index(entry.target)] for content in contents.values()]
    class_names = (
        numeric_order(occurring)
        if None in declared
        else tuple(name for name in dict.fromkeys(chain(*declared)) if name in occurring)
    )
    return {role: _table(entry, contents[role], *classes[role], class_names) for role in files}


def read_arff(file: RawFile) -> ArffContent:
    """Read dense or sparse ARFF. Raises ParseError with the line at fault."""
    with file.open() as stream:
        content = stream.read()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    is_sparse = _SPARSE.search(text)
    lines = ArffLines(text)
    kind = arff.LOD_GEN if is_sparse else arff.DENSE_GEN
    try:
        decoded = arff.ArffDecoder().decode(lines, encode_nominal=True, return_type=kind)
        attributes = decoded["attributes"]
        for name, declared in attributes:
            if declared == "STRING":
                found = f"the string attribute {name!r}"
                raise ParseError(file.location, None, found, "numeric or nominal attributes")
        rows = ((lines.number, row) for row in decoded["data"])
        read = _sparse_values if is_sparse else _dense_values
        values, row_lines = read(rows, len(attributes), file)
    except (arff.ArffException, csv.Error, ValueError, StopIteration) as error:
        found = f"{lines.shown!r} ({_fault(error)})"
        raise ParseError(file.location, lines.number, found, _EXPECTED) from error
    if not row_lines:
        raise ParseError(file.location, None, "no rows", _EXPECTED)
    return ArffContent(
        location=file.location,
        values=values,
        names=tuple(name for name, _ in attributes),
        nominal=tuple(
            tuple(declared) if isinstance(declared, list) else None for _, declared in attributes
        ),
        lines=row_lines,
    )


def _fault(error: Exception) -> str:
    """What liac-arff found, without the line, which it does not know, and the row, shown anyway."""
    if isinstance(error, arff.BadDataFormat):
        return "other values than one for each attribute"
    # The text of its errors is a template that fails where a row holds a percent sign.
    text = getattr(error, "message", None) or str(error)
    return re.sub(r",? (?:at|in) line %d", "", text).replace("%%", "%").removesuffix(".")


def _dense_values(
    rows: Iterator[tuple[int, list]], n_attributes: int, file: RawFile
) -> tuple[np.ndarray, Sequence[int]]:
    chunks, numbers = [], array("q")
    while chunk := list(islice(rows, _CHUNK)):
        chunk_numbers, cells = zip(*chunk, strict=True)
        values = np.array(cells, dtype=np.float64)
        for row, column in np.argwhere(~np.isfinite(values)):
            if cells[row][column] is not None:
                raise _not_finite(file, chunk_numbers[row])
        chunks.append(values)
        numbers.extend(chunk_numbers)
    return np.vstack(chunks) if chunks else np.empty((0, n_attributes)), numbers


def _sparse_values(
    rows: Iterator[tuple[int, dict]], n_attributes: int, file: RawFile
) -> tuple[sp.csr_matrix, Sequence[int]]:
    data, indices, indptr, numbers = array("d"), array("q"), array("q", [0]), array("q")
    for number, cells in rows:
        for column, value in sorted(cells.items()):
            if value is not None and not np.isfinite(value):
                raise _not_finite(file, number)
            indices.append(column)
            data.append(np.nan if value is None else value)
        indptr.append(len(indices))
        numbers.append(number)
    shape = (len(numbers), n_attributes)
    return sp.csr_matrix((np.asarray(data), indices, indptr), shape=shape), numbers


def _not_finite(file: RawFile, line: int) -> ParseError:
    return ParseError(
        file.location, line, "a NaN or infinite number", "finite numbers, or ? where missing"
    )


def _classes(entry: Entry, content: ArffContent) -> tuple[Sequence[str], np.ndarray]:
    """Names of classes, and the number of each row's, -1 where it is missing."""
    for name in (entry.target, *entry.drop_columns):
        if name not in content.names:
            valid = f"the name of an attribute: {suggestion(name, content.names, _NAMES_SHOWN)}"
            raise ParseError(content.location, None, f"no attribute {name!r}", valid)
    column = content.names.index(entry.target)
    values, declared = content.column(column), content.nominal[column]
    # A sparse row that does not name the class has the first one.
    if declared == ():
        found = f"no values of the attribute {entry.target!r}"
        raise ParseError(content.location, None, found, "a value for each class")
    missing = np.isnan(values)
    if missing.any() and not entry.parser.drop_rows_without_class:
        valid = "a class in every row, or parser option drop_rows_without_class"
        line = content.lines[missing.argmax()]
        raise ParseError(content.location, line, "a missing class", valid)
    if declared is None:
        numbers, codes = np.unique(values, return_inverse=True)
        declared = [number_name(number) for number in numbers]
    else:
        codes = np.where(missing, 0, values)
    codes = codes.astype(np.int32)
    codes[missing] = -1
    return declared, codes


def _table(
    entry: Entry,
    content: ArffContent,
    names: Sequence[str],
    codes: np.ndarray,
    class_names: tuple[str, ...],
) -> Table:
    left_out = {entry.target, *entry.drop_columns}
    columns = [i for i, name in enumerate(content.names) if name not in left_out]
    rows = np.flatnonzero(codes >= 0)
    places = {name: place for place, name in enumerate(class_names)}
    X = content.values if len(rows) == len(codes) else content.values[rows]
    X = X[:, columns]
    categories = {}
    for position, column in enumerate(columns):
        declared = content.nominal[column]
        if declared is not None and sp.issparse(X):
            found = f"the nominal feature {content.names[column]!r} in a sparse file"
            raise ParseError(content.location, None, found, "numeric features")
        if declared is not None:
            categories[position] = declared
    return Table(
        X=as_csr(X) if sp.issparse(X) else X,
        y=np.array([places.get(name, -1) for name in names])[codes[rows]],
        class_names=class_names,
        feature_names=tuple(content.names[column] for column in columns),
        categories=categories,
    )
