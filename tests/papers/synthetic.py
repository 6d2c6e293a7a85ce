"""Synthetic results of any paper: drawn numbers, in the layout of a run's folder."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from matplotlib.figure import Figure

from beyond_accuracy_pipeline.papers import FOLDER, load_paper, paper_report
from beyond_accuracy_pipeline.reporting import (
    Report,
    bootstrap_variants,
    build_site,
    combine_claims,
    evaluate_claims,
    measure_variants,
    write_figure,
    write_table,
)
from beyond_accuracy_pipeline.reporting.claims import judge_claim
from beyond_accuracy_pipeline.reporting.verdict import Verdict
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.columns import FIT_COLUMNS, SECONDS_COLUMNS
from beyond_accuracy_pipeline.results.fits import fit_jobs
from beyond_accuracy_pipeline.results.frames import write_csv, write_frame
from beyond_accuracy_pipeline.results.paper_results import PaperResults
from beyond_accuracy_pipeline.results.scores import Scores, write_scores

N_TEST = 120
OK = ("ok", "")
UNAVAILABLE = ("unavailable", "no network")


def paper_configuration(paper: str, **changes: Any) -> dict[str, Any]:
    """Return a paper's configuration with few resamples, and with the changes."""
    file = FOLDER / paper / "paper.yaml"
    configuration = yaml.safe_load(file.read_text(encoding="utf-8"))[paper]
    configuration["bootstrap"] = {"n_resamples": 30, "level": 0.95}
    definition = load_paper(paper)
    for name in ("tables", "figures"):
        configuration.setdefault(name, list(getattr(definition, name)))
    significance = {"stars": {"*": 0.05, "**": 0.01}, "zero_method": "wilcox"}
    configuration["significance"] = significance | configuration.get("significance", {})
    return configuration | changes


