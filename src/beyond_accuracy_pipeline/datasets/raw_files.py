"""Open, unpack and check raw files against the catalogue's checksums."""

import hashlib
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from beyond_accuracy.readers.compressed_files import DAMAGED, is_damage, open_decompressed
from beyond_accuracy_pipeline.datasets.errors import ChecksumError, WrongContent
from beyond_accuracy_pipeline.datasets.sources import FileSpecification

MOST_BYTES = 8 * 2**30
"""Largest file that is downloaded or unpacked."""
TOO_LARGE = "more than 8 GiB"

_BROKEN = (*DAMAGED, zipfile.BadZipFile, tarfile.TarError, ValueError, RuntimeError)


@dataclass(frozen=True)
class RawFile:
    """Data file whose checksum has been found valid."""

    path: Path
    location: str
    """Name of the file in messages and records, never a path of this machine."""
    checksums: tuple[tuple[str, str, tuple[str, ...]], ...]
    """(name, sha256, valid sha256) of the file, or of each required member of an archive."""

    def open(self) -> BinaryIO:
        """Return the decompressed content of the file as a binary stream."""
        return open_decompressed(self.path)

    def members(self) -> list[tuple[str, bytes]]:
        """Return the files that are needed from an archive, as pairs (name, content).

        The names are without folders, and the pairs are sorted by name.
        """
        names = {name for name, _, _ in self.checksums}
        files = ((PurePosixPath(path).name, file) for path, file in archive_files(self.path))
        return sorted((name, file.read()) for name, file in files if name in names)


def archive_files(archive: Path) -> Iterator[tuple[str, BinaryIO]]:
    """Yield (path, stream) of each file in a zip or tar archive.

    Each stream must be read before the next item is taken.
    """
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as opened:
            for path in opened.namelist():
                if not path.endswith("/"):
                    yield path, opened.open(path)
    else:
        with open_decompressed(archive) as stream:
            tar = tarfile.open(fileobj=stream, mode="r|")  # noqa: SIM115
            for member in filter(tarfile.TarInfo.isfile, tar):
                yield member.name, tar.extractfile(member)


def copy_member(archive: Path, member: str, target: Path) -> None:
    """Copy one file out of an archive to `target`: the first whose path ends with `member`.

    WrongContent is raised if there is no such file or if it is larger than 8 GiB.
    """
    with damage_as_wrong_content(archive.name):
        for path, content in archive_files(archive):
            if f"/{path}".endswith(f"/{member}"):
                with target.open("wb") as stream:
                    while piece := content.read(2**20):
                        stream.write(piece)
                        if stream.tell() > MOST_BYTES:
                            raise WrongContent(f"{member}: {TOO_LARGE}")
                return
    raise WrongContent(f"the archive has no file {member!r}")


@contextmanager
def damage_as_wrong_content(location: str) -> Iterator[None]:
    """Return a context that turns an error from reading a damaged file into WrongContent.

    The error message names the file by `location`.
    """
    try:
        yield
    except _BROKEN as error:
        if not is_damage(error):
            raise
        raise WrongContent(f"{location}: cannot be decompressed ({error})") from error


def file_sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_file(path: Path, specification: FileSpecification, location: str, action: str) -> RawFile:
    """Check the sha256 of a data file; return a `RawFile` or raise ChecksumError.

    `specification` has the valid checksums. The error message names the file by `location` and ends
    with `action`, advice to the user.
    """
    members, packed = specification.members, specification.sha256_compressed
    with damage_as_wrong_content(location):
        if members is not None:
            digests = dict.fromkeys(members, "no such member in the archive")
            for member, content in archive_files(path):
                if (name := PurePosixPath(member).name) in digests:
                    digests[name] = hashlib.file_digest(content, "sha256").hexdigest()
            checks = [(name, digests[name], (members[name],)) for name in sorted(members)]
        else:
            with path.open("rb") if packed else open_decompressed(path) as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            name = location.rsplit("/", 1)[-1]
            checks = [(name, digest, tuple(packed or specification.sha256 or ()))]
    for member, digest, expected in checks:
        if expected and digest not in expected:
            where = location if members is None else f"{location}: {member}"
            raise ChecksumError(where, expected, digest, action)
    return RawFile(path, location, tuple(checks))
