"""The command `beyond-accuracy add`, which writes a catalogue entry for the user's data."""

import os
import re
import shlex
import sys
import tempfile
import unicodedata
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from beyond_accuracy.command_line.whole_file import check_writable, write_whole_file
from beyond_accuracy.readers.errors import FileError
from beyond_accuracy_pipeline.configuration.catalogue import load_catalogue
from beyond_accuracy_pipeline.configuration.files import ConfigurationError
from beyond_accuracy_pipeline.datasets.entry import Entry
from beyond_accuracy_pipeline.datasets.errors import DataSetError
from beyond_accuracy_pipeline.datasets.own_data import describe_file
from beyond_accuracy_pipeline.datasets.places import CATALOGUE_FOLDER
from beyond_accuracy_pipeline.datasets.problems import problems_of
from beyond_accuracy_pipeline.datasets.split import binary_parts, random_stream, sample_rows
from beyond_accuracy_pipeline.datasets.steps import PositiveRule, SampleSplit
from beyond_accuracy_pipeline.datasets.table import Table

_OPENML = re.compile(r"openml:(\d+)")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")


def add(arguments) -> int:
    """Write a catalogue entry for a data set of the user; return the exit status.

    `arguments` are the parsed arguments of the command `beyond-accuracy add`.
    """
    catalogue = Path(arguments.catalogue)
    if arguments.data.startswith("openml:") and not _OPENML.fullmatch(arguments.data):
        message = "valid is openml: and the number of a data set, as in openml:31"
        raise FileError(arguments.data, None, message)
    name = arguments.name or _name_of(arguments.data)
    if not _NAME.fullmatch(name):
        valid = "up to 100 of a-z, 0-9, '.', '_' and '-': give it by --name"
        message = f"name: found {name!r}; valid are {valid}"
        raise FileError(arguments.data, None, message)
    entry_file = catalogue / f"{name}.yaml"
    if not catalogue.is_dir():
        message = "no such folder; run this in the folder of the pipeline, or name the folder of "
        raise FileError(catalogue, None, f"{message}entries by --catalogue")
    try:
        if name in load_catalogue(catalogue):
            message = "an entry of that name exists; remove it, or give another name by --name"
            raise FileError(entry_file, None, message)
        check_writable(str(entry_file))
        content, table, notes = _described(arguments, name, catalogue)
        content["shape"] = _shape(content, table, name)
        entry = Entry.model_validate(content)
    except (DataSetError, ConfigurationError) as error:
        raise FileError(entry_file, None, f"not written: {error}") from error
    except ValidationError as error:
        problems = "\n".join(map(str, problems_of(error, {}, Entry)))
        raise FileError(entry_file, None, f"not written:\n{problems}") from error
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
    write_whole_file(str(entry_file), [text])
    print(
        f"{entry_file}: {len(table)} rows, {table.X.shape[1]} columns, "
        f"{len(table.class_names)} classes, task {entry.task}",
        file=sys.stderr,
    )
    print("\n".join(notes + _positive(content, table)), file=sys.stderr)
    print(_how_to_run(name, catalogue), file=sys.stderr)
    return 0


def _how_to_run(name: str, catalogue: Path) -> str:
    if catalogue.resolve() != Path(CATALOGUE_FOLDER).resolve():
        return f"a run reads the entries of {CATALOGUE_FOLDER} alone: add it there to run it"
    settings = shlex.quote(f"joachims2005={{data_sets: [{name}]}}")
    return f"run it with: snakemake --cores 2 --config 'papers=[joachims2005]' {settings}"


def _positive(content: dict[str, Any], table: Table) -> list[str]:
    """Return [note on which class is positive] for a binary task, otherwise []."""
    if content["task"] != "binary":
        return []
    if given := content.get("positive", {}).get("classes"):
        return [f"positive: {', '.join(given)}"]
    negative, positive = table.class_names
    return [f"positive: {positive}; for the other class: --positive {shlex.quote(negative)}"]


def _described(arguments, name: str, catalogue: Path) -> tuple[dict[str, Any], Table, list[str]]:
    options = {
        "name": name,
        "target": arguments.target,
        "drop_columns": arguments.drop,
        "positive": arguments.positive,
        "nominal": arguments.nominal,
        "keep": arguments.keep,
    }
    if match := _OPENML.fullmatch(arguments.data):
        return _from_openml(int(match[1]), options)
    source = _source(arguments.data, catalogue)
    return describe_file(arguments.data, source=source, **options)


def _source(data: str, catalogue: Path) -> dict[str, Any]:
    """Return the key `source` of a catalogue entry, with a path relative to the catalogue."""
    file, folder = Path(data).absolute(), catalogue.absolute()
    if file.is_relative_to(folder):
        return {"kind": "file", "files": {"data": file.relative_to(folder).as_posix()}}
    where = os.path.relpath(file.parent, folder)
    return {"kind": "file", "folder": where, "files": {"data": file.name}}


def _from_openml(data_id: int, options: dict[str, Any]) -> tuple[dict[str, Any], Table, list[str]]:
    from beyond_accuracy_pipeline.datasets.download import Downloader
    from beyond_accuracy_pipeline.datasets.openml_source import download_openml

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"openml-{data_id}.arff"
        download_openml(data_id, Downloader(), path)
        source = {"kind": "openml", "id": data_id}
        content, table, notes = describe_file(path, source=source, **options)
    page = f"https://www.openml.org/d/{data_id}"
    content |= {"citation": f"OpenML data set {data_id}, {page}", "licence": f"see {page}"}
    return content, table, notes


def _shape(content: dict[str, Any], table: Table, name: str) -> dict[str, Any]:
    """Return the numbers of training and test rows, classes and features.

    Rows per class are left out, because they depend on the seed.
    """
    if content["task"] == "binary":
        rule = PositiveRule(**content["positive"]) if "positive" in content else None
        table = binary_parts(rule, {"train": table}, name)["train"]
    split = SampleSplit.model_validate(content["split"])
    rows = sample_rows(split, table.y, random_stream(0, name), name)
    shape = dict(zip(("n_train", "n_test"), map(len, rows), strict=True))
    shape["n_classes"] = len(table.class_names)
    shape["n_features"] = int(table.X.shape[1])
    return shape


def _name_of(data: str) -> str:
    if match := _OPENML.fullmatch(data):
        return f"openml-{match[1]}"
    stem = Path(data).name.split(".")[0].casefold()
    # Letters without their accents.
    stem = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9_-]+", "-", stem).strip("-_")
