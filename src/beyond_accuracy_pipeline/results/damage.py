"""Read results, with a clear error if a file is missing or damaged."""

import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from beyond_accuracy_pipeline.results.checksums import Checksums


class DamagedFile(ValueError):
    """Exception for a result that cannot be read, or differs from what its job wrote."""

    def __init__(self, path: str | Path, reason: object):
        # Pickling an error between processes keeps only `args`.
        super().__init__(str(path), str(reason))

    def __str__(self) -> str:
        path, reason = self.args
        return f"{path}: damaged ({reason}). Remove the file and run snakemake again."


def check_unchanged(folder: str | Path, papers: Iterable[str]) -> None:
    """Raise DamagedFile if a file in the folder of results differs from its stored checksum.

    Only files of `papers`, and files that belong to no single paper, are checked.
    """
    folder, papers = Path(folder), set(papers)
    checksums = Checksums((folder,))
    for file in checksums.files():
        first, *below = file.relative_to(folder).parts
        if (not below or first in papers) and file.is_file() and not checksums.holds(file):
            reason = "the sha256 is not the one that was stored when it was written"
            raise DamagedFile(file, reason)


def existing(path: Path) -> Path:
    """Return `path`, or raise FileNotFoundError with advice if there is no such file."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: not found. Run snakemake to make it.")
    return path


@contextmanager
def reading(path: str | Path) -> Iterator[Path]:
    """Return a context in which errors from a file's invalid content become DamagedFile."""
    path = existing(Path(path))
    try:
        yield path
    except (EOFError, KeyError, OSError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        # ValueError includes Arrow's errors of content, and those of JSON, CSV and text.
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise DamagedFile(path, error) from error