@dataclass
class SyntheticRun:
    """A run of one paper whose scores are drawn."""

    folder: Path
    paper: str
    configuration: dict[str, Any]
    # Classes or labels per data set, 3 by default; 0 means unavailable.
    n_classes: Mapping[str, int] = field(default_factory=dict)
    # Quality of predictions by (data set, method, measure or decision); 0 is chance, 2 is good.
    quality: Callable[[str, str, str], float] = lambda data_set, method, name: 1.0
    # Status and reason of the fits by (data set, method, task).
    status: Callable[[str, str, str], tuple[str, str]] = lambda data_set, method, task: OK
    # Changes in the records of data sets, and in a row of fits.
    records: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    fits: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda row: {}
    has_intervals: bool = True

    def write(self) -> "SyntheticRun":
        """Write the files of jobs: scores, fits, seconds, records of data sets, measurements."""
        draw = {"binary": _binary, "multilabel": _multilabel, "multiclass": _multiclass}[
            self.configuration["protocol"]
        ]
        for (data_set, job), fits in fit_jobs(self.configuration).items():
            scores, rows, seconds = {}, [], []
            for key, fit in fits.items():
                method = fit.method
                keys = {"paper": self.paper, "data_set": data_set, "method": method, "fit": key}
                if self.n_classes.get(data_set, 3):
                    scores[key], drawn = draw(self, data_set, method)
                else:
                    scores[key], drawn = Scores(), _nothing(self, method)
                for row in drawn:
                    described = _FIT | keys | row
                    rows.append(described | dict(self.fits(described)))
                    timing = {"stage": "fit", "repetition": 0, "task": "", "measure": ""}
                    seconds.append(
                        timing
                        | {k: value for k, value in described.items() if k in SECONDS_COLUMNS}
                        | {"wall_seconds": 0.25, "cpu_seconds": 0.2}
                    )
            write_scores(self.path(layout.SCORES, data_set=data_set, job=job), scores)
            for pattern, part, columns in (
                (layout.FITS, rows, FIT_COLUMNS),
                (layout.SECONDS, seconds, SECONDS_COLUMNS),
            ):
                frame = pd.DataFrame(part, columns=list(columns)).astype(columns)
                write_frame(self.path(pattern, data_set=data_set, job=job), frame)
        records = [self.record(name) for name in self.configuration["data_sets"]]
        pd.DataFrame(records).to_csv(self.folder / layout.DATA_SETS, index=False)
        return self.write_measurements()

    def record(self, data_set: str) -> dict[str, Any]:
        """Return the record of a data set."""
        n_classes = self.n_classes.get(data_set, 3)
        status, reason = OK if n_classes else UNAVAILABLE
        return {
            "data_set": data_set,
            "title": f"The {data_set} collection",
            "status": status,
            "reason": reason,
            "how_to_get": "" if n_classes else "Set a mirror.",
            "used": data_set,
            "substitute_for": "",
            "substitute_reason": "",
            "source": "mirror",
            "location": f"folder/{data_set}",
            "n_train_found": 1000,
            "n_test_found": N_TEST,
            "n_features_found": 50,
            "n_classes_found": n_classes,
        } | dict(self.records.get(data_set, {}))

    def path(self, pattern: str, **names: str) -> Path:
        """Return the path of a file of the paper."""
        return PaperResults(self.folder, self.paper, self.configuration).path(pattern, **names)

    def write_measurements(
        self, change: Callable[[pd.DataFrame], pd.DataFrame] = lambda measurements: measurements
    ) -> "SyntheticRun":
        """Write measurements under all readings, with an optional change, and their intervals."""
        report = self.report()
        measurements = measure_variants(report)
        write_frame(self.path(layout.MEASUREMENTS), change(measurements))
        if self.has_intervals:
            intervals = bootstrap_variants(report, seed=3)
            write_frame(self.path(layout.INTERVALS), intervals)
        return self

    def report_on(
        self, values: Mapping[tuple[str, ...], float | None] = {}, fits: pd.DataFrame | None = None
    ) -> Report:
        """Return a report on other values, in memory; claims read only measurements and fits.

        `values` are by (data set, method, measure), or (…, task); None means that the fit failed.
        """
        read = self._results
        measurements = read.measurements.copy()
        columns = ["value", "status", "reason"]
        keys = measurements[["data_set", "method", "measure", "task"]]
        cells = measurements[columns].itertuples(index=False, name=None)
        changed = []
        for key, cell in zip(keys.itertuples(index=False, name=None), cells, strict=True):
            given = next((k for k in (key, key[:3]) if k in values), None)
            if given is not None:
                value = values[given]
                cell = (value, *(UNAVAILABLE if value is None else OK))
            changed.append(cell)
        measurements[columns] = pd.DataFrame(changed, columns=columns)
        measurements["value"] = measurements["value"].astype("float64")
        results = replace(read)
        # These replace cached properties that are read from files.
        own = {"measurements": measurements, "fits": read.fits if fits is None else fits}
        vars(results).update(own, data_sets=read.data_sets)
        return Report(results, load_paper(self.paper))

    @cached_property
    def _results(self) -> PaperResults:
        return self.report().results

    def report(self, **changes: Any) -> Report:
        """Return the report for the configuration, with optional changes."""
        return paper_report(self.folder, self.paper, self.configuration | changes)

    def verdicts(self, **changes: Any) -> dict[str, str]:
        """Return the verdict on each claim."""
        claims = evaluate_claims(self.report(**changes))
        return dict(zip(claims["id"], claims["verdict"], strict=True))

    def build_tables(self) -> "SyntheticRun":
        """Write all tables, as the workflow does."""
        report = self.report()
        for name in self.configuration["tables"]:
            table = report.paper.tables[name](report)
            write_table(report, table, self.folder / self.paper / "tables" / name)
        return self

    def build(self) -> "SyntheticRun":
        """Make all reports, as the workflow does."""
        self.build_tables()
        report = self.report()
        for name in self.configuration["figures"]:
            write_figure(drawn(report, name), self.folder / self.paper / "figures" / name)
        write_csv(self.path(layout.PAPER_CLAIMS), evaluate_claims(report))
        combine_claims([self.path(layout.PAPER_CLAIMS)], self.folder / layout.CLAIMS)
        build_site([report], self.folder / layout.SITE)
        return self

    def page(self, table: str) -> str:
        """Return the HTML page of a table that was built."""
        file = self.path(layout.TABLE, table=table, suffix="html")
        return file.read_text(encoding="utf-8")


def drawn(report: Report, name: str) -> Figure:
    """Draw a figure of a report without the final layout, which takes as long as the drawing."""
    figure = report.paper.figures[name].draw(report)
    figure.set_layout_engine("none")
    return figure


def verdict_on(report: Report, name: str) -> Verdict:
    """Return the verdict on the claim with this id or function."""
    claims = report.configuration["claims"]
    return judge_claim(
        report, next(own for own in claims if name in (own["id"], own.get("function")))
    )


_FIT = {
    "fold": 0,
    "status": "ok",
    "reason": "",
    "selected": json.dumps({"C": 1.0}),
    "fallback": False,
    "grid_limit": "",
    "converged": True,
    "degenerate": False,
    "n_train": 1000,
    "n_test": N_TEST,
    "n_iter": 10,
    "dual_gap": 5e-4,
    "objective": 0.12,
}


def _generator(*names: str) -> np.random.Generator:
    return np.random.default_rng(list("/".join(names).encode()))


