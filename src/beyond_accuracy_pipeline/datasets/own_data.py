"""A catalogue entry for a file of one's own, and what the file holds."""

import csv
import hashlib
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from beyond_accuracy.readers.compressed_files import DAMAGED, is_damage, open_decompressed
from beyond_accuracy.readers.svmlight_text import load_svmlight
from beyond_accuracy_pipeline.datasets.entry import OWN_DATA, PARSERS_BY_SUFFIX, Entry, table_suffix
from beyond_accuracy_pipeline.datasets.errors import DataSetError
from beyond_accuracy_pipeline.datasets.faults import suggestion
from beyond_accuracy_pipeline.datasets.parsers import parse
from beyond_accuracy_pipeline.datasets.raw_files import RawFile, check_file
from beyond_accuracy_pipeline.datasets.sources import FileSpecification
from beyond_accuracy_pipeline.datasets.split import binary_parts
from beyond_accuracy_pipeline.datasets.steps import PositiveRule
from beyond_accuracy_pipeline.datasets.table import Table

if TYPE_CHECKING:
    import pandas as pd

_SVMLIGHT = (".svm", ".svmlight", ".libsvm", ".txt")
_DENSE_FROM = 0.5
_SEPARATORS = (",", ";", "\t", "|")
_LINES_SEEN = 100
# Nominal columns of more values, most of them of a single row, are no attributes.
_FEW_VALUES = 50
_MOST_NUMBERS = 50
# So many whole numbers are quantities as often as they are classes.
_MOST_WHOLE = 10
# A column of more numbers, most of its values, is one of numbers, whatever else is in it.
_FEW_NUMBERS = 10
_MOST_MARKS = 3
_DATE = re.compile(r"(\d{4}([-/.])\d{1,2}\2\d{1,2}|\d{1,2}([-/.])\d{1,2}\3\d{4})([ T][\d:.]+Z?)?$")
_GROUPED = r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?"
# As of other countries, and of spreadsheets.
_WRITTEN_NUMBER = re.compile(r"[+-]?(\d++[.,]?\d*+|[.,]\d++)([eE][+-]?\d++)?\s*%?")
_NAMES_SHOWN = 30


