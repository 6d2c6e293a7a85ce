"""A results folder of the paper on classifier adaptation, made of given numbers."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from beyond_accuracy import reporting
from beyond_accuracy.datasets.prepared import PreparedDataSet, save_prepared
from beyond_accuracy.measures import get_measure
from beyond_accuracy.reporting.claims import Evidence
from beyond_accuracy.reporting.li2013.methods import (
    AUXILIARIES,
    COLLECTIONS,
    MEASURES,
    METHOD_LABELS,
)
from beyond_accuracy.reporting.results import PaperResults
from beyond_accuracy.results.studies import study_data_sets, study_file, write_study

from ..synthetic_run import record, write_parquet

PAPER = "li2013"
PAPER_FILE = Path(__file__).parents[3] / "config" / "papers" / f"{PAPER}.yaml"
METHODS = tuple(METHOD_LABELS)
N_TEST = 240
CS = (0.1, 1.0, 10.0)
SWEPT = ("f1", "roc_area")
LIMIT = 500
SHARES = (0.1, 0.5, 1.0)
SWEEPS = {
    "oracle_calls_by_C": (("usps-01234",), ("svmperf_linear", "capo_cvm", "capo_star")),
    "by_C": (
        ("usps-01234", "reuters-money-fx"),
        ("capo_cvm", "capo_5cvm", "svmperf_linear", "svmperf_rbf"),
    ),
    "by_B": (("usps-01234", "reuters-money-fx"), ("capo_cvm", "capo_5cvm")),
    "by_training_size": (("ijcnn1",), ("capo_cvm", "capo_5cvm", "svmperf_linear")),
}
KEYS = ("data_set", "measure", "method", "C", "B", "train_fraction")


@dataclass
class Run:
    """Numbers to change before `write`: values, seconds and calls by what they belong to.

    `values` are by (data_set, measure, method) and enter the measurements as they are; where there
    is none, the value is that of drawn `scores`. `grid_limits` are by the same,
    `swept` and `swept_seconds` by (sweep, data_set, measure, method, x), `calls` by (data_set,
    measure, method, C).
    """

    root: Path
    values: dict[tuple[str, str, str], float] = field(default_factory=dict)
    seconds: dict[tuple[str, str, str], float] = field(default_factory=dict)
    failed: set[tuple[str, str]] = field(default_factory=set)
    left_out: set[tuple[str, str]] = field(default_factory=set)
    grid_limits: dict[tuple[str, str, str], str] = field(default_factory=dict)
    swept: dict[tuple, float] = field(default_factory=dict)
    swept_seconds: dict[tuple, float] = field(default_factory=dict)
    calls: dict[tuple, int] = field(default_factory=dict)
    selected: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    data_sets: tuple[str, ...] = (*COLLECTIONS, "clouds")
    absent: tuple[str, ...] = ()
    methods: tuple[str, ...] = METHODS
    scores: dict[tuple[str, str], dict[str, np.ndarray]] = field(default_factory=dict)

    @property
    def configuration(self) -> dict:
        """The paper's own, with few resamples and the run's data sets and methods."""
        configuration = yaml.safe_load(PAPER_FILE.read_text(encoding="utf-8"))[PAPER]
        configuration["bootstrap"] = {"n_resamples": 40, "level": 0.95}
        configuration["data_sets"] = [*self.data_sets, *self.absent]
        configuration["methods_selected"] = list(self.methods)
        return configuration

    @property
    def results(self) -> Path:
        """Where results are written."""
        return self.root / "results"

    def write(self) -> "Run":
        """Write the results that fits, sweeps and the selection of auxiliaries leave.

        Those that only reports of a whole run need are written by `report`.
        """
        measurements, fits, seconds = [], [], []
        for place, data_set in enumerate([*self.data_sets, *self.absent]):
            labels = np.arange(N_TEST) % (3 + place) == 0
            generator = np.random.default_rng(place)
            for method in self.methods:
                parts = self._fits(data_set, method, labels, generator)
                for table, rows in zip((measurements, fits, seconds), parts, strict=True):
                    table += rows
        folder = self.results / PAPER
        write_parquet(folder / "measurements.parquet", measurements)
        # Where the workflow has a file for each data set and method.
        write_parquet(folder / "fits" / "all" / "all.parquet", fits)
        write_parquet(folder / "seconds" / "all" / "all.parquet", seconds)
        studies = {name: self._swept for name in SWEEPS}
        studies |= {"matching_B": self._matching_B, "auxiliary_selection": self._selection}
        for name, rows_of in studies.items():
            for data_set in study_data_sets(self.configuration, name):
                rows, times = rows_of(name, data_set) if data_set in self.data_sets else ([], [])
                for part, table in (("rows", rows), ("seconds", times)):
                    path = study_file(self.results, PAPER, name, data_set, part)
                    write_study(path, table, name, part)
        self._write_records()
        return self

    def report(self) -> "Run":
        """Make all reports, as the workflow does."""
        for place, data_set in enumerate([*self.data_sets, *self.absent]):
            self._write_prepared(data_set, np.arange(N_TEST) % (3 + place) == 0)
        self._write_scores()
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
        """What claim functions look at."""
        return Evidence(PaperResults(self.results, PAPER), self.configuration)

    def _write_records(self):
        records = [
            record(name, n_train_found=100 * (place + 1), n_test_found=N_TEST, n_features_found=9)
            for place, name in enumerate(self.data_sets)
            if name not in ("mitfaces", "usps-01234")
        ]
        if "mitfaces" in self.data_sets:
            records.append(record("mitfaces", n_test_found=24_044, substitute_for="normalized"))
        if "usps-01234" in self.data_sets:
            rebuilt = {"used": "rebuilt", "substitute_for": "usps-01234"}
            records.append(record("usps-01234", **rebuilt, substitute_reason="no file"))
        records += [record(name, "unavailable", reason="no network") for name in self.absent]
        pd.DataFrame(records).to_csv(self.results / "data_sets.csv", index=False)

    def _write_prepared(self, data_set, labels):
        y = np.where(labels, 1, -1).astype(np.int8)
        X = np.zeros((N_TEST, 1))
        data = PreparedDataSet(
            data_set, "binary", X[:3], y[:3], X, y, ("rest", "class"),
            record={"name": data_set, "status": "ok", "task": "binary"},
        )  # fmt: skip
        save_prepared(self.root / "resources" / "prepared" / data_set, data)

    def _write_scores(self):
        for (data_set, method), scores in self.scores.items():
            path = self.results / PAPER / "scores" / data_set / f"{method}.npz"
            path.parent.mkdir(parents=True, exist_ok=True)
            tasks = np.array(["class"] if scores else [], dtype=np.str_)
            np.savez(path, tasks=tasks, **scores)

    def _fits(self, data_set, method, labels, generator) -> tuple[list[dict], ...]:
        """Rows of measurements, of fits and of seconds."""
        keys = {"paper": PAPER, "data_set": data_set, "method": method}
        status, reason = "ok", ""
        if data_set in self.absent:
            status, reason = "unavailable", "no network"
        elif (data_set, method) in self.failed:
            status, reason = "timeout", "budget of 5 operations"
        ok, task = status == "ok", "class" if data_set not in self.absent else ""
        rows, fits, scores, times = [], [], {}, []
        for measure in MEASURES:
            drawn = 1.5 * labels + generator.normal(size=N_TEST) - 0.8
            value = self.values.get((data_set, measure, method))
            if value is None:
                value = get_measure(measure).score(labels, drawn)
            row = {**keys, "task": task, "measure": measure, "fold": 0}
            row |= {"status": status, "reason": reason}
            rows.append({**row, "value": value if ok else np.nan})
            fits.append(
                row
                | {
                    "selected": json.dumps({"C": 1.0}) if ok else None,
                    "fallback": False,
                    "grid_limit": self.grid_limits.get((data_set, measure, method), ""),
                    "converged": method != "capo_c45" if ok else None,
                    "degenerate": False if ok else None,
                    "n_train": 900.0,
                    "n_train_positives": 300.0,
                    "n_test": float(N_TEST),
                    "n_test_positives": float(labels.sum()),
                    "n_iter": 10.0,
                    "dual_gap": 5e-4,
                    "objective": 12.0,
                    "left_out": "rbf_network" if (data_set, method) in self.left_out else "",
                    "kernel_error": 0.02 if method.endswith("_rbf") else np.nan,
                }
            )
            scores[measure] = drawn[None]
            taken = self.seconds.get((data_set, measure, method), 1.0)
            timed = {"task": task, "measure": measure, "repetition": 0}
            times += [{**timed, "stage": "select", "cpu_seconds": taken / 5}] * 5
            times.append({**timed, "stage": "fit", "cpu_seconds": taken / 10})
            if method.startswith("capo"):
                times.append({**timed, "stage": "auxiliaries", "cpu_seconds": 99.0})
        if method.startswith("svmlight"):
            times = [{**each, "measure": "every measure"} for each in times]
        self.scores[data_set, method] = scores if ok else {}
        times = [{**keys, **each, "wall_seconds": each["cpu_seconds"]} for each in times]
        return rows, fits, times if task else []

    def _swept(self, name, data_set):
        rows, times = [], []
        data_sets, methods = SWEEPS[name]
        for measure in SWEPT:
            for method in methods:
                for C, B, share in _settings(name):
                    x = {"by_B": B, "by_training_size": share}.get(name, C)
                    key = (data_set, measure, method)
                    row = dict(zip(KEYS, (*key, C, B, share), strict=True))
                    steady = 0.6 if method == "capo_5cvm" else 0.6 + 0.02 * np.log10(x)
                    calls = self.calls.get((*key, C), 10 if method.startswith("capo") else 50)
                    value = self.swept.get((name, *key, x), steady)
                    seconds = self.swept_seconds.get((name, *key, x), 2.0 * share)
                    times.append({**row, "cpu_seconds": seconds})
                    rows.append(
                        {
                            **row,
                            "n_train": round(1000 * share),
                            "value": value,
                            "status": "ok" if calls < LIMIT else "timeout",
                            "reason": "" if calls < LIMIT else "limit of iterations",
                            "n_iter": calls,
                            "oracle_calls": calls,
                        }
                    )
        return (rows, times) if data_set in data_sets else ([], [])

    def _matching_B(self, name, data_set):
        return [
            {
                "data_set": data_set,
                "measure": measure,
                "C": 1.0,
                "auxiliary": auxiliary,
                "matching_B": np.nan if auxiliary == "c45" else 0.25,
                "matches_below": None if auxiliary == "c45" else False,
                "status": "ok",
                "reason": "",
            }
            for measure in MEASURES
            for auxiliary in AUXILIARIES
        ], []

    def _selection(self, name, data_set):
        rows = []
        for measure in MEASURES:
            better = self.selected.get((data_set, measure), (0.55, 0.6))
            for which, (auxiliary, capo) in (("default", (0.5, 0.6)), ("selected", better)):
                rows.append(
                    {
                        "data_set": data_set,
                        "measure": measure,
                        "n_candidates": 50,
                        "which": which,
                        "auxiliary_value": auxiliary,
                        "capo_value": capo,
                        "status": "ok",
                        "reason": "",
                    }
                )
        return rows, []


def _settings(name) -> list[tuple[float, float, float]]:
    """C, B and the share of the training part of each run of a sweep."""
    if name == "by_B":
        return [(1.0, B, 1.0) for B in CS]
    if name == "by_training_size":
        return [(1.0, 1.0, share) for share in SHARES]
    return [(C, 1.0, 1.0) for C in CS]
