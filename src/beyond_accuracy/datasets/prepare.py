"""From a catalogue entry to a prepared folder: fetch, parse, split, transform, check, save."""

from pathlib import Path
from typing import Any, Literal

import numpy as np

from beyond_accuracy.datasets.bundled import bundled_table
from beyond_accuracy.datasets.entry import Catalogue, Entry, entry_named
from beyond_accuracy.datasets.errors import DataSetUnavailable, ShapeError
from beyond_accuracy.datasets.fetch import Fetched, fetch
from beyond_accuracy.datasets.generators import generated_table
from beyond_accuracy.datasets.network import Network
from beyond_accuracy.datasets.parsers import parse
from beyond_accuracy.datasets.prepared import PreparedDataSet, save_prepared, save_unavailable
from beyond_accuracy.datasets.sources import BundledSource, GeneratedSource, OpenmlSource
from beyond_accuracy.datasets.split import binary_parts, random_stream, split_parts
from beyond_accuracy.datasets.steps import ArffParser
from beyond_accuracy.datasets.table import Table
from beyond_accuracy.datasets.transforms import transformed


def prepare(
    entry: Entry | str,
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
    if isinstance(entry, str):
        entry = entry_named(catalogue, entry)
    try:
        used, fetched = obtain(
            entry, catalogue, mirror=mirror, raw_folder=raw_folder, network=network or Network()
        )
    except DataSetUnavailable as error:
        if missing_data == "fail":
            raise
        record = _unavailable_record(entry, error)
        save_unavailable(output_folder, record)
        return record
    data = build(entry, used, fetched, seed)
    save_prepared(output_folder, data)
    return data.record


def obtain(
    entry: Entry,
    catalogue: Catalogue,
    *,
    mirror: Path | str | None,
    raw_folder: Path | str,
    network: Network,
) -> tuple[Entry, Fetched]:
    """The entry that is used, ``entry`` or its substitute, and its fetched files.

    Raises DataSetUnavailable with the reasons of both, and what ``fetch`` raises.
    """
    where = {"mirror": mirror, "raw_folder": raw_folder, "network": network}
    try:
        return entry, fetch(entry, **where)
    except DataSetUnavailable as error:
        if entry.substitute is None:
            raise
        substitute = entry_named(catalogue, entry.substitute)
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
    train, test = split_parts(used, _parts(used, fetched, rng), rng)
    if used.task == "binary":
        train, test = binary_parts(used.positive, train, test, used.name)
    for transform in used.transforms:
        train, test = transformed(train, test, transform)
    found = _shape_found(used, train, test)
    _check_shape(used, found)
    record = {
        "name": entry.name,
        "used": used.name,
        "title": used.title,
        "task": used.task,
        "status": "ok",
        "reason": None,
        "how_to_get": None,
        "source": fetched.source,
        "files": [
            {"name": name, "sha256": digest, "expected_sha256": list(expected)}
            for file in fetched.files.values()
            for name, digest, expected in file.checksums
        ],
        "shape_expected": used.shape.model_dump(),
        "shape_found": found,
        "substitute_for": used.substitute_for,
        "substitute_reason": used.substitute_reason,
        "citation": used.citation,
        "licence": used.licence,
        "seed": seed,
        **found,
    }
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


def _parts(entry: Entry, fetched: Fetched, rng: np.random.Generator) -> dict[str, Table]:
    match fetched.specification:
        case BundledSource() as source:
            return {"data": bundled_table(source)}
        case GeneratedSource() as source:
            return {"data": generated_table(source, rng)}
        case OpenmlSource(target=str()) as source:
            parser = ArffParser(kind="arff", nominal_as_numbers=source.nominal_as_numbers)
            entry = entry.model_copy(update={"parser": parser, "target": source.target})
    return parse(entry, fetched.files)


def _unavailable_record(entry: Entry, error: DataSetUnavailable) -> dict[str, Any]:
    shape = dict.fromkeys(entry.shape.model_dump())
    return {
        "name": entry.name,
        "used": None,
        "title": entry.title,
        "task": entry.task,
        "status": "unavailable",
        "reason": error.reason,
        "how_to_get": error.how_to_get,
        "source": None,
        "files": [],
        "shape_expected": entry.shape.model_dump(),
        "shape_found": None,
        "substitute_for": entry.substitute_for,
        "substitute_reason": entry.substitute_reason,
        "citation": entry.citation,
        "licence": entry.licence,
        "seed": None,
        **shape,
    }


def _shape_found(entry: Entry, train: Table, test: Table | None) -> dict[str, Any]:
    positives = {
        part: _positives(entry, table)
        for part, table in (("train", train), ("test", test))
        if table is not None
    }
    return {
        "n_train": len(train),
        "n_test": None if test is None else len(test),
        "n_features": train.X.shape[1],
        "n_classes": len(train.class_names),
        "positives": positives,
    }


def _positives(entry: Entry, table: Table) -> int | dict[str, int]:
    if entry.task == "binary":
        return int((table.y > 0).sum())
    if entry.task == "multilabel":
        counts = table.y.sum(axis=0, dtype=np.int64)
    else:
        counts = np.bincount(table.y, minlength=len(table.class_names))
    return dict(zip(table.class_names, counts.tolist(), strict=True))


def _check_shape(entry: Entry, found: dict[str, Any]) -> None:
    problems = []
    for key, expected in entry.shape.model_dump(exclude_none=True).items():
        if key != "positives":
            if found[key] != expected:
                problems.append(f"{key}: expected {expected}, found {found[key]}")
            continue
        for part, counts in expected.items():
            of_part = found["positives"].get(part)
            if isinstance(counts, dict) and isinstance(of_part, dict):
                problems += [
                    f"positives.{part}.{name}: expected {count}, found {of_part.get(name)}"
                    for name, count in sorted(counts.items())
                    if count != of_part.get(name)
                ]
            elif counts != of_part:
                problems.append(f"positives.{part}: expected {counts}, found {of_part}")
    if problems:
        raise ShapeError(entry.name, problems)
