"""SVMlight / LIBSVM files, plain or compressed, read by scikit-learn."""

import bz2
import gzip
import io
import lzma
import os
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO, NamedTuple

import numpy as np
import scipy.sparse
from sklearn.datasets import load_svmlight_file

from beyond_accuracy.command_line.errors import FileError

_EXPECTED = "expected `label index:value ...` with indices rising from 1 and finite numbers"
_OPENERS = {b"\xfd7zXZ\x00": lzma.open, b"BZh": bz2.open, b"\x1f\x8b": gzip.open}
_LINES_A_BLOCK = 1000
# A dense matrix of that density is at most a third larger than CSR, and its products are faster.
_DENSE_FROM = 0.5


class Examples(NamedTuple):
    """Rows of a file: X, CSR or dense float64 (n, d), and their labels, float64 (n,)."""

    X: scipy.sparse.csr_matrix | np.ndarray
    labels: np.ndarray


def read_examples(path: str, n_features: int | None = None) -> Examples:
    """Read a file whose feature indices count from 1; comments and `qid` are ignored.

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
    with _open(path) as stream:
        try:
            X, labels = _load(stream)
        except (ValueError, OverflowError) as error:
            line, message = _first_malformed_line(stream)
            raise FileError(path, line, f"{message or error}; {_EXPECTED}") from error
        except (lzma.LZMAError, gzip.BadGzipFile, EOFError) as error:
            raise FileError(path, None, f"cannot be decompressed ({error})") from error
    if X.shape[0] == 0:
        raise FileError(path, None, f"holds no example; {_EXPECTED}")
    finite = np.isfinite(labels)
    bad = np.flatnonzero(~np.isfinite(X.data))
    finite[np.searchsorted(X.indptr, bad, side="right") - 1] = False
    if not finite.all():
        line = line_of_row(path, int(np.argmin(finite)))
        raise FileError(path, line, f"found a NaN or infinite number; {_EXPECTED}")
    if n_features is not None:
        X = _with_columns(X, n_features)
    if X.nnz >= _DENSE_FROM * X.shape[0] * X.shape[1]:
        X = X.toarray()
    return Examples(X, labels)


def line_of_row(path: str, row: int) -> int | None:
    """Line number, from 1, of the example `row`, from 0; None for a pipe, which is read once."""
    if not os.path.isfile(path):
        return None
    with _open(path) as stream:
        return next((line for line, _ in islice(_data_lines(stream), row, None)), None)


def _open(path: str) -> BinaryIO:
    with open(path, "rb") as stream:
        start = stream.peek(6)
        source = path if stream.seekable() else io.BytesIO(stream.read())
    for magic, opener in _OPENERS.items():
        if start.startswith(magic):
            return opener(source, "rb")
    return open(source, "rb") if source is path else source


def _load(stream: BinaryIO):
    return load_svmlight_file(stream, zero_based=False)


def _data_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(stream, start=1):
        if line.split(b"#", 1)[0].strip():
            yield number, line


def _is_malformed(lines: list[bytes]) -> str | None:
    try:
        _load(io.BytesIO(b"".join(lines)))
    except (ValueError, OverflowError) as error:
        return str(error)
    return None


def _first_malformed_line(stream: BinaryIO) -> tuple[int | None, str | None]:
    stream.seek(0)
    numbered = _data_lines(stream)
    while block := list(islice(numbered, _LINES_A_BLOCK)):
        if _is_malformed([line for _, line in block]) is None:
            continue
        for number, line in block:
            if (reason := _is_malformed([line])) is not None:
                text = line.decode("latin-1").rstrip("\r\n")
                shown = text if len(text) <= 60 else text[:60] + "..."
                return number, f"found {shown!r} ({reason})"
    return None, None


def _with_columns(X: scipy.sparse.csr_matrix, n_features: int) -> scipy.sparse.csr_matrix:
    if X.shape[1] > n_features:
        return X[:, :n_features]
    return scipy.sparse.csr_matrix((X.data, X.indices, X.indptr), shape=(X.shape[0], n_features))
