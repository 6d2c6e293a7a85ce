"""A results folder of the multi-label paper made of drawn numbers."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from beyond_accuracy import reporting
from beyond_accuracy.measures.multilabel import get_multilabel_measure
from beyond_accuracy.results.studies import WITHOUT_DATA, study_file, write_study

from ..synthetic_run import record, write_parquet

PAPER = "dembczynski2011"
PAPER_FILE = Path(__file__).parents[3] / "config" / "papers" / f"{PAPER}.yaml"
N_TEST = 60
LABELS = {"scene": 4, "yeast-multilabel": 5, "enron": 6, "mediamill": 0}


@dataclass(frozen=True)
class LabelRun:
    """Folder and configuration of a synthetic run."""

    results: Path
    configuration: dict


def small_configuration(**changes) -> dict:
    """Return the paper's own configuration with few resamples."""
    configuration = yaml.safe_load(PAPER_FILE.read_text(encoding="utf-8"))[PAPER]
    configuration["bootstrap"] = {"n_resamples": 30, "level": 0.95}
    return configuration | changes


def write_label_run(root: Path, wrong=None, labels=LABELS, **changes) -> LabelRun:
    """Write a run with given shares of wrong labels.

    `wrong` maps (data set, model, decision), or (model, decision), or decision, to the share of
    labels that a prediction has wrong; 0.2 if none is given. A data set without labels could not
    be had. Exact decisions exist for at most five labels.
    """
    configuration = small_configuration(**changes)
    measurements = []
    for data_set, n_labels in labels.items():
        for model in configuration["methods_selected"]:
            method = configuration["methods"][model]
            if data_set not in method.get("data_sets", labels):
                continue
            decisions = method["inference"]
            measurements += _write_fit(
                root, configuration, data_set, n_labels, model, decisions, wrong or {}
            )
    write_parquet(root / PAPER / "measurements.parquet", measurements)
    records = [
        record(name, n_classes_found=n_labels)
        if n_labels
        else record(name, "unavailable", reason="no network", how_to_get="Set a mirror.")
        for name, n_labels in labels.items()
    ]
    pd.DataFrame(records).to_csv(root / "data_sets.csv", index=False)
    return LabelRun(root, configuration)


def _write_fit(root, configuration, data_set, n_labels, model, decisions, wrong):
    # The truth depends on the data set alone, a prediction on its share of wrong labels too.
    generator = np.random.default_rng([*data_set.encode()])
    truth = (generator.random((N_TEST, max(n_labels, 1))) < 0.4).astype(np.uint8)
    noise = generator.random(truth.shape)
    arrays, rows, seconds = {}, [], []
    for decision in decisions:
        status, reason = "ok", ""
        if not n_labels:
            status, reason = "unavailable", "no network"
        elif "_exact" in decision and n_labels > 5:
            status, reason = "unavailable", "too many labels"
        keys = ((data_set, model, decision), (model, decision), decision)
        share = next((wrong[key] for key in keys if key in wrong), 0.2)
        prediction = np.where(noise < share, 1 - truth, truth).astype(np.uint8)
        if status == "ok":
            arrays[f"prediction.{decision}"] = prediction
            arrays[f"expected.{decision}"] = generator.random(N_TEST)
        for measure in configuration["measures"]:
            value = get_multilabel_measure(measure)(truth, prediction) if status == "ok" else np.nan
            rows.append(
                {
                    "paper": PAPER,
                    "data_set": data_set,
                    "task": decision if n_labels else "",
                    "method": model,
                    "measure": measure,
                    "fold": 0,
                    "value": value,
                    "status": status,
                    "reason": reason,
                }
            )
        seconds.append(_seconds(data_set, model, decision, "decide", 0.002))
    shared = "sample" if model.startswith("pcc") else "predict_proba"
    seconds.append(_seconds(data_set, model, "all", shared, 0.5))
    if arrays:
        arrays["y_test"] = truth
    folder = root / PAPER
    path = folder / "scores" / data_set / f"{model}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, tasks=np.array(list(decisions)), **arrays)
    write_parquet(folder / "seconds" / data_set / f"{model}.parquet", seconds)
    fits = [{**row, "selected": json.dumps({"C": [1.0]})} for row in rows]
    write_parquet(folder / "fits" / data_set / f"{model}.parquet", fits)
    return rows


def _seconds(data_set, model, task, stage, wall):
    keys = {"paper": PAPER, "data_set": data_set, "method": model, "task": task, "measure": ""}
    return keys | {"stage": stage, "wall_seconds": wall, "cpu_seconds": wall}


def write_simulations(root: Path, *, lead=0.02, left=0.0, poor=("plus_minus_one",), faster=()):
    """Write simulations: MEUF's lead with few samples and with many, the codings in which it is
    poor, and the MEUFs than which GFM is more than ten times faster."""
    noise = 1e-4 * np.arange(8)

    def by_samples(distribution, few, many):
        rows = []
        for n_samples, change in ((5, few), (1000, many)):
            for trial in range(8):
                for method in ("gfm", "gfm_threshold", "meuf"):
                    value = 0.4 + noise[trial] + (change if method == "meuf" else 0.0)
                    rows.append(
                        {
                            "distribution": distribution,
                            "n_samples": n_samples,
                            "method": method,
                            "trial": trial,
                            "value": value,
                            "optimum": 0.5,
                        }
                    )
        return rows

    _write(root, "independent_labels", by_samples("independent", lead, left))
    dependent = []
    for coding in ("zero_one", "plus_minus_one"):
        change = -0.1 if coding in poor else 0.0
        dependent += by_samples(coding, change, change)
    _write(root, "dependent_labels", dependent)
    methods = ("gfm", "gfm_threshold", "meuf_jansche", "meuf_approx", "meuf")
    _write(
        root,
        "inference_seconds",
        [
            {
                "n_labels": m,
                "method": method,
                "trial": trial,
                "seconds": (20.0 if method in faster else 1.0) * 1e-5 * m * (1 + noise[trial]),
            }
            for m in (10, 20)
            for method in methods
            for trial in range(8)
        ],
        "seconds",
    )


def write_worst_cases(root: Path, meuf_regrets, threshold_regrets, bounds=(0.0, 0.05, 0.1)):
    """Write regrets for three numbers of labels."""
    rows = []
    for construction, regrets in (
        ("all_or_nothing", {"meuf": meuf_regrets}),
        ("misleading_order", {"gfm_threshold": threshold_regrets}),
    ):
        for place, m in enumerate((4, 20, 100)):
            for method in ("gfm", "gfm_threshold", "meuf", "marginal_threshold"):
                regret = regrets.get(method, (0.0, 0.0, 0.0))[place]
                rows.append(
                    {
                        "construction": construction,
                        "n_labels": m,
                        "method": method,
                        "expected_f": 0.9 - regret,
                        "optimum": 0.9,
                        "regret": regret,
                        "bound": bounds[place] if construction == "misleading_order" else np.nan,
                    }
                )
    _write(root, "worst_cases", rows)


def _write(root, study, rows, part="rows"):
    write_study(study_file(root, PAPER, study, WITHOUT_DATA, part), rows, study, part)


def report(run: LabelRun) -> None:
    """Make all reports of a run, as the workflow does."""
    folder = run.results / PAPER
    common = {
        "results_folder": run.results,
        "paper": PAPER,
        "paper_configuration": run.configuration,
    }
    reporting.build_intervals(
        **common,
        resources_folder=run.results,
        seed=3,
        output=folder / "intervals.parquet",
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
