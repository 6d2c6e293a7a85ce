"""Prepared data sets on disk: record.json and, unless the data are missing, arrays.npz."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import scipy

from beyond_accuracy_pipeline.datasets.errors import DataSetMissing
from beyond_accuracy_pipeline.datasets.record import ARRAYS, RECORD, read_record, write_record
from beyond_accuracy_pipeline.datasets.table import update_digest

_CSR_PARTS = ("data", "indices", "indptr")


@dataclass(frozen=True)
class PreparedDataSet:
    """Arrays of one data set, ready for an experiment, with the names of classes and features."""

    name: str
    task: Literal["binary", "multiclass", "multilabel"]
    X_train: np.ndarray | scipy.sparse.csr_matrix
    """float64, shape (rows, features)."""
    y_train: np.ndarray
    """Binary: int8 -1 and 1. Multi-class: int64 codes. Multi-label: uint8 0/1, (rows, labels)."""
    X_test: np.ndarray | scipy.sparse.csr_matrix | None
    y_test: np.ndarray | None
    class_names: tuple[str, ...]
    """Binary: (negative, positive). Otherwise one name per class or label."""
    feature_names: tuple[str, ...] | None = None
    categories: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Values of each nominal column, by column number. X has their positions, or NaN if missing."""
    record: dict[str, Any] = field(default_factory=dict)
    stored: PreparedDataSet | None = None
    """The data set before preprocessing; None if the columns have not been preprocessed."""

    @property
    def sha256_arrays(self) -> str:
        """The sha256 of the numbers in all arrays. Equal data of any source have equal digests."""
        digest = hashlib.sha256()
        for name in ("X_train", "y_train", "X_test", "y_test"):
            if (matrix := getattr(self, name)) is not None:
                update_digest(digest, name, matrix)
        return digest.hexdigest()

    @property
    def preprocess(self) -> dict[str, Any] | None:
        """Settings of the preprocessing that the columns still need, or None."""
        return None if self.stored is not None else self.record.get("preprocess")


def save_prepared(folder: Path | str, data: PreparedDataSet) -> None:
    """Write a data set to a folder: arrays.npz, and record.json with name, source and sizes."""
    arrays: dict[str, np.ndarray] = {"class_names": np.array(data.class_names, dtype=np.str_)}
    _store_matrix(arrays, "X_train", data.X_train)
    arrays["y_train"] = data.y_train
    if data.X_test is not None:
        _store_matrix(arrays, "X_test", data.X_test)
        arrays["y_test"] = data.y_test
    if data.feature_names is not None:
        arrays["feature_names"] = np.array(data.feature_names, dtype=np.str_)
    if data.categories:
        arrays["categories"] = np.array(
            json.dumps({str(column): list(names) for column, names in data.categories.items()})
        )
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # A folder without its record, as an interrupted job leaves it, is not prepared.
    (folder / RECORD).unlink(missing_ok=True)
    np.savez_compressed(folder / ARRAYS, **arrays)
    write_record(folder, data.record | {"sha256_arrays": data.sha256_arrays})


def load_prepared(folder: Path | str) -> PreparedDataSet:
    """Read a data set from the folder that `save_prepared` wrote.

    If the folder has only the record of a missing data set, raise DataSetMissing with the reason.
    """
    folder = Path(folder)
    record = read_record(folder)
    if record["status"] != "ok":
        facts = record["status"], [record["reason"]], record["how_to_get"]
        raise DataSetMissing(record["name"], *facts)
    with np.load(folder / ARRAYS, allow_pickle=False) as arrays:
        has_test = "y_test" in arrays
        categories = json.loads(str(arrays["categories"])) if "categories" in arrays else {}
        names = arrays.get("feature_names")
        return PreparedDataSet(
            name=record["name"],
            task=record["task"],
            X_train=_load_matrix(arrays, "X_train"),
            y_train=arrays["y_train"],
            X_test=_load_matrix(arrays, "X_test") if has_test else None,
            y_test=arrays["y_test"] if has_test else None,
            class_names=tuple(arrays["class_names"].tolist()),
            feature_names=None if names is None else tuple(names.tolist()),
            categories={int(column): tuple(values) for column, values in categories.items()},
            record=record,
        )


def _store_matrix(
    arrays: dict[str, np.ndarray], key: str, matrix: np.ndarray | scipy.sparse.csr_matrix
) -> None:
    """Add a dense matrix, or the parts of a CSR matrix, to `arrays`."""
    if scipy.sparse.issparse(matrix):
        arrays.update({f"{key}.{part}": getattr(matrix, part) for part in _CSR_PARTS})
        arrays[f"{key}.shape"] = np.array(matrix.shape, dtype=np.int64)
    else:
        arrays[key] = matrix


def _load_matrix(arrays: np.lib.npyio.NpzFile, key: str) -> np.ndarray | scipy.sparse.csr_matrix:
    if key in arrays:
        return arrays[key]
    parts = tuple(arrays[f"{key}.{part}"] for part in _CSR_PARTS)
    return scipy.sparse.csr_matrix(parts, shape=tuple(arrays[f"{key}.shape"].tolist()))
