"""Raw files: opened decompressed, and checked against the catalogue's checksums."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from beyond_accuracy.readers.compressed_files import is_damage, open_decompressed
from beyond_accuracy_pipeline.datasets.archives import BROKEN, tar_members
from beyond_accuracy_pipeline.datasets.errors import ChecksumError, WrongContent
from beyond_accuracy_pipeline.datasets.sources import FileSpecification


@dataclass(frozen=True)
class RawFile:
    """A file whose content has been checked.

    ``location`` names it in messages and records: a mirror-relative path, an address or an
    OpenML id, never a path of this machine. ``checksums`` holds, for each checked piece (the file
    itself or the members of an archive), its name, the sha256 found and the valid ones.
    """

    path: Path
    location: str
    checksums: tuple[tuple[str, str, tuple[str, ...]], ...]

    def open(self) -> BinaryIO:
        """Return the decompressed content as a binary stream."""
        return open_decompressed(self.path)

    def members(self) -> list[tuple[str, bytes]]:
        """Return base name and content of the pinned members of a tar archive, in name order."""
        names = {name for name, _, _ in self.checksums}
        return sorted((name, content.read()) for name, content in tar_members(self.path, names))


def file_sha256(path: Path) -> str:
    """Return the sha256 of a file as it is on the disk, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_file(path: Path, specification: FileSpecification, location: str, action: str) -> RawFile:
    """Compare a file with its checksums; `action` tells the user what to do if they differ.

    Raises ChecksumError, also if a pinned member is absent, and WrongContent if the file cannot be
    decompressed.
    """
    name = location.rsplit("/", 1)[-1]
    try:
        if specification.members is not None:
            digests = {
                member: hashlib.file_digest(content, "sha256").hexdigest()
                for member, content in tar_members(path, set(specification.members))
            }
            checks = [
                (member, digests.get(member, "no such member in the archive"), (expected,))
                for member, expected in sorted(specification.members.items())
            ]
        else:
            packed = specification.sha256_compressed
            with path.open("rb") if packed else open_decompressed(path) as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            checks = [(name, digest, tuple(packed or specification.sha256 or ()))]
    except BROKEN as error:
        if not is_damage(error):
            raise
        raise WrongContent(f"{location}: cannot be decompressed ({error}); {action}") from error
    for member, digest, expected in checks:
        if expected and digest not in expected:
            place = location if specification.members is None else f"{location}: {member}"
            raise ChecksumError(place, expected, digest, action)
    return RawFile(path, location, tuple(checks))
