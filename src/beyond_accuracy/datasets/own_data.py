"""A catalogue entry for a file of one's own, and what the file holds."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from beyond_accuracy.datasets.entry import PARSERS_BY_SUFFIX, Entry
from beyond_accuracy.datasets.errors import DataSetError
from beyond_accuracy.datasets.faults import suggestion
from beyond_accuracy.datasets.parsers import parse
from beyond_accuracy.datasets.raw_files import RawFile, check_file
from beyond_accuracy.datasets.sources import FileSpecification
from beyond_accuracy.datasets.split import binary_parts
from beyond_accuracy.datasets.svmlight_text import load_svmlight, open_decompressed
from beyond_accuracy.datasets.table import Table

_SVMLIGHT = (".svm", ".svmlight", ".libsvm", ".txt")
_COMPRESSED = (".gz", ".bz2", ".xz")
_DENSE_FROM = 0.5
_MOST_NUMBERS = 50
_NAMES_SHOWN = 30


def describe_file(
    path: Path | str,
    *,
    name: str,
    target: str | None = None,
    drop_columns: Sequence[str] = (),
    positive: Sequence[str] = (),
    source: dict[str, Any] | None = None,
) -> tuple[dict[str, Any], Table]:
    """The keys of an entry for a file, checksum and shape filled in, and all its rows.

    Parameters
    ----------
    path : path
        CSV with a header, Parquet, ARFF or SVMlight / LIBSVM, told by its suffix; also compressed.
    name, target, drop_columns
        As in `Entry`. SVMlight files have no named columns, and take no target.
    positive : sequence of str
        Positive classes: the task is then binary, as it is with two classes.
    source : mapping, optional
        The source, by default the file itself.

    Raises
    ------
    DataSetError
        If the suffix is none of these, the target is missing, the file is malformed, there is only
        one class or the target is a number to be predicted, not a class. ParseError is one.
    OSError
        If the file cannot be read.
    """
    path = Path(path)
    kind = _kind(path)
    if (target is None) != (kind == "svmlight"):
        found, valid = ("nothing", "the name of the column to predict")
        if target is not None:
            found, valid = repr(target), "none: the class is the first number of each line"
        raise DataSetError(f"{path}: target: found {found}; valid is {valid}")
    with open_decompressed(path) as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    content = {
        "name": name,
        "task": "multiclass",
        "sources": [source or {"kind": "file", "files": {"data": path.name}}],
        "files": {"data": {"sha256": [digest]}},
        "parser": {"kind": kind},
        "split": {"kind": "none"},
        "title": name,
        "citation": "data of one's own",
        "licence": "private",
    }
    if kind == "svmlight":
        content["parser"] |= _svmlight_options(path)
    else:
        content["target"] = target
    if drop_columns:
        content["drop_columns"] = list(drop_columns)
    # The shape is what is to be found; entries without a source of kind file must have one.
    draft = Entry.model_validate(content | {"shape": {}})
    specification = FileSpecification(sha256=[digest])
    file: RawFile = check_file(path, specification, str(path), "leave the file alone meanwhile")
    table = parse(draft, {"data": file})["data"]
    _check_classes(table, target, path)
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
    if kind != "svmlight" and not hasattr(table.X, "tocsr"):
        content["preprocess"] = {"impute": "median", "one_hot": True, "standardize": True}
    content["split"] = {"kind": "sample", "train_fraction": 0.667, "stratified": True}
    return content, table


def binary_table(table: Table, positive: Sequence[str], name: str) -> Table:
    """The table with labels -1 and 1; of two classes the second is positive unless it is said."""
    from beyond_accuracy.datasets.steps import PositiveRule

    if not positive and len(table.class_names) != 2:
        raise DataSetError(
            f"{name}: found {len(table.class_names)} classes; say which are positive, against all "
            f"others: {', '.join(table.class_names[:_NAMES_SHOWN])}"
        )
    rule = PositiveRule(classes=list(positive)) if positive else None
    return binary_parts(rule, {"train": table}, name)["train"]


def _kind(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    suffix = suffixes[-1] if suffixes else ""
    if suffix in _SVMLIGHT:
        return "svmlight"
    if suffix not in PARSERS_BY_SUFFIX:
        valid = ", ".join((*PARSERS_BY_SUFFIX, *_SVMLIGHT))
        raise DataSetError(f"{path}: found the suffix {suffix!r}; valid are {valid}")
    return PARSERS_BY_SUFFIX[suffix]


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


def _check_classes(table: Table, target: str | None, path: Path) -> None:
    names = table.class_names
    what = f"{path}: target {target!r}" if target else f"{path}: labels"
    if len(names) < 2:
        raise DataSetError(f"{what}: found the one class {names[0]!r}; valid are two or more")
    try:
        numbers = np.array([float(name) for name in names])
    except ValueError:
        return
    fractions = numbers != np.rint(numbers)
    if (fractions.any() and len(names) > 2) or len(names) > _MOST_NUMBERS:
        raise DataSetError(
            f"{what}: found {len(names)} different numbers, such as {names[0]} and {names[-1]}: a "
            f"regression target; valid are classes, at most {_MOST_NUMBERS} if they are numbers. "
            "Make classes of it first, such as values above a limit"
        )