def describe_file(
    path: Path | str,
    *,
    name: str,
    target: str | None = None,
    drop_columns: Sequence[str] = (),
    positive: Sequence[str] = (),
    nominal: Sequence[str] = (),
    source: dict[str, Any] | None = None,
) -> tuple[dict[str, Any], Table]:
    """The keys of an entry for a file, checksum and shape filled in, and all its rows.

    Parameters
    ----------
    path : path
        CSV or TSV with a header, Parquet, ARFF or SVMlight / LIBSVM, told by its suffix; also
        compressed. What separates columns and decimals of a CSV is seen from its first lines.
    name, target, drop_columns
        As in `Entry`. SVMlight files have no named columns, and take no target.
    positive : sequence of str
        Positive classes: the task is then binary, as it is with two classes.
    nominal : sequence of str
        Columns whose numbers are codes; of the target, that many whole numbers are classes.
    source : mapping, optional
        The source, by default the file itself.

    Raises
    ------
    DataSetError
        If the suffix is none of these, the target is missing, the file is malformed, there is only
        one class, the target is a number to be predicted, not a class, a class has one row, a
        column names its rows, or holds numbers and other texts, or numbers as texts, or no feature
        has a value. ParseError is one.
    OSError
        If the file cannot be read.
    """
    path = Path(path)
    try:
        parser = _parser(path)
        with open_decompressed(path) as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except DAMAGED as error:
        if not is_damage(error):
            raise
        raise DataSetError(f"{path}: cannot be decompressed ({error})") from error
    kind = parser["kind"]
    if (target is None) != (kind == "svmlight"):
        found, valid = ("nothing", "the name of the column to predict")
        if target is not None:
            found, valid = repr(target), "none: the class is the first number of each line"
        raise DataSetError(f"{path}: target: found {found}; valid is {valid}")
    if target is not None and target in drop_columns:
        raise DataSetError(f"{path}: drop: found the target {target!r}; valid are other columns")
    if nominal:
        if kind not in ("csv", "parquet"):
            raise DataSetError(
                f"{path}: nominal: files of this kind say themselves what is nominal"
            )
        parser["nominal"] = list(nominal)
    if kind == "csv":
        texts = _texts(path, parser, {target, *drop_columns, *nominal})
        missing = {
            name: marks for name, column in texts.items() if (marks := _marks(name, column, path))
        }
        parser |= {"missing": missing} if missing else {}
    content = {
        "name": name,
        "task": "multiclass",
        "sources": [source or {"kind": "file", "files": {"data": path.name}}],
        "files": {"data": {"sha256": [digest]}},
        "parser": parser,
        "split": {"kind": "none"},
        "title": name,
        "citation": OWN_DATA["citation"],
        "licence": OWN_DATA["licence"],
    }
    if kind != "svmlight":
        content["target"] = target
    if drop_columns:
        content["drop_columns"] = list(drop_columns)
    # The shape is what is to be found; entries without a source of kind file must have one.
    draft = Entry.model_validate(content | {"shape": {}})
    specification = FileSpecification(sha256=[digest])
    file: RawFile = check_file(path, specification, str(path), "leave the file alone meanwhile")
    table = parse(draft, {"data": file})["data"]
    _check_classes(table, target, path, confirmed=target in nominal)
    empty = empty_columns(table)
    if empty and len(empty) == table.X.shape[1]:
        raise DataSetError(
            f"{path}: found no value in any feature ({listed(empty)}); valid is one or more with "
            "values"
        )
    if kind in ("csv", "parquet"):
        _check_written_numbers(table, path, confirmed=set(nominal))
    _check_nominal(table, path, confirmed=set(nominal))
    if positive or len(table.class_names) == 2:
        content["task"] = "binary"
    if positive:
        absent = sorted(set(positive) - set(table.class_names))
        if absent:
            valid = suggestion(absent[0], table.class_names, _NAMES_SHOWN)
            raise DataSetError(f"{path}: positive: found no class {absent[0]!r}; {valid}")
        if set(positive) == set(table.class_names):
            raise DataSetError(f"{path}: positive: found all classes; valid is to leave some out")
        content["positive"] = {"classes": list(positive)}
    if content["task"] == "multiclass":
        _check_rows(table, path)
    if kind != "svmlight" and not hasattr(table.X, "tocsr"):
        content["preprocess"] = {"impute": "median", "one_hot": True, "standardize": True}
    content["split"] = dict(OWN_DATA["split"])
    return content, table


def binary_table(table: Table, positive: Sequence[str], name: str) -> Table:
    """The table with labels -1 and 1; of two classes the second is positive unless it is said."""
    if not positive and len(table.class_names) != 2:
        names = table.class_names
        listed = ", ".join(names[:_NAMES_SHOWN]) + (", …" if len(names) > _NAMES_SHOWN else "")
        raise DataSetError(
            f"{name}: found the {len(names)} classes {listed}; two are compared: say by --positive "
            "which are positive, against all others"
        )
    rule = PositiveRule(classes=list(positive)) if positive else None
    return binary_parts(rule, {"train": table}, name)["train"]


def column_notes(path: Path | str, content: dict[str, Any], table: Table) -> list[str]:
    """What `describe_file` took columns for, a line a fact; nothing of a file without names."""
    names = table.feature_names
    if names is None:
        return []
    nominal = [names[column] for column in sorted(table.categories)]
    numeric = [name for name in names if name not in nominal]
    lines = [f"numeric: {listed(numeric)}", f"nominal: {listed(nominal)}"]
    parser = content["parser"]
    for name, marks in parser.get("missing", {}).items():
        lines.append(f"column {name!r}: {listed(list(map(repr, marks)))} taken as missing")
    if parser["kind"] == "csv":
        for name, column in _texts(Path(path), parser, set(nominal)).items():
            zeros = column[column.str.fullmatch(r"0\d+")]
            if name in numeric and len(zeros):
                lines.append(
                    f"column {name!r}: numbers with leading zeros, such as {zeros.iloc[0]!r}; if "
                    f"they are codes: --nominal {name}"
                )
    return lines


def listed(names: Sequence[str]) -> str:
    """The names, the first ones of many, or "none"."""
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(names[:_NAMES_SHOWN]) + more if names else "none"


