"""Build and read the table of data sets, ``results/data_sets.csv``."""

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from beyond_accuracy_pipeline.datasets.fetch import Attempt

_COPIED = (
    "title", "task", "status", "reason", "how_to_get", "used", "substitute_for", "substitute_reason"
)  # fmt: skip


def data_sets_table(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of data_sets.csv, one dict per record of a data set, sorted by name."""
    return [_row(record) for record in sorted(records, key=lambda record: record["name"])]


def _row(record: dict[str, Any]) -> dict[str, Any]:
    source = record["source"] or {}
    location = source.get("location")
    if isinstance(location, dict):
        location = " ".join(location.values())
    row = {
        "data_set": record["name"],
        **{key: record[key] for key in _COPIED},
        "attempts": "\n".join(str(Attempt(**attempt)) for attempt in record["attempts"]),
        "source": source.get("kind"),
        "location": location,
        "files": " ".join(file["name"] for file in record["files"]),
        "sha256": " ".join(file["sha256"] for file in record["files"]),
        "expected_sha256": " ".join(
            "|".join(file["expected_sha256"]) or "unpinned" for file in record["files"]
        ),
        "sha256_arrays": record["sha256_arrays"],
    }
    for key, expected in record["shape_expected"].items():
        found = (record["shape_found"] or {}).get(key)
        for column, value in ((f"{key}_expected", expected), (f"{key}_found", found)):
            is_dict = isinstance(value, dict)
            row[column] = json.dumps(value, sort_keys=True) if is_dict else value
    return row | {"citation": record["citation"], "licence": record["licence"]}


def available_data_sets(path: str | Path) -> set[str]:
    """Return the names of the data sets with status "ok" in a run's table data_sets.csv."""
    with open(path, encoding="utf-8", newline="") as stream:
        return {row["data_set"] for row in csv.DictReader(stream) if row["status"] == "ok"}
