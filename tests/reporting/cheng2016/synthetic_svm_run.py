"""A results folder of the paper on cost-sensitive SVMs, made of given numbers."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from beyond_accuracy import reporting
from beyond_accuracy.datasets.prepared import PreparedDataSet, save_prepared
from beyond_accuracy.experiments.result import FitResult, result_frames
from beyond_accuracy.experiments.store import write_table
from beyond_accuracy.reporting.cheng2016.methods import METHOD_LABELS
from beyond_accuracy.reporting.claims import Evidence
from beyond_accuracy.reporting.results import PaperResults
from beyond_accuracy.results.studies import study_file, write_study

from ..synthetic_run import record, write_parquet

PAPER = "cheng2016"
PAPER_FILE = Path(__file__).parents[3] / "config" / "papers" / f"{PAPER}.yaml"
CS = (1.0, 10.0)
N_TEST = 300


@dataclass
class Run:
    """Numbers to change before `write`; all methods alike on four data sets at first."""

    root: Path
    f1: dict[tuple[str, str], float] = field(default_factory=dict)
    seconds: dict[tuple[str, str], float] = field(default_factory=dict)
    iterations: dict[tuple[str, float], tuple[int, int]] = field(default_factory=dict)
    failed: set[tuple[str, str]] = field(default_factory=set)
    degenerate: set[tuple[str, str]] = field(default_factory=set)
    stalls: bool = False
    data_sets: tuple[str, ...] = ("a3a", "letter", "news20", "satimage")
    methods: tuple[str, ...] = tuple(METHOD_LABELS)

    @property
    def configuration(self) -> dict:
        """The paper's own, with few resamples and the run's data sets and C."""
        configuration = yaml.safe_load(PAPER_FILE.read_text(encoding="utf-8"))[PAPER]
        configuration["bootstrap"] = {"n_resamples": 40, "level": 0.95}
        configuration["data_sets"] = [*self.data_sets, "acoustic"]
        configuration["methods_selected"] = list(self.methods)
        configuration["studies"]["convergence"] |= {"C": list(CS), "C_shown": 10.0}
        return configuration

    @property
    def results(self) -> Path:
        """Where results are written."""
        return self.root / "results"

    def write(self) -> "Run":
        """Write the results that the fits and the convergence runs leave."""
        measurements = []
        for place, data_set in enumerate([*self.data_sets, "acoustic"]):
            labels = np.arange(N_TEST) % (3 + place) == 0
            for method in self.methods:
                measurements.append(self._write_fit(data_set, method, labels))
            self._write_convergence(data_set)
        write_parquet(self.results / PAPER / "measurements.parquet", measurements)
        records = [record(name) for name in self.data_sets if name != "news20"]
        standing_in = {"used": "news20-resplit", "substitute_for": "news20"}
        records += [record("news20", **standing_in)] if "news20" in self.data_sets else []
        records.append(record("acoustic", "unavailable", reason="no file", how_to_get="Set it."))
        pd.DataFrame(records).to_csv(self.results / "data_sets.csv", index=False)
        return self

    def report(self) -> "Run":
        """Make all reports, as the workflow does."""
        for place, data_set in enumerate(self.data_sets):
            self._write_prepared(data_set, np.arange(N_TEST) % (3 + place) == 0)
        folder = self.results / PAPER
        common = {
            "results_folder": self.results,
            "paper": PAPER,
            "paper_configuration": self.configuration,
        }
        reporting.build_intervals(
            **common,
            resources_folder=self.root / "resources",
            seed=3,
            output=folder / "intervals.parquet",
        )
        for table in self.configuration["tables"]:
            reporting.build_table(**common, table=table, stem=folder / "tables" / table)
        for figure in self.configuration["figures"]:
            reporting.build_figure(**common, figure=figure, stem=folder / "figures" / figure)
        reporting.build_claims(**common, output=folder / "claims.csv")
        reporting.combine_claims([folder / "claims.csv"], self.results / "claims.csv")
        page = self.results / "index.html"
        reporting.build_site(self.results, [PAPER], {PAPER: self.configuration}, page)
        return self

    def evidence(self) -> Evidence:
        """What claim functions look at; with intervals of the numbers of this run."""
        return Evidence(PaperResults(self.results, PAPER), self.configuration)

    def _write_prepared(self, data_set, labels):
        y = np.where(labels, 1, -1).astype(np.int8)
        X = np.zeros((N_TEST, 1))
        data = PreparedDataSet(
            data_set, "binary", X[:3], y[:3], X, y, ("rest", "class"),
            record={"name": data_set, "status": "ok", "task": "binary"},
        )  # fmt: skip
        save_prepared(self.root / "resources" / "prepared" / data_set, data)

    def _write_fit(self, data_set, method, labels) -> dict:
        keys = {"paper": PAPER, "data_set": data_set, "method": method}
        status, reason = "ok", ""
        if data_set == "acoustic":
            status, reason = "unavailable", "no file"
        elif (data_set, method) in self.failed:
            status, reason = "failed", "too few positives"
        ok = status == "ok"
        f1 = self.f1.get((data_set, method), 0.5)
        row = {**keys, "task": "class" if data_set != "acoustic" else "", "measure": "f1"}
        row |= {"fold": 0, "status": status, "reason": reason}
        fit = {
            **row,
            "selected": json.dumps({"t": 0.4, "C": 1.0}) if ok else None,
            "fallback": False,
            "converged": (method != "svm_cs") if ok else None,
            "degenerate": (data_set, method) in self.degenerate if ok else None,
            "n_train": 900.0,
            "n_train_positives": 300.0,
            "n_test": float(N_TEST),
            "n_test_positives": float(labels.sum()),
            "n_iter": 10.0,
            "dual_gap": 5e-4,
            "objective": 12.0,
        }
        folder = self.results / PAPER
        write_parquet(folder / "fits" / data_set / f"{method}.parquet", [fit])
        path = folder / "scores" / data_set / f"{method}.npz"
        path.parent.mkdir(parents=True, exist_ok=True)
        tasks = np.array(["class"] if ok else [], dtype=np.str_)
        np.savez(path, tasks=tasks, **({"f1": _scores(labels, f1)[None]} if ok else {}))
        seconds = self.seconds.get((data_set, method), 1.0)
        timed = {"task": "class", "measure": "f1"}
        rows = [{**timed, "stage": "select", "repetition": 0, "cpu_seconds": 2 * seconds}] * 3
        for repetition, factor in enumerate((1.0, 1.0, 50.0)):
            fitted = {**timed, "repetition": repetition}
            rows.append({**fitted, "stage": "fit", "cpu_seconds": factor * seconds})
            rows.append({**fitted, "stage": "predict", "cpu_seconds": 0.25})
        rows = [{**each, "wall_seconds": each["cpu_seconds"]} for each in rows]
        rows = [] if data_set == "acoustic" else rows
        _, frame = result_frames(FitResult([], {}, [], rows), **keys)
        write_table(folder / "seconds" / data_set / f"{method}.parquet", frame)
        return {**row, "value": f1 if ok else np.nan}

    def _write_convergence(self, data_set):
        curves, line = [], []
        for C in CS if data_set != "acoustic" else ():
            with_search, without = self.iterations.get((data_set, C), (5, 60))
            for method, n in (("bm_ls_cs", with_search), ("bm_nls_cs", without), ("svm_cs", 3)):
                for step in range(n + 1):
                    primal = 1.0 + 9.0 * 0.5**step
                    if self.stalls and method == "bm_ls_cs" and step == 2:
                        primal = 1.0 + 9.0 * 0.5
                    row = {"data_set": data_set, "task": "class", "C": C, "method": method}
                    dual = np.nan if method == "svm_cs" else 0.9999 * min(1.0, step / n)
                    row |= {"iteration": step, "primal": primal, "dual": dual}
                    curves.append({**row, "visited": 1.1 * primal, "converged": True})
            k = np.linspace(-1, 2, 40)
            line = [{"data_set": data_set, "task": "class", "C": C, "iteration": 5}] * 40
            line = [
                {**row, "k": x, "before": x - 0.41, "after": x - 0.39}
                for row, x in zip(line, k, strict=True)
            ]
        times = [{**row, "cpu_seconds": 0.01 * (row["iteration"] + 1)} for row in curves]
        for study, part, rows in (
            ("convergence", "rows", curves),
            ("convergence", "seconds", times),
            ("line_search", "rows", line),
        ):
            path = study_file(self.results, PAPER, study, data_set, part)
            write_study(path, rows, study, part)


def _scores(labels, f1):
    """Decision values whose F1 is close to the one wanted: no false alarms, some missed."""
    kept = round(f1 / (2 - f1) * labels.sum())
    found = labels & (np.cumsum(labels) <= kept)
    return np.where(found, 1.0, -1.0)
