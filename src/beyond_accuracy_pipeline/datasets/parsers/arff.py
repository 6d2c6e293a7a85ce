"""Read Weka's ARFF files with liac-arff."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import arff
import numpy as np
import scipy.sparse as sp

from beyond_accuracy.readers.tables import number_name, numeric_order
from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import ParseError
from beyond_accuracy_pipeline.datasets.problems import suggestion
from beyond_accuracy_pipeline.datasets.raw_files import RawFile
from beyond_accuracy_pipeline.datasets.table import Table, as_csr, encode

_EXPECTED = "valid ARFF: a value for each attribute, nominal ones among those declared"
_NAMES_SHOWN = 30
# Weka: % starts a comment; blanks and tabs separate; both only outside quotes.
_QUOTED = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_COMMENT = re.compile(rf"""^((?:[^%'"]|{_QUOTED})*+)%.*$""", re.DOTALL)
_SEPARATOR = re.compile(rf"({_QUOTED})|\s*,\s*|\s+")
_ATTRIBUTE = re.compile(r"^\s*@attribute\s+", re.IGNORECASE)
_WITHOUT_END = re.compile(r"\s\{[^}]*$")
_NUMERIC = re.compile(r"\s(integer|numeric|real)\s*+(\[[^\[\]]*+\]\s*+)?$", re.IGNORECASE)


@dataclass(frozen=True)
class ArffContent:
    """Values and attributes of an ARFF file, Weka's format."""

    location: str
    values: np.ndarray | sp.csr_matrix
    """float64, shape (rows, attributes): codes of nominal values, and NaN for a bare ``?``."""
    names: tuple[str, ...]
    nominal: tuple[tuple[str, ...] | None, ...]
    """Declared values of each attribute; None for numbers."""
    lines: Sequence[int]
    """Line of each row, from 1."""

    def column(self, number: int) -> np.ndarray:
        """Return the values of attribute `number`, from 0, as a dense array of shape (rows,)."""
        values = self.values[:, [number]]
        return (values.toarray() if sp.issparse(values) else values).ravel()


def parse_arff(entry: Entry, files: dict[str, RawFile]) -> dict[str, Table]:
    """Read a data set in ARFF, Weka's format; return one table per part.

    `files` maps the part, such as "train", to its file. `entry` names the class attribute. Classes
    keep the order of the file's declaration; without a declaration, they are sorted.
    """
    contents = {role: read_arff(file) for role, file in files.items()}
    labels = {role: _labels(entry, content) for role, content in contents.items()}
    class_names = tuple(numeric_order(set().union(*labels.values()) - {None}))
    declared = [content.nominal[content.names.index(entry.target)] for content in contents.values()]
    if None not in declared:
        occurring = set(class_names)
        class_names = tuple(name for name in dict.fromkeys(chain(*declared)) if name in occurring)
    return {role: _table(entry, contents[role], labels[role], class_names) for role in files}


def read_arff(file: RawFile) -> ArffContent:
    """Read a dense or sparse ARFF file, or raise ParseError with the malformed line."""
    with file.open() as stream:
        content = stream.read()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    lines = _Lines(text)
    is_sparse = lines.is_sparse
    try:
        decoded = arff.ArffDecoder().decode(
            lines, encode_nominal=True, return_type=arff.LOD_GEN if is_sparse else arff.DENSE_GEN
        )
        attributes = decoded["attributes"]
        if texts := [name for name, declared in attributes if declared == "STRING"]:
            found = f"the string attribute {texts[0]!r}"
            raise ParseError(file.location, None, found, "numeric or nominal attributes")
        rows = [(lines.number, _numbers(row)) for row in decoded["data"]]
    except (arff.ArffException, csv.Error, ValueError, StopIteration) as error:
        # liac-arff does not know the line, and its message has a template for it.
        reason = re.sub(r",? (?:at|in) line %d", "", getattr(error, "message", None) or str(error))
        if isinstance(error, arff.BadDataFormat):
            reason = "other values than one for each attribute"
        found = f"{lines.quoted!r} ({reason.replace('%%', '%').removesuffix('.')})"
        raise ParseError(file.location, lines.number, found, _EXPECTED) from error
    if not rows:
        raise ParseError(file.location, None, "no rows", _EXPECTED)
    numbers, cells = zip(*rows, strict=True)
    values = _sparse(cells, len(attributes)) if is_sparse else np.vstack(cells)
    return ArffContent(
        location=file.location,
        values=values,
        names=tuple(name for name, _ in attributes),
        nominal=tuple(
            tuple(declared) if isinstance(declared, list) else None for _, declared in attributes
        ),
        lines=numbers,
    )


class _Lines:
    """Iterator over the lines of an ARFF text; `number` is the current line, from 1.

    It rewrites what Weka accepts and liac-arff refuses: fractions of the type ``integer``, ranges
    of a type (``integer [0,9]``), tabs, and comments at the end of a line.
    """

    def __init__(self, text: str):
        self._lines = io.StringIO(text)
        self._in_data = False
        self.number = 0
        self.quoted = ""
        data = re.split(r"^[^\S\n]*@data", text, maxsplit=1, flags=re.IGNORECASE | re.MULTILINE)[-1]
        rows = (line.strip() for line in data.split("\n")[1:])
        self.is_sparse = next((r for r in rows if r and r[0] != "%"), "").startswith("{")

    def __iter__(self):
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        self.quoted = line.strip() if len(line) <= 80 else line[:80].strip() + "..."
        if "%" in line and not line.lstrip().startswith("%"):
            line = _COMMENT.sub(r"\1", line)
        if self._in_data:
            return _with_commas(line) if "\t" in line else line
        self._in_data = line.lstrip().lower().startswith("@data")
        if _ATTRIBUTE.match(line):
            # liac-arff would try all ways to divide a list of values without an end.
            if _WITHOUT_END.search(line):
                raise arff.BadAttributeType
            line = _NUMERIC.sub(" NUMERIC", _ATTRIBUTE.sub("@attribute ", line))
        return line


def _with_commas(line: str) -> str:
    """Return a row of dense ARFF with commas instead of tabs and blanks between values."""
    line = line.strip()
    if line.startswith(("{", "%")):
        return line
    return _SEPARATOR.sub(
        lambda match: match[0] if match[1] or not {",", "\t"} & set(match[0]) else ",", line
    )


def _numbers(row: list | dict) -> np.ndarray | tuple[list[int], np.ndarray]:
    """Return the values of a row as float64, or (columns, values) of a sparse row."""
    columns = sorted(row) if isinstance(row, dict) else range(len(row))
    values = np.array([row[column] for column in columns], dtype=np.float64)
    if np.isinf(values).any():
        raise ValueError("an infinite number")
    return (columns, values) if isinstance(row, dict) else values


def _sparse(cells: Sequence[tuple[list[int], np.ndarray]], n_attributes: int) -> sp.csr_matrix:
    columns, values = zip(*cells, strict=True)
    indptr = np.cumsum([0, *map(len, columns)])
    indices = np.fromiter(chain(*columns), dtype=np.int64)
    return sp.csr_matrix((np.concatenate(values), indices, indptr), (len(cells), n_attributes))


def _labels(entry: Entry, content: ArffContent) -> list[str | None]:
    """Return the class of each row, or None for a missing class if the parser drops such rows.

    Otherwise, a missing class raises ParseError.
    """
    for name in (entry.target, *entry.drop_columns):
        if name not in content.names:
            valid = f"the name of an attribute: {suggestion(name, content.names, _NAMES_SHOWN)}"
            raise ParseError(content.location, None, f"no attribute {name!r}", valid)
    column = content.names.index(entry.target)
    values, declared = content.column(column), content.nominal[column]
    missing = np.isnan(values)
    if missing.any() and not entry.parser.drop_rows_without_class:
        valid = "a class in every row, or parser option drop_rows_without_class"
        line = content.lines[missing.argmax()]
        raise ParseError(content.location, line, "a missing class", valid)

    def name_of(value: float) -> str:
        return number_name(value) if declared is None else declared[int(value)]

    return [None if np.isnan(value) else name_of(value) for value in values.tolist()]


def _table(
    entry: Entry, content: ArffContent, labels: list[str | None], class_names: tuple[str, ...]
) -> Table:
    """Return the table of the rows that have a class."""
    left_out = {entry.target, *entry.drop_columns}
    columns = [i for i, name in enumerate(content.names) if name not in left_out]
    rows = [row for row, label in enumerate(labels) if label is not None]
    X = (content.values if len(rows) == len(labels) else content.values[rows])[:, columns]
    nominal = [content.nominal[column] for column in columns]
    categories = {column: values for column, values in enumerate(nominal) if values is not None}
    if categories and sp.issparse(X):
        name = content.names[columns[next(iter(categories))]]
        found = f"the nominal feature {name!r} in a sparse file"
        raise ParseError(content.location, None, found, "numeric features")
    return Table(
        X=as_csr(X) if sp.issparse(X) else X,
        y=encode([labels[row] for row in rows], class_names),
        class_names=class_names,
        feature_names=tuple(content.names[column] for column in columns),
        categories=categories,
    )
