"""The data set catalogue: one YAML file a data set, validated as a whole."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from beyond_accuracy.configuration.files import ConfigurationError, MergedFiles
from beyond_accuracy.datasets.entry import Catalogue, Entry
from beyond_accuracy.datasets.faults import Fault, faults_of, suggestion
from beyond_accuracy.datasets.schema import Task


def load_entry(path: Path | str) -> Entry:
    """Read one catalogue file.

    Raises ConfigurationError listing every fault with file, line, key, what was found and what is
    valid. A missing key has the line of the mapping that lacks it, if that is not the whole file.
    """
    file = _EntryFile(Path(path))
    if file.faults:
        raise ConfigurationError(file.faults)
    return file.entry


def load_catalogue(folder: Path | str) -> Catalogue:
    """Read every ``*.yaml`` of a folder into a mapping from name to entry, ordered by name.

    Raises ConfigurationError listing the faults of all files at once, references between entries
    included.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise ConfigurationError(
            [Fault((), "no such folder", "a folder of YAML files", str(folder))]
        )
    files = {path.stem: _EntryFile(path) for path in sorted(folder.glob("*.yaml"))}
    faults = [
        Fault((), "the suffix .yml", f"{path.stem}.yaml", str(path))
        for path in sorted(folder.glob("*.yml"))
    ]
    contents = {name: file.content for name, file in files.items()}
    for file in files.values():
        faults += [*file.faults, *file.placed(_reference_faults(file.content, contents))]
    if faults:
        raise ConfigurationError(faults)
    return {name: file.entry for name, file in files.items()}


class _EntryFile:
    """A catalogue file: what it says, the entry if that is valid, and all its faults."""

    def __init__(self, path: Path):
        self.content: Mapping[str, Any] = {}
        self.entry: Entry | None = None
        try:
            self._files = MergedFiles([path])
        except ConfigurationError as error:
            self.faults = list(error.faults)
            return
        (file,) = self._files.files
        self.faults = file.mapping_faults()
        if not isinstance(file.content, dict):
            return
        self.content = file.content
        try:
            self.entry = Entry.model_validate(self.content)
        except ValidationError as error:
            self.faults += self.placed(faults_of(error, self.content))
        name = self.content.get("name")
        if isinstance(name, str) and name != path.stem:
            fault = Fault(("name",), repr(name), f"the file's name, {path.stem!r}")
            self.faults += self.placed([fault])

    def placed(self, faults) -> list[Fault]:
        return self._files.placed(faults)


def _reference_faults(
    entry: Mapping[str, Any], entries: Mapping[str, Mapping[str, Any]]
) -> Iterator[Fault]:
    for key in ("substitute", "variant_of"):
        other = entry.get(key)
        if isinstance(other, str) and other not in entries:
            yield Fault((key,), repr(other), suggestion(other, entries))
    substitute = entry.get("substitute")
    other = entries.get(substitute) if isinstance(substitute, str) else None
    if not other:
        return
    name, task = entry.get("name"), entry.get("task")
    if other.get("substitute_for") != name:
        found = f"{substitute!r}, whose substitute_for is {other.get('substitute_for')!r}"
        yield Fault(("substitute",), found, f"an entry with substitute_for: {name}")
    if task in get_args(Task) and other.get("task") != task:
        found = f"{substitute!r}, whose task is {other.get('task')!r}"
        yield Fault(("substitute",), found, f"an entry with task: {task}")
