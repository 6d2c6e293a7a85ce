"""The general configuration of a run, ``config/config.yaml``."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, PositiveInt

from beyond_accuracy_pipeline.configuration.parts import Selection, unknown
from beyond_accuracy_pipeline.datasets.faults import CheckedModel, Fault

# What is in the repository, and what Snakemake keeps.
_TAKEN = {".ci", ".git", ".github", ".snakemake", ".venv", "Snakefile", "benchmarks", "checks"}
_TAKEN |= {"config", "docs", "notebooks", "papers", "profiles", "reference", "src", "tests"}
_TAKEN |= {"release", "workflow"}
_LONGEST_PATH = 1000


def _folder(path: str) -> str:
    if not Path(path).is_dir():
        raise ValueError("an existing folder, or null")
    return path


PathText = Annotated[str, Field(coerce_numbers_to_str=True, strict=False, min_length=1)]
"""A path; ``--config results=2026`` is a number for Snakemake."""


def _own_folder(path: str) -> str:
    """Return where results may be written, and ``rm -r`` may be told by people to remove."""
    if not path.isprintable() or set(path) & set("{}") or len(path) > _LONGEST_PATH:
        valid = f"at most {_LONGEST_PATH} characters without braces and line ends"
        raise ValueError(f"the path of a folder, {valid}")
    here = Path.cwd()
    whole = Path(os.path.normpath(here / path))
    if not Path(path).is_absolute() and not whole.is_relative_to(here):
        raise ValueError("a folder below this one, or an absolute path")
    if here.is_relative_to(whole):
        raise ValueError("a folder of its own, such as 'results'")
    if whole.is_relative_to(here) and whole.relative_to(here).parts[0] in _TAKEN:
        raise ValueError(f"a folder of its own, none of {', '.join(sorted(_TAKEN))}")
    return path


def _papers_exist(papers, context) -> Iterator[Fault]:
    return unknown(("papers",), papers, "paper", context)


def _folders_differ(results, resources) -> Iterator[Fault]:
    if Path(results).resolve() == Path(resources).resolve():
        found = f"{resources!r}, which is the folder of results"
        yield Fault(("resources",), found, "a folder of its own")


OwnFolder = Annotated[PathText, AfterValidator(_own_folder)]
"""A folder that a run fills."""


class Configuration(CheckedModel):
    """The keys of ``config/config.yaml``; each selected paper adds a key of its own."""

    checks: ClassVar = (_papers_exist, _folders_differ)

    seed: Annotated[int, Field(ge=0, strict=True)]
    """Seed from which every random stream of the run is derived."""
    states: Annotated[PositiveInt, Field(le=10_000)] = 1
    """How many random states, derived from the seed, everything stochastic is drawn in; values are
    medians over them and a verdict is that of most. With 1 a run takes the least time."""
    papers: Selection
    """Selected papers: names of folders of ``papers/``."""
    mirror: Annotated[PathText, AfterValidator(_folder)] | None = None
    """Folder with the files of the data sets; without it the environment variable
    ``BEYOND_ACCURACY_MIRROR`` counts. Changing it reruns nothing that is already prepared."""
    missing_data: Literal["report", "fail"] = "report"
    """What to do with a data set that no source has, or only with wrong content: report it and
    build the rest, or fail."""
    large_downloads: bool = False
    """Whether files of more than a gigabyte are downloaded; if not, a substitute is used."""
    longest_fit: Annotated[float, Field(gt=0, le=8760, strict=False)] = 48.0
    """Hours after which the fits of a method to a data set are taken to hang: they are killed and
    their job fails, so that the next run tries again. Results do not depend on it."""
    results: OwnFolder = "results"
    """Folder of all results: below this one and none of the repository's, or an absolute path."""
    resources: OwnFolder = "resources"
    """Folder of downloads and prepared data sets, shared by all configurations."""
