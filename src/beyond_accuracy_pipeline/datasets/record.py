"""Read and write the file record.json, which describes a prepared or missing data set."""

import json
from pathlib import Path
from typing import Any

from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import DataSetError

RECORD = "record.json"
ARRAYS = "arrays.npz"

_DESCRIPTION = (
    "name", "title", "task", "substitute_for", "substitute_reason", "citation", "licence"
)  # fmt: skip


def new_record(entry: Entry, shape: dict[str, Any] | None, **facts: Any) -> dict[str, Any]:
    """Return the record of a data set, the content of record.json.

    `entry` is its catalogue entry. `shape` has the actual numbers of rows, features and classes, or
    is None for a missing data set. `facts` are further keys.
    """
    return {
        **{key: getattr(entry, key) for key in _DESCRIPTION},
        **dict.fromkeys(("reason", "how_to_get", "source", "seed", "sha256_arrays")),
        "used": entry.name if shape else None,
        "status": "ok",
        "attempts": [],
        "files": [],
        "shape_expected": entry.shape.model_dump(),
        "shape_found": shape,
        **facts,
    }


def write_record(folder: Path | str, record: dict[str, Any]) -> None:
    """Write the record of a data set, made by `new_record`, to record.json in `folder`."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    text = json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False)
    (Path(folder) / RECORD).write_text(text + "\n", encoding="utf-8")


def read_record(folder: Path | str) -> dict[str, Any]:
    """Return the record of a data set from record.json in `folder`, or raise DataSetError."""
    path = Path(folder) / RECORD
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataSetError(f"{path}: the data set has not been prepared: run snakemake") from None
    except ValueError as error:
        text = f"{path}: found damaged JSON ({error}); delete the folder and run again"
        raise DataSetError(text) from None
