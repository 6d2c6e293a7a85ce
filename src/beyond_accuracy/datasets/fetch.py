"""Checked raw files of a catalogue entry, from the first source that can be reached."""

import logging
import os
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import (
    ChecksumError,
    DataSetUnavailable,
    MirrorNotFound,
    SourceUnreachable,
    disk_full_named,
)
from beyond_accuracy.datasets.network import Network
from beyond_accuracy.datasets.openml_source import download_openml
from beyond_accuracy.datasets.places import CATALOGUE_FOLDER
from beyond_accuracy.datasets.raw_files import RawFile, check_file, file_sha256
from beyond_accuracy.datasets.sources import (
    BundledSource,
    FileSource,
    FileSpecification,
    GeneratedSource,
    MirrorSource,
    OpenmlSource,
    Source,
    UrlSource,
)

logger = logging.getLogger(__name__)

# Characters, of four bytes at most, and a role before them.
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Fetched:
    """What one source gave: its description for the record, the files by role, and itself."""

    source: dict[str, Any]
    files: dict[str, RawFile]
    specification: Source


def fetch(
    entry: Entry,
    *,
    mirror: Path | str | None,
    raw_folder: Path | str,
    network: Network | None = None,
    catalogue_folder: Path | str = CATALOGUE_FOLDER,
) -> Fetched:
    """Get the files of ``entry`` from the first source, in order, that can be reached.

    Mirror files, and one's own, whose paths begin at ``catalogue_folder``, are read in place;
    downloads go to ``raw_folder/<data set>/`` under a temporary name and are renamed once checked,
    so that whatever stands there under its name is whole.

    Raises DataSetUnavailable where no source can be reached, ChecksumError where one gave other
    content than the catalogue pins (the next one is then not tried: wrong content must be seen),
    MirrorNotFound where ``mirror`` is not a directory, and DiskFull.
    """
    if mirror is not None and not Path(mirror).is_dir():
        raise MirrorNotFound(mirror)
    network = network or Network()
    raw_folder = Path(raw_folder)
    reasons = []
    for source in entry.sources:
        files = {}
        try:
            match source:
                case MirrorSource():
                    location, files = dict(source.files), _from_mirror(entry, source, mirror)
                case FileSource():
                    location, files = dict(source.files), _own(entry, source, catalogue_folder)
                case UrlSource():
                    files = _from_urls(entry, source, raw_folder / entry.name, network)
                    location = {role: file.location for role, file in files.items()}
                case OpenmlSource():
                    location = f"openml data set {source.id}"
                    path = raw_folder / "openml" / f"{source.id}.arff"
                    files = {"data": _from_openml(entry, source, location, path, network)}
                case BundledSource():
                    location = source.loader
                case GeneratedSource():
                    location = source.generator
            return Fetched({"kind": source.kind, "location": location}, files, source)
        except SourceUnreachable as error:
            reasons.append(str(error))
    raise DataSetUnavailable(entry.name, "; ".join(reasons), _how_to_get(entry))


def _how_to_get(entry: Entry) -> str:
    """What a user can do to have ``entry``: the entry's own words, and its sources by hand."""
    advice = [entry.how_to_get] if entry.how_to_get else []
    if any(source.kind in ("url", "openml") for source in entry.sources):
        advice.append("run again with network access")
    for source in entry.sources:
        if source.kind == "mirror":
            paths = ", ".join(source.files.values())
            advice.append(f"or set the mirror to a folder that holds {paths}")
        if source.kind == "file":
            paths = ", ".join(source.files.values())
            advice.append(f"or put {paths} into {source.folder or 'the catalogue'} (see `sources`)")
    text = "; ".join(advice)
    return text.removeprefix("or ") + "."


