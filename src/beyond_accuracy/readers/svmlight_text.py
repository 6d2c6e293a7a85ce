"""Parse SVMlight / LIBSVM text by scikit-learn, and find its first malformed line."""

import io
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

import numpy as np
import scipy.sparse as sp

EXPECTED = "`label index:value ...` with indices rising from 1 and finite numbers"
_LINES_A_BLOCK = 1000


def load_svmlight(
    stream: BinaryIO, n_features: int | None = None
) -> tuple[sp.csr_matrix, np.ndarray]:
    """Return (X, labels) of SVMlight text: a CSR matrix and an array, both float64.

    Feature indices count from 1, and `qid` is ignored. Raises ValueError or OverflowError if a line
    is malformed or has an index beyond `n_features`.
    """
    from sklearn.datasets import load_svmlight_file

    return load_svmlight_file(stream, n_features=n_features, zero_based=False)


def data_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield (line number from 1, content) of each line that is neither blank nor a comment."""
    for number, line in enumerate(stream, start=1):
        if line.split(b"#", 1)[0].strip():
            yield number, line


def malformed_line(stream: BinaryIO, n_features: int | None = None) -> tuple[int | None, str]:
    """Return (line number, text) of the first line that `load_svmlight` refuses.

    The text quotes the line and gives the reason. The result is (None, "") if every line is valid
    alone.
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
    finite[np.searchsorted(X.indptr, np.flatnonzero(~np.isfinite(X.data)), side="right") - 1] = (
        False
    )
    return None if finite.all() else int(np.argmin(finite))


def _refusal(lines: list[bytes], n_features: int | None) -> str:
    try:
        load_svmlight(io.BytesIO(b"".join(lines)), n_features)
    except (ValueError, OverflowError) as error:
        return str(error) or type(error).__name__
    return ""
