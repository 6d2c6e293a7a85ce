"""bzip2 and xz decompressed strictly: what Python's own files pass over in silence is an error."""

import bz2
import io
import lzma
from collections.abc import Callable
from os import PathLike
from typing import BinaryIO

_PIECE = 2**16
_XZ = b"\xfd7zXZ\x00"
# xz may be filled up with zeros.
_FILLING = b"\0"


def open_bz2(source: str | PathLike | BinaryIO, mode: str = "rb") -> BinaryIO:
    """`bz2.open` for reading bytes, but OSError where anything but another stream follows."""
    return io.BufferedReader(_Decompressed(source, bz2.BZ2Decompressor, b"BZh", b""), _PIECE)


def open_xz(source: str | PathLike | BinaryIO, mode: str = "rb") -> BinaryIO:
    """`lzma.open` for reading bytes, but OSError where anything but another stream follows."""
    return io.BufferedReader(_Decompressed(source, lzma.LZMADecompressor, _XZ, _FILLING), _PIECE)


class _Decompressed(io.RawIOBase):
    """The content of streams one behind the other, each of which begins with `magic`."""

    def __init__(self, source, make: Callable, magic: bytes, filling: bytes):
        self._owned = isinstance(source, (str, PathLike))
        self._file = io.FileIO(source) if self._owned else source
        self._start = self._file.tell()
        self._make, self._magic, self._filling = make, magic, filling
        self._restart()

    def _restart(self):
        self._file.seek(self._start)
        self._decompressor, self._place = self._make(), 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def tell(self):
        return self._place

    def seek(self, offset, whence=io.SEEK_SET):
        if whence == io.SEEK_END:
            raise io.UnsupportedOperation("compressed content is not sought from its end")
        target = offset + (self._place if whence == io.SEEK_CUR else 0)
        if target < self._place:
            self._restart()
        while self._place < target and self.read(min(target - self._place, _PIECE)):
            pass
        return self._place

    def readinto(self, buffer):
        content = b""
        while not content and len(buffer) and not (self._decompressor.eof and self._at_end()):
            piece = self._file.read(_PIECE) if self._decompressor.needs_input else b""
            if self._decompressor.needs_input and not piece:
                raise EOFError("it ends before its end-of-stream marker")
            content = self._decompressor.decompress(piece, len(buffer))
        buffer[: len(content)] = content
        self._place += len(content)
        return len(content)

    def _at_end(self) -> bool:
        """Whether nothing follows the stream that has ended; else the next one is begun."""
        rest = self._decompressor.unused_data
        while len(rest) < len(self._magic) or not rest.strip(self._filling):
            rest = rest.lstrip(self._filling) if self._filling else rest
            piece = self._file.read(_PIECE)
            if not piece:
                break
            rest += piece
        rest = rest.lstrip(self._filling) if self._filling else rest
        if not rest:
            return True
        if not rest.startswith(self._magic):
            raise OSError(f"{rest[:8]!r} and more follows the compressed content")
        self._file.seek(-len(rest), io.SEEK_CUR)
        self._decompressor = self._make()
        return False

    def close(self):
        if self._owned:
            self._file.close()
        super().close()
