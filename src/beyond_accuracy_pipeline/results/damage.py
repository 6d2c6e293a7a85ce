"""Reading a result: one error that says which is missing or damaged, and what to do."""

import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from beyond_accuracy_pipeline.results.checksums import Checksums


class DamagedFile(ValueError):
    """A result cannot be read: its format's own checks fail."""

    def __init__(self, path: str | Path, reason: object):
        # An error comes through the pipe of a process with the arguments that it keeps.
        super().__init__(str(path), str(reason))

    def __str__(self) -> str:
        path, reason = self.args
        return f"{path}: damaged ({reason}). Remove the file and run snakemake again."


def check_unchanged(folder: str | Path, papers: Iterable[str]) -> None:
    """Raise DamagedFile for a result with another content than its job wrote; remove nothing.

    Checks the files of the given papers and the files of all papers together.
    """
    folder, papers = Path(folder), set(papers)
    checksums = Checksums((folder,))
    for file in checksums.files():
        first, *below = file.relative_to(folder).parts
        if (not below or first in papers) and file.is_file() and not checksums.holds(file):
            reason = "the sha256 is not the one that was stored when it was written"
            raise DamagedFile(file, reason)


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
