"""Members of zip and tar archives, read without unpacking the archive into a folder."""

import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from beyond_accuracy.readers.compressed_files import DAMAGED, bounded, open_decompressed

BROKEN = (*DAMAGED, zipfile.BadZipFile, tarfile.TarError, ValueError, RuntimeError)
"""What reading a damaged archive raises, and more: see `compressed_files.is_damage`."""


@contextmanager
def open_member(archive: Path, name: str) -> Iterator[BinaryIO]:
    """Open the one member of a zip or tar archive whose path is `name` or ends with `/name`.

    Raises ValueError if there is no such member, or several, or a path leads out of the archive.
    Reading raises EOFError if the member is far larger than the archive.
    """
    found = 0
    with _open_archive(archive) as (members, read):
        for path, member in members:
            if path.startswith("/") or ".." in PurePosixPath(path).parts:
                raise ValueError(f"its member {path[:80]!r} leads out of the archive's folder")
            if path == name or path.endswith(f"/{name}"):
                found += 1
                if found == 1:
                    # Members of a tar archive are read in one pass.
                    with bounded(read(member), archive.stat().st_size) as stream:
                        yield stream
        if found != 1:
            raise ValueError(f"it has {found or 'no'} members {name!r}; one is valid")


def tar_members(archive: Path, names: set[str]) -> Iterator[tuple[str, BinaryIO]]:
    """Yield base name and content of tar members; read each before asking for the next one."""
    with _open_archive(archive) as (members, read):
        for path, member in members:
            base = PurePosixPath(path).name
            if base in names:
                yield base, read(member)


@contextmanager
def _open_archive(path: Path):
    """Yield the archive's files as (path, member), and the function that opens a member."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            files = (member for member in archive.infolist() if not member.is_dir())
            yield ((member.filename, member) for member in files), archive.open
        return
    with (
        open_decompressed(path) as stream,
        tarfile.open(fileobj=stream, mode="r|") as archive,
    ):
        # A sparse member can stand for any number of zeros.
        files = (member for member in archive if member.isreg() and not member.issparse())
        yield ((member.name, member) for member in files), archive.extractfile