def _measures(run: SyntheticRun, method: str) -> list[str]:
    own = run.configuration["methods"][method].get("measures")
    return list(own or run.configuration["measures"])


def _nothing(run: SyntheticRun, method: str) -> list[dict[str, Any]]:
    """Return the rows of a method whose data are unavailable."""
    status, reason = UNAVAILABLE
    missing = {"status": status, "reason": reason, "selected": None, "converged": None}
    missing |= dict.fromkeys(("n_train", "n_test", "n_iter", "dual_gap", "objective"))
    return [{"task": "", "measure": measure, **missing} for measure in _measures(run, method)]


def _row(run: SyntheticRun, data_set: str, method: str, task: str, measure: str) -> dict[str, Any]:
    status, reason = run.status(data_set, method, task)
    row = {"task": task, "measure": measure, "status": status, "reason": reason}
    return row if status == "ok" else row | {"selected": None, "n_iter": None, "converged": None}


def _binary(run: SyntheticRun, data_set: str, method: str) -> tuple[Scores, list[dict]]:
    n_classes = run.n_classes.get(data_set, 3)
    classes = _generator(data_set).integers(0, max(n_classes, 2), N_TEST)
    truth = np.array([classes == index for index in range(n_classes)])
    tasks = tuple(f"class {index}" for index in range(n_classes))
    arrays, rows = {"y_test": truth}, []
    for measure in _measures(run, method):
        noise = _generator(data_set, method, measure).normal(size=truth.shape)
        arrays[measure] = run.quality(data_set, method, measure) * truth + noise - 0.8
        for index, task in enumerate(tasks):
            counts = {"n_train_positives": 2 * 4**index}
            counts["n_test_positives"] = int(truth[index].sum())
            rows.append(_row(run, data_set, method, task, measure) | counts)
    return Scores(tasks, arrays), rows


def _multilabel(run: SyntheticRun, data_set: str, method: str) -> tuple[Scores, list[dict]]:
    n_labels = run.n_classes.get(data_set, 3)
    truth = _generator(data_set).random((N_TEST, n_labels)) < 0.4
    decisions = tuple(run.configuration["methods"][method]["inference"])
    arrays, rows = {"y_test": truth.astype(np.uint8)}, []
    for decision in decisions:
        draws = _generator(data_set, method, decision).random(truth.shape)
        wrong = draws < 0.5 * 2.0 ** -run.quality(data_set, method, decision)
        arrays[f"prediction.{decision}"] = (truth ^ wrong).astype(np.uint8)
        arrays[f"expected.{decision}"] = draws.mean(axis=1)
        rows += [
            _row(run, data_set, method, decision, measure) for measure in _measures(run, method)
        ]
    return Scores(decisions, arrays), rows


def _multiclass(run: SyntheticRun, data_set: str, method: str) -> tuple[Scores, list[dict]]:
    n_classes, n_folds = run.n_classes.get(data_set, 3), 10
    drawn = run.configuration["cost_matrices"]["number"]
    truth, folds = np.arange(N_TEST) % n_classes, np.arange(N_TEST) // n_classes % n_folds
    costs = _generator(data_set, "costs").integers(1, 10, (drawn, n_classes, n_classes))
    costs = np.concatenate([np.ones((1, n_classes, n_classes)), costs]) * (1 - np.eye(n_classes))
    tasks = ("zero_one", *(f"cost_matrix_{number + 1}" for number in range(drawn)))
    arrays: dict[str, np.ndarray] = {"true_class": truth, "fold": folds, "cost_matrix": costs}
    rows = []
    for measure in _measures(run, method):
        generator = _generator(data_set, method, measure)
        wrong = generator.random((len(tasks), N_TEST)) < 0.5 * 2.0 ** -run.quality(
            data_set, method, measure
        )
        other = (truth + generator.integers(1, n_classes, (len(tasks), N_TEST))) % n_classes
        arrays[f"prediction.{measure}"] = np.where(wrong, other, truth)
        for task in tasks[1:] if measure.startswith("average_cost") else tasks[:1]:
            sizes = {"n_train": N_TEST - N_TEST // n_folds, "n_test": N_TEST // n_folds}
            rows += [
                _row(run, data_set, method, task, measure) | sizes | {"fold": fold}
                for fold in range(n_folds)
            ]
    return Scores(tasks, arrays), rows


def synthetic_run(folder: Path, paper: str, **options: Any) -> SyntheticRun:
    """Return a written run of a paper; for further options see `SyntheticRun`."""
    options.setdefault("configuration", paper_configuration(paper))
    return SyntheticRun(folder, load_paper(paper).id, **options).write()
