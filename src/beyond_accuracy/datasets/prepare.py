"""From a catalogue entry to a prepared folder: fetch, parse, split, transform, check, save."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import numpy as np

from beyond_accuracy.datasets.entry import Catalogue, Entry, Shape
from beyond_accuracy.datasets.errors import (
    ArraysError,
    DataSetError,
    DataSetMissing,
    ShapeError,
)
from beyond_accuracy.datasets.fetch import Attempt, Fetched, Places, fetch
from beyond_accuracy.datasets.generators import imbalanced_gaussians, zipf_documents
from beyond_accuracy.datasets.parsers import parse
from beyond_accuracy.datasets.parsers.rows import parse_rows
from beyond_accuracy.datasets.places import CATALOGUE_FOLDER
from beyond_accuracy.datasets.prepared import (
    PreparedDataSet,
    read_record,
    save_missing,
    save_prepared,
)
from beyond_accuracy.datasets.preprocessing import stored
from beyond_accuracy.datasets.sources import (
    BundledSource,
    ImbalancedGaussiansSource,
    PackageSource,
    Rows,
    ZipfDocumentsSource,
)
from beyond_accuracy.datasets.split import binary_parts, random_stream, split_parts
from beyond_accuracy.datasets.table import Table, tables_digest
from beyond_accuracy.datasets.transforms import transformed

_DESCRIPTION = (
    "name", "title", "task", "substitute_for", "substitute_reason", "citation", "licence"
)  # fmt: skip


def prepare(
    entry: Entry,
    *,
    places: Places,
    output_folder: Path | str,
    seed: int,
    missing_data: Literal["report", "fail"] = "report",
    catalogue: Catalogue,
) -> dict[str, Any]:
    """Write the prepared folder of a data set and return its record.

    If no source of `entry` can be used, its substitute is prepared instead, under the name of
    `entry` and marked in the record (`used`, `substitute_for`). If that fails too, the record has
    status "unavailable", or "faulty" if there was a wrong file, and there are no arrays. The record
    has all attempts.

    Raises
    ------
    DataSetMissing
        With `missing_data="fail"`, if no source can be used.
    OSError
        If a file cannot be written.
    """
    try:
        data = obtain(entry, catalogue, places, seed)
    except DataSetMissing as error:
        if missing_data == "fail":
            raise
        facts = {"reason": error.reason, "how_to_get": error.how_to_get}
        facts["attempts"] = [asdict(attempt) for attempt in error.attempts]
        record = _record(entry, None, status=error.status, **facts)
        save_missing(output_folder, record)
        return record
    save_prepared(output_folder, data)
    return read_record(output_folder)


def obtain(entry: Entry, catalogue: Catalogue, places: Places, seed: int) -> PreparedDataSet:
    """Return the arrays of an entry, or of its substitute, from the first source that is right.

    Raises DataSetMissing if there is none, and OSError.
    """
    attempts: list[Attempt] = []
    candidates = [entry] + ([catalogue[entry.substitute]] if entry.substitute else [])
    for used in candidates:
        for fetched in fetch(used, places, attempts):
            location = " ".join(file.location for file in fetched.files.values())
            facts = used.name, fetched.specification.kind, location
            try:
                data = build(entry, used, fetched, seed, places.catalogue_folder)
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
    """Return what a user can do to get a data set: the entry's own words, and its sources."""
    advice = [entry.how_to_get] if entry.how_to_get else []
    if any(source.kind in ("url", "openml", "package") for source in entry.sources):
        advice.append("run again with network access")
    for source in entry.sources:
        if source.kind == "mirror":
            paths = ", ".join(source.files.values())
            advice.append(f"or set the mirror to a folder that holds {paths}")
        if source.kind == "file":
            paths = ", ".join(source.files.values())
            advice.append(f"or put {paths} into {source.folder or 'the catalogue'} (see `sources`)")
    return "; ".join(advice).removeprefix("or ") + "."


