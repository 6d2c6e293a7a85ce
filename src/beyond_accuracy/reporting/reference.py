"""The reference: the results of a full run, in a form small enough to be committed.

Its files are those of a run under the same names, so that what reads the one reads the other; what
is large or holds seconds is left out.
"""

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from beyond_accuracy.reporting.paper import Paper
from beyond_accuracy.results import layout
from beyond_accuracy.results.damage import existing

MANIFEST = "reference.json"
GUIDE = "README.md"
_OF_RUN = (layout.CLAIMS, layout.AGREEMENT, layout.DATA_SETS)
_OF_PAPER = (layout.CONFIGURATION, layout.MEASUREMENTS, layout.INTERVALS, layout.PAPER_CLAIMS)


def reported_papers(results: str | Path, papers: Sequence[str]) -> list[str]:
    """Return those of the papers that a folder of results has measurements of."""
    folder = Path(results)
    return [name for name in papers if (folder / layout.MEASUREMENTS.format(paper=name)).is_file()]


def write_reference(
    results: str | Path, reference: str | Path, papers: Mapping[str, Paper]
) -> dict[str, object]:
    """Replace the reference by the results of a run, and return its manifest.

    Parameters
    ----------
    results, reference : path
        Folders; of the latter everything but its README.md is replaced.
    papers : dict of str to Paper
        Every paper of the run, by its name.

    Raises
    ------
    FileNotFoundError
        If the run lacks a file; nothing is replaced then.
    """
    source, target = Path(results), Path(reference)
    files = [*_OF_RUN, *(file for name in papers for file in _files(source, name, papers[name]))]
    for file in files:
        existing(source / file)
    _clear(target)
    for file in files:
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / file, target / file)
    # The day of the run, not of the copy.
    seconds = (source / layout.CLAIMS).stat().st_mtime
    manifest = {
        "version": version("beyond-accuracy"),
        "date": datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d"),
        "configurations": {name: configuration_digest(target, name) for name in papers},
    }
    text = json.dumps(manifest, indent=1)
    (target / MANIFEST).write_text(f"{text}\n", encoding="utf-8")
    return manifest


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
    selected = json.loads(
        existing(results / layout.CONFIGURATION.format(paper=name)).read_text(encoding="utf-8")
    )["figures"]
    figures = [
        layout.FIGURE.format(paper=name, figure=figure, suffix="svg")
        for figure in selected
        if figure not in paper.timed
    ]
    return [*(file.format(paper=name) for file in _OF_PAPER), *figures]


def _clear(folder: Path) -> None:
    """Remove an earlier reference; refuse to remove anything else."""
    folder.mkdir(parents=True, exist_ok=True)
    content = [path for path in folder.iterdir() if path.name != GUIDE]
    if content and not (folder / MANIFEST).is_file():
        raise FileExistsError(
            f"{folder}: holds files and no {MANIFEST}, so it is no reference. Name another folder."
        )
    for path in content:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
