"""Data sets that could not be had: which they are, and another attempt at the start of a run."""

import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from beyond_accuracy.datasets.catalogue import Catalogue
from beyond_accuracy.datasets.retry import retry_unavailable
from beyond_accuracy.results.layout import fitted_pairs

MIRROR_VARIABLE = "BEYOND_ACCURACY_MIRROR"


def mirror_folder(config: Mapping[str, Any]) -> Path | None:
    """Return the folder with the files of the data sets, or None.

    The configuration's ``mirror`` counts before the environment variable
    ``BEYOND_ACCURACY_MIRROR``; an empty text is none.

    Raises
    ------
    NotADirectoryError
        If the environment variable names no folder (the configuration's own key is checked with
        the rest of the configuration).
    """
    mirror = config.get("mirror")
    if mirror:
        return Path(mirror)
    mirror = os.environ.get(MIRROR_VARIABLE)
    if not mirror:
        return None
    if not Path(mirror).is_dir():
        raise NotADirectoryError(
            f"The environment variable {MIRROR_VARIABLE} is {mirror!r}, which is not a folder. "
            "Set it to an existing folder, or unset it."
        )
    return Path(mirror)


def records_of(prepared: Path, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the records of those of `names` that have been prepared."""
    paths = {name: prepared / name / "record.json" for name in names}
    return {
        name: json.loads(path.read_text(encoding="utf-8"))
        for name, path in paths.items()
        if path.is_file()
    }


def unavailable_data_sets(prepared: Path, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the records of those of `names` whose last preparation found no source."""
    records = records_of(prepared, names)
    return {name: record for name, record in records.items() if record["status"] == "unavailable"}


def substituted_data_sets(prepared: Path, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the records of those of `names` in whose place a substitute is used."""
    records = records_of(prepared, names)
    return {
        name: record
        for name, record in records.items()
        if record["status"] == "ok" and record["used"] != name
    }


def retry_unavailable_data_sets(
    config: Mapping[str, Any], names: Sequence[str], catalogue: Catalogue
) -> dict[str, bool]:
    """Try again to reach what was unavailable, and mark what can be had now.

    Parameters
    ----------
    config : mapping
        The validated configuration.
    names : sequence of str
        Selected data sets.
    catalogue : Catalogue
        All data sets.

    Returns
    -------
    dict of str to bool
        The data sets that were tried, in order: those that were unavailable, with
        ``retry_substitutes: true`` also those that had a substitute. True for those that can be had
        now; with ``missing_data: fail`` for all that were unavailable, so that their preparation
        fails and says why. The file :func:`within_reach` of each is written anew, which makes
        Snakemake prepare them again. For the others nothing changes.
    """
    resources = Path(config["resources"])
    prepared = resources / "prepared"
    missing = unavailable_data_sets(prepared, names)
    waiting = set(missing)
    if config["retry_substitutes"]:
        waiting |= set(substituted_data_sets(prepared, names))
    if not waiting:
        return {}
    again = set(missing) if config["missing_data"] == "fail" else set()
    if waiting - again:
        obtainable = retry_unavailable(
            prepared,
            catalogue,
            mirror=mirror_folder(config),
            raw_folder=resources / "raw",
            names=waiting - again,
            retry_substitutes=config["retry_substitutes"],
        )
        again |= set(obtainable)
    for name in sorted(again):
        marker = within_reach(resources, name)
        marker.parent.mkdir(parents=True, exist_ok=True)
        # Snakemake compares contents, not only times: each attempt needs a text of its own.
        marker.write_text(f"{datetime.now(UTC).isoformat()}\n", encoding="utf-8")
    return {name: name in again for name in sorted(waiting)}


def describe_retry(config: Mapping[str, Any], tried: Mapping[str, bool]) -> str:
    """Return what the start of a run says about the data sets that were tried again."""
    prepared = Path(config["resources"]) / "prepared"
    missing = unavailable_data_sets(prepared, list(tried))
    lines = []
    for name, again in tried.items():
        before = "was unavailable" if name in missing else "had a substitute"
        if again:
            lines.append(f"{name} {before} and is tried again.")
        elif name in missing:
            lines += [f"{name} was tried again and is still unavailable:", *_advice(missing[name])]
        else:
            lines.append(f"{name} was tried again and is not at hand; its substitute stays in use.")
    return "\n".join(lines)


def _advice(record: Mapping[str, Any]) -> list[str]:
    return [f"    {record['reason']}", f"    how to get it: {record['how_to_get']}"]


def within_reach(resources: str | Path, name: str) -> Path:
    """Return the file that says when a source of a data set, missing before, could be reached."""
    return Path(resources) / "within_reach" / f"{name}.txt"


def describe_outcome(config: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return what the end of a run says: what is missing or has failed, and where the results are.

    Parameters
    ----------
    config : mapping
        The validated configuration.
    names : sequence of str
        Selected data sets.
    """
    prepared = Path(config["resources"]) / "prepared"
    lines = []
    missing = unavailable_data_sets(prepared, names)
    if missing:
        count = "1 data set is" if len(missing) == 1 else f"{len(missing)} data sets are"
        lines.append(f"{count} unavailable and marked so in the tables; the next run tries again:")
    for name, record in missing.items():
        lines += [f"  {name}: {record['reason']}", f"    how to get it: {record['how_to_get']}"]
    lines += _describe_failures(config)
    for name, record in substituted_data_sets(prepared, names).items():
        lines.append(f"{name} is not at hand; its substitute {record['used']} is used instead.")
    site = Path(config["results"]) / "index.html"
    if site.is_file():
        lines.append(f"Results: {site}")
    return "\n".join(lines)


def _describe_failures(config: Mapping[str, Any]) -> list[str]:
    """Return lines on the fits without result although their data was there, if there are any."""
    lines = []
    total = 0
    for paper in config["papers"]:
        for data_set, method in fitted_pairs(config[paper]):
            path = Path(config["results"]) / paper / "fits" / data_set / f"{method}.parquet"
            if not path.is_file():
                continue
            rows = pq.read_table(path, columns=["status", "reason"]).to_pylist()
            failed = [row for row in rows if row["status"] not in ("ok", "unavailable")]
            if failed:
                total += len(failed)
                lines.append(
                    f"  {path}: {len(failed)} of {len(rows)}, the first: {failed[0]['reason']}"
                )
    if not lines:
        return []
    count = "1 fit has" if total == 1 else f"{total} fits have"
    return [f"{count} failed and are marked so in the tables; the reasons are in", *lines]
