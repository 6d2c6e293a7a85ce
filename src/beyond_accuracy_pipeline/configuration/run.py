"""Pydantic model of the general configuration of a run, ``config/config.yaml``."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, PositiveInt

from beyond_accuracy_pipeline.configuration.parts import PAPERS_GUIDE, Selection, unknown
from beyond_accuracy_pipeline.datasets.problems import CheckedModel, Problem
from beyond_accuracy_pipeline.papers import FOLDER


def _folder(path: str) -> str:
    if not Path(path).is_dir():
        raise ValueError("an existing folder, or null")
    return path


PathText = Annotated[str, Field(coerce_numbers_to_str=True, strict=False, min_length=1)]
"""A path; ``--config results=2026`` is a number for Snakemake."""


def _own_folder(path: str) -> str:
    """Return the path of a folder for results; raise ValueError if it may hold other files."""
    here = Path.cwd()
    whole = Path(os.path.normpath(here / path))
    if not Path(path).is_absolute() and not whole.is_relative_to(here):
        raise ValueError("a folder below this one, or an absolute path")
    if here.is_relative_to(whole):
        raise ValueError("a folder of its own, such as 'results'")
    return path


def _papers_exist(papers, context) -> Iterator[Problem]:
    for problem in unknown(("papers",), papers, "paper", context):
        folder = FOLDER / papers[problem.key[-1]]
        if folder.is_dir():
            found = f"{folder.name!r}, whose folder has no paper.yaml"
            valid = f"write {folder / 'paper.yaml'} (an example is in {PAPERS_GUIDE})"
            problem = replace(problem, found=found, valid=valid)
        yield problem


OwnFolder = Annotated[PathText, AfterValidator(_own_folder)]
"""A folder that a run fills."""


class Configuration(CheckedModel):
    """General settings of a run, the keys of ``config/config.yaml``.

    Each selected paper adds a key, its id, for its own settings.
    """

    checks: ClassVar = (_papers_exist,)

    seed: Annotated[int, Field(ge=0, strict=True)]
    """Seed from which all seeds of the run are derived."""
    states: Annotated[PositiveInt, Field(le=10_000)] = 1
    """Number of seeds for everything random; a verdict needs more than half of them."""
    papers: Selection
    """Selected papers: names of folders of ``papers/``."""
    mirror: Annotated[PathText, AfterValidator(_folder)] | None = None
    """Folder with the files of the data sets; by default ``BEYOND_ACCURACY_MIRROR`` of the
    environment."""
    missing_data: Literal["report", "fail"] = "report"
    """What to do if no source of a data set is correct: report it and build the rest, or fail."""
    large_downloads: bool = False
    """Whether files of more than a gigabyte are downloaded; otherwise substitutes are used."""
    longest_fit: Annotated[float, Field(gt=0, le=8760, strict=False)] = 48.0
    """Hours after which the fits of one method to one data set are killed and their job fails."""
    results: OwnFolder = "results"
    """Folder of all results: a new folder below this one, or an absolute path."""
    resources: OwnFolder = "resources"
    """Folder of downloads and prepared data sets, shared by all configurations."""
