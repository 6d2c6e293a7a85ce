"""Try again to get missing data sets when a run starts, and name them when it ends.

A substitute is a data set that replaces a missing one. Modules that download or read Parquet are
imported inside functions, because every start of Snakemake imports this module.
"""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beyond_accuracy_pipeline.datasets.entry import Catalogue
from beyond_accuracy_pipeline.datasets.errors import DataSetError, DataSetMissing
from beyond_accuracy_pipeline.datasets.places import CATALOGUE_FOLDER
from beyond_accuracy_pipeline.datasets.record import RECORD, read_record
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.checksums import Checksums
from beyond_accuracy_pipeline.results.columns import MISSING
from beyond_accuracy_pipeline.results.damage import DamagedFile, reading
from beyond_accuracy_pipeline.results.fits import fit_jobs

if TYPE_CHECKING:
    from beyond_accuracy_pipeline.datasets.download import Downloader

MIRROR_VARIABLE = "BEYOND_ACCURACY_MIRROR"
_SECONDS = 3.0
_NAMES_SHOWN = 8


def mirror_folder(config: Mapping[str, Any]) -> Path | None:
    """Return the mirror, a folder with copies of data files, or None if no mirror is configured."""
    mirror = config.get("mirror")
    if not mirror and (mirror := os.environ.get(MIRROR_VARIABLE)) and not Path(mirror).is_dir():
        raise NotADirectoryError(
            f"The environment variable {MIRROR_VARIABLE} is {mirror!r}, which is not a folder. "
            "Set it to an existing folder, or unset it."
        )
    return Path(mirror) if mirror else None


def fetch_settings(config: Mapping[str, Any], downloader: "Downloader | None" = None):
    """Return the settings for getting data files: folders, downloader, and size limit.

    By default, the downloader skips hosts that other jobs could not reach.
    """
    from beyond_accuracy_pipeline.datasets.download import Downloader
    from beyond_accuracy_pipeline.datasets.fetch import FetchSettings

    return FetchSettings(
        mirror=mirror_folder(config),
        raw_folder=Path(config["resources"]) / "raw",
        downloader=downloader or Downloader(unreachable=_read_unreachable(config)),
        large_downloads=config["large_downloads"],
    )


def remember_unreachable(config: Mapping[str, Any], downloader: "Downloader") -> None:
    """Add the hosts that `downloader` could not reach to a file, so that other jobs skip them."""
    file = _unreachable_file(config)
    file.parent.mkdir(parents=True, exist_ok=True)
    hosts = _read_unreachable(config) | downloader.unreachable
    file.write_text(json.dumps(hosts, indent=1, sort_keys=True) + "\n", "utf-8")


def retry_missing(config: Mapping[str, Any], names: Sequence[str], catalogue: Catalogue):
    """Mark data sets that Snakemake must prepare again; return lines to print about them.

    A data set in `names` is marked if its prepared arrays are damaged, or if it was missing and is
    available now.
    """
    from beyond_accuracy_pipeline.datasets.download import Downloader

    _unreachable_file(config).unlink(missing_ok=True)
    records, lines = _records(config, names), []
    downloader = Downloader(connect_timeout=_SECONDS, read_timeout=_SECONDS, retries=0)
    settings = fetch_settings(config, downloader)
    for name in names:
        record = records.get(name)
        prepared = Path(config["resources"]) / "prepared" / name
        if record is None and prepared.exists():
            lines.append(f"{name} is damaged and is prepared again.")
        elif _is_obtainable(name, record, catalogue, settings, config):
            lines.append(f"{name} is available now and is prepared again.")
        else:
            continue
        prepared.mkdir(parents=True, exist_ok=True)
        mark = retry_mark(config, name)
        mark.parent.mkdir(parents=True, exist_ok=True)
        # Snakemake compares contents too, so each mark needs another text.
        mark.write_text(f"{datetime.now(UTC).isoformat()}\n", encoding="utf-8")
    remember_unreachable(config, settings.downloader)
    return lines


def retry_mark(config: Mapping[str, Any], name: str) -> Path:
    """Return the path of the file whose change makes Snakemake prepare a data set again."""
    return Path(config["resources"]) / "retries" / f"{name}.txt"


