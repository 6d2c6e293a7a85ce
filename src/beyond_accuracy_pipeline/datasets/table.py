"""Tables that parsers return: rows with classes or labels, before any split or transform."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import scipy.sparse as sp

from beyond_accuracy.readers.tables import numeric_order

Features = np.ndarray | sp.csr_matrix
"""float64 array, CSR matrix, or an object array of documents (before TF-IDF)."""


@dataclass(frozen=True)
class Table:
    """Rows of one part of a data set, such as its training part: features X and classes y."""

    X: Features
    y: np.ndarray
    """int64 codes into ``class_names``, or a uint8 0/1 indicator of shape (rows, labels)."""
    class_names: tuple[str, ...]
    """One name per class or label; equal in all parts of a data set."""
    feature_names: tuple[str, ...] | None = None
    categories: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Values of each nominal column, by column number. X has their positions, or NaN if missing."""

    def __len__(self) -> int:
        return self.X.shape[0]

    def rows(self, index: np.ndarray) -> "Table":
        """Return a table of the rows at the positions in `index`, in this order."""
        return replace(self, X=self.X[index], y=self.y[index])


def encode(labels: list[str], class_names: tuple[str, ...]) -> np.ndarray:
    """Return the position of each label in `class_names`, as an int64 array."""
    codes = {name: code for code, name in enumerate(class_names)}
    return np.array([codes[label] for label in labels], dtype=np.int64)


def labelled_tables(parts: dict[str, tuple[Features, list[str]]]) -> dict[str, Table]:
    """Return a table for each part of a data set, with the same class names.

    `parts` maps the name of a part, such as "train", to (X, class name of each row).
    """
    names = tuple(numeric_order({label for _, labels in parts.values() for label in labels}))
    return {
        role: Table(X=X, y=encode(labels, names), class_names=names)
        for role, (X, labels) in parts.items()
    }


def as_csr(matrix: sp.spmatrix | sp.sparray) -> sp.csr_matrix:
    """Return a matrix as CSR with float64 values and sorted 32-bit indices, for LIBLINEAR."""
    matrix = sp.csr_matrix(matrix, dtype=np.float64)
    matrix.sort_indices()
    matrix.indices = matrix.indices.astype(np.int32)
    matrix.indptr = matrix.indptr.astype(np.int32)
    return matrix


def tables_digest(tables: Mapping[str, Table]) -> str:
    """Return the sha256 of all parts of a data set: features, classes and nominal values.

    Feature names are ignored. The digest is the same for 1 and 1.0.
    """
    digest = hashlib.sha256()
    for role, table in sorted(tables.items()):
        for matrix in (table.X, table.y):
            update_digest(digest, role, matrix)
        names = [table.class_names, sorted(table.categories.items())]
        digest.update(json.dumps(names).encode())
    return digest.hexdigest()


def update_digest(digest, name: str, matrix: np.ndarray | sp.csr_matrix) -> None:
    """Update the hash object `digest` with a matrix: `name`, shape and numbers."""
    arrays = [matrix.data, matrix.indices, matrix.indptr] if sp.issparse(matrix) else [matrix]
    for array in arrays:
        digest.update(f"{name} {array.shape}".encode())
        # All kinds of NaN, and both zeros, are the same.
        digest.update(np.where(np.isnan(array), np.nan, array + 0.0).astype("<f8").tobytes())
