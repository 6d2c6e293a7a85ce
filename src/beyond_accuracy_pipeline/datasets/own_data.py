"""Write catalogue entries for private files of the user."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from beyond_accuracy.readers.column_checks import check_classes
from beyond_accuracy.readers.compressed_files import open_decompressed
from beyond_accuracy.readers.errors import FileError
from beyond_accuracy.readers.svmlight_file import load_svmlight
from beyond_accuracy.readers.tables import file_format, read_table
from beyond_accuracy_pipeline.datasets.entry import OWN_DATA, Entry
from beyond_accuracy_pipeline.datasets.errors import DataSetError
from beyond_accuracy_pipeline.datasets.parsers import parse
from beyond_accuracy_pipeline.datasets.raw_files import check_file
from beyond_accuracy_pipeline.datasets.sources import FileSpecification
from beyond_accuracy_pipeline.datasets.table import Table

_DENSE_FROM = 0.5


def describe_file(
    path: Path | str,
    *,
    name: str,
    source: dict[str, Any],
    target: str | None = None,
    drop_columns: Sequence[str] = (),
    positive: Sequence[str] = (),
    nominal: Sequence[str] = (),
    keep: Sequence[str] = (),
) -> tuple[dict[str, Any], Table, list[str]]:
    """Derive a catalogue entry for a private data file, whose suffix tells its format.

    - `name` is the name of the data set, `source` the source of its file, and `target` the column
      to predict.
    - `positive` lists the classes that form the positive class of a binary data set.
    - `nominal` names columns whose numbers are categories.
    - Columns in `drop_columns`, empty columns and identifiers are left out, except those in `keep`.

    Return (entry, table, notes): the entry as a dict, all rows, and messages about columns.
    DataSetError is raised if the file cannot be used.
    """
    path, drop_columns = Path(path), list(drop_columns)
    file = check_file(path, FileSpecification(unpinned="described here"), str(path), "")
    parser, left_out, notes = _parser(path, target, drop_columns, nominal, keep)
    kind = parser["kind"]
    if (target is None) != (kind == "svmlight"):
        found, valid = "nothing", "the name of the column to predict"
        if target is not None:
            found, valid = repr(target), "none: the class is the first number of each line"
        raise DataSetError(f"{path}: target: found {found}; valid is {valid}")
    if nominal and kind not in ("csv", "parquet"):
        raise DataSetError(f"{path}: nominal: files of this kind say themselves what is nominal")
    content = {
        "name": name,
        "task": "multiclass",
        "sources": [source],
        "files": {"data": {"sha256": [digest for _, digest, _ in file.checksums]}},
        "parser": parser,
        "split": {"kind": "none"},
        "title": name,
        "citation": OWN_DATA["citation"],
        "licence": OWN_DATA["licence"],
    }
    if kind != "svmlight":
        content["target"] = target
    if drop_columns or left_out:
        content["drop_columns"] = [*drop_columns, *left_out]
    # The shape is not known yet; an entry whose source is not a file must have one.
    draft = Entry.model_validate(content | {"shape": {}})
    table = parse(draft, {"data": file})["data"]
    try:
        check_classes(table.class_names, target, confirmed=target in nominal)
    except ValueError as error:
        raise DataSetError(f"{path}: {error}") from error
    if positive or len(table.class_names) == 2:
        content["task"] = "binary"
    if positive:
        content["positive"] = {"classes": list(positive)}
    if content["task"] == "multiclass":
        _check_rows(table, path)
    if kind != "svmlight" and not sp.issparse(table.X):
        content["preprocess"] = {"impute": "median", "one_hot": True, "standardize": True}
    content["split"] = dict(OWN_DATA["split"])
    return content, table, notes


def _parser(
    path: Path,
    target: str | None,
    drop_columns: Sequence[str],
    nominal: Sequence[str],
    keep: Sequence[str],
) -> tuple[dict[str, Any], list[str], list[str]]:
    """Return (settings of the parser, columns to leave out, notes for the user).

    Empty columns and identifiers are left out.
    """
    try:
        kind = file_format(path)
        if kind == "svmlight":
            return {"kind": kind} | _svmlight_options(path), [], []
        if kind == "arff":
            return {"kind": kind}, [], []
        read = read_table(path, target, drop=drop_columns, nominal=nominal, keep=keep)
    except FileError as error:
        raise DataSetError(str(error)) from error
    settings = {"kind": kind} | read.settings | ({"nominal": list(nominal)} if nominal else {})
    reasons = [f"left out {column!r}: {why}" for column, why in read.left_out.items()]
    return settings, list(read.left_out), [*read.notes, *reasons]


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
