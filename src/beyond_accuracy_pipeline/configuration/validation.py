"""Validation of the merged configuration before anything runs: all errors at once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError, create_model

from beyond_accuracy_pipeline.configuration.binary import BinaryPaper
from beyond_accuracy_pipeline.configuration.command_line import typed_values
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
    """Check the merged configuration and return it with all default values.

    Sections of papers that are not selected are left out.

    Parameters
    ----------
    config, command_line : mapping
        The merged configuration and the values of ``--config``, from Snakemake.
    files : sequence of paths
        The merged files, in order of precedence.
    catalogue : mapping of name to Entry
        Data sets that can be selected.

    Raises
    ------
    ConfigurationError
        Lists all problems: file and line, key, the value found and valid values.
    """
    papers = paper_ids()
    command_line = typed_values(command_line or {})
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


@lru_cache
def _run_model(papers: tuple[str, ...]) -> type[Configuration]:
    """Return a subclass of Configuration that accepts the sections of all papers as keys.

    So a misspelt name of a paper gets a suggestion.
    """
    return create_model("Run", __base__=Configuration, **{paper: (Any, None) for paper in papers})


def _check_readings(valid, section, problems, key: KeyPath, context: Context) -> None:
    """Check a paper's section under each of its readings (variants of the protocol).

    `valid` is the validated section and `section` the original one, at the key path `key`. The
    changes of each reading in `valid` get their valid types, in place. Problems are appended to
    `problems`.
    """
    for name, reading in valid["readings"].items():
        place = (*key, "readings", name, "changes")
        changed = laid_over(section, reading["changes"])
        checked = _validated(PaperConfiguration, changed, problems, place, context)
        reading["changes"] = _values_at(reading["changes"], checked)


def _values_at(keys: Mapping[str, Any], valid: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of `valid` at the keys of another mapping, which may be nested."""
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
    """Validate a value against a model and return it as a dict with all default values.

    Problems are appended to `problems`; then the dict is empty. `key` is the key path of the value.
    """
    try:
        return _adapter(model).validate_python(value, context=context).model_dump()
    except ValidationError as error:
        for problem in problems_of(error, value):
            problems.append(replace(problem, key=(*key, *problem.key)))
        return {}
