"""The reference: results of full runs, in a form small enough to be committed.

Its files are like a run's files, except for the following:

- Predictions are left out because they are large.
- Seconds are sums over tasks.
- If a paper has very many fits, it keeps only fits of the configured protocol with the first seed.
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

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.columns import FIT_COLUMNS
from beyond_accuracy_pipeline.results.damage import check_unchanged, existing, reading
from beyond_accuracy_pipeline.results.fits import fit_jobs
from beyond_accuracy_pipeline.results.frames import read_frames, write_csv, write_frame
from beyond_accuracy_pipeline.results.paper_results import PaperResults

from .paper import Paper
from .report import Report
from .states import table_over_states
from .table_files import SHOWN
from .tables import Table
from .vector_graphics import without_idle_ids, without_indentation

MANIFEST = "reference.json"
GUIDE = "README.md"
_OF_ALL_PAPERS = {layout.CLAIMS: "paper", layout.AGREEMENT: "paper", layout.DATA_SETS: "data_set"}
# Deng et al. have 40,000 fits per state, 0.2 MB.
_MOST_FITS = 100_000
# Neighbours in this order often have the same value, which compresses by a third.
_CLOSE_TOGETHER = ["data_set", "task", "fold", "state", "reading", "method"]
_OF_PAPER = (layout.CONFIGURATION, layout.MEASUREMENTS, layout.INTERVALS, layout.PAPER_CLAIMS)


def reported_papers(results: str | Path, papers: Sequence[str]) -> list[str]:
    """Return which of `papers` have measurements in a folder of results."""
    folder = Path(results)
    return [name for name in papers if (folder / layout.MEASUREMENTS.format(paper=name)).is_file()]


def write_reference(
    results: str | Path, reference: str | Path, papers: Mapping[str, Paper]
) -> dict[str, dict[str, str]]:
    """Copy a run's results for `papers` into `reference`, a folder with results of full runs.

    `papers` maps ids to definitions. Results of other papers in the folder are kept. Return the new
    manifest: a dict from paper to facts on its run, such as date and version. Nothing is replaced
    if a file of the run is missing or changed, if the last run left out one of the papers, or if
    the folder contains other files.
    """
    source, target = Path(results), Path(reference)
    check_unchanged(source, papers)
    files = [file for name in papers for file in _files(source, name)]
    for file in files:
        existing(source / file)
    _check_last_run(source, papers)
    reports = {
        name: Report(PaperResults.of_run(source, name), paper) for name, paper in papers.items()
    }
    fits = {name: _fits(report) for name, report in reports.items()}
    seconds = {name: report.results.summed_seconds() for name, report in reports.items()}
    runs = {name: _run(source, name) for name in papers}
    manifest = _manifest(target)
    joined = {file: _joined(source, target, file, key) for file, key in _OF_ALL_PAPERS.items()}
    for name in papers:
        shutil.rmtree(target / name, ignore_errors=True)
    for file in files:
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        if file.endswith(".svg"):
            picture = without_idle_ids((source / file).read_text(encoding="utf-8"))
            (target / file).write_text(without_indentation(picture), encoding="utf-8")
        else:
            shutil.copyfile(source / file, target / file)
    for file, frame in joined.items():
        write_csv(target / file, frame)
    for name in papers:
        measurements = target / layout.MEASUREMENTS.format(paper=name)
        frame = pd.read_parquet(measurements)
        write_frame(measurements, frame.sort_values(_CLOSE_TOGETHER, kind="stable"))
        write_frame(target / layout.FITS_OF_JOBS.format(paper=name), fits[name])
        write_csv(target / layout.SUMMED_SECONDS.format(paper=name), seconds[name])
        _write_looks(reports[name], source, target)
    # The day of the run, not of the copy.
    day = datetime.fromtimestamp((source / layout.CLAIMS).stat().st_mtime, UTC)
    for name in papers:
        manifest[name] = {
            "version": version("beyond-accuracy"),
            "date": day.strftime("%Y-%m-%d"),
            "configuration": configuration_digest(target, name),
            "run": runs[name],
        }
    manifest = dict(sorted(manifest.items()))
    (target / MANIFEST).write_text(f"{json.dumps(manifest, indent=1)}\n", encoding="utf-8")
    return manifest


def _check_last_run(results: Path, papers: Mapping[str, Paper]) -> None:
    """Raise ValueError if a paper has claims of an earlier run, but not of the last run."""
    joined = set(pd.read_csv(results / layout.CLAIMS)["paper"])
    files = {name: results / layout.PAPER_CLAIMS.format(paper=name) for name in papers}
    old = [name for name in papers if name not in joined and len(pd.read_csv(files[name]))]
    if old:
        raise ValueError(
            f"{results / layout.CLAIMS}: no claims of {', '.join(old)}, of which there are results "
            "of an earlier run. Run these too, or move their folders elsewhere."
        )


def remade_table(report: Report, name: str) -> Table | None:
    """Compute the table `name` from stored results; return None if files for it are missing."""
    try:
        return table_over_states(report, report.paper.tables[name])
    except FileNotFoundError:
        return None


def _write_looks(report: Report, source: Path, target: Path) -> None:
    """Copy the texts of those tables that cannot be computed from the reference's own files."""
    own = Report(PaperResults.of_run(target, report.paper.id), report.paper)
    for name in report.configuration["tables"]:
        if remade_table(own, name) is not None:
            continue
        file = layout.TABLE.format(paper=report.paper.id, table=name, suffix=SHOWN)
        shutil.copyfile(existing(source / file), target / file)


