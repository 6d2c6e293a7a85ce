"""Read SVMlight / LIBSVM files by scikit-learn, and name their first malformed line."""

import io
import os
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

import numpy as np
import scipy.sparse as sp

from beyond_accuracy.readers.compressed_files import DAMAGED, is_damage, open_decompressed
from beyond_accuracy.readers.errors import FileError

EXPECTED = "`label index:value ...` with indices rising from 1 and finite numbers"
_LINES_A_BLOCK = 1000
# A dense matrix of that density is at most a third larger than CSR, and its products are faster.
_DENSE_FROM = 0.5
# A solver holds vectors of all features, also of those without a value.
_FEATURES_ALWAYS_ALLOWED = 10_000_000
_FEATURES_A_VALUE = 10


def read_examples(
    path: str, n_features: int | None = None
) -> tuple[sp.csr_matrix | np.ndarray, np.ndarray]:
    """Read an SVMlight file, plain or compressed, and return features and labels (X, labels).

    The feature indices in the file start at 1. X is a CSR matrix, or an array if at least half of
    the values are stored. Features beyond `n_features` are dropped. Raises FileError, which names
    the first malformed line.
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


def check_features(path: str, X: sp.csr_matrix | np.ndarray) -> None:
    """Raise FileError if the highest feature index is far larger than the number of values.

    `X` was read from the SVMlight file `path`.
    """
    n_values = X.nnz if sp.issparse(X) else X.size
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
    """Return the line number, from 1, of the example with index `row` in an SVMlight file.

    Comments and blank lines are counted. For a pipe, return None.
    """
    if not os.path.isfile(path):
        return None
    with open_decompressed(path) as stream:
        return next((line for line, _ in islice(data_lines(stream), row, None)), None)


def load_svmlight(
    stream: BinaryIO, n_features: int | None = None
) -> tuple[sp.csr_matrix, np.ndarray]:
    """Read SVMlight text; return (X, labels) as float64, where X is a CSR matrix.

    The feature indices in the text start at 1.
    """
    from sklearn.datasets import load_svmlight_file

    return load_svmlight_file(stream, n_features=n_features, zero_based=False)


def data_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield (line number from 1, content) of each line that is neither blank nor a comment.

    Comments start with #.
    """
    for number, line in enumerate(stream, start=1):
        if line.split(b"#", 1)[0].strip():
            yield number, line


def malformed_line(stream: BinaryIO, n_features: int | None = None) -> tuple[int | None, str]:
    """Find the first line of an SVMlight file that `load_svmlight` cannot read.

    Return (line number from 1, text with the content and the reason), or (None, "") if all lines
    are valid.
    """
    stream.seek(0)
    numbered = data_lines(stream)
    while block := list(islice(numbered, _LINES_A_BLOCK)):
        if not _refusal([line for _, line in block], n_features):
            continue
        for number, line in block:
            if reason := _refusal([line], n_features):
                text = line.decode("latin-1").rstrip("\r\n")
                shown = text if len(text) <= 60 else text[:60] + "..."
                return number, f"{shown!r} ({reason})"
    return None, ""


def first_row_not_finite(X: sp.csr_matrix, labels: np.ndarray) -> int | None:
    """Return the index of the first row with a NaN or infinite label or value, or None."""
    finite = np.isfinite(labels)
    bad_values = np.flatnonzero(~np.isfinite(X.data))
    finite[np.searchsorted(X.indptr, bad_values, side="right") - 1] = False
    return None if finite.all() else int(np.argmin(finite))


def _refusal(lines: list[bytes], n_features: int | None) -> str:
    try:
        load_svmlight(io.BytesIO(b"".join(lines)), n_features)
    except (ValueError, OverflowError) as error:
        return str(error) or type(error).__name__
    return ""
