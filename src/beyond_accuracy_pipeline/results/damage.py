"""Reading a result: one error that says which is missing or damaged, and what to do."""

import hashlib
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

CHECKSUMS = "checksums"
"""The folder, in that of all results, of the checksums that jobs store."""


class DamagedFile(ValueError):
    """A result cannot be read: its format's own checks fail."""

    def __init__(self, path: str | Path, reason: object):
        # An error comes through the pipe of a process with the arguments that it keeps.
        super().__init__(str(path), str(reason))

    def __str__(self) -> str:
        path, reason = self.args
        return f"{path}: damaged ({reason}). Remove the file and run snakemake again."


def check_unchanged(folder: str | Path, papers: Iterable[str]) -> None:
    """Raise DamagedFile for a result with another content than the job that made it wrote.

    Looked at are the files of all papers, and all of the given ones, as far as they are there and
    have a checksum. Nothing is removed.
    """
    stored = Path(folder) / CHECKSUMS
    files = list(stored.glob("*.sha256"))
    files += [file for paper in papers for file in sorted((stored / paper).rglob("*.sha256"))]
    for checksum in files:
        file = Path(folder) / checksum.relative_to(stored).with_suffix("")
        if file.is_file() and not has_checksum(file, checksum):
            reason = "the sha256 is not the one that was stored when it was written"
            raise DamagedFile(file, reason)


def has_checksum(file: Path, checksum: Path) -> bool:
    """Whether the sha256 of a file is the one that stands first in another."""
    digest = checksum.read_text(encoding="utf-8", errors="replace").partition(" ")[0]
    return sha256(file) == digest


def sha256(file: Path) -> str:
    """Return the sha256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def existing(path: Path) -> Path:
    """Return the path of a result; FileNotFoundError says which one is not there."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: not found. Run snakemake to make it.")
    return path


@contextmanager
def reading(path: str | Path) -> Iterator[Path]:
    """Give the path of a result to what reads it.

    Raises FileNotFoundError if it is not there, and DamagedFile in place of what readers of
    Parquet, NumPy, JSON and CSV raise for content that is none.
    """
    path = existing(Path(path))
    try:
        yield path
    except (EOFError, KeyError, OSError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        # ValueError includes Arrow's errors of content, and those of JSON, CSV and text.
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise DamagedFile(path, error) from error
