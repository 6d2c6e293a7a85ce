"""Data sets that could not be had: another attempt at the start of a run, and a word at its end.

What fetches and what reads Parquet is imported where it is needed: mostly it is not, and every
start of Snakemake would wait for it.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from beyond_accuracy.datasets.entry import Catalogue
from beyond_accuracy.datasets.errors import DataSetError, DataSetUnavailable
from beyond_accuracy.datasets.prepared import RECORD, read_record
from beyond_accuracy.pipeline.checksums import Checksums, DamagedResult
from beyond_accuracy.pipeline.mirror import mirror_folder
from beyond_accuracy.results import layout
from beyond_accuracy.results.damage import DamagedFile, reading


def retry(
    config: Mapping[str, Any], names: Sequence[str], catalogue: Catalogue
) -> tuple[list[str], list[str]]:
    """Mark what was prepared as unavailable and can be had now, so that it is prepared anew.

    The mark is a file, :func:`within_reach`, which the rule has among its inputs: Snakemake makes
    nothing again for an intermediate result that is merely gone. Raw files are fetched on the way,
    so that preparing needs no second download. Whatever goes wrong otherwise than by being out of
    reach counts as "can be had": preparing shows the error. With ``missing_data: fail`` all that is
    unavailable is marked, so that its preparation fails and says why; with ``retry_substitutes``
    data sets whose substitute is in use are tried too.

    Returns those of the selected data sets, `names`, that can be had, and those whose record is
    damaged, which are marked too. An unreachable host is given 3 seconds, once.
    """
    records = _records(config, names)
    damaged = [name for name in names if name not in records and _prepared(config, name).exists()]
    tried = {
        name: record
        for name, record in records.items()
        if record["status"] == "unavailable"
        or (config["retry_substitutes"] and record["used"] != name)
    }
    again = _reachable(tried, config, catalogue) if tried else []
    # What failed at the last attempt has left nothing, which Snakemake would not miss.
    marks = {name: within_reach(config["resources"], name) for name in names}
    failed = [name for name in names if marks[name].exists() and name not in records]
    again = [*again, *(name for name in failed if name not in damaged)]
    for name in [*again, *damaged]:
        _prepared(config, name).mkdir(parents=True, exist_ok=True)
        marks[name].parent.mkdir(parents=True, exist_ok=True)
        # Snakemake compares contents, not only times: each attempt needs a text of its own.
        marks[name].write_text(f"{datetime.now(UTC).isoformat()}\n", encoding="utf-8")
    return again, damaged


def _reachable(
    tried: Mapping[str, Mapping[str, Any]], config: Mapping[str, Any], catalogue: Catalogue
) -> list[str]:
    """Return the data sets, of those with these records, that can be had now."""
    from beyond_accuracy.datasets.fetch import fetch
    from beyond_accuracy.datasets.network import Network
    from beyond_accuracy.datasets.prepare import obtain

    reach = {
        "mirror": mirror_folder(config),
        "raw_folder": Path(config["resources"]) / "raw",
        "network": Network(connect_timeout=3.0, retries=0),
    }
    reachable = []
    for name, record in tried.items():
        try:
            if record["status"] != "unavailable":
                fetch(catalogue[name], **reach)
            elif config["missing_data"] != "fail":
                obtain(catalogue[name], catalogue, **reach)
        except DataSetUnavailable:
            continue
        except DataSetError:
            pass
        reachable.append(name)
    return reachable


def within_reach(resources: str | Path, name: str) -> Path:
    """Return the file that says when a source of a data set, missing before, could be reached."""
    return Path(resources) / "within_reach" / f"{name}.txt"


def describe_missing(config: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Return lines on those of `names` that are unavailable; none if there are none."""
    lines = [
        f"  {record['name']}: {record['reason']}\n    how to get it: {record['how_to_get']}"
        for record in _records(config, names).values()
        if record["status"] == "unavailable"
    ]
    count = "1 data set is" if len(lines) == 1 else f"{len(lines)} data sets are"
    header = f"{count} unavailable and marked so in the tables; the next run tries again:"
    return [header, *lines] if lines else []


def describe_outcome(config: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return what the end of a run on data sets says: what has failed, where the results are."""
    lines = [*describe_missing(config, names), *_describe_failures(config)]
    for name, record in _records(config, names).items():
        if record["used"] not in (None, name):
            lines.append(f"{name} is not at hand; its substitute {record['used']} is used instead.")
    site = Path(config["results"]) / layout.SITE
    if site.is_file():
        lines.append(f"Results: {site}")
    return "\n".join(lines)


def _describe_failures(config: Mapping[str, Any]) -> list[str]:
    """Return lines on the fits without result although their data was there, if there are any."""
    import pyarrow.parquet as pq

    checksums = Checksums.of(config)
    lines, damaged, total = [], [], 0
    for paper in config["papers"]:
        for data_set, job in layout.fit_jobs(config[paper]):
            name = layout.FITS.format(paper=paper, data_set=data_set, job=job)
            path = Path(config["results"]) / name
            if not path.is_file():
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