def _texts(
    path: Path, parser: Mapping[str, Any], without: set[str | None]
) -> "dict[str, pd.Series]":
    """The cells of a CSV as they are written, by column; nothing of what cannot be read."""
    import pandas as pd

    options = {"sep": parser.get("delimiter", ","), "index_col": False, "encoding": "utf-8-sig"}
    try:
        with open_decompressed(path) as stream, warnings.catch_warnings():
            warnings.simplefilter("ignore", pd.errors.ParserWarning)
            frame = pd.read_csv(stream, dtype=str, **options)
    except (ValueError, pd.errors.ParserError):
        # The parser names the line.
        return {}
    decimal = parser.get("decimal", ".")
    columns = {name: frame[name].dropna().str.strip() for name in frame if name not in without}
    if decimal != ".":
        columns = {name: each.str.replace(decimal, ".") for name, each in columns.items()}
    return columns


def _marks(name: str, column: "pd.Series", path: Path) -> list[str]:
    """What stands for missing among the numbers of a column, such as "?"; [] of other columns."""
    import pandas as pd

    grouped = column[column.str.fullmatch(_GROUPED)]
    if len(grouped) and len(grouped) >= len(column) / 2:
        raise DataSetError(
            f"{path}: column {name!r}: found numbers with marks between thousands, such as "
            f"{grouped.iloc[0]!r}; write them without, or say --nominal {name} if they are codes"
        )
    numbers = pd.to_numeric(column, errors="coerce")
    others = column[numbers.isna()]
    known = numbers.dropna()
    if others.empty or known.nunique() <= _FEW_NUMBERS or len(known) < len(others):
        return []
    marks = sorted(set(others))
    if len(marks) > _MOST_MARKS or any(character.isdigit() for mark in marks for character in mark):
        raise DataSetError(
            f"{path}: column {name!r}: found {len(known)} numbers, and {len(others)} values that "
            f"are none, such as {marks[0]!r}; make numbers of them or leave them empty, or say "
            f"--nominal {name} if all are codes"
        )
    return marks


def row_numbers(table: Table) -> list[str]:
    """Numeric columns with names that go up by one from row to row, as row numbers do."""
    if table.feature_names is None or not isinstance(table.X, np.ndarray):
        return []
    counts = (np.diff(table.X, axis=0) == 1).all(axis=0)
    numeric = [column not in table.categories for column in range(len(counts))]
    return [table.feature_names[column] for column in np.flatnonzero(counts & numeric)]


def empty_columns(table: Table) -> list[str]:
    """Columns with names that have no value in any row."""
    if table.feature_names is None or not isinstance(table.X, np.ndarray):
        return []
    empty = np.isnan(table.X).all(axis=0)
    return [table.feature_names[column] for column in np.flatnonzero(empty)]


def without_columns(table: Table, names: Sequence[str]) -> Table:
    """The table without the columns of these names."""
    if not names:
        return table
    kept = [column for column, name in enumerate(table.feature_names) if name not in names]
    nominal = [(new, old) for new, old in enumerate(kept) if old in table.categories]
    return replace(
        table,
        X=table.X[:, kept],
        feature_names=tuple(table.feature_names[column] for column in kept),
        categories={new: table.categories[old] for new, old in nominal},
    )


def _parser(path: Path) -> dict[str, Any]:
    """The parser of a file by its suffix, and what its first lines say of it."""
    suffix = table_suffix(path)
    if suffix in _SVMLIGHT:
        return {"kind": "svmlight"} | _svmlight_options(path)
    if suffix not in PARSERS_BY_SUFFIX:
        valid = ", ".join((*PARSERS_BY_SUFFIX, *_SVMLIGHT))
        raise DataSetError(f"{path}: found the suffix {suffix!r}; valid are {valid}")
    parser = dict(PARSERS_BY_SUFFIX[suffix])
    return parser | (_csv_options(path) if parser["kind"] == "csv" else {})


def _csv_options(path: Path) -> dict[str, str]:
    """The separator of most columns in the header; decimals, unless commas separate."""
    with open_decompressed(path) as stream:
        # Lines of another encoding are the parser's to name.
        lines = [line.decode("utf-8-sig", "replace") for line in islice(stream, _LINES_SEEN)]
    if not lines:
        return {}
    try:
        columns = {each: len(next(csv.reader(lines[:1], delimiter=each))) for each in _SEPARATORS}
        # Names may have blanks in them: these separate where nothing else does.
        blanks = len(next(csv.reader(lines[:1], delimiter=" ")))
        delimiter = max(columns, key=columns.get)
        if columns[delimiter] == 1 and blanks > 1:
            delimiter = " "
        cells = [cell for row in csv.reader(lines[1:], delimiter=delimiter) for cell in row]
    except csv.Error:
        return {}
    if delimiter == ",":
        return {}
    with_comma, with_point = (
        sum(re.fullmatch(rf"\s*[+-]?\d+{mark}\d+\s*", cell) is not None for cell in cells)
        for mark in (",", r"\.")
    )
    return {"delimiter": delimiter} | ({"decimal": ","} if with_comma > with_point else {})