def _fits(report: Report) -> pd.DataFrame:
    """Return the fits of a run or reference; if there are very many, only of the first seed."""
    results, jobs = report.results, fit_jobs(report.results.whole)
    files = [results.path(layout.FITS_OF_JOBS)]
    if not files[0].is_file():
        files = [
            results.path(layout.FITS, data_set=data_set, job=job)
            for data_set, job in jobs
            if not results.missing(data_set)
        ]
    fits = read_frames(files, FIT_COLUMNS)
    if len(fits) > _MOST_FITS:
        first = {key for own in jobs.values() for key, fit in own.items() if fit.variant.state == 1}
        fits = fits[fits["fit"].isin(first)]
    return fits


def _run(folder: Path, paper: str) -> dict[str, str]:
    """Return the date, machine and versions of the run from which a folder's results come."""
    if not (folder / MANIFEST).is_file():
        with reading(folder / layout.RUN) as file:
            return json.loads(file.read_text(encoding="utf-8"))
    return _manifest(folder)[paper]["run"]


def _joined(source: Path, target: Path, file: str, key: str) -> pd.DataFrame:
    """Return the rows of a run's CSV file, and the reference's rows with other values of `key`."""
    read = partial(pd.read_csv, keep_default_na=False, dtype=str)
    rows = read(existing(source / file))
    if (target / file).is_file():
        other = read(target / file)
        rows = pd.concat([rows, other[~other[key].isin(rows[key])]])
    return rows.sort_values(key, kind="stable").fillna("")


def configuration_digest(folder: str | Path, paper: str) -> str:
    """Return the SHA-256 of a paper's configuration, read from a folder of results.

    Settings that do not affect the first seed with the protocol as configured are left out: the
    number of seeds, the selected variants of the protocol, and the division of fits into jobs.
    """

    def without_job(mapping: dict[str, object]) -> dict[str, object]:
        return {key: value for key, value in mapping.items() if key != "job"}

    file = existing(Path(folder) / layout.CONFIGURATION.format(paper=paper))
    more = {"states": None, "readings_selected": None}
    configuration = json.loads(file.read_text(encoding="utf-8"), object_hook=without_job) | more
    return hashlib.sha256(json.dumps(configuration, sort_keys=True).encode()).hexdigest()


def _files(results: Path, name: str) -> list[str]:
    configuration = PaperResults.of_run(results, name).whole
    files = [file.format(paper=name) for file in _OF_PAPER]
    for figure in configuration["figures"]:
        for suffix in ("svg", "csv"):
            files.append(layout.FIGURE.format(paper=name, figure=figure, suffix=suffix))
    for table in configuration["tables"]:
        files.append(layout.TABLE.format(paper=name, table=table, suffix="csv"))
    return files


def _manifest(folder: Path) -> dict[str, dict[str, str]]:
    """Return the manifest of a reference, or {} for a new folder; other files raise an error."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / MANIFEST
    if manifest.is_file():
        return json.loads(manifest.read_text(encoding="utf-8"))
    if any(path.name != GUIDE for path in folder.iterdir()):
        raise FileExistsError(
            f"{folder}: holds files and no {MANIFEST}, so it is no reference. Name another folder."
        )
    return {}
