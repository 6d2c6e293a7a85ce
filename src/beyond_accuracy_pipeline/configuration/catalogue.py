"""The data set catalogue: one YAML file per data set, validated as a whole."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from beyond_accuracy_pipeline.configuration.files import ConfigurationError, MergedFiles
from beyond_accuracy_pipeline.datasets.entry import Catalogue, Entry
from beyond_accuracy_pipeline.datasets.faults import Fault, faults_of, suggestion
from beyond_accuracy_pipeline.datasets.schema import Task


def load_catalogue(folder: Path | str) -> Catalogue:
    """Read every ``*.yaml`` of a folder into a mapping from name to entry, ordered by name.

    Raises ConfigurationError with the faults of all files and of references between entries. A
    missing key has the line of the mapping that lacks it.
    """
    folder = Path(folder)
    if not folder.is_dir():
        fault = Fault((), "no such folder", "a folder of YAML files", str(folder))
        raise ConfigurationError([fault])
    faults = [
        Fault((), "the suffix .yml", f"{path.stem}.yaml", str(path))
        for path in sorted(folder.glob("*.yml"))
    ]
    files, contents, entries = {}, {}, {}
    for path in sorted(folder.glob("*.yaml")):
        contents[path.stem] = {}
        try:
            merged = MergedFiles([path])
        except ConfigurationError as error:
            faults += error.faults
            continue
        (file,) = merged.files
        faults += file.mapping_faults()
        if isinstance(file.content, dict):
            files[path.stem], contents[path.stem] = merged, file.content
    for name, file in files.items():
        try:
            entries[name] = Entry.model_validate(contents[name])
        except ValidationError as error:
            faults += file.placed(faults_of(error, contents[name]))
        faults += file.placed(_reference_faults(name, contents))
    if faults:
        raise ConfigurationError(faults)
    return entries


def _reference_faults(file_name: str, entries: Mapping[str, Mapping[str, Any]]) -> Iterator[Fault]:
    """Yield faults in the name of an entry, and in its references to other entries."""
    entry = entries[file_name]
    name, task = entry.get("name"), entry.get("task")
    if isinstance(name, str) and name != file_name:
        yield Fault(("name",), repr(name), f"the file's name, {file_name!r}")
    for key in ("substitute", "variant_of"):
        other = entry.get(key)
        if isinstance(other, str) and other not in entries:
            yield Fault((key,), repr(other), suggestion(other, entries))
    substitute = entry.get("substitute")
    other = entries.get(substitute) if isinstance(substitute, str) else None
    if not other:
        return
    if other.get("substitute_for") != name:
        found = f"{substitute!r}, whose substitute_for is {other.get('substitute_for')!r}"
        yield Fault(("substitute",), found, f"an entry with substitute_for: {name}")
    if task in get_args(Task) and other.get("task") != task:
        found = f"{substitute!r}, whose task is {other.get('task')!r}"
        yield Fault(("substitute",), found, f"an entry with task: {task}")
