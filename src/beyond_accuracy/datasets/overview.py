"""The rows of ``results/data_sets.csv``."""

import json
from collections.abc import Iterable
from typing import Any

_COPIED = (
    "title", "task", "status", "reason", "how_to_get", "used", "substitute_for", "substitute_reason"
)  # fmt: skip


def data_sets_table(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """One flat row a record, ordered by name: what was used, from where, checked against what.

    Columns hold text, numbers or None. Several files or sums are joined by blanks; counts of the
    positives of each class are JSON.
    """
    return [_row(record) for record in sorted(records, key=lambda record: record["name"])]


def _row(record: dict[str, Any]) -> dict[str, Any]:
    source = record["source"] or {}
    location = source.get("location")
    if isinstance(location, dict):
        location = " ".join(location.values())
    row = {
        "data_set": record["name"],
        **{key: record[key] for key in _COPIED},
        "source": source.get("kind"),
        "location": location,
        "files": " ".join(file["name"] for file in record["files"]),
        "sha256": " ".join(file["sha256"] for file in record["files"]),
        "expected_sha256": " ".join(
            "|".join(file["expected_sha256"]) or "unpinned" for file in record["files"]
        ),
    }
    for key, expected in record["shape_expected"].items():
        found = (record["shape_found"] or {}).get(key)
        row[f"{key}_expected"] = _cell(expected)
        row[f"{key}_found"] = _cell(found)
    return row | {"citation": record["citation"], "licence": record["licence"]}


def _cell(value: Any) -> Any:
    return json.dumps(value, sort_keys=True) if isinstance(value, dict) else value
