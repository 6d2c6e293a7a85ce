"""The reference: the results of full runs, in a form small enough to be committed.

Its files are those of a run under the same names, so that what reads the one reads the other;
scores and fits, which are large, are left out. Each paper, and each arena, may come from a run of
its own.
"""

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path

import pandas as pd

from beyond_accuracy.reporting.paper import Paper
from beyond_accuracy.results import layout
from beyond_accuracy.results.damage import check_unchanged, existing
from beyond_accuracy.results.frames import write_csv

MANIFEST = "reference.json"
GUIDE = "README.md"
_OF_ALL_PAPERS = {layout.CLAIMS: "paper", layout.AGREEMENT: "paper", layout.DATA_SETS: "data_set"}
_OF_PAPER = (layout.CONFIGURATION, layout.MEASUREMENTS, layout.INTERVALS, layout.PAPER_CLAIMS)


def reported_papers(results: str | Path, papers: Sequence[str]) -> list[str]:
    """Return those of the papers that a folder of results has measurements of."""
    folder = Path(results)
    return [name for name in papers if (folder / layout.MEASUREMENTS.format(paper=name)).is_file()]


def write_reference(
    results: str | Path, reference: str | Path, papers: Mapping[str, Paper]
) -> dict[str, dict[str, str]]:
    """Replace papers of the reference by the results of a run, and return its manifest.

    Parameters
    ----------
    results, reference : path
        Folders; of the latter everything else is kept.
    papers : dict of str to Paper
        What is replaced, by its name.

    Returns
    -------
    dict
        For each paper and arena of the reference the `version` and `date` of its run, and
        `configuration`, its digest.

    Raises
    ------
    FileNotFoundError
        If the run lacks a file; nothing is replaced then.
    DamagedFile
        If a file of the run is not what a job wrote, such as a verdict changed by hand; likewise.
    FileExistsError
        If the folder holds other files than a reference's.
    """
    source, target = Path(results), Path(reference)
    check_unchanged(source, papers)
    files = [file for name in papers for file in _files(source, name, papers[name])]
    for file in files:
        existing(source / file)
    manifest = _manifest(target)
    joined = {file: _joined(source, target, file, key) for file, key in _OF_ALL_PAPERS.items()}
    for name in papers:
        shutil.rmtree(target / name, ignore_errors=True)
    for file in files:
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / file, target / file)
    for file, frame in joined.items():
        write_csv(target / file, frame)
    # The day of the run, not of the copy.
    seconds = (source / layout.CLAIMS).stat().st_mtime
    run = {
        "version": version("beyond-accuracy"),
        "date": datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d"),
    }
    for name in papers:
        manifest[name] = run | {"configuration": configuration_digest(target, name)}
    text = json.dumps(manifest, indent=1, sort_keys=True)
    (target / MANIFEST).write_text(f"{text}\n", encoding="utf-8")
    return manifest


def _joined(source: Path, target: Path, file: str, key: str) -> pd.DataFrame:
    """Return the rows of the run, and those of the reference whose key the run does not have."""
    read = partial(pd.read_csv, keep_default_na=False, dtype=str)
    own = read(existing(source / file))
    if (target / file).is_file():
        other = read(target / file)
        own = pd.concat([own, other[~other[key].isin(own[key])]])
    return own.sort_values(key, kind="stable").fillna("")


def configuration_digest(folder: str | Path, paper: str) -> str:
    """Return the sha256 of the configuration of a paper that a run has left.

    The number of random states, the selection of readings and the jobs that share a start are no
    part of it: what is drawn in the first state, and the headline, do not depend on them.
    """
    file = existing(Path(folder) / layout.CONFIGURATION.format(paper=paper))
    more = {"states": None, "readings_selected": None}
    configuration = json.loads(file.read_text(encoding="utf-8"), object_hook=_without_job) | more
    return hashlib.sha256(json.dumps(configuration, sort_keys=True).encode()).hexdigest()


def _without_job(mapping: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in mapping.items() if key != "job"}


def _files(results: Path, name: str, paper: Paper) -> list[str]:
    file = existing(results / layout.CONFIGURATION.format(paper=name))
    configuration = json.loads(file.read_text(encoding="utf-8"))
    figures = [
        layout.FIGURE.format(paper=name, figure=figure, suffix="svg")
        for figure in configuration["figures"]
        if figure not in paper.timed
    ]
    # What readers see and its numbers; those of arenas are shown from their numbers.
    suffixes = ("csv", "html") if paper.claims else ("csv",)
    tables = [
        layout.TABLE.format(paper=name, table=table, suffix=suffix)
        for table in configuration["tables"]
        for suffix in suffixes
    ]
    return [*(file.format(paper=name) for file in _OF_PAPER), *figures, *tables]


def _manifest(folder: Path) -> dict[str, dict[str, str]]:
    """Return the manifest of an earlier reference; refuse to touch a folder of anything else."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / MANIFEST
    if manifest.is_file():
        return json.loads(manifest.read_text(encoding="utf-8"))
    if any(path.name != GUIDE for path in folder.iterdir()):
        raise FileExistsError(
            f"{folder}: holds files and no {MANIFEST}, so it is no reference. Name another folder."
        )
    return {}
