"""Write catalogue entries for private files of the user."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from beyond_accuracy.readers.column_checks import check_classes, listed
from beyond_accuracy.readers.compressed_files import DAMAGED, is_damage, open_decompressed
from beyond_accuracy.readers.errors import FileError
from beyond_accuracy.readers.svmlight_file import load_svmlight
from beyond_accuracy.readers.tables import file_format, read_table
from beyond_accuracy_pipeline.datasets.entry import OWN_DATA, Entry
from beyond_accuracy_pipeline.datasets.errors import DataSetError
from beyond_accuracy_pipeline.datasets.parsers import parse
from beyond_accuracy_pipeline.datasets.problems import suggestion
from beyond_accuracy_pipeline.datasets.raw_files import RawFile, check_file
from beyond_accuracy_pipeline.datasets.sources import FileSpecification
from beyond_accuracy_pipeline.datasets.split import binary_parts
from beyond_accuracy_pipeline.datasets.steps import PositiveRule
from beyond_accuracy_pipeline.datasets.table import Table

_DENSE_FROM = 0.5
_NAMES_SHOWN = 30


def describe_file(
    path: Path | str,
    *,
    name: str,
    target: str | None = None,
    drop_columns: Sequence[str] = (),
    positive: Sequence[str] = (),
    nominal: Sequence[str] = (),
    keep: Sequence[str] = (),
    source: dict[str, Any] | None = None,
) -> tuple[dict[str, Any], Table, list[str]]:
    """Derive a catalogue entry from a private file.

    Columns without a value and identifier columns are dropped.

    Parameters
    ----------
    path : path
        The suffix tells CSV or TSV with a header, Parquet, ARFF or SVMlight / LIBSVM. The file may
        be compressed.
    name : str
        Name of the data set.
    target : str, optional
        Column to predict; needed except for SVMlight files.
    drop_columns : sequence of str
        Columns to leave out.
    positive : sequence of str
        Positive classes; they make the task binary.
    nominal, keep : sequence of str
        Columns that are nominal although they hold numbers, and columns that are not dropped; see
        `read_table`.
    source : dict, optional
        The entry's source; by default the file itself.

    Returns
    -------
    content : dict
        Keys of the entry, except `shape`.
    table : Table
        All rows.
    notes : list of str
        Remarks on columns, for the user.

    Raises
    ------
    DataSetError
        If the file cannot be used, or a class is unknown or has only one row.
    OSError
        If the file cannot be read.
    """
    path = Path(path)
    drop_columns = list(drop_columns)
    try:
        kind = file_format(path)
        with open_decompressed(path) as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        parser: dict[str, Any] = {"kind": kind}
        notes = []
        if kind in ("csv", "parquet"):
            read = read_table(path, target, drop=drop_columns, nominal=nominal, keep=keep)
            parser |= read.settings | ({"nominal": list(nominal)} if nominal else {})
            drop_columns += read.left_out
            reasons = [f"left out {column!r}: {why}" for column, why in read.left_out.items()]
            notes = [*read.notes, *reasons]
        elif kind == "svmlight":
            parser |= _svmlight_options(path)
    except DAMAGED as error:
        if not is_damage(error):
            raise
        raise DataSetError(f"{path}: cannot be decompressed ({error})") from error
    except FileError as error:
        raise DataSetError(str(error)) from error
    if (target is None) != (kind == "svmlight"):
        found, valid = ("nothing", "the name of the column to predict")
        if target is not None:
            found, valid = repr(target), "none: the class is the first number of each line"
        raise DataSetError(f"{path}: target: found {found}; valid is {valid}")
    if nominal and kind not in ("csv", "parquet"):
        raise DataSetError(f"{path}: nominal: files of this kind say themselves what is nominal")
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
        content["drop_columns"] = drop_columns
    # The shape is not known yet; an entry whose source is not a file must have one.
    draft = Entry.model_validate(content | {"shape": {}})
    specification = FileSpecification(sha256=[digest])
    file: RawFile = check_file(path, specification, str(path), "leave the file alone meanwhile")
    table = parse(draft, {"data": file})["data"]
    try:
        check_classes(table.class_names, target, confirmed=target in nominal)
    except ValueError as error:
        raise DataSetError(f"{path}: {error}") from error
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
    return content, table, notes


def binary_table(table: Table, positive: Sequence[str], name: str) -> Table:
    """Return the table with labels −1 and 1.

    The classes in `positive` become 1. If `positive` is empty, there must be two classes, and the
    second is positive. `name` names the data in messages. Raises DataSetError otherwise.
    """
    if not positive and len(table.class_names) != 2:
        names = table.class_names
        raise DataSetError(
            f"{name}: found the {len(names)} classes {listed(names)}; two are compared: say by "
            "--positive which are positive, against all others"
        )
    rule = PositiveRule(classes=list(positive)) if positive else None
    return binary_parts(rule, {"train": table}, name)["train"]


def _svmlight_options(path: Path) -> dict[str, Any]:
    """Return parser options of an SVMlight file: `n_features`, and whether to store it `dense`."""
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