def build(
    entry: Entry,
    used: Entry,
    fetched: Fetched,
    seed: int,
    catalogue_folder: Path | str = CATALOGUE_FOLDER,
) -> PreparedDataSet:
    """Parse, split, transform and check the files of `used`, which may stand in for `entry`.

    Raises ParseError, ShapeError, ArraysError, and DataSetError if the split or the positive rule
    fails.
    """
    rng = random_stream(seed, used.name)
    tables = _tables(used, fetched, rng, catalogue_folder)
    if used.sha256_arrays and (found := tables_digest(tables)) != used.sha256_arrays:
        raise ArraysError(used.name, used.sha256_arrays, found)
    parts = split_parts(used, tables, rng)
    if used.task == "binary":
        parts = binary_parts(used.positive, parts, used.name)
    parts = stored(parts, used)
    for transform in used.transforms:
        parts = transformed(parts, transform)
    found = _shape_found(used, parts)
    problems = list(_differences(used.shape.model_dump(), found))
    if problems:
        raise ShapeError(used.name, problems)
    train, test = parts["train"], parts.get("test")
    files = [
        {"role": role, "name": name, "sha256": digest, "expected_sha256": list(expected)}
        for role, file in fetched.files.items()
        for name, digest, expected in file.checksums
    ]
    record = _record(used, found, name=entry.name, source=fetched.source, files=files, seed=seed)
    if used.preprocess is not None:
        record["preprocess"] = used.preprocess.model_dump()
    return PreparedDataSet(
        name=entry.name,
        task=used.task,
        X_train=train.X,
        y_train=train.y,
        X_test=None if test is None else test.X,
        y_test=None if test is None else test.y,
        class_names=train.class_names,
        feature_names=train.feature_names,
        categories=train.categories,
        record=record,
    )


def _tables(
    entry: Entry, fetched: Fetched, rng: np.random.Generator, catalogue_folder: Path | str
) -> dict[str, Table]:
    match fetched.specification:
        case BundledSource() as source:
            return {"data": _bundled_table(source)}
        case ImbalancedGaussiansSource(options=options):
            return {"data": imbalanced_gaussians(rng, options)}
        case ZipfDocumentsSource(options=options):
            return {"data": zipf_documents(rng, options)}
        case PackageSource(rows=Rows() as rows):
            return parse_rows(fetched.files, rows, catalogue_folder)
    return parse(entry, fetched.files)


def _bundled_table(source: BundledSource) -> Table:
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{source.loader}")()
    return Table(
        X=np.asarray(bunch.data, dtype=np.float64),
        y=bunch.target.astype(np.int64),
        class_names=tuple(str(name) for name in bunch.target_names),
        feature_names=tuple(str(name) for name in bunch.feature_names),
    )


def _record(entry: Entry, shape: dict[str, Any] | None, **facts: Any) -> dict[str, Any]:
    """Return the record of a data set, whose shape is None if it is missing."""
    return {
        **{key: getattr(entry, key) for key in _DESCRIPTION},
        **dict.fromkeys(("reason", "how_to_get", "source", "seed", "sha256_arrays")),
        "used": entry.name if shape else None,
        "status": "ok",
        "attempts": [],
        "files": [],
        "shape_expected": entry.shape.model_dump(),
        "shape_found": shape,
        **(shape or dict.fromkeys(Shape.model_fields)),
        **facts,
    }


def _shape_found(entry: Entry, parts: dict[str, Table]) -> dict[str, Any]:
    return {
        "n_train": len(parts["train"]),
        "n_test": len(parts["test"]) if "test" in parts else None,
        "n_features": parts["train"].X.shape[1],
        "n_classes": len(parts["train"].class_names),
        "positives": {part: _positives(entry, table) for part, table in parts.items()},
    }


def _positives(entry: Entry, table: Table) -> int | dict[str, int]:
    if entry.task == "binary":
        return int((table.y > 0).sum())
    if entry.task == "multilabel":
        counts = table.y.sum(axis=0, dtype=np.int64)
    else:
        counts = np.bincount(table.y, minlength=len(table.class_names))
    return dict(zip(table.class_names, counts.tolist(), strict=True))


def _differences(expected: dict[str, Any], found: dict[str, Any], above: str = "") -> Iterator[str]:
    """What differs between two shapes, by keys such as ``positives.train.<class>``."""
    for key, value in expected.items():
        if isinstance(value, dict):
            yield from _differences(value, found.get(key, {}), f"{above}{key}.")
        elif value not in (None, found.get(key)):
            yield f"{above}{key}: expected {value}, found {found.get(key)}"
