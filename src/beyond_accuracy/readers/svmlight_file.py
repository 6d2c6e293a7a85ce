"""Read SVMlight / LIBSVM files, plain or compressed, for the command line."""

import os
from itertools import islice

import numpy as np
import scipy.sparse

from beyond_accuracy.readers.compressed_files import DAMAGED, is_damage, open_decompressed
from beyond_accuracy.readers.errors import FileError
from beyond_accuracy.readers.svmlight_text import (
    EXPECTED,
    data_lines,
    first_row_not_finite,
    load_svmlight,
    malformed_line,
)

# A dense matrix of that density is at most a third larger than CSR, and its products are faster.
_DENSE_FROM = 0.5
# A solver holds vectors of all features, also of those without a value.
_FEATURES_ALWAYS_ALLOWED = 10_000_000
_FEATURES_A_VALUE = 10


def read_examples(
    path: str, n_features: int | None = None
) -> tuple[scipy.sparse.csr_matrix | np.ndarray, np.ndarray]:
    """Read features and labels from an SVMlight file.

    Feature indices in the file count from 1. Comments and `qid` are ignored.

    Parameters
    ----------
    path : str
        A file or a pipe, plain or compressed by gzip, bzip2 or xz.
    n_features : int, optional
        Number of columns of X. Features with a higher index are dropped. Default: the highest index
        in the file.

    Returns
    -------
    X : CSR matrix or array of float64, shape (n, d)
        Dense if at least half of the values are stored.
    labels : array of float64, shape (n,)

    Raises
    ------
    FileError
        If a line is malformed or holds a NaN or infinite number, the file has no example, or its
        compression is damaged. The message names the first wrong line.
    OSError
        If the file cannot be read.
    """
    try:
        with open_decompressed(path) as stream:
            X, labels = _load(stream, path)
    except DAMAGED as error:
        # An error of the operating system has a number.
        if not is_damage(error):
            raise
        raise FileError(path, None, f"cannot be decompressed ({error})") from error
    if X.shape[0] == 0:
        raise FileError(path, None, f"holds no example; expected {EXPECTED}")
    row = first_row_not_finite(X, labels)
    if row is not None:
        message = f"found a NaN or infinite number; expected {EXPECTED}"
        raise FileError(path, line_of_row(path, row), message)
    if n_features is not None:
        X = X[:, :n_features]
        X.resize(X.shape[0], n_features)
    if X.nnz >= _DENSE_FROM * X.shape[0] * X.shape[1]:
        X = X.toarray()
    return X, labels


def _load(stream, path):
    try:
        return load_svmlight(stream)
    except (ValueError, OverflowError) as error:
        line, text = malformed_line(stream)
        message = f"found {text}" if text else str(error)
        raise FileError(path, line, f"{message}; expected {EXPECTED}") from error


def check_features(path: str, X: scipy.sparse.csr_matrix | np.ndarray) -> None:
    """Raise FileError if the highest feature index is far larger than the number of values in X.

    Vectors of that many features would need memory, although most features have no value.
    """
    n_values = X.nnz if scipy.sparse.issparse(X) else X.size
    allowed = max(_FEATURES_ALWAYS_ALLOWED, _FEATURES_A_VALUE * n_values)
    if X.shape[1] > allowed:
        row = int(np.searchsorted(X.indptr, np.argmax(X.indices), side="right")) - 1
        raise FileError(
            path,
            line_of_row(path, row),
            f"found the feature index {X.shape[1]}, and {n_values} values in all; with so few it "
            f"must be at most {allowed}: number the features that occur from 1",
        )


def line_of_row(path: str, row: int) -> int | None:
    """Return the line number, from 1, of the example with index `row`, from 0; None for a pipe."""
    if not os.path.isfile(path):
        return None
    with open_decompressed(path) as stream:
        return next((line for line, _ in islice(data_lines(stream), row, None)), None)
