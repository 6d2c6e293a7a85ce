"""Prepared data sets on disk: ``record.json``, and ``arrays.npz`` if there are data."""

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


@dataclass(frozen=True)
class PreparedDataSet:
    """Arrays of one data set, ready for an experiment.

    Parameters
    ----------
    name : str
    task : {"binary", "multiclass", "multilabel"}
    X_train, X_test : float64 array or CSR matrix (32-bit indices), shape (rows, n_features)
        X_test and y_test are None if the data set has no test part.
    y_train, y_test : ndarray
        Binary: int8 in {-1, +1}. Multi-class: int64 codes into ``class_names``. Multi-label: uint8
        0/1 indicator of shape (rows, n_labels).
    class_names : tuple of str
        Binary: (negative, positive). Otherwise one name per class or label.
    feature_names : tuple of str, or None
        One name per column.
    categories : dict
        By column of X, the values of a nominal feature. X stores a value as its index, or NaN if it
        is missing.
    record : dict
        Content of ``record.json``.
    stored : PreparedDataSet or None
        The data set before its columns were transformed.
    """

    name: str
    task: Literal["binary", "multiclass", "multilabel"]
    X_train: np.ndarray | scipy.sparse.csr_matrix
    y_train: np.ndarray
    X_test: np.ndarray | scipy.sparse.csr_matrix | None
    y_test: np.ndarray | None
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...] | None = None
    categories: dict[int, tuple[str, ...]] = field(default_factory=dict)
    record: dict[str, Any] = field(default_factory=dict)
    stored: PreparedDataSet | None = None

    @property
    def sha256_arrays(self) -> str:
        """Digest of the numbers in all arrays, equal for equal data from any source."""
        digest = hashlib.sha256()
        for name in ("X_train", "y_train", "X_test", "y_test"):
            if (matrix := getattr(self, name)) is not None:
                update_digest(digest, name, matrix)
        return digest.hexdigest()

    @property
    def preprocess(self) -> dict[str, Any] | None:
        """Settings of the preprocessing that is not yet applied to the columns, or None.

        They are the values of the model `Preprocessing`.
        """
        return None if self.stored is not None else self.record.get("preprocess")


def save_prepared(folder: Path | str, data: PreparedDataSet) -> None:
    """Write a data set to a folder, as ``arrays.npz`` and ``record.json``.

    Equal data give equal bytes.
    """
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
    """Read a data set from its prepared folder.

    Raises DataSetMissing, with the recorded reason, if the folder has no arrays.
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
    """Add a matrix to `arrays` under the name `key`.

    A sparse matrix becomes the arrays ``<key>.data``, ``.indices``, ``.indptr`` and ``.shape``.
    """
    if scipy.sparse.issparse(matrix):
        arrays[f"{key}.data"] = matrix.data
        arrays[f"{key}.indices"] = matrix.indices
        arrays[f"{key}.indptr"] = matrix.indptr
        arrays[f"{key}.shape"] = np.array(matrix.shape, dtype=np.int64)
    else:
        arrays[key] = matrix


def _load_matrix(arrays: np.lib.npyio.NpzFile, key: str) -> np.ndarray | scipy.sparse.csr_matrix:
    """Return the dense or CSR matrix `key` of the file arrays.npz.

    A CSR matrix consists of the arrays ``<key>.data``, ``.indices``, ``.indptr`` and ``.shape``.
    """
    if key in arrays:
        return arrays[key]
    parts = arrays[f"{key}.data"], arrays[f"{key}.indices"], arrays[f"{key}.indptr"]
    return scipy.sparse.csr_matrix(parts, shape=tuple(arrays[f"{key}.shape"].tolist()))
