"""SVMlight / LIBSVM files, plain or compressed, as the program reads them."""

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
    """X, CSR or dense float64 (n, d), and labels, float64 (n,), of a file.

    Feature indices count from 1; comments and `qid` are ignored.

    Parameters
    ----------
    path : str
        A file, also one compressed by gzip, bzip2 or xz (told by its first bytes), or a pipe.
    n_features : int, optional
        Number of columns of X: indices beyond it are dropped. Default: the highest index.

    Raises
    ------
    FileError
        With the first line that is malformed or holds a NaN or infinite number; if the file has
        no example; or if its compression is damaged.
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
    """Raise FileError where most features have no value, and would take memory all the same."""
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
    """Line number, from 1, of the example `row`, from 0; None for a pipe, which is read once."""
    if not os.path.isfile(path):
        return None
    with open_decompressed(path) as stream:
        return next((line for line, _ in islice(data_lines(stream), row, None)), None)
