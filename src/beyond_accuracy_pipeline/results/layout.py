"""Paths of files in the folder of results, and lists of the files that a paper needs.

The paths are patterns: `SCORES.format(paper=…, data_set=…, job=…)` is the path of a file. In all
functions, `paper` is a paper's configuration, unless it is a str.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from beyond_accuracy_pipeline.results.columns import STUDY_COLUMNS, Part
from beyond_accuracy_pipeline.results.variants import (
    data_set_in_place,
    method_measures,
    under_reading,
    variants,
)

SCORES = "{paper}/scores/{data_set}/{job}.npz"
FITS = "{paper}/fits/{data_set}/{job}.parquet"
SECONDS = "{paper}/seconds/{data_set}/{job}.parquet"
FITS_OF_JOBS = "{paper}/fits.parquet"
SUMMED_SECONDS = "{paper}/seconds.csv"
"""The reference has these two files instead of the files of jobs: the fits of all jobs, and the
summed times of the configured protocol with the first seed."""
STUDY = "{paper}/studies/{study}/{data_set}.parquet"
STUDY_SECONDS = "{paper}/studies/{study}/seconds/{data_set}.parquet"
CONFIGURATION = "{paper}/configuration.json"
MEASUREMENTS = "{paper}/measurements.parquet"
INTERVALS = "{paper}/intervals.parquet"
TABLE = "{paper}/tables/{table}.{suffix}"
FIGURE = "{paper}/figures/{figure}.{suffix}"
PAPER_CLAIMS = "{paper}/claims.csv"
CLAIMS = "claims.csv"
AGREEMENT = "agreement.csv"
DATA_SETS = "data_sets.csv"
SITE = "index.html"
PAGES = "pages"
"""Folder of all pages except the first."""
RUN = "pages/run.json"
"""Date, machine and versions of a run. This file is not a result."""

WITHOUT_DATA = "simulated"
"""Name that replaces the data set for a study without data."""


def used_data_sets(paper: Mapping[str, Any]) -> list[str]:
    """Return the names of all data sets that a paper or its additional experiments use."""
    names = list(paper["data_sets"])
    for study in paper.get("studies") or {}:
        names += [name for name in study_data_sets(paper, study) if name != WITHOUT_DATA]
    for variant in variants(paper):
        changed = under_reading(paper, variant.reading)["data_sets"]
        names += [data_set_in_place(paper, variant.reading, name) for name in changed]
    return list(dict.fromkeys(names))


def fitted_pairs(paper: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return all pairs (data set, method) that a paper's main experiment fits."""
    return [
        (data_set, method)
        for data_set in paper["data_sets"]
        for method in paper["methods_selected"]
        if data_set in (paper["methods"][method].get("data_sets") or paper["data_sets"])
        and method_measures(paper, method)
    ]


def study_data_sets(paper: Mapping[str, Any], study: str) -> list[str]:
    """Return the data sets of a paper's additional experiment `study`, in the paper's order.

    If the study simulates its data, return [`WITHOUT_DATA`].
    """
    settings = (paper.get("studies") or {}).get(study)
    if settings is None:
        return []
    if not any("data_set" in columns for columns in STUDY_COLUMNS[study].values()):
        return [WITHOUT_DATA]
    named = settings.get("data_sets") or paper["data_sets"]
    selected = [name for name in paper["data_sets"] if name in named]
    return [named[name] for name in selected] if isinstance(named, Mapping) else selected


def study_jobs(paper: Mapping[str, Any]) -> dict[tuple[str, str, int], list[str]]:
    """Return {(data set, job, seed number): additional experiments that the job runs}."""
    jobs: dict[tuple[str, str, int], list[str]] = {}
    for study, settings in (paper.get("studies") or {}).items():
        for data_set in study_data_sets(paper, study):
            for state in study_states(paper, study):
                jobs.setdefault((data_set, settings.get("job") or study, state), []).append(study)
    return jobs


def study_states(paper: Mapping[str, Any], study: str) -> list[int]:
    """Return the seed numbers with which `study`, an additional experiment, is run.

    These are all seed numbers of the paper if the study's settings have `every_state: true`,
    otherwise [1].
    """
    every = paper["studies"][study].get("every_state")
    return list(range(1, (every and paper.get("states") or 1) + 1))


def study_file(
    folder: str | Path, paper: str, study: str, data_set: str, part: Part = "rows", state: int = 1
) -> Path:
    """Return the path of a study's result file for one data set and seed number `state`."""
    pattern = STUDY if part == "rows" else STUDY_SECONDS
    name = data_set if state == 1 else f"{data_set}/state{state}"
    return Path(folder) / pattern.format(paper=paper, study=study, data_set=name)
