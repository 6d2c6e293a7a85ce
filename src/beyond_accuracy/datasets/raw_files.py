"""Raw files: opened decompressed, and checked against the sums that the catalogue pins."""

import hashlib
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from beyond_accuracy.datasets.errors import ChecksumError
from beyond_accuracy.datasets.sources import FileSpecification
from beyond_accuracy.datasets.svmlight_text import DAMAGED, open_decompressed

# Bytes: names, dates and owners have some hundreds, and take quadratic time to read.
_LONGEST_HEADER = 65_536
_HEADERS_OF_ANY_LENGTH = (
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
)


class _Member(tarfile.TarInfo):
    """A header that is not read where it is longer than any needs to be."""

    def _proc_member(self, tarfile_):
        if self.type in _HEADERS_OF_ANY_LENGTH and self.size > _LONGEST_HEADER:
            raise tarfile.TarError(f"a header of {self.size} bytes, more than {_LONGEST_HEADER}")
        return super()._proc_member(tarfile_)


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
        """The decompressed content, as a binary stream."""
        return open_decompressed(self.path)

    def members(self) -> list[tuple[str, bytes]]:
        """Base name and content of the pinned members of a tar archive, in name order."""
        names = {name for name, _, _ in self.checksums}
        opened = _open_members(self.path, names)
        return sorted({name: content.read() for name, content in opened}.items())


def file_sha256(path: Path) -> str:
    """The sha256 of a file as it stands on the disk, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_file(path: Path, specification: FileSpecification, location: str, action: str) -> RawFile:
    """Compare a file with its pins; ``action`` tells the user what to do if they differ.

    Raises ChecksumError, also where the file cannot be decompressed or lacks a pinned member.
    """
    name = location.rsplit("/", 1)[-1]
    try:
        if specification.members is not None:
            digests = {
                member: hashlib.file_digest(content, "sha256").hexdigest()
                for member, content in _open_members(path, set(specification.members))
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
    except (*DAMAGED, tarfile.TarError, ValueError, RecursionError) as error:
        # The last two are of headers of archives that cannot be, or that refer to more and more.
        if isinstance(error, OSError) and error.errno is not None:
            raise
        expected = specification.sha256 or specification.sha256_compressed or ("(archive members)",)
        reason = "headers without end" if isinstance(error, RecursionError) else error
        digest = f"none: cannot be decompressed ({reason})"
        raise ChecksumError(location, expected, digest, action) from error
    for member, digest, expected in checks:
        if expected and digest not in expected:
            place = location if specification.members is None else f"{location}: {member}"
            raise ChecksumError(place, expected, digest, action)
    return RawFile(path, location, tuple(checks))


def _open_members(path: Path, names: set[str]) -> Iterator[tuple[str, BinaryIO]]:
    """Base name and content, to be read before the next one, of members of a tar archive."""
    with (
        open_decompressed(path) as stream,
        tarfile.open(fileobj=stream, mode="r|", tarinfo=_Member) as archive,
    ):
        for member in archive:
            base = member.name.rsplit("/", 1)[-1]
            if member.issparse():
                # A few bytes can stand for any number of zeros.
                raise tarfile.TarError(f"the sparse member {base[:60]!r}, which is not read")
            if member.isfile() and base in names:
                yield base, archive.extractfile(member)
