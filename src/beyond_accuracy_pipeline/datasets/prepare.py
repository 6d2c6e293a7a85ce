"""Prepare a data set: from its catalogue entry to a folder with arrays and a record.

A substitute is an entry that replaces another one whose data are missing. Modules that read files
are imported only if a source has files, because most data sets may be missing.
"""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from beyond_accuracy_pipeline.datasets.entry import Catalogue, Entry
from beyond_accuracy_pipeline.datasets.errors import DataSetError, DataSetMissing
from beyond_accuracy_pipeline.datasets.fetch import Attempt, FetchSettings, fetch
from beyond_accuracy_pipeline.datasets.record import ARRAYS, new_record, read_record, write_record

if TYPE_CHECKING:
    from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet


def prepare(
    entry: Entry,
    *,
    settings: FetchSettings,
    output_folder: Path | str,
    seed: int,
    missing_data: Literal["report", "fail"] = "report",
    catalogue: Catalogue,
) -> dict[str, Any]:
    """Prepare a data set: write its arrays and its record to a folder, and return the record.

    If the data of `entry` are missing, its substitute, another entry of `catalogue`, is prepared
    under the name of `entry`. If both are missing, `missing_data` decides: "report" writes a record
    of all attempts, and "fail" raises DataSetMissing.
    """
    try:
        data = obtain(entry, catalogue, settings, seed)
    except DataSetMissing as error:
        if missing_data == "fail":
            raise
        facts = {"reason": error.reason, "how_to_get": error.how_to_get}
        facts["attempts"] = [asdict(attempt) for attempt in error.attempts]
        record = new_record(entry, None, status=error.status, **facts)
        (Path(output_folder) / ARRAYS).unlink(missing_ok=True)
        write_record(output_folder, record)
        return record
    from beyond_accuracy_pipeline.datasets.prepared import save_prepared

    save_prepared(output_folder, data)
    return read_record(output_folder)


def obtain(
    entry: Entry, catalogue: Catalogue, settings: FetchSettings, seed: int
) -> "PreparedDataSet":
    """Get the files of a data set from the first usable source, and return its arrays.

    If no source of `entry` is usable, the sources of its substitute, another entry of `catalogue`,
    are tried. DataSetMissing is raised if they fail too.
    """
    attempts: list[Attempt] = []
    candidates = [entry] + ([catalogue[entry.substitute]] if entry.substitute else [])
    for used in candidates:
        for fetched in fetch(used, settings, attempts):
            from beyond_accuracy_pipeline.datasets.build import build

            location = " ".join(file.location for file in fetched.files.values())
            facts = used.name, fetched.specification.kind, location
            try:
                data = build(entry, used, fetched, seed, settings.catalogue_folder)
            except DataSetError as error:
                attempts.append(Attempt(*facts, "wrong", " ".join(str(error).split())))
                continue
            attempts.append(Attempt(*facts, "used"))
            data.record["attempts"] = [asdict(attempt) for attempt in attempts]
            return data
    faulty = any(attempt.outcome == "wrong" for attempt in attempts)
    advice = "Report the wrong file to its host. Else " if faulty else ""
    advice += how_to_get(entry)
    if entry.substitute:
        advice += f" For its substitute {entry.substitute}: {how_to_get(candidates[1])}"
    raise DataSetMissing(entry.name, "faulty" if faulty else "unavailable", attempts, advice)


def how_to_get(entry: Entry) -> str:
    """Return advice to the user on how to get a missing data set."""
    advice = [entry.how_to_get] if entry.how_to_get else []
    if any(source.kind in ("url", "openml", "package") for source in entry.sources):
        advice.append("run again with network access")
    for source in entry.sources:
        if source.kind in ("mirror", "file"):
            paths = ", ".join(source.files.values())
            folder = getattr(source, "folder", None) or "the catalogue"
            private = f"or put {paths} into {folder} (see `sources`)"
            mirror = f"or set the mirror to a folder that holds {paths}"
            advice.append(private if source.kind == "file" else mirror)
    return "; ".join(advice).removeprefix("or ") + "."
