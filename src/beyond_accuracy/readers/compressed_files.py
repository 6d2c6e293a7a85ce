"""Files that may be compressed: gzip, bzip2, xz, and the old compress format (.Z)."""

import bz2
import errno
import gzip
import io
import lzma
import zlib
from os import PathLike
from typing import BinaryIO

DAMAGED = (lzma.LZMAError, zlib.error, EOFError, OSError)
"""What reading damaged compressed content raises, and more: see `is_damage`."""


def open_decompressed(path: str | PathLike) -> BinaryIO:
    """Open a file or pipe for reading as bytes, and decompress it if it is compressed."""
    with open(path, "rb") as stream:
        start = stream.peek(6)
        source = path if stream.seekable() else io.BytesIO(stream.read())
    for magic, opener in _OPENERS.items():
        if start.startswith(magic):
            # Lines of a large buffer are read faster.
            return io.BufferedReader(opener(source), 2**20)
    return open(source, "rb") if source is path else source


def is_damage(error: BaseException) -> bool:
    """Return whether an error on reading a compressed file means that its content is damaged.

    If not, the file could not be accessed. `error` is of one of the types in `DAMAGED`.
    """
    return not isinstance(error, OSError) or error.errno in (None, errno.EINVAL)


def _open_compress(source: str | PathLike | BinaryIO) -> io.BytesIO:
    # Few files need this package.
    import uncompresspy

    try:
        with uncompresspy.open(source) as stream:
            return io.BytesIO(stream.read())
    except ValueError as error:
        # Parsers raise ValueError too, for invalid content.
        raise EOFError(str(error)) from error


_OPENERS = {
    b"\xfd7zXZ\x00": lzma.open,
    b"BZh": bz2.open,
    b"\x1f\x8b": gzip.open,
    b"\x1f\x9d": _open_compress,
}
