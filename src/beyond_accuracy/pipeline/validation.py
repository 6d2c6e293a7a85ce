"""Validation of the merged configuration before anything runs: all errors at once."""

import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from beyond_accuracy.pipeline.configuration import Configuration, PaperConfiguration
from beyond_accuracy.pipeline.locations import KeyPath, Locations, format_key
from beyond_accuracy.pipeline.method_validation import parameter_problems
from beyond_accuracy.pipeline.names import Names
from beyond_accuracy.pipeline.problem import Problem, nearest, repeated, texts, unknown


class ConfigurationError(ValueError):
    """The configuration is not valid; the message lists every error."""


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
    problems.extend(unknown(("papers",), config.get("papers"), "paper", names.papers))
    problems.extend(_mirror_problems(config.get("mirror")))
    for _, paper in texts(config.get("papers")):
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
    yield from _split_problems(paper, section, names)
    methods = section.get("methods")
    choices = [
        ("data_sets", "data set", names.data_sets),
        ("methods_selected", "method", methods if isinstance(methods, Mapping) else ()),
        ("tables", "table", names.tables(paper)),
        ("figures", "figure", names.figures(paper)),
    ]
    for key, kind, valid in choices:
        yield from unknown((paper, key), section.get(key), kind, valid)
    for index, measure in texts(section.get("measures")):
        try:
            names.check_measure(measure)
        except ValueError as error:
            yield Problem((paper, "measures", index), f"unknown measure {measure!r}", str(error))
    yield from repeated((paper, "measures"), section.get("measures"))
    measures = [measure for _, measure in texts(section.get("measures"))]
    for name, method in methods.items() if isinstance(methods, Mapping) else ():
        if isinstance(method, Mapping):
            key = (paper, "methods", name)
            yield from unknown((*key, "measures"), method.get("measures"), "measure", measures)
            yield from parameter_problems(key, method, names)
    yield from _claim_problems(paper, section.get("claims"), names)


def _split_problems(paper: str, section: Mapping[str, Any], names: Names) -> Iterator[Problem]:
    """Yield data sets without a test part of a protocol that needs one."""
    if section.get("protocol") != "binary":
        return
    with_split = [name for name, entry in names.data_sets.items() if entry.split.kind != "none"]
    for index, name in texts(section.get("data_sets")):
        entry = names.data_sets.get(name)
        if entry and entry.split.kind == "none":
            found = f"{name!r}, which has no split into a training and a test part"
            yield Problem((paper, "data_sets", index), found, f"one of: {', '.join(with_split)}")


def _claim_problems(paper: str, claims: object, names: Names) -> Iterator[Problem]:
    known = set(names.claims(paper))
    for index, claim in enumerate(claims if isinstance(claims, list) else ()):
        function = claim.get("function") if isinstance(claim, Mapping) else None
        if isinstance(function, str) and function not in known:
            found = f"unknown function {function!r}"
            key = (paper, "claims", index, "function")
            yield Problem(key, found, nearest(function, known))


def _mirror_problems(mirror: object) -> Iterator[Problem]:
    # The model of the configuration reports what is neither text nor number.
    is_name = isinstance(mirror, str | int | float) and not isinstance(mirror, bool)
    if is_name and not Path(str(mirror)).is_dir():
        found = f"{str(mirror)!r}, which is not a folder"
        yield Problem(("mirror",), found, "an existing folder, or null")


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
