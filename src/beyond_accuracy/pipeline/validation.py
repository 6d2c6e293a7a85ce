"""Validation of the merged configuration before anything runs: all errors at once."""

import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from beyond_accuracy.datasets.explain import shown
from beyond_accuracy.pipeline.adaptation_validation import adaptation_problems
from beyond_accuracy.pipeline.command_line import laid_over, typed_values
from beyond_accuracy.pipeline.configuration import PAPER_MODELS, Configuration
from beyond_accuracy.pipeline.label_validation import label_paper_problems
from beyond_accuracy.pipeline.locations import KeyPath, Locations, format_key
from beyond_accuracy.pipeline.method_validation import measure_problems, parameter_problems
from beyond_accuracy.pipeline.names import Names
from beyond_accuracy.pipeline.problem import Problem, items, nearest, repeated, texts, unknown
from beyond_accuracy.pipeline.reweighting_validation import reweighting_problems


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
        Values given with ``--config``, as Snakemake hands them over: with texts for most of what
        is no text.

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
    command_line = typed_values(command_line or {})
    config = laid_over(config, command_line)
    locations = Locations(files, command_line)
    problems = [
        Problem(path, "the key is given twice", "each key once", place)
        for place, path in locations.duplicates()
    ]
    general = {key: value for key, value in config.items() if key not in names.papers}
    result = _check_model(Configuration, general, (), problems, also_valid=names.papers)
    problems.extend(unknown(("papers",), config.get("papers"), "paper", names.papers))
    problems.extend(_mirror_problems(config.get("mirror")))
    problems.extend(_folder_problems(result))
    for _, paper in texts(config.get("papers")):
        if paper in names.papers:
            section = config.get(paper)
            model = _paper_model((paper,), section, problems)
            if model is None:
                continue
            result[paper] = _check_model(model, section, (paper,), problems)
            if isinstance(section, Mapping):
                problems.extend(_selection_problems(paper, section, names))
    if problems:
        raise ConfigurationError(_message(problems, locations))
    return result


def _paper_model(key: KeyPath, section: object, problems: list[Problem]) -> type[BaseModel] | None:
    """Return the model of the paper's protocol; without one, say so and return None."""
    protocol = section.get("protocol") if isinstance(section, Mapping) else None
    if isinstance(protocol, str) and protocol in PAPER_MODELS:
        return PAPER_MODELS[protocol]
    if not isinstance(section, Mapping) or "protocol" not in section:
        return next(iter(PAPER_MODELS.values()))
    valid = nearest(protocol, PAPER_MODELS)
    problems.append(Problem((*key, "protocol"), repr(protocol), valid))
    return None


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
            elif detail["type"] in ("model_type", "dict_type"):
                problems.append(Problem(key, shown(detail["input"]), "a mapping of keys to values"))
            else:
                valid = detail["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
                problems.append(Problem(key, shown(detail["input"]), valid))
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
        if typing.get_origin(annotation) is types.UnionType:
            # A section that may be left out: the model, or None.
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
    # The models of other protocols know their measures.
    checked = section.get("measures") if section.get("protocol") == "binary" else ()
    for index, measure in texts(checked):
        try:
            names.check_measure(measure)
        except ValueError as error:
            yield Problem((paper, "measures", index), f"unknown measure {measure!r}", str(error))
    yield from repeated((paper, "measures"), section.get("measures"))
    if section.get("protocol") == "multilabel":
        yield from label_paper_problems(paper, section, names)
        yield from _claim_problems(paper, section.get("claims"), names)
        return
    selected = {name for _, name in texts(section.get("methods_selected"))}
    for name, method in items(methods):
        if isinstance(method, Mapping):
            key = (paper, "methods", name)
            yield from measure_problems(key, method, section, names, selected=name in selected)
            if section.get("protocol") == "multiclass":
                # What is not selected may be for other data sets than those of the paper.
                chosen = texts(section.get("data_sets")) if name in selected else ()
                yield from reweighting_problems(key, method, [one for _, one in chosen])
            else:
                yield from parameter_problems(key, method, names)
    if section.get("protocol") == "binary":
        yield from adaptation_problems(paper, section, names)
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
    seen: set[str] = set()
    for index, claim in enumerate(claims if isinstance(claims, list) else ()):
        identifier = claim.get("id") if isinstance(claim, Mapping) else None
        if isinstance(identifier, str):
            if identifier in seen:
                found = f"{identifier!r}, which an earlier claim has"
                yield Problem((paper, "claims", index, "id"), found, "an id of its own")
            seen.add(identifier)
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


def _folder_problems(general: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield that results and resources would be mixed; `general` is empty if it is not valid."""
    if general and Path(general["results"]).resolve() == Path(general["resources"]).resolve():
        found = f"{general['resources']!r}, which is the folder of results"
        yield Problem(("resources",), found, "a folder of its own")


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
