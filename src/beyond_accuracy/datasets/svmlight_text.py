"""Files that may be compressed, and SVMlight / LIBSVM text read by scikit-learn."""

import gzip
import io
import lzma
import os
import zlib
from collections.abc import Iterator
from itertools import islice
from os import PathLike
from typing import BinaryIO

import numpy as np
import scipy.sparse as sp

from beyond_accuracy.datasets.compressed_stream import open_bz2, open_xz

EXPECTED = "`label index:value ...` with indices rising from 1 and finite numbers"
_OPENERS = {b"\xfd7zXZ\x00": open_xz, b"BZh": open_bz2, b"\x1f\x8b": gzip.open}
DAMAGED = (lzma.LZMAError, zlib.error, EOFError, OSError)
"""What reading damaged compressed content raises; an OSError with a number is another fault."""
_LINES_A_BLOCK = 1000
# Data take a 45th of themselves at best.
_LARGEST_RATIO = 100
_ALWAYS_ALLOWED = 2**23


def open_decompressed(path: str | PathLike) -> BinaryIO:
    """Open a file or pipe, decompressing .xz, .bz2 and .gz, which are told by their first bytes.

    Reading raises EOFError where far more comes out of it than honest data would give.
    """
    with open(path, "rb") as stream:
        start = stream.peek(6)
        source = path if stream.seekable() else io.BytesIO(stream.read())
    size = os.stat(path).st_size if source is path else len(source.getbuffer())
    for magic, opener in _OPENERS.items():
        if start.startswith(magic):
            largest = max(_ALWAYS_ALLOWED, _LARGEST_RATIO * size)
            return io.BufferedReader(_Bounded(opener(source, "rb"), largest), 2**20)
    return open(source, "rb") if source is path else source


class _Bounded(io.RawIOBase):
    """A stream that ends with EOFError where more is read of it than `largest` bytes."""

    def __init__(self, stream: BinaryIO, largest: int):
        self._stream, self._largest, self._left = stream, largest, largest

    def readable(self):
        return True

    def seekable(self):
        return True

    def seek(self, offset, whence=io.SEEK_SET):
        place = self._stream.seek(offset, whence)
        self._left = self._largest - place
        return place

    def readinto(self, buffer):
        content = self._stream.read(min(len(buffer), 2**20))
        self._left -= len(content)
        if self._left < 0:
            raise EOFError(
                f"it holds more than {self._largest} bytes, far more than data of its size would; "
                "decompress it by hand if that is meant"
            )
        buffer[: len(content)] = content
        return len(content)

    def close(self):
        self._stream.close()
        super().close()


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
