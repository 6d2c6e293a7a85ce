"""Read tables of users from CSV, Parquet, ARFF and SVMlight files, plain or compressed."""

import csv
import difflib
import io
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from beyond_accuracy.readers.column_checks import (
    check_classes,
    listed,
    missing_marks,
    useless_columns,
)
from beyond_accuracy.readers.compressed_files import DAMAGED, is_damage, open_decompressed
from beyond_accuracy.readers.errors import FileError
from beyond_accuracy.readers.svmlight_file import check_features, read_examples

if TYPE_CHECKING:
    import pandas as pd

_COMPRESSED = (".gz", ".bz2", ".xz")
_SVMLIGHT = dict.fromkeys((".svm", ".svmlight", ".libsvm", ".txt"), "svmlight")
_KINDS = {".csv": "csv", ".tsv": "csv", ".parquet": "parquet", ".arff": "arff", **_SVMLIGHT}
_SEPARATORS = (",", ";", "\t", "|")
_LINES_SEEN = 100
_MISSING = ("", "#N/A", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null", "<NA>")
_NUMBER = re.compile(r"[+-]?[\d.,]+")
_ROWS = "a header line, and a value for each of its columns in every line"


@dataclass(frozen=True)
class UserTable:
    """Content of a user's file: features X, labels y, classes, and how the columns were read.

    - `left_out`: dict from each column that is not in X to the reason.
    - `notes`: lines of text about the columns.
    - `settings`: for CSV, a dict with "delimiter" (if not ","), "decimal" (if not "."), and
      "missing", a dict from columns to the texts that mark missing values.
    """

    X: "pd.DataFrame | np.ndarray | sp.csr_matrix"
    y: np.ndarray
    classes: list[str]
    left_out: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)


