"""Read SVMlight / LIBSVM files by scikit-learn, and name their first malformed line."""

import io
import os
from collections.abc import Iterator
from itertools import islice
from os import PathLike
from typing import BinaryIO

import numpy as np
import scipy.sparse as sp

from beyond_accuracy.readers.compressed_files import damage_as_file_error, open_decompressed
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

    X is a CSR matrix, or an array if at least half of the values are stored. Features beyond
    `n_features` are dropped. Raises FileError as `read_sparse_examples` does.
    """
    X, labels = read_sparse_examples(path)
    if n_features is not None:
        X = X[:, :n_features]
        X.resize(X.shape[0], n_features)
    return (X.toarray() if is_mostly_stored(X) else X), labels


def is_mostly_stored(X: sp.csr_matrix) -> bool:
    """Return whether at least half of the values of a CSR matrix are stored."""
    return X.nnz >= _DENSE_FROM * X.shape[0] * X.shape[1]


def read_sparse_examples(
    path: str | PathLike, n_features: int | None = None
) -> tuple[sp.csr_matrix, np.ndarray]:
    """Read an SVMlight file, plain or compressed, and return features and labels (X, labels).

    The feature indices in the file start at 1. Raises FileError, which names the first malformed
    line. Feature indices above `n_features` and the queries (qid:) of ranking files are malformed.
    """
    with damage_as_file_error(path), open_decompressed(path) as stream:
        try:
            X, labels = _load(stream, n_features)
        except (ValueError, OverflowError) as error:
            line, text = _malformed_line(stream, n_features)
            message = f"found {text}" if text else str(error)
            raise FileError(path, line, f"{message}; expected {EXPECTED}") from error
    if X.shape[0] == 0:
        raise FileError(path, None, f"holds no example; expected {EXPECTED}")
    finite = np.isfinite(labels)
    bad_values = np.flatnonzero(~np.isfinite(X.data))
    finite[np.searchsorted(X.indptr, bad_values, side="right") - 1] = False
    if not finite.all():
        message = f"found a NaN or infinite number; expected {EXPECTED}"
        raise FileError(path, line_of_row(path, int(np.argmin(finite))), message)
    return X, labels


def check_features(path: str, X: sp.csr_matrix | np.ndarray) -> None:
    """Raise FileError if the highest feature index is far larger than the number of values.

    `X` was read from the SVMlight file `path`. Vectors of that many features would need memory,
    although most features have no value.
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


def line_of_row(path: str | PathLike, row: int) -> int | None:
    """Return the line number of an example in an SVMlight file; None for a pipe.

    `row` is the index of the example, from 0. Line numbers start at 1, and count comments and blank
    lines.
    """
    if not os.path.isfile(path):
        return None
    with open_decompressed(path) as stream:
        return next((line for line, _ in islice(_data_lines(stream), row, None)), None)


def _load(stream, n_features):
    from sklearn.datasets import load_svmlight_file

    X, labels, queries = load_svmlight_file(
        stream, n_features=n_features, zero_based=False, query_id=True
    )
    if len(queries):
        raise ValueError("a query (qid:) of a ranking file")
    return X, labels


def _data_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield (line number from 1, content) of each line that is neither blank nor a comment."""
    for number, line in enumerate(stream, start=1):
        if line.split(b"#", 1)[0].strip():
            yield number, line


def _malformed_line(stream, n_features) -> tuple[int | None, str]:
    """Return (line number, content and reason) of the first malformed line, or (None, "")."""
    stream.seek(0)
    numbered = _data_lines(stream)
    while block := list(islice(numbered, _LINES_A_BLOCK)):
        if not _refusal([line for _, line in block], n_features):
            continue
        for number, line in block:
            if reason := _refusal([line], n_features):
                text = line.decode("latin-1").rstrip("\r\n")
                shown = text if len(text) <= 60 else text[:60] + "..."
                return number, f"{shown!r} ({reason})"
    return None, ""


def _refusal(lines: list[bytes], n_features: int | None) -> str:
    try:
        _load(io.BytesIO(b"".join(lines)), n_features)
    except (ValueError, OverflowError) as error:
        return str(error) or type(error).__name__
    return ""
