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
from beyond_accuracy_pipeline.datasets.faults import Fault, KeyPath, faults_of
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
    """Return the merged configuration with every default filled in, once it has been checked.

    Sections of papers that are not selected are left out. Raises ConfigurationError with all
    errors: file and line, key, the value found and a valid one.

    Parameters
    ----------
    config, command_line : mapping
        The merged configuration and the values of ``--config``, from Snakemake.
    files : sequence of paths
        The merged files, in order of precedence.
    catalogue : mapping
        Data sets that can be selected.
    """
    papers = paper_ids()
    command_line = typed_values(command_line or {})
    config = laid_over(config, command_line)
    merged = MergedFiles(files, command_line)
    faults = [fault for file in merged.files for fault in file.mapping_faults()]
    result = _validated(_run_model(tuple(papers)), config, faults, context=papers)
    result = {key: value for key, value in result.items() if key in Configuration.model_fields}
    selected = config.get("papers")
    for paper in selected if isinstance(selected, list) else ():
        if paper not in papers:
            continue
        try:
            context = Context(catalogue, load_paper(paper))
        except ValueError as error:
            faults.append(Fault(("papers", selected.index(paper)), repr(paper), str(error)))
            continue
        section = config.get(paper)
        result[paper] = _validated(PaperConfiguration, section, faults, (paper,), context)
        if result[paper]:
            result[paper]["states"] = result[paper]["states"] or result.get("states", 1)
            for name in ("tables", "figures"):
                if result[paper][name] is None:
                    result[paper][name] = list(getattr(context.definition, name))
            _check_readings(result[paper], section, faults, (paper,), context)
    if faults:
        raise ConfigurationError(merged.placed(faults))
    return result


@lru_cache
def _run_model(papers: tuple[str, ...]) -> type[Configuration]:
    """Accept papers' sections as keys too, so that misspelt ones get a suggestion."""
    return create_model("Run", __base__=Configuration, **{paper: (Any, None) for paper in papers})


def _check_readings(valid, section, faults, key: KeyPath, context: Context) -> None:
    """Check the section under each reading, and convert the types of the changes."""
    for name, reading in valid["readings"].items():
        place = (*key, "readings", name, "changes")
        changed = laid_over(section, reading["changes"])
        checked = _validated(PaperConfiguration, changed, faults, place, context)
        reading["changes"] = _values_at(reading["changes"], checked)


def _values_at(keys: Mapping[str, Any], valid: Mapping[str, Any]) -> dict[str, Any]:
    """Return a valid mapping's values at the (nested) keys of another."""
    return {
        key: _values_at(value, valid[key]) if isinstance(value, Mapping) else valid[key]
        for key, value in keys.items()
        if key in valid
    }


@lru_cache
def _adapter(model: Any) -> TypeAdapter:
    return TypeAdapter(model)


def _validated(
    model: Any, value: object, faults: list[Fault], key: KeyPath = (), context: object = None
) -> dict[str, Any]:
    """Return the values at `key` with their defaults, and append their faults to `faults`."""
    try:
        return _adapter(model).validate_python(value, context=context).model_dump()
    except ValidationError as error:
        for fault in faults_of(error, value):
            faults.append(replace(fault, key=(*key, *fault.key)))
        return {}
