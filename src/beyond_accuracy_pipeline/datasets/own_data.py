"""Write catalogue entries for private files of the user."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from beyond_accuracy.readers.column_checks import check_classes
from beyond_accuracy.readers.errors import FileError
from beyond_accuracy.readers.svmlight_file import is_mostly_stored, read_sparse_examples
from beyond_accuracy.readers.tables import file_format, read_table
from beyond_accuracy_pipeline.datasets.entry import OWN_DATA, Entry
from beyond_accuracy_pipeline.datasets.errors import DataSetError
from beyond_accuracy_pipeline.datasets.parsers import parse
from beyond_accuracy_pipeline.datasets.problems import suggestion
from beyond_accuracy_pipeline.datasets.raw_files import check_file
from beyond_accuracy_pipeline.datasets.sources import FileSpecification
from beyond_accuracy_pipeline.datasets.table import Table

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
    """Derive a catalogue entry for a private data file. The suffix of the file tells the format.

    Return (entry, table, notes): the entry's keys as a dict without `shape`, the table of all rows,
    and messages on columns for the user. `target` is the column to predict, and `positive` are the
    classes that become the positive class. `nominal` names columns whose numbers are categories.
    Empty columns and identifier columns are left out, except those in `keep`. `source` is the
    entry's source, by default the file. DataSetError is raised if the file cannot be used.
    """
    path = Path(path)
    file = check_file(path, FileSpecification(unpinned="described here"), str(path), "")
    try:
        kind = file_format(path)
        parser: dict[str, Any] = {"kind": kind}
        left_out, notes = list(drop_columns), []
        if kind == "svmlight":
            X, _ = read_sparse_examples(path)
            parser |= {"n_features": max(X.shape[1], 1), "dense": bool(is_mostly_stored(X))}
        elif kind != "arff":
            read = read_table(path, target, drop=drop_columns, nominal=nominal, keep=keep)
            parser |= read.settings | ({"nominal": list(nominal)} if nominal else {})
            left_out += read.left_out
            notes = read.notes
            notes += [f"left out {column!r}: {why}" for column, why in read.left_out.items()]
    except FileError as error:
        raise DataSetError(str(error)) from error
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
        "sources": [source or {"kind": "file", "files": {"data": path.name}}],
        "files": {"data": {"sha256": [digest for _, digest, _ in file.checksums]}},
        "parser": parser,
        "split": {"kind": "none"},
        "title": name,
        "citation": OWN_DATA["citation"],
        "licence": OWN_DATA["licence"],
    }
    if kind != "svmlight":
        content["target"] = target
    if left_out:
        content["drop_columns"] = left_out
    # The shape is not known yet; an entry whose source is not a file must have one.
    draft = Entry.model_validate(content | {"shape": {}})
    table = parse(draft, {"data": file})["data"]
    classes = table.class_names
    try:
        check_classes(classes, target, confirmed=target in nominal)
    except ValueError as error:
        raise DataSetError(f"{path}: {error}") from error
    if absent := sorted(set(positive) - set(classes)):
        valid = suggestion(absent[0], classes, _NAMES_SHOWN)
        raise DataSetError(f"{path}: positive: found no class {absent[0]!r}; {valid}")
    if set(positive) == set(classes):
        raise DataSetError(f"{path}: positive: found all classes; valid is to leave some out")
    if positive:
        content["positive"] = {"classes": list(positive)}
    if positive or len(classes) == 2:
        content["task"] = "binary"
    counts = np.bincount(table.y)
    if counts.min() < 2:
        raise DataSetError(
            f"{path}: found one row of the class {classes[counts.argmin()]!r}; valid are two or "
            "more, one for each part"
        )
    if kind != "svmlight" and not sp.issparse(table.X):
        content["preprocess"] = {"impute": "median", "one_hot": True, "standardize": True}
    content["split"] = dict(OWN_DATA["split"])
    return content, table, notes
