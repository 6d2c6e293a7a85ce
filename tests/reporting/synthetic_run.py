"""A results folder made of drawn numbers, in the layout that the workflow leaves."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from beyond_accuracy import reporting
from beyond_accuracy.datasets.prepared import PreparedDataSet, save_prepared
from beyond_accuracy.measures import get_measure

PAPER = "joachims2005"
METHODS = ("multivariate_svm", "cost_model_svm")
MEASURES = ("f1", "prbep", "recall_at_2p", "roc_area")
PAPER_FILE = Path(__file__).parents[2] / "config" / "papers" / "joachims2005.yaml"


@dataclass(frozen=True)
class Run:
    """Folders and configuration of a synthetic run."""

    results: Path
    resources: Path
    configuration: dict


def small_configuration(**changes) -> dict:
    """Return the paper's own configuration with few resamples."""
    configuration = yaml.safe_load(PAPER_FILE.read_text(encoding="utf-8"))[PAPER]
    configuration["bootstrap"] = {"n_resamples": 40, "level": 0.95}
    return configuration | changes


def write_parquet(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows).to_parquet(path, index=False)


def measurement(data_set, task, method, measure, value, status="ok", reason="") -> dict:
    return {
        "paper": PAPER,
        "data_set": data_set,
        "task": task,
        "method": method,
        "measure": measure,
        "fold": 0,
        "value": value,
        "status": status,
        "reason": reason,
    }


def record(data_set: str, status: str = "ok", **changes) -> dict:
    known = {
        "data_set": data_set,
        "title": f"The {data_set} collection",
        "status": status,
        "reason": "",
        "how_to_get": "",
        "used": data_set,
        "substitute_for": "",
        "substitute_reason": "",
        "source": "mirror",
        "location": f"folder/{data_set}",
        "n_train_found": 1000,
        "n_test_found": 200,
        "n_features_found": 50,
        "n_classes_found": 4,
    }
    return known | changes


def write_run(root: Path) -> Run:
    """Write a run of four data sets: plain, with a failed class, a substitute, unavailable."""
    generator = np.random.default_rng(5)
    results, resources = root / "results", root / "resources"
    data_sets = {"text": 6, "failing": 4, "standin": 3, "absent": 0}
    measurements: list[dict] = []
    for data_set, n_classes in data_sets.items():
        measurements += _write_data_set(generator, results, resources, data_set, n_classes)
    write_parquet(results / PAPER / "measurements.parquet", measurements)
    records = [
        record("text", n_classes_found=6),
        record("failing"),
        record(
            "standin",
            used="twin",
            substitute_for="standin",
            substitute_reason="the real one is <private>",
        ),
        record("absent", "unavailable", reason="no network", how_to_get="Set a mirror."),
    ]
    pd.DataFrame(records).to_csv(results / "data_sets.csv", index=False)
    return Run(results, resources, small_configuration(data_sets=list(data_sets)))


def _write_data_set(generator, results, resources, data_set, n_classes) -> list[dict]:
    n_test = 200
    tasks = [f"class {index}" for index in range(n_classes)]
    labels = generator.integers(0, max(n_classes, 1), n_test)
    rows = []
    if n_classes:
        prepared = PreparedDataSet(
            name=data_set,
            task="multiclass",
            X_train=np.zeros((3, 1)),
            y_train=np.zeros(3, dtype=np.int64),
            X_test=np.zeros((n_test, 1)),
            y_test=labels,
            class_names=tuple(tasks),
            record={"name": data_set, "status": "ok", "task": "multiclass"},
        )
        save_prepared(resources / "prepared" / data_set, prepared)
    for method in METHODS:
        fits, seconds = [], []
        scores = {measure: np.full((n_classes, n_test), np.nan) for measure in MEASURES}
        for measure in MEASURES:
            if not n_classes:
                reason = "no network"
                nothing = measurement(data_set, "", method, measure, np.nan, "unavailable", reason)
                rows.append(nothing)
                fits.append(_fit(nothing))
            for index, task in enumerate(tasks):
                failed = data_set == "failing" and index == 1 and method == "multivariate_svm"
                if failed:
                    row = measurement(
                        data_set, task, method, measure, np.nan, "failed", "no positive in test"
                    )
                else:
                    positive = labels == index
                    quality = 1.5 if method == "multivariate_svm" else 1.0
                    values = quality * positive + generator.normal(size=n_test) - 0.8
                    scores[measure][index] = values
                    value = get_measure(measure).score(positive, values)
                    row = measurement(data_set, task, method, measure, value)
                rows.append(row)
                fits.append(
                    _fit(row)
                    | {
                        "n_train_positives": 2 * 4**index,
                        "n_train": 1000,
                        "n_test_positives": int((labels == index).sum()),
                        "n_test": n_test,
                        "fallback": index == 0 and data_set == "text",
                        "n_iter": 10.0 * (index + 1) if method == "multivariate_svm" else np.nan,
                        "dual_gap": 5e-4,
                        "degenerate": index == 1 and data_set == "text" and not failed,
                    }
                )
                seconds.append(
                    {key: row[key] for key in ("paper", "data_set", "task", "method", "measure")}
                    | {"stage": "fit", "repetition": 0, "wall_seconds": 0.25, "cpu_seconds": 0.2}
                )
        folder = results / PAPER
        path = folder / "scores" / data_set / f"{method}.npz"
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, tasks=np.array(tasks, dtype=np.str_), **(scores if n_classes else {}))
        write_parquet(folder / "fits" / data_set / f"{method}.parquet", fits)
        if seconds:
            write_parquet(folder / "seconds" / data_set / f"{method}.parquet", seconds)
    return rows


def _fit(row: dict) -> dict:
    keys = ("paper", "data_set", "task", "method", "measure", "fold", "status", "reason")
    return {key: row[key] for key in keys} | {
        "selected": json.dumps({"C": 1.0}) if row["status"] == "ok" else None,
        "fallback": False if row["task"] else None,
        "grid_limit": "",
        "converged": True if row["status"] == "ok" else None,
        "degenerate": False if row["status"] == "ok" else None,
        "n_iter_without_line_search": None,
        "converged_without_line_search": None,
        "n_train_positives": None,
        "n_train": None,
        "n_test_positives": None,
        "n_test": None,
        "n_iter": None,
        "dual_gap": None,
        "objective": None,
    }


def report(run: Run) -> None:
    """Make all reports of a run, as the workflow does."""
    folder = run.results / PAPER
    common = {
        "results_folder": run.results,
        "paper": PAPER,
        "paper_configuration": run.configuration,
    }
    reporting.build_intervals(
        **common, resources_folder=run.resources, seed=3, output=folder / "intervals.parquet"
    )
    for table in run.configuration["tables"]:
        reporting.build_table(**common, table=table, stem=folder / "tables" / table)
    for figure in run.configuration["figures"]:
        reporting.build_figure(**common, figure=figure, stem=folder / "figures" / figure)
    reporting.build_claims(**common, output=folder / "claims.csv")
    reporting.combine_claims([folder / "claims.csv"], run.results / "claims.csv")
    reporting.build_site(
        run.results, [PAPER], {PAPER: run.configuration}, run.results / "index.html"
    )
