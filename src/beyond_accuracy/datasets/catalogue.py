"""The data set catalogue: one YAML file a data set, validated as a whole."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import ValidationError

from beyond_accuracy.datasets.consistency import Fault
from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import CatalogueError, nearest
from beyond_accuracy.datasets.explain import faults_of, shown
from beyond_accuracy.datasets.schema import Task
from beyond_accuracy.datasets.yaml_lines import (
    ConfigurationSyntaxError,
    compose,
    content_of,
    duplicate_keys,
    format_key,
    line_of,
)

Catalogue = dict[str, Entry]


def load_entry(path: Path | str) -> Entry:
    """Read one catalogue file.

    Raises CatalogueError listing every fault with file, line, key, what was found and what is
    valid. A missing key has the line of the mapping that lacks it, if that is not the whole file.
    """
    file = _File(Path(path))
    if file.problems:
        raise CatalogueError(file.problems)
    return file.entry


def load_catalogue(folder: Path | str) -> Catalogue:
    """Read every ``*.yaml`` of a folder into a mapping from name to entry, ordered by name.

    Raises CatalogueError listing the faults of all files at once, references between entries
    included.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise CatalogueError([f"{folder}: found no such folder; valid is a folder of YAML files"])
    files = {path.stem: _File(path) for path in sorted(folder.glob("*.yaml"))}
    problems = [
        f"{path}: found the suffix .yml; valid: {path.stem}.yaml"
        for path in sorted(folder.glob("*.yml"))
    ]
    for file in files.values():
        problems += file.problems
        problems += [file.problem(fault) for fault in _reference_faults(file, files)]
    if problems:
        raise CatalogueError(problems)
    return {name: file.entry for name, file in files.items()}


def entry_named(catalogue: Catalogue, name: str) -> Entry:
    """The entry of ``name``; CatalogueError with the nearest names if there is none."""
    if name not in catalogue:
        raise CatalogueError(
            [f"data set {name!r} is not in the catalogue; {_suggestion(name, catalogue)}"]
        )
    return catalogue[name]


@dataclass
class _File:
    """A catalogue file: what it says, the entry if that is valid, and all its problems."""

    path: Path
    content: Mapping[str, Any] = field(init=False, default_factory=dict)
    entry: Entry | None = field(init=False, default=None)
    problems: list[str] = field(init=False, default_factory=list)
    _root: yaml.Node | None = field(init=False, default=None)

    def __post_init__(self):
        if not self.path.is_file():
            self.problems = [
                f"{self.path}: found no such file; valid is config/datasets/<name>.yaml"
            ]
            return
        try:
            self._root = compose(self.path)
            content = content_of(self.path, self._root)
        except ConfigurationSyntaxError as error:
            self.problems = [str(error)]
            return
        if not isinstance(content, dict):
            found = "nothing" if content is None else shown(content)
            self.problems = [f"{self.path}: found {found}; valid: a mapping of keys to values"]
            return
        self.content = content
        self.problems = [
            f"{self.path}, line {line}: {format_key(key)}: found the key a second time; "
            "valid: each key once"
            for key, line in duplicate_keys(self._root)
        ]
        self.problems += [self.problem(fault) for fault in self._faults()]

    def problem(self, fault: Fault) -> str:
        """A fault with its place: file and line."""
        lines = (line_of(self._root, fault.key[:length]) for length in range(len(fault.key), 0, -1))
        line = next((line for line in lines if line is not None), None)
        return f"{self.path}{f', line {line}' if line else ''}: {fault}"

    def _faults(self) -> Iterator[Fault]:
        try:
            self.entry = Entry.model_validate(self.content)
        except ValidationError as error:
            yield from faults_of(error, self.content)
        name = self.content.get("name")
        if isinstance(name, str) and name != self.path.stem:
            yield Fault(("name",), repr(name), f"the file's name, {self.path.stem!r}")


def _suggestion(name: str, names: Iterable[str]) -> str:
    close = nearest(name, names)
    return f"did you mean {' or '.join(close)}?" if close else f"one of {', '.join(sorted(names))}"


def _reference_faults(file: _File, files: Mapping[str, _File]) -> Iterator[Fault]:
    for key in ("substitute", "variant_of"):
        other = file.content.get(key)
        if isinstance(other, str) and other not in files:
            yield Fault((key,), repr(other), _suggestion(other, files))
    substitute = file.content.get("substitute")
    other = files.get(substitute) if isinstance(substitute, str) else None
    if other is None or not other.content:
        return
    name, task = file.content.get("name"), file.content.get("task")
    if other.content.get("substitute_for") != name:
        found = f"{substitute!r}, whose substitute_for is {other.content.get('substitute_for')!r}"
        yield Fault(("substitute",), found, f"an entry with substitute_for: {name}")
    if task in get_args(Task) and other.content.get("task") != task:
        found = f"{substitute!r}, whose task is {other.content.get('task')!r}"
        yield Fault(("substitute",), found, f"an entry with task: {task}")
