"""Files that may be compressed: gzip, bzip2, xz, and the old compress format (.Z)."""

import bz2
import errno
import gzip
import io
import lzma
import os
import zlib
from contextlib import contextmanager
from os import PathLike
from typing import BinaryIO

DAMAGED = (lzma.LZMAError, zlib.error, EOFError, OSError)
"""What reading damaged compressed content raises, and more: see `is_damage`."""
# Real data shrink to a 45th at best.
_LARGEST_RATIO, _ALWAYS_ALLOWED = 100, 2**23


def open_decompressed(path: str | PathLike) -> BinaryIO:
    """Open a file or pipe for reading as bytes, and decompress it if it is compressed."""
    with open(path, "rb") as stream:
        start = stream.peek(6)
        source = path if stream.seekable() else io.BytesIO(stream.read())
    for magic, opener in _OPENERS.items():
        if start.startswith(magic):
            size = os.stat(path).st_size if source is path else len(source.getbuffer())
            return bounded(opener(source), size)
    return open(source, "rb") if source is path else source


def is_damage(error: BaseException) -> bool:
    """Return whether an error on reading a compressed file means that its content is damaged.

    If not, the file could not be accessed. `error` is of one of the types in `DAMAGED`.
    """
    return not isinstance(error, OSError) or error.errno in (None, errno.EINVAL)


def bounded(stream: BinaryIO, packed_size: int) -> BinaryIO:
    """Limit how many bytes a decompressed stream may yield.

    The returned stream raises EOFError after 100 times `packed_size`, the compressed size in bytes,
    but not before 8 MB.
    """
    largest = max(_ALWAYS_ALLOWED, _LARGEST_RATIO * packed_size)
    return io.BufferedReader(_Bounded(stream, largest), 2**20)


def _open_compress(source: str | PathLike | BinaryIO) -> BinaryIO:
    # Few files need this package.
    import uncompresspy

    with _damage_as_eof():
        return uncompresspy.open(source)


@contextmanager
def _damage_as_eof():
    """Turn the ValueError of the package uncompresspy, which means damage, into an EOFError.

    Parsers raise ValueError too, for invalid content.
    """
    try:
        yield
    except ValueError as error:
        raise EOFError(str(error)) from error


_OPENERS = {
    b"\xfd7zXZ\x00": lzma.open,
    b"BZh": bz2.open,
    b"\x1f\x8b": gzip.open,
    b"\x1f\x9d": _open_compress,
}


class _Bounded(io.RawIOBase):
    def __init__(self, stream: BinaryIO, largest: int):
        self._stream, self._largest, self._left = stream, largest, largest

    def readable(self):
        return True

    def readinto(self, buffer):
        with _damage_as_eof():
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
