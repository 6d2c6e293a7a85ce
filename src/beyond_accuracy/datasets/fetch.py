"""Checked raw files of a catalogue entry, from the first source that can be reached."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import (
    DataSetUnavailable,
    MirrorNotFound,
    SourceUnreachable,
    disk_full_named,
)
from beyond_accuracy.datasets.network import Network
from beyond_accuracy.datasets.openml_source import openml_file
from beyond_accuracy.datasets.raw_files import RawFile, check_file
from beyond_accuracy.datasets.sources import (
    BundledSource,
    FileSpecification,
    GeneratedSource,
    MirrorSource,
    OpenmlSource,
    Source,
    UrlSource,
)


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
) -> Fetched:
    """Get the files of ``entry`` from the first source, in order, that can be reached.

    Mirror files are read in place; downloads go to ``raw_folder/<data set>/`` under a temporary
    name and are renamed once checked, so that whatever stands there under its name is whole.

    Raises
    ------
    ChecksumError : a source gave other content than the catalogue pins. The next source is then
        not tried: wrong content must be seen.
    DataSetUnavailable : no source can be reached.
    MirrorNotFound : ``mirror`` is not a directory.
    DiskFull : there is no room for a download; names its file.
    """
    if mirror is not None and not Path(mirror).is_dir():
        raise MirrorNotFound(mirror)
    network = network or Network()
    raw_folder = Path(raw_folder)
    reasons = []
    for source in entry.sources:
        try:
            return _from_source(entry, source, mirror, raw_folder, network)
        except SourceUnreachable as error:
            reasons.append(str(error))
    raise DataSetUnavailable(entry.name, "; ".join(reasons), how_to_get(entry))


def _from_source(
    entry: Entry, source: Source, mirror: Path | str | None, raw_folder: Path, network: Network
) -> Fetched:
    match source:
        case MirrorSource():
            return _from_mirror(entry, source, mirror)
        case UrlSource():
            return _from_urls(entry, source, raw_folder / entry.name, network)
        case OpenmlSource():
            return _from_openml(entry, source, raw_folder, network)
        case BundledSource():
            return Fetched({"kind": source.kind, "location": source.loader}, {}, source)
        case GeneratedSource():
            return Fetched({"kind": source.kind, "location": source.generator}, {}, source)


def how_to_get(entry: Entry) -> str:
    """What a user can do to have ``entry``: the entry's own words, and its sources by hand."""
    advice = [entry.how_to_get] if entry.how_to_get else []
    if any(source.kind in ("url", "openml") for source in entry.sources):
        advice.append("run again with network access")
    for source in entry.sources:
        if source.kind == "mirror":
            paths = ", ".join(source.files.values())
            advice.append(f"or set the mirror to a folder that holds {paths}")
    text = "; ".join(advice)
    return text.removeprefix("or ") + "."


def _from_mirror(entry: Entry, source: MirrorSource, mirror: Path | str | None) -> Fetched:
    if mirror is None:
        raise SourceUnreachable("mirror", "none is configured")
    files = {}
    for role, location in source.files.items():
        path = Path(mirror) / location
        if not path.is_file():
            raise SourceUnreachable("mirror", f"it has no file {location}")
        files[role] = check_file(
            path,
            entry.files[role],
            role=role,
            location=location,
            action="replace the file in the mirror, or remove it there to use the next source",
        )
    return Fetched({"kind": "mirror", "location": dict(source.files)}, files, source)


def _from_urls(entry: Entry, source: UrlSource, folder: Path, network: Network) -> Fetched:
    files = {
        role: _from_addresses(role, urls, entry.files[role], folder, network)
        for role, urls in source.files.items()
    }
    location = {role: file.location for role, file in files.items()}
    return Fetched({"kind": "url", "location": location}, files, source)


def _from_addresses(
    role: str, urls: list[str], specification: FileSpecification, folder: Path, network: Network
) -> RawFile:
    for url in urls:
        path = _raw_path(folder, role, url)
        if path.is_file():
            action = f"delete {path} and run again"
            return check_file(path, specification, role=role, location=url, action=action)
    reasons = []
    for url in urls:
        path = _raw_path(folder, role, url)
        try:
            with disk_full_named(path), network.download(url, folder) as temporary:
                action = (
                    "the server's file is not the one the catalogue pins: run again in case the "
                    "transfer was at fault, otherwise compare the file and the catalogue"
                )
                checked = check_file(
                    temporary, specification, role=role, location=url, action=action
                )
                os.replace(temporary, path)
                return RawFile(role, path, url, checked.checksums, checked.member_names)
        except SourceUnreachable as error:
            reasons.append(f"{url}: {error.reason}")
    raise SourceUnreachable("url", ", ".join(reasons))


def _raw_path(folder: Path, role: str, url: str) -> Path:
    base = unquote(urlsplit(url).path).rsplit("/", 1)[-1].lstrip(".") or "file"
    return folder / f"{role}-{base}"


def _from_openml(entry: Entry, source: OpenmlSource, raw_folder: Path, network: Network) -> Fetched:
    location = f"openml data set {source.id}"
    specification = entry.files["data"]
    if source.sha256 or source.unpinned:
        specification = FileSpecification(sha256=source.sha256, unpinned=source.unpinned)
    file = openml_file(source.id, specification, raw_folder / "openml", network)
    return Fetched({"kind": "openml", "location": location}, {"data": file}, source)
