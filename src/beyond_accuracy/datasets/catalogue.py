"""The data set catalogue: one YAML file a data set, validated as a whole."""

import difflib
from collections.abc import Iterable
from pathlib import Path

import yaml
from pydantic import ValidationError

from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import CatalogueError

Catalogue = dict[str, Entry]


def nearest(name: str, names: Iterable[str], count: int = 3) -> list[str]:
    """Up to ``count`` of ``names`` that look most like a misspelt ``name``, best first."""
    return difflib.get_close_matches(name, sorted(names), n=count, cutoff=0.5)


def load_entry(path: Path | str) -> Entry:
    """Read one catalogue file.

    Raises CatalogueError listing every fault with file, key, what was found and what is valid.
    """
    entry, problems = _read_entry(Path(path))
    if problems:
        raise CatalogueError(problems)
    return entry


def load_catalogue(folder: Path | str) -> Catalogue:
    """Read every ``*.yaml`` of a folder into a mapping from name to entry, ordered by name.

    Raises CatalogueError listing the faults of all files at once, references between entries
    included.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise CatalogueError([f"{folder}: found no such folder; valid is a folder of YAML files"])
    entries: Catalogue = {}
    paths: dict[str, Path] = {}
    problems: list[str] = []
    for path in sorted(folder.glob("*.yaml")):
        entry, found = _read_entry(path)
        problems += found
        if entry is not None:
            entries[entry.name], paths[entry.name] = entry, path
    names = {path.stem for path in folder.glob("*.yaml")}
    for name, entry in entries.items():
        problems += _reference_problems(entry, paths[name], entries, names)
    if problems:
        raise CatalogueError(problems)
    return entries


def entry_named(catalogue: Catalogue, name: str) -> Entry:
    """The entry of ``name``; CatalogueError with the nearest names if there is none."""
    if name not in catalogue:
        raise CatalogueError(
            [f"data set {name!r} is not in the catalogue{_suggest(name, catalogue)}"]
        )
    return catalogue[name]


def _suggest(name: str, names: Iterable[str]) -> str:
    close = nearest(name, names)
    return (
        f"; did you mean {' or '.join(close)}?" if close else f"; valid: {', '.join(sorted(names))}"
    )


def _read_entry(path: Path) -> tuple[Entry | None, list[str]]:
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None, [f"{path}: found no such file; valid is config/datasets/<name>.yaml"]
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        return None, [
            f"{path}: found text that is not YAML ({_one_line(error)}); valid is a mapping"
        ]
    if not isinstance(content, dict):
        return None, [f"{path}: found {type(content).__name__}; valid is a mapping"]
    try:
        entry = Entry.model_validate(content)
    except ValidationError as error:
        return None, [_describe(path, problem) for problem in error.errors()]
    if entry.name != path.stem:
        return entry, [
            f"{path}: name: found {entry.name!r}; valid is the file's name, {path.stem!r}"
        ]
    return entry, []


def _describe(path: Path, problem: dict) -> str:
    key = ".".join(str(part) for part in problem["loc"]) or "(whole file)"
    found = repr(problem["input"])
    if len(found) > 80:
        found = f"{type(problem['input']).__name__}"
    if problem["type"] == "missing":
        return f"{path}: {key}: found nothing; valid: this key is required"
    if problem["type"] == "extra_forbidden":
        last = str(problem["loc"][-1])
        close = nearest(last, Entry.model_fields, 1) if len(problem["loc"]) == 1 else []
        hint = f"did you mean {close[0]}?" if close else "there is no such key"
        return f"{path}: {key}: found {found}; valid: {hint}"
    return f"{path}: {key}: found {found}; valid: {_one_line(problem['msg'])}"


def _one_line(text: object) -> str:
    return " ".join(str(text).removeprefix("Value error, ").split())


def _reference_problems(entry: Entry, path: Path, entries: Catalogue, names: set[str]) -> list[str]:
    problems = []
    for key in ("substitute", "variant_of"):
        other = getattr(entry, key)
        if other is not None and other not in names:
            problems.append(f"{path}: {key}: found {other!r}{_suggest(other, names)}")
    substitute = entries.get(entry.substitute) if entry.substitute else None
    if substitute is not None and substitute.substitute_for != entry.name:
        problems.append(
            f"{path}: substitute: found {substitute.name!r}, whose substitute_for is "
            f"{substitute.substitute_for!r}; valid is {entry.name!r}"
        )
    if substitute is not None and substitute.task != entry.task:
        problems.append(
            f"{path}: substitute: found task {substitute.task!r}; valid is {entry.task!r}"
        )
    return problems
