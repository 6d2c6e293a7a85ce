"""Validation of the merged configuration before anything runs: all errors at once."""

import difflib
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from beyond_accuracy.pipeline.configuration import Configuration, PaperConfiguration
from beyond_accuracy.pipeline.locations import KeyPath, Locations, format_key
from beyond_accuracy.pipeline.names import Names


class ConfigurationError(ValueError):
    """The configuration is not valid; the message lists every error."""


@dataclass(frozen=True)
class Problem:
    """One error of the configuration."""

    key: KeyPath
    """Where it is, e.g. ``("joachims2005", "data_sets", 0)``."""

    found: str
    """What stands there."""

    valid: str
    """What could stand there."""

    place: str | None = None
    """File and line, if it is not the place of `key`."""


def nearest(name: object, names: Iterable[str]) -> str:
    """Return ``did you mean 'x'?`` and all names in order, for an error message."""
    known = sorted(names)
    close = difflib.get_close_matches(str(name), known, n=1, cutoff=0.5)
    listing = ", ".join(known) if known else "none"
    return f"did you mean {close[0]!r}? Valid: {listing}" if close else f"one of: {listing}"


def validate_configuration(
    config: Mapping[str, Any],
    files: Sequence[str | Path],
    names: Names,
    *,
    command_line: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Check the merged configuration and fill in the defaults.

    Parameters
    ----------
    config : mapping
        The merged configuration, as Snakemake hands it over.
    files : sequence of paths
        The files it was merged from, the one that wins last.
    names : Names
        What can be selected.
    command_line : mapping, optional
        Values given with ``--config``.

    Returns
    -------
    dict
        The configuration with every default filled in; sections of papers that are not
        selected are left out.

    Raises
    ------
    ConfigurationError
        Listing all errors, each with file and line, key, what was found and what would be valid.
    ConfigurationSyntaxError
        If one of `files` is not valid YAML.
    """
    locations = Locations(files, command_line)
    problems = [
        Problem(path, "the key is given twice", "each key once", place)
        for place, path in locations.duplicates()
    ]
    general = {key: value for key, value in config.items() if key not in names.papers}
    result = _check_model(Configuration, general, (), problems, also_valid=names.papers)
    problems.extend(_unknown(("papers",), config.get("papers"), "paper", names.papers))
    problems.extend(_mirror_problems(config.get("mirror")))
    for _, paper in _texts(config.get("papers")):
        if paper in names.papers:
            section = config.get(paper)
            result[paper] = _check_model(PaperConfiguration, section, (paper,), problems)
            if isinstance(section, Mapping):
                problems.extend(_selection_problems(paper, section, names))
    if problems:
        raise ConfigurationError(_message(problems, locations))
    return result


def _check_model(
    model: type[BaseModel],
    value: object,
    prefix: KeyPath,
    problems: list[Problem],
    also_valid: Iterable[str] = (),
) -> dict[str, Any]:
    try:
        return model.model_validate(value).model_dump()
    except ValidationError as error:
        for detail in error.errors():
            path = tuple(part for part in detail["loc"] if part != "[key]")
            key = (*prefix, *path)
            if detail["type"] == "extra_forbidden":
                fields = _fields_at(model, path[:-1])
                valid = nearest(path[-1], {*fields, *(also_valid if len(path) == 1 else ())})
                problems.append(Problem(key, f"unknown key {path[-1]!r}", valid))
            elif detail["type"] == "missing":
                problems.append(Problem(key, "the key is missing", "give it a value"))
            else:
                valid = detail["msg"].removeprefix("Input should be ")
                problems.append(Problem(key, repr(detail["input"]), valid))
        return {}


def _fields_at(annotation: Any, path: KeyPath) -> list[str]:
    """Return the field names of the model that stands at `path` below a model or type."""
    for part in path:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            annotation = annotation.model_fields[str(part)].annotation
        else:
            annotation = typing.get_args(annotation)[-1]
        while typing.get_origin(annotation) is typing.Annotated:
            annotation = typing.get_args(annotation)[0]
    return list(annotation.model_fields)


def _selection_problems(paper: str, section: Mapping[str, Any], names: Names) -> Iterator[Problem]:
    methods = section.get("methods")
    choices = [
        ("data_sets", "data set", names.data_sets),
        ("methods_selected", "method", methods if isinstance(methods, Mapping) else ()),
        ("tables", "table", names.tables(paper)),
        ("figures", "figure", names.figures(paper)),
    ]
    for key, kind, valid in choices:
        yield from _unknown((paper, key), section.get(key), kind, valid)
    for index, measure in _texts(section.get("measures")):
        try:
            names.check_measure(measure)
        except ValueError as error:
            yield Problem((paper, "measures", index), f"unknown measure {measure!r}", str(error))
    yield from _repeated((paper, "measures"), section.get("measures"))
    measures = [measure for _, measure in _texts(section.get("measures"))]
    for name, method in methods.items() if isinstance(methods, Mapping) else ():
        if isinstance(method, Mapping):
            key = (paper, "methods", name)
            yield from _unknown((*key, "measures"), method.get("measures"), "measure", measures)
            yield from _parameter_problems(key, method, names)
    yield from _claim_problems(paper, section.get("claims"), names)


def _parameter_problems(key: KeyPath, method: Mapping[str, Any], names: Names) -> Iterator[Problem]:
    estimator = method.get("estimator")
    if not isinstance(estimator, str):
        return
    try:
        parameters = set(names.parameters(estimator))
    except ValueError as error:
        yield Problem((*key, "estimator"), repr(estimator), str(error))
        return
    grid = _keys(method.get("grid"))
    for part in ("parameters", "selection_parameters", "grid", "extend_grid"):
        owner, known = ("grid", grid) if part == "extend_grid" else (estimator, parameters)
        for name in sorted(_keys(method.get(part)) - known):
            found = f"{name!r}, which is no parameter of {owner}"
            yield Problem((*key, part, name), found, nearest(name, known))
    for part in ("parameters", "selection_parameters"):
        for name in sorted(grid & _keys(method.get(part))):
            found = f"{name!r} is fixed, but also in the grid"
            yield Problem((*key, part, name), found, "only one of the two")


def _claim_problems(paper: str, claims: object, names: Names) -> Iterator[Problem]:
    known = set(names.claims(paper))
    for index, claim in enumerate(claims if isinstance(claims, list) else ()):
        function = claim.get("function") if isinstance(claim, Mapping) else None
        if isinstance(function, str) and function not in known:
            found = f"unknown function {function!r}"
            key = (paper, "claims", index, "function")
            yield Problem(key, found, nearest(function, known))


def _unknown(key: KeyPath, value: object, kind: str, valid: Iterable[str]) -> Iterator[Problem]:
    known = set(valid)
    for index, name in _texts(value):
        if name not in known:
            yield Problem((*key, index), f"unknown {kind} {name!r}", nearest(name, known))
    yield from _repeated(key, value)


def _repeated(key: KeyPath, value: object) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, name in _texts(value):
        if name in seen:
            yield Problem((*key, index), f"{name!r} is listed twice", "each name once")
        seen.add(name)


def _texts(value: object) -> list[tuple[int, str]]:
    """Return the texts of a list with their index; the model reports whatever else it holds."""
    items = enumerate(value) if isinstance(value, list) else ()
    return [(index, item) for index, item in items if isinstance(item, str)]


def _keys(value: object) -> set[str]:
    return set(value) if isinstance(value, Mapping) else set()


def _mirror_problems(mirror: object) -> Iterator[Problem]:
    if isinstance(mirror, str) and not Path(mirror).is_dir():
        yield Problem(
            ("mirror",), f"{mirror!r}, which is not a folder", "an existing folder, or null"
        )


def _message(problems: Sequence[Problem], locations: Locations) -> str:
    count = "1 error" if len(problems) == 1 else f"{len(problems)} errors"
    lines = [f"The configuration has {count}; nothing was run."]
    for problem in problems:
        place = problem.place or locations.of(problem.key)
        lines += [
            f"  {place}: {format_key(problem.key)}",
            f"    found: {problem.found}",
            f"    valid: {problem.valid}",
        ]
    return "\n".join(lines)
