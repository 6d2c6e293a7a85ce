"""SVMlight / LIBSVM text read by scikit-learn, and its first malformed line."""

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
    """X (CSR, float64) and labels (float64); indices count from 1 and `qid` is ignored.

    Raises ValueError or OverflowError where a line is malformed or beyond ``n_features``.
    """
    from sklearn.datasets import load_svmlight_file

    return load_svmlight_file(stream, n_features=n_features, zero_based=False)


def data_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Number, from 1, and content of each line with a row: not of blank lines and comments."""
    for number, line in enumerate(stream, start=1):
        if line.split(b"#", 1)[0].strip():
            yield number, line


def malformed_line(stream: BinaryIO, n_features: int | None = None) -> tuple[int | None, str]:
    """Number and text of the first line that :func:`load_svmlight` refuses, and why."""
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
    """The first row whose label or values are NaN or infinite, if there is one."""
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