def _from_mirror(
    entry: Entry, source: MirrorSource, mirror: Path | str | None
) -> dict[str, RawFile]:
    if mirror is None:
        raise SourceUnreachable("mirror", "none is configured")
    files = {}
    for role, location in source.files.items():
        path = Path(mirror) / location
        if not path.is_file():
            raise SourceUnreachable("mirror", f"it has no file {location}")
        action = "replace the file in the mirror, or remove it there to use the next source"
        files[role] = check_file(path, entry.files[role], location, action)
    return files


def _own(entry: Entry, source: FileSource, catalogue_folder: Path | str) -> dict[str, RawFile]:
    files = {}
    for role, location in source.files.items():
        path = Path(catalogue_folder) / (source.folder or "") / location
        if not path.is_file():
            place = source.folder or "the catalogue's folder"
            raise SourceUnreachable("file", f"there is no {location} in {place}")
        action = (
            "if the file was changed on purpose, remove the entry and add it again "
            "(beyond-accuracy add), otherwise restore the file"
        )
        files[role] = check_file(path, entry.files[role], location, action)
    return files


def _from_urls(
    entry: Entry, source: UrlSource, folder: Path, network: Network
) -> dict[str, RawFile]:
    action = (
        "the server's file is not the one the catalogue pins: run again in case the "
        "transfer was at fault, otherwise compare the file and the catalogue"
    )
    files = {}
    for role, urls in source.files.items():
        paths = {url: _raw_path(folder, role, url) for url in urls}
        reasons = []
        # What an earlier run has downloaded comes first.
        for url in sorted(urls, key=lambda url: not paths[url].is_file()):
            download = network.download(url, folder)
            try:
                files[role] = _kept(paths[url], download, entry.files[role], url, action)
                break
            except SourceUnreachable as error:
                reasons.append(f"{url}: {error.reason}")
        else:
            raise SourceUnreachable("url", ", ".join(reasons))
    return files


def _kept(
    path: Path,
    download: AbstractContextManager[Path],
    specification: FileSpecification,
    location: str,
    action: str,
) -> RawFile:
    """The checked file ``path``, downloaded unless it is there as it came; ``action`` is for a
    wrong one.

    A copy that is not as the catalogue has it is replaced; so is one of which the catalogue says
    nothing, if it is not as it came, for which its digest is beside it.
    """
    digest = path.with_name(f"{path.name}.sha256")
    if path.is_file():
        try:
            if not digest.is_file() or digest.read_bytes() == file_sha256(path).encode("ascii"):
                return check_file(path, specification, location, action)
            found = "is not as it came"
        except ChecksumError:
            found = "is not the one that the catalogue pins"
        logger.warning("%s: the copy of %s %s; it is downloaded again", path, location, found)
    with disk_full_named(path), download as temporary:
        file = check_file(temporary, specification, location, action)
        pieces = {temporary: path}
        if specification.unpinned:
            came = temporary.with_name("digest")
            came.write_text(file_sha256(temporary), "ascii")
            pieces = {came: digest, **pieces}
        for new, kept in pieces.items():
            with new.open("rb") as stream:
                os.fsync(stream.fileno())
            os.replace(new, kept)
        return replace(file, path=path)


def _raw_path(folder: Path, role: str, url: str) -> Path:
    base = unquote(urlsplit(url).path).rsplit("/", 1)[-1].lstrip(".") or "file"
    # The end tells more than the beginning; 255 bytes are the most that file systems take.
    base = "".join(char if char.isprintable() else "_" for char in base)[-_LONGEST_NAME:]
    return folder / f"{role}-{base}"


def _from_openml(
    entry: Entry, source: OpenmlSource, location: str, path: Path, network: Network
) -> RawFile:
    specification = entry.files["data"]
    if source.sha256 or source.unpinned:
        specification = FileSpecification(sha256=source.sha256, unpinned=source.unpinned)
    retrieve = partial(download_openml, source.id, location, network)
    download = network.download(network.openml_server, path.parent, retrieve)
    action = "OpenML's file is not the one the catalogue pins: compare the two"
    return _kept(path, download, specification, location, action)
