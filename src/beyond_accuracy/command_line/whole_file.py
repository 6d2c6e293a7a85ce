"""Write files such that a reader never sees an incomplete file."""

import os
from collections.abc import Iterable
from pathlib import Path


def check_writable(path: str) -> None:
    """Raise OSError if `path` cannot be written. Call this function before long computations."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(21, "Is a directory", path)
    if not target.parent.is_dir():
        raise FileNotFoundError(2, "No such directory", str(Path(path).parent))
    asked = target.parent if not target.exists() or target.is_file() else target
    if not os.access(asked, os.W_OK):
        raise PermissionError(13, "Permission denied", path)


def write_whole_file(path: str, pieces: Iterable[str]) -> None:
    """Write texts to a temporary file next to `path`, and rename it when it is complete.

    Symbolic links are followed. Devices and pipes are written directly.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8") as stream:
            stream.writelines(pieces)
        return
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        with partial.open("x", encoding="utf-8") as stream:
            stream.writelines(pieces)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
