"""Validation of the merged configuration before anything runs: all errors at once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import Field, TypeAdapter, ValidationError, create_model

from beyond_accuracy_pipeline.configuration.binary import BinaryPaper
from beyond_accuracy_pipeline.configuration.files import ConfigurationError, MergedFiles
from beyond_accuracy_pipeline.configuration.multiclass import MulticlassPaper
from beyond_accuracy_pipeline.configuration.multilabel import MultilabelPaper
from beyond_accuracy_pipeline.configuration.parts import Context
from beyond_accuracy_pipeline.configuration.run import Configuration
from beyond_accuracy_pipeline.datasets.entry import Catalogue
from beyond_accuracy_pipeline.datasets.problems import KeyPath, Problem, problems_of
from beyond_accuracy_pipeline.papers import load_paper, paper_ids
from beyond_accuracy_pipeline.results.variants import laid_over

PaperConfiguration = Annotated[
    BinaryPaper | MulticlassPaper | MultilabelPaper, Field(discriminator="protocol")
]
"""The section of a paper, by its protocol."""


def validate_configuration(
    config: Mapping[str, Any],
    files: Sequence[str | Path],
    catalogue: Catalogue,
    *,
    command_line: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Check the merged configuration of a run, and return it with all default values.

    `config` is the merged content of `files`; later files have precedence. `command_line` has the
    values of ``--config``, and `catalogue` the entries of all data sets. Sections of papers that
    are not selected are left out. ConfigurationError lists all problems, with files and lines.
    """
    papers = paper_ids()
    command_line = _typed(command_line or {})
    config = laid_over(config, command_line)
    merged = MergedFiles(files, command_line)
    problems = [problem for file in merged.files for problem in file.mapping_problems()]
    result = _validated(_run_model(tuple(papers)), config, problems, context=papers)
    result = {key: value for key, value in result.items() if key in Configuration.model_fields}
    selected = config.get("papers")
    for paper in selected if isinstance(selected, list) else ():
        if paper not in papers:
            continue
        try:
            context = Context(catalogue, load_paper(paper))
        except ValueError as error:
            problems.append(Problem(("papers", selected.index(paper)), repr(paper), str(error)))
            continue
        section = config.get(paper)
        result[paper] = _validated(PaperConfiguration, section, problems, (paper,), context)
        if result[paper]:
            result[paper]["states"] = result[paper]["states"] or result.get("states", 1)
            for name in ("tables", "figures"):
                if result[paper][name] is None:
                    result[paper][name] = list(getattr(context.definition, name))
            _check_readings(result[paper], section, problems, (paper,), context)
    if problems:
        raise ConfigurationError(merged.with_locations(problems))
    return result


def _typed(value: Any) -> Any:
    """Convert values of ``--config`` that Snakemake leaves as text to their types in YAML."""
    if isinstance(value, Mapping):
        return {key: _typed(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_typed(below) for below in value]
    if not isinstance(value, str) or not value:
        return value
    try:
        typed = yaml.safe_load(value)
    except (yaml.YAMLError, ValueError, OverflowError):
        return value
    return typed if typed is None or isinstance(typed, bool | int | float) else value


@lru_cache
def _run_model(papers: tuple[str, ...]) -> type[Configuration]:
    """Return a model that accepts papers as keys, so that a misspelt name gets a suggestion."""
    return create_model("Run", __base__=Configuration, **{paper: (Any, None) for paper in papers})


def _check_readings(valid, section, problems, key: KeyPath, context: Context) -> None:
    """Check a paper's section under each reading, and give changed values their valid types."""
    for name, reading in valid["readings"].items():
        reading_key = (*key, "readings", name, "changes")
        changed = laid_over(section, reading["changes"])
        checked = _validated(PaperConfiguration, changed, problems, reading_key, context)
        reading["changes"] = _values_at(reading["changes"], checked)


def _values_at(keys: Mapping[str, Any], valid: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values in `valid` that have the keys of `keys`, a nested mapping."""
    return {
        key: _values_at(value, valid[key]) if isinstance(value, Mapping) else valid[key]
        for key, value in keys.items()
        if key in valid
    }


@lru_cache
def _adapter(model: Any) -> TypeAdapter:
    return TypeAdapter(model)


def _validated(
    model: Any, value: object, problems: list[Problem], key: KeyPath = (), context: object = None
) -> dict[str, Any]:
    """Validate a value and return it as a dict with all defaults.

    If there are problems, they are added to `problems`, and the result is empty.
    """
    try:
        return _adapter(model).validate_python(value, context=context).model_dump()
    except ValidationError as error:
        for problem in problems_of(error, value):
            problems.append(replace(problem, key=(*key, *problem.key)))
        return {}
