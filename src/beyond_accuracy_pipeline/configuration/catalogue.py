"""Read and validate the catalogue: one YAML file per data set."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from beyond_accuracy_pipeline.configuration.files import ConfigurationError, MergedFiles
from beyond_accuracy_pipeline.datasets.entry import Catalogue, Entry
from beyond_accuracy_pipeline.datasets.problems import Problem, problems_of, suggestion
from beyond_accuracy_pipeline.datasets.schema import Task


def load_catalogue(folder: Path | str) -> Catalogue:
    """Read the entries of all data sets from the files ``*.yaml`` in a folder.

    Return {name: entry}, in alphabetical order. ConfigurationError lists all problems, such as an
    invalid file or an entry that names another one that does not exist.
    """
    folder = Path(folder)
    if not folder.is_dir():
        problem = Problem((), "no such folder", "a folder of YAML files", str(folder))
        raise ConfigurationError([problem])
    problems = [
        Problem((), "the suffix .yml", f"{path.stem}.yaml", str(path))
        for path in sorted(folder.glob("*.yml"))
    ]
    files, contents, entries = {}, {}, {}
    for path in sorted(folder.glob("*.yaml")):
        contents[path.stem] = {}
        try:
            merged = MergedFiles([path])
        except ConfigurationError as error:
            problems += error.problems
            continue
        (file,) = merged.files
        problems += file.mapping_problems()
        if isinstance(file.content, dict):
            files[path.stem], contents[path.stem] = merged, file.content
    for name, file in files.items():
        try:
            entries[name] = Entry.model_validate(contents[name])
        except ValidationError as error:
            problems += file.with_locations(problems_of(error, contents[name]))
        problems += file.with_locations(_reference_problems(name, contents))
    if problems:
        raise ConfigurationError(problems)
    return entries


def _reference_problems(
    file_name: str, entries: Mapping[str, Mapping[str, Any]]
) -> Iterator[Problem]:
    """Yield problems of an entry's name, and of its references to other, unvalidated entries."""
    entry = entries[file_name]
    name, task = entry.get("name"), entry.get("task")
    if isinstance(name, str) and name != file_name:
        yield Problem(("name",), repr(name), f"the file's name, {file_name!r}")
    for key in ("substitute", "variant_of"):
        other = entry.get(key)
        if isinstance(other, str) and other not in entries:
            yield Problem((key,), repr(other), suggestion(other, entries))
    substitute = entry.get("substitute")
    other = entries.get(substitute) if isinstance(substitute, str) else None
    if not other:
        return
    if other.get("substitute_for") != name:
        found = f"{substitute!r}, whose substitute_for is {other.get('substitute_for')!r}"
        yield Problem(("substitute",), found, f"an entry with substitute_for: {name}")
    if task in get_args(Task) and other.get("task") != task:
        found = f"{substitute!r}, whose task is {other.get('task')!r}"
        yield Problem(("substitute",), found, f"an entry with task: {task}")