def _svmlight_options(path: Path) -> dict[str, Any]:
    with open_decompressed(path) as stream:
        try:
            X, _ = load_svmlight(stream)
        except (ValueError, OverflowError):
            # The parser names the line.
            return {"n_features": 1}
    n_features = max(X.shape[1], 1)
    dense = X.nnz >= _DENSE_FROM * X.shape[0] * n_features
    return {"n_features": n_features, "dense": dense}


def _check_rows(table: Table, path: Path) -> None:
    counts = np.bincount(table.y, minlength=len(table.class_names))
    if counts.min() < 2:
        name = table.class_names[int(counts.argmin())]
        raise DataSetError(
            f"{path}: found one row of the class {name!r}; valid are two or more, one for each part"
        )


def _check_classes(table: Table, target: str | None, path: Path, *, confirmed: bool) -> None:
    names = table.class_names
    what = f"{path}: target {target!r}" if target else f"{path}: labels"
    if len(names) < 2:
        raise DataSetError(f"{what}: found the one class {names[0]!r}; valid are two or more")
    try:
        numbers = np.array([float(name) for name in names])
    except ValueError:
        return
    fractions = numbers != np.rint(numbers)
    many = len(names) > _MOST_NUMBERS and not confirmed
    if (fractions.any() and len(names) > 2) or many:
        raise DataSetError(
            f"{what}: found {len(names)} different numbers, such as {names[0]} and {names[-1]}: a "
            f"regression target; valid are classes, at most {_MOST_NUMBERS} if they are numbers. "
            "Make classes of it first, such as values above a limit"
        )
    if target is not None and len(names) > _MOST_WHOLE and not confirmed:
        raise DataSetError(
            f"{what}: found {len(names)} whole numbers from {names[0]} to {names[-1]}: a quantity? "
            f"If they are classes, say --nominal {target}; else make classes of it first"
        )


def _check_written_numbers(table: Table, path: Path, confirmed: set[str]) -> None:
    """Numbers that are written so that they are texts are no categories, unless that is said."""
    for column, values in table.categories.items():
        name = table.feature_names[column]
        digits = [value for value in values if any(map(str.isdigit, value))]
        n_marks = len(values) - len(digits)
        if name in confirmed or n_marks > min(_MOST_MARKS, len(digits)):
            continue
        if not all(map(_WRITTEN_NUMBER.fullmatch, digits)):
            continue
        for mark, what, remedy in (
            ("%", "percentages", "write them without the sign"),
            (",", "numbers with a decimal comma", "write all numbers of the file with a point"),
            (".", "numbers with a decimal point", "write all numbers of the file in one way"),
        ):
            if found := [value for value in digits if mark in value][:2]:
                raise DataSetError(
                    f"{path}: column {name!r}: found texts such as {' and '.join(map(repr, found))}"
                    f", which look like {what}; {remedy}, leave the column out by --drop {name}, "
                    f"or say --nominal {name} if each is a category"
                )


def _check_nominal(table: Table, path: Path, confirmed: set[str]) -> None:
    """A value for each row tells nothing of others, and one-hot encoded makes a column of each.

    Nor does a date say anything of the next one, unless its column is `confirmed` to be nominal.
    """
    for column, values in (table.categories or {}).items():
        own = table.feature_names[column] if table.feature_names is not None else None
        if own is not None and own not in confirmed and all(map(_DATE.match, values)):
            raise DataSetError(
                f"{path}: column {own!r}: found dates, such as {values[0]!r}; make numbers of them "
                f"first, such as the day or the month, leave it out by --drop {own}, or say "
                f"--nominal {own} if each is a category"
            )
        if len(values) > max(_FEW_VALUES, len(table) / 2):
            name = table.feature_names[column]
            raise DataSetError(
                f"{path}: column {name!r}: found {len(values)} different values in {len(table)} "
                f"rows, such as {values[0]!r}: an identifier, a date or text; leave it out by "
                f"--drop {name}, or make numbers or a few values of it first"
            )
