"""The files in which numba keeps compiled code, each with a digest: it executes what it reads."""

import hashlib
import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from numba.core.caching import IndexDataCacheFile

_SIZE = hashlib.sha256().digest_size


class CodeFile(IndexDataCacheFile):
    """Numba's reader and writer of the index and data of one function, with digests at their ends.

    Unpickling stops before the digest, so that numba itself reads these files as well. A file that
    is damaged, or has no digest, is as good as none: its code is compiled again, and a
    RuntimeWarning names it; so it is if the new one cannot be written.
    """

    def load(self, key: Any) -> Any:
        """Return what was kept for a key; None if it has to be compiled."""
        try:
            return super().load(key)
        except OSError:
            return None

    def save(self, key: Any, data: Any) -> None:
        """Keep code; what cannot be written is compiled in each process."""
        try:
            super().save(key, data)
        except OSError as error:
            message = f"{self._index_path}: compiled code cannot be kept ({error})"
            warnings.warn(message, RuntimeWarning, stacklevel=2)

    def _load_index(self) -> dict[Any, str]:
        return super()._load_index() if _is_whole(self._index_path) else {}

    def _load_data(self, name: str) -> Any:
        path = self._data_path(name)
        if not _is_whole(path):
            raise OSError(f"{path} is damaged")
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[IO[bytes]]:
        content = io.BytesIO()
        yield content
        with super()._open_for_write(filepath) as file:
            file.write(content.getvalue() + hashlib.sha256(content.getvalue()).digest())


def _is_whole(path: str) -> bool:
    """Whether a file is gone or ends with the digest of the rest; it warns of one that does not."""
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        return True
    if hashlib.sha256(content[:-_SIZE]).digest() == content[-_SIZE:]:
        return True
    message = f"{path}: damaged compiled code, or without a digest, is compiled again"
    warnings.warn(message, RuntimeWarning, stacklevel=2)
    return False
