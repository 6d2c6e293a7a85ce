"""From a catalogue entry to a prepared folder: fetch, parse, split, transform, check, save."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np

from beyond_accuracy.datasets.entry import Catalogue, Entry, Shape
from beyond_accuracy.datasets.errors import DataSetUnavailable, ShapeError
from beyond_accuracy.datasets.fetch import Fetched, fetch
from beyond_accuracy.datasets.generators import imbalanced_gaussians, zipf_documents
from beyond_accuracy.datasets.network import Network
from beyond_accuracy.datasets.parsers import parse
from beyond_accuracy.datasets.prepared import PreparedDataSet, save_prepared, save_unavailable
from beyond_accuracy.datasets.preprocessing import stored
from beyond_accuracy.datasets.sources import (
    BundledSource,
    ImbalancedGaussiansSource,
    OpenmlSource,
    ZipfDocumentsSource,
)
from beyond_accuracy.datasets.split import binary_parts, random_stream, split_parts
from beyond_accuracy.datasets.steps import ArffParser
from beyond_accuracy.datasets.table import Table
from beyond_accuracy.datasets.transforms import transformed

_DESCRIPTION = (
    "name", "title", "task", "substitute_for", "substitute_reason", "citation", "licence"
)  # fmt: skip


def prepare(
    entry: Entry,
    *,
    mirror: Path | str | None,
    raw_folder: Path | str,
    output_folder: Path | str,
    seed: int,
    missing_data: Literal["report", "fail"] = "report",
    catalogue: Catalogue,
    network: Network | None = None,
) -> dict[str, Any]:
    """Write the prepared folder of a data set and return its record.

    Where no source of ``entry`` can be reached, its substitute is prepared in its place, under
    its name and marked in the record (``used``, ``substitute_for``). Where that fails too, the
    record has status ``unavailable`` and there are no arrays, or, with ``missing_data="fail"``,
    DataSetUnavailable is raised. Every other error is raised, and leaves an earlier folder as it
    was: see ``fetch``, ``parse`` and ShapeError.
    """
    where = {"mirror": mirror, "raw_folder": raw_folder, "network": network or Network()}
    try:
        used, fetched = obtain(entry, catalogue, **where)
    except DataSetUnavailable as error:
        if missing_data == "fail":
            raise
        record = _record(entry, None, reason=error.reason, how_to_get=error.how_to_get)
        save_unavailable(output_folder, record)
        return record
    data = build(entry, used, fetched, seed)
    save_prepared(output_folder, data)
    return data.record


def obtain(entry: Entry, catalogue: Catalogue, **where: Any) -> tuple[Entry, Fetched]:
    """The entry that is used, ``entry`` or its substitute, and its files.

    ``where`` holds the other arguments of ``fetch``. Raises what that raises; DataSetUnavailable
    has the reasons of both.
    """
    try:
        return entry, fetch(entry, **where)
    except DataSetUnavailable as error:
        if entry.substitute is None:
            raise
        substitute = catalogue[entry.substitute]
        try:
            return substitute, fetch(substitute, **where)
        except DataSetUnavailable as second:
            raise DataSetUnavailable(
                entry.name,
                f"{error.reason}; substitute {substitute.name}: {second.reason}",
                f"{error.how_to_get} For its substitute {substitute.name}: {second.how_to_get}",
            ) from error


def build(entry: Entry, used: Entry, fetched: Fetched, seed: int) -> PreparedDataSet:
    """Parse, split, transform and check what was fetched of ``used`` for ``entry``.

    Raises ParseError, ShapeError, and DataSetError where the split or the positive rule fails.
    """
    rng = random_stream(seed, used.name)
    parts = split_parts(used, _tables(used, fetched, rng), rng)
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
        {"name": name, "sha256": digest, "expected_sha256": list(expected)}
        for file in fetched.files.values()
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


def _tables(entry: Entry, fetched: Fetched, rng: np.random.Generator) -> dict[str, Table]:
    match fetched.specification:
        case BundledSource() as source:
            return {"data": _bundled_table(source)}
        case ImbalancedGaussiansSource(options=options):
            return {"data": imbalanced_gaussians(rng, options)}
        case ZipfDocumentsSource(options=options):
            return {"data": zipf_documents(rng, options)}
        case OpenmlSource(target=str()) as source:
            parser = ArffParser(kind="arff", nominal_as_numbers=source.nominal_as_numbers)
            entry = entry.model_copy(update={"parser": parser, "target": source.target})
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
    """The record of a data set with arrays of a shape, or of one that is unavailable."""
    return {
        **{key: getattr(entry, key) for key in _DESCRIPTION},
        **dict.fromkeys(("reason", "how_to_get", "source", "seed")),
        "used": entry.name if shape else None,
        "status": "ok" if shape else "unavailable",
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