def file_format(path: str | PathLike) -> str:
    """Return "csv", "parquet", "arff" or "svmlight" by the suffix of a file, or raise FileError."""
    suffixes = [suffix.lower() for suffix in PurePath(path).suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    suffix = suffixes[-1] if suffixes else ""
    if suffix not in _KINDS:
        valid = f"{', '.join(_KINDS)}, also followed by {', '.join(_COMPRESSED)}"
        raise FileError(path, None, f"found the suffix {suffix!r}; valid are {valid}")
    return _KINDS[suffix]


def read_table(
    path: str | PathLike,
    target: str | None = None,
    *,
    drop: Sequence[str] = (),
    nominal: Sequence[str] = (),
    keep: Sequence[str] = (),
) -> UserTable:
    """Read a table, check its columns and separate the target from the features.

    The separator and the decimal mark of a CSV file are guessed. A few texts such as "?" among
    numbers are taken as missing values.

    - `drop`: columns to leave out.
    - `nominal`: columns, possibly with the target, whose numbers are category codes.
    - `keep`: columns to keep, although they look like identifiers. Other identifiers, and empty
      columns, are left out.

    Raises FileError with the line or column, the value found, and a remedy.
    """
    try:
        if file_format(path) == "svmlight":
            return _svmlight(str(path), target, [*drop, *nominal, *keep])
        frame, settings = _READERS[file_format(path)](path, [*nominal, target])
        _check_names(list(frame.columns), target, drop, [*nominal, *keep])
        y = _class_names(frame[target], target)
        check_classes(numeric_order(y), target, confirmed=target in nominal)
        X = frame.drop(columns=[target, *drop])
        left_out = useless_columns(X, nominal, keep)
    except DAMAGED as error:
        if not is_damage(error):
            raise
        raise FileError(path, None, f"cannot be decompressed ({error})") from error
    except ValueError as error:
        raise FileError(path, None, str(error)) from error
    X = X.drop(columns=list(left_out))
    notes = [*_notes(X, settings.get("missing", {})), *settings.pop("notes", [])]
    return UserTable(X, y, numeric_order(y), left_out, notes, settings)


def _svmlight(path: str, target: str | None, columns: Sequence[str]) -> UserTable:
    if target is not None or columns:
        found = target if target is not None else columns[0]
        raise ValueError(f"found the column {found!r}; columns of SVMlight files have no names")
    X, labels = read_examples(path)
    check_features(path, X)
    y = np.array([number_name(label) for label in labels], dtype=object)
    check_classes(numeric_order(y), None, confirmed=False)
    return UserTable(X, y, numeric_order(y))


def _read_csv(path, texts) -> tuple["pd.DataFrame", dict[str, Any]]:
    """Return (frame, settings). Columns of numbers become numeric, unless they are in `texts`."""
    import pandas as pd

    with open_decompressed(path) as stream:
        content = stream.read()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = f"no UTF-8 text (the byte {content[error.start]:#04x})"
        remedy = "convert it first, as by iconv -f latin1 -t utf-8"
        raise FileError(path, None, f"found {found}; {remedy}") from error
    settings = _dialect(text)
    frame = pd.DataFrame(_rows(path, text, settings.get("delimiter", ",")), dtype=object)
    frame = frame.iloc[1:].set_axis(frame.iloc[0].str.strip(), axis=1).reset_index(drop=True)
    _check_unique(frame.columns)
    frame = frame.rename_axis(columns=None).apply(lambda column: column.str.strip())
    frame = frame.where(~frame.isin(_MISSING), None)
    for name in frame.columns.difference(texts, sort=False):
        written = frame[name].dropna()
        if "decimal" in settings:
            # A point in a file of decimal commas makes no number.
            written = written.str.replace(".", "·").str.replace(settings["decimal"], ".")
        if marks := missing_marks(name, written):
            settings.setdefault("missing", {})[name] = marks
            written = written[~written.isin(marks)]
        numbers = pd.to_numeric(written, errors="coerce")
        if numbers.notna().all():
            if (codes := written[written.str.fullmatch(r"0\d+")]).size:
                settings.setdefault("notes", []).append(
                    f"column {name!r}: numbers with leading zeros, such as {codes.iloc[0]!r}; if "
                    f"they are codes: --nominal {name}"
                )
            frame[name] = numbers.reindex(frame.index).astype(float)
    return frame, settings


def _dialect(text: str) -> dict[str, Any]:
    """Guess the "delimiter" and the "decimal" mark of a CSV text, and return them as a dict.

    The delimiter is left out if it is ",", and the decimal mark if it is ".".
    """
    lines = text.split("\n", _LINES_SEEN)[:_LINES_SEEN]
    columns = {each: len(next(csv.reader(lines, delimiter=each), [])) for each in _SEPARATORS}
    delimiter = max(columns, key=columns.get)
    # Names may contain blanks, which separate only if nothing else does.
    if columns[delimiter] == 1 and len(next(csv.reader(lines, delimiter=" "))) > 1:
        delimiter = " "
    if delimiter == ",":
        return {}
    cells = [cell for row in csv.reader(lines[1:], delimiter=delimiter) for cell in row]
    with_comma, with_point = (
        sum(re.fullmatch(rf"\s*[+-]?\d+{mark}\d+\s*", cell) is not None for cell in cells)
        for mark in (",", r"\.")
    )
    return {"delimiter": delimiter} | ({"decimal": ","} if with_comma > with_point else {})


def _rows(path, text, delimiter) -> list[list[str]]:
    """Return the cells by row; raise FileError if a row is not as long as the header."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[list[str]] = []
    try:
        for row in reader:
            if rows and any(map(str.strip, row)) and len(row) != len(rows[0]):
                found = f"found {len(row)} values for {len(rows[0])} columns"
                raise FileError(path, reader.line_num, f"{found}; expected {_ROWS}")
            if any(map(str.strip, row)):
                rows.append(row)
    except csv.Error as error:
        raise FileError(path, reader.line_num, f"{error}; expected {_ROWS}") from error
    if len(rows) < 2:
        raise ValueError(f"found {'no rows' if rows else 'nothing'}; expected {_ROWS}")
    return rows


def _read_parquet(path, texts) -> tuple["pd.DataFrame", dict[str, Any]]:
    import pyarrow.parquet as pq
    from pandas.api.types import is_numeric_dtype
    from pyarrow.lib import ArrowException

    with open_decompressed(path) as stream:
        content = io.BytesIO(stream.read())
    try:
        table = pq.read_table(content)
        table.validate(full=True)
    except (ValueError, OSError, RuntimeError, ArrowException) as error:
        said = str(error).partition("\n")[0]
        raise ValueError(f"found no Parquet ({said}); expected Apache Parquet") from error
    _check_unique(table.column_names)
    frame = table.to_pandas()
    for name in frame:
        column = frame[name]
        if is_numeric_dtype(column) and name not in texts:
            frame[name] = column.astype(float)
        else:
            frame[name] = column.astype(object).map(_text, na_action="ignore")
    return frame, {}


def _read_arff(path, texts) -> tuple["pd.DataFrame", dict[str, Any]]:
    import arff
    import pandas as pd

    with open_decompressed(path) as stream:
        text = stream.read().decode("utf-8", "replace")
    try:
        content = arff.loads(text)
    except arff.ArffException as error:
        expected = "dense ARFF with a value for each attribute"
        raise ValueError(f"{error}; expected {expected}") from error
    frame = pd.DataFrame(content["data"], columns=[name for name, _ in content["attributes"]])
    _check_unique(frame.columns)
    for name, declared in content["attributes"]:
        is_number = declared in ("NUMERIC", "REAL", "INTEGER") and name not in texts
        frame[name] = frame[name].astype(float if is_number else object)
    return frame, {}


_READERS = {"csv": _read_csv, "parquet": _read_parquet, "arff": _read_arff}


def _check_unique(names) -> None:
    twice = sorted(str(name) for name, count in Counter(names).items() if count > 1)
    if twice or "" in list(names):
        found = f"the columns {listed(twice)} twice" if twice else "a column without a name"
        raise ValueError(f"found {found}; expected a name of its own for each column")


def _check_names(names, target, drop, others) -> None:
    if target is None:
        raise ValueError("target: found nothing; valid is the name of the column to predict")
    for name in {target, *drop, *others}.difference(names):
        close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        remedy = f"did you mean {close[0]!r}? " if close else ""
        remedy += f"valid: {listed(names)}"
        raise ValueError(f"found no column {name!r}; {remedy}{header_hint(names)}")
    if target in drop:
        raise ValueError(f"drop: found the target {target!r}; valid are other columns")
    if set(names) == {target, *drop}:
        raise ValueError("found no column but the target and dropped ones")


def header_hint(names: Collection[str]) -> str:
    """Return a likely reason why a column is missing, or an empty string.

    `names` holds the columns of the header. A reason is a wrong separator, or a file without a
    header.
    """
    if len(names) == 1:
        return ". It is the only column: separators are , ; | tabs and blanks"
    if len(list(filter(_NUMBER.fullmatch, names))) > len(names) / 2:
        return ". The first line holds numbers: has the file no header?"
    return ""


def _class_names(column, target) -> np.ndarray:
    """Return the class of each row as text; raise ValueError if a value is missing."""
    import pandas as pd

    missing = np.flatnonzero(column.isna())
    if missing.size:
        # A cell may span several lines and blank lines do not count, so the row is named.
        which = f"the first is row {missing[0] + 1} of the data"
        found = f"no {target!r} in {missing.size} of {len(column)} rows ({which})"
        raise ValueError(f"found {found}; expected a class in every row")
    numbers = pd.to_numeric(column, errors="coerce")
    return (numbers.map(number_name) if numbers.notna().all() else column).to_numpy(dtype=object)


def _text(value) -> str:
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    return number_name(value) if isinstance(value, int | float) else str(value).strip()


def number_name(value: float) -> str:
    """Return the name of a class that is a number: "1" for 1.0, otherwise all digits."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def numeric_order(names: Collection[str]) -> list[str]:
    """Return the distinct names, sorted as numbers if all are numbers, otherwise as texts."""
    try:
        return sorted(set(names), key=lambda name: (float(name), name))
    except ValueError:
        return sorted(set(names))


def _notes(X: "pd.DataFrame", missing: dict[str, list[str]]) -> list[str]:
    numeric = list(X.select_dtypes("number"))
    nominal = [name for name in X if name not in numeric]
    marked = [
        f"column {name!r}: {listed(list(map(repr, marks)))} taken as missing"
        for name, marks in missing.items()
    ]
    return [f"numeric: {listed(numeric)}", f"nominal: {listed(nominal)}", *marked]
