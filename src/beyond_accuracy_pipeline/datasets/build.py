"""Turn the files of a catalogue entry into arrays: parse, split, transform and check them.

A substitute is an entry that replaces another one whose data are missing.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import DataSetError, WrongContent
from beyond_accuracy_pipeline.datasets.fetch import Fetched
from beyond_accuracy_pipeline.datasets.generators import imbalanced_gaussians, zipf_documents
from beyond_accuracy_pipeline.datasets.parsers import parse
from beyond_accuracy_pipeline.datasets.parsers.rows import parse_rows
from beyond_accuracy_pipeline.datasets.places import CATALOGUE_FOLDER
from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.datasets.record import new_record
from beyond_accuracy_pipeline.datasets.sources import (
    BundledSource,
    ImbalancedGaussiansSource,
    PackageSource,
    Rows,
    ZipfDocumentsSource,
)
from beyond_accuracy_pipeline.datasets.split import binary_parts, random_stream, split_parts
from beyond_accuracy_pipeline.datasets.table import Features, Table, tables_digest
from beyond_accuracy_pipeline.datasets.transforms import apply_transform

_NAMES_SHOWN = 5


def build(
    entry: Entry,
    used: Entry,
    fetched: Fetched,
    seed: int,
    catalogue_folder: Path | str = CATALOGUE_FOLDER,
) -> PreparedDataSet:
    """Parse, split and transform the files of a data set; return its checked arrays.

    `entry` names the result. The files in `fetched` belong to the catalogue entry `used`: `entry`
    itself, or its substitute. `seed` is for random splits and generated data. `catalogue_folder`
    has the files that list row orders. WrongContent is raised if the shape or checksum of the
    arrays differs from the catalogue.
    """
    rng = random_stream(seed, used.name)
    tables = _tables(used, fetched, rng, catalogue_folder)
    where = f"config/datasets/{used.name}.yaml"
    if used.sha256_arrays and (digest := tables_digest(tables)) != used.sha256_arrays:
        raise WrongContent(
            f"data set {used.name}: the arrays have sha256 {digest}; `sha256_arrays` in {where} is "
            f"{used.sha256_arrays}"
        )
    parts = split_parts(used, tables, rng)
    if used.task == "binary":
        parts = binary_parts(used.positive, parts, used.name)
    _check_nominal_columns(used, parts["train"])
    if used.preprocess is not None:
        parts = {role: replace(part, X=_dense(part.X)) for role, part in parts.items()}
    for transform in used.transforms:
        parts = apply_transform(parts, transform)
    shape = _shape(used, parts)
    if problems := list(_differences(used.shape.model_dump(), shape)):
        raise WrongContent(
            f"data set {used.name} does not have its expected shape: - {' - '.join(problems)} "
            f"what to do: check the files, or `shape` in {where}"
        )
    train, test = parts["train"], parts.get("test")
    files = [
        {"role": role, "name": name, "sha256": digest, "expected_sha256": list(expected)}
        for role, file in fetched.files.items()
        for name, digest, expected in file.checksums
    ]
    record = new_record(used, shape, name=entry.name, source=fetched.source, files=files, seed=seed)
    if used.preprocess is not None:
        record["preprocess"] = used.preprocess.model_dump()
    return PreparedDataSet(
        name=entry.name,
        task=used.task,
        X_train=train.X,
        y_train=train.y,
        X_test=None if test is None else test.X,
        y_test=None if test is None else test.y,
        class_names=train.class_names,
        feature_names=train.feature_names,
        categories=train.categories,
        record=record,
    )


def _tables(
    entry: Entry, fetched: Fetched, rng: np.random.Generator, catalogue_folder: Path | str
) -> dict[str, Table]:
    """Return the rows of each part, parsed or generated: `train` and `test`, or `data`."""
    match fetched.specification:
        case BundledSource(loader=loader):
            return {"data": _bundled_table(loader)}
        case ImbalancedGaussiansSource(options=options):
            return {"data": imbalanced_gaussians(rng, options)}
        case ZipfDocumentsSource(options=options):
            return {"data": zipf_documents(rng, options)}
        case PackageSource(rows=Rows() as rows):
            return parse_rows(fetched.files, rows, catalogue_folder)
    return parse(entry, fetched.files)


def _bundled_table(loader: str) -> Table:
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{loader}")()
    return Table(
        X=np.asarray(bunch.data, dtype=np.float64),
        y=bunch.target.astype(np.int64),
        class_names=tuple(map(str, bunch.target_names)),
        feature_names=tuple(map(str, bunch.feature_names)),
    )


def _check_nominal_columns(entry: Entry, train: Table) -> None:
    """Raise DataSetError if a private file has nominal columns, but its entry no `preprocess`."""
    private = any(source.kind == "file" for source in entry.sources)
    if private and train.categories and entry.preprocess is None:
        names = train.feature_names or range(train.X.shape[1])
        columns = ", ".join(str(names[column]) for column in list(train.categories)[:_NAMES_SHOWN])
        raise DataSetError(
            f"data set {entry.name}: found nominal columns ({columns}) and no `preprocess`; valid "
            "is `preprocess: {one_hot: true}`, or {one_hot: false} for classifiers that are told "
            "which columns are nominal, or drop_columns"
        )


def _dense(X: Features) -> np.ndarray:
    return X.toarray() if sp.issparse(X) else X


def _shape(entry: Entry, parts: dict[str, Table]) -> dict[str, Any]:
    """Return the numbers of rows, features, classes and positive rows of the parts."""
    return {
        "n_train": len(parts["train"]),
        "n_test": len(parts["test"]) if "test" in parts else None,
        "n_features": parts["train"].X.shape[1],
        "n_classes": len(parts["train"].class_names),
        "positives": {part: _positives(entry, table) for part, table in parts.items()},
    }


def _positives(entry: Entry, table: Table) -> int | dict[str, int]:
    """Return the number of positive rows of a binary table, or of rows per class or label."""
    if entry.task == "binary":
        return int((table.y > 0).sum())
    if entry.task == "multilabel":
        counts = table.y.sum(axis=0, dtype=np.int64)
    else:
        counts = np.bincount(table.y, minlength=len(table.class_names))
    return dict(zip(table.class_names, counts.tolist(), strict=True))


def _differences(
    expected: dict[str, Any], found: dict[str, Any], prefix: str = ""
) -> Iterator[str]:
    """Yield a line of text for each expected value that differs; None is not checked."""
    for key, value in expected.items():
        if isinstance(value, dict):
            yield from _differences(value, found.get(key, {}), f"{prefix}{key}.")
        elif value not in (None, found.get(key)):
            yield f"{prefix}{key}: expected {value}, found {found.get(key)}"