def _is_obtainable(name: str, record, catalogue: Catalogue, settings, config) -> bool:
    """Return whether a data set can be prepared now that was missing or had a substitute."""
    from beyond_accuracy_pipeline.datasets.prepare import obtain

    if not record or record["used"] == name:
        return False
    entry = catalogue[name]
    if record["status"] == "ok":
        entry = entry.model_copy(update={"substitute": None})
    elif config["missing_data"] == "fail":
        return True
    try:
        obtain(entry, catalogue, settings, config["seed"])
    except DataSetMissing:
        return False
    return True


def describe_missing(config: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Return lines to print on missing data sets, their substitutes, and refused files.

    A file is refused if it is malformed or has a wrong checksum or shape. `names` are the data sets
    of the run, and `config` is its configuration.
    """
    records = _records(config, names)
    missing = [name for name, record in records.items() if record["status"] in MISSING]
    lines = []
    if missing:
        more = f" and {len(missing) - _NAMES_SHOWN} more" if len(missing) > _NAMES_SHOWN else ""
        sources = {tried["source"] for name in missing for tried in records[name]["attempts"]}
        remedy = (
            "To get them, connect to the network, or set MIRROR=DIR to a folder with the files "
            "(docs/data.md), and run again. `make smoke` needs no data."
        )
        if sources == {"file"}:
            files = f"their files, or their entries in {CATALOGUE_FOLDER}"
            remedy = f"Correct {files}, and run again."
        lines += [
            f"{len(missing)} of {len(names)} data sets are missing: "
            f"{', '.join(missing[:_NAMES_SHOWN])}{more}. The tables say so; the rest is built.",
            f"{remedy} Each attempt is in {Path(config['results']) / layout.DATA_SETS}.",
            *(f"  {host}: {reason}" for host, reason in _read_unreachable(config).items()),
        ]
    for name, record in records.items():
        for attempt in record["attempts"]:
            if attempt["outcome"] == "wrong":
                where = f"{attempt['source']} {attempt['location']}"
                lines.append(f"{name}: a wrong file was not used: {where}: {attempt['reason']}")
        if record["used"] not in (None, name):
            lines.append(f"{name} is missing; its substitute {record['used']} is used instead.")
    return lines


def describe_outcome(config: Mapping[str, Any], names: Sequence[str], succeeded: bool) -> str:
    """Return the final message of a run: missing data sets, failed fits, path of the web page.

    `names` are the data sets of the run, and `config` is its configuration. If a job failed, the
    web page may be that of an earlier run, and its path is left out.
    """
    lines = [*describe_missing(config, names), *_describe_failures(config, _records(config, names))]
    site = Path(config["results"]) / layout.SITE
    if succeeded and site.is_file():
        lines.append(f"Results: {site}")
    return "\n".join(lines)


def _describe_failures(config: Mapping[str, Any], records: Mapping[str, Any]) -> list[str]:
    """Return lines on fits that failed although their data were available."""
    import pyarrow.parquet as pq

    lines, damaged, total = [], [], 0
    for paper in config["papers"]:
        for data_set, job in fit_jobs(config[paper]):
            name = layout.FITS.format(paper=paper, data_set=data_set, job=job)
            path = Path(config["results"]) / name
            if not path.is_file() or records.get(data_set, {}).get("status") in MISSING:
                continue
            try:
                with reading(path):
                    rows = pq.read_table(path, columns=["status", "reason"]).to_pylist()
            except DamagedFile as error:
                damaged.append(str(error))
                continue
            reasons = [r["reason"] for r in rows if r["status"] not in ("ok", "unavailable")]
            if reasons:
                total += len(reasons)
                lines.append(f"  {path}: {len(reasons)} of {len(rows)}, the first: {reasons[0]}")
    count = "1 fit has" if total == 1 else f"{total} fits have"
    header = f"{count} failed and are marked so in the tables; the reasons are in"
    return [*damaged, *([header, *lines] if lines else [])]


def _read_unreachable(config: Mapping[str, Any]) -> dict[str, str]:
    with suppress(OSError, ValueError):
        return json.loads(_unreachable_file(config).read_text("utf-8"))
    return {}


def _unreachable_file(config: Mapping[str, Any]) -> Path:
    return Path(config["results"]) / "logs" / "unreachable_hosts.json"


def _records(config: Mapping[str, Any], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the record.json of each prepared data set, without damaged ones."""
    checksums, records = Checksums.of(config), {}
    for name in names:
        prepared = Path(config["resources"]) / "prepared" / name
        if checksums.holds(prepared / RECORD):
            with suppress(DataSetError):
                records[name] = read_record(prepared)
    return records
