"""A synthetic run of the paper with its studies, and with numbers that decide claims."""

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.papers.li2013.names import COLLECTIONS
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.columns import STUDY_COLUMNS
from beyond_accuracy_pipeline.results.fits import fit_jobs
from beyond_accuracy_pipeline.results.frames import read_frames, write_frame, write_study
from beyond_accuracy_pipeline.results.layout import study_file

from ..synthetic import SyntheticRun, paper_configuration, synthetic_run

PAPER = "li2013"
OWN = "generated-imbalanced"
SWEPT = ("f1", "roc_area")
LIMIT = 2000
RECORDS = {
    "reuters-money-fx": {"n_test_found": 3299, "positives_found": '{"test": 179}'},
    "mitfaces": {"n_test_found": 24_044, "substitute_for": "normalized"},
    "usps-01234": {"used": "rebuilt", "substitute_for": "usps-01234", "substitute_reason": "lost"},
}


def capo_run(folder: Path, **options) -> SyntheticRun:
    """Write a run of the paper's data sets and one more, with one task each."""
    wider = paper_configuration(PAPER, data_sets=[*COLLECTIONS, OWN])
    options.setdefault("configuration", wider)
    options.setdefault("n_classes", dict.fromkeys([*COLLECTIONS, OWN], 1))
    run = synthetic_run(folder, PAPER, records=RECORDS, **options)
    write_whole(run)
    return run


def write_whole(run: SyntheticRun) -> None:
    """Write all studies, and the seconds of selections."""
    write_selection_seconds(run)
    write_studies(run)


def write_values(run: SyntheticRun, values: Mapping[tuple[str, str, str], float]) -> None:
    """Replace measured values by (data set, measure, method)."""
    path = run.path(layout.MEASUREMENTS)
    frame = read_frames([path], {})
    keys = zip(frame["data_set"], frame["measure"], frame["method"], strict=True)
    new = [values.get(key, value) for key, value in zip(keys, frame["value"], strict=True)]
    frame["value"] = pd.Series(new, dtype="float64").where(frame["status"] == "ok")
    write_frame(path, frame)


def write_selection_seconds(
    run: SyntheticRun, seconds: Mapping[tuple[str, str, str], float] | None = None
) -> None:
    """Add the seconds of five folds of cross-validation; their sum is 1.0, or as given."""
    for data_set, job in fit_jobs(run.configuration):
        if not run.n_classes.get(data_set, 3):
            continue
        path = run.path(layout.SECONDS, data_set=data_set, job=job)
        rows = read_frames([path], {})
        fits = rows[rows["stage"] == "fit"]
        # The baselines with a cost model are selected for all measures at once.
        at_once = fits["method"].str.startswith("svmlight")
        selected = fits[~(at_once & fits.duplicated("method"))].assign(stage="select")
        selected["measure"] = selected["measure"].mask(at_once, "all")
        keys = zip(selected["data_set"], selected["measure"], selected["method"], strict=True)
        selected["cpu_seconds"] = [(seconds or {}).get(key, 1.0) / 5 for key in keys]
        write_frame(path, pd.concat([fits, *[selected] * 5]))


def studies(
    configuration: Mapping[str, Any],
    selected: Mapping[tuple[str, str], tuple[float, float]] | None = None,
    **given: Mapping[tuple, float],
) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of all studies; `given` has values, seconds and calls of sweeps.

    Given numbers are by (sweep, data set, measure, method, x). The values of selected auxiliaries
    and of CAPO with them are by (data set, measure), by default 0.55 and 0.5.
    """
    rows = {name: _sweep(configuration, name, **given) for name in configuration["studies"]}
    rows["auxiliary_selection"] = [
        {"data_set": data_set, "measure": measure, "which": which, "status": "ok"}
        | {"auxiliary_value": auxiliary, "capo_value": capo}
        for data_set in configuration["studies"]["auxiliary_selection"]["data_sets"]
        for measure in configuration["measures"]
        for which, (auxiliary, capo) in (
            ("default", (0.5, None)),
            ("selected", (selected or {}).get((data_set, measure), (0.55, 0.5))),
        )
    ]
    return rows


def _sweep(
    configuration: Mapping[str, Any],
    name: str,
    values: Mapping[tuple, float] | None = None,
    seconds: Mapping[tuple, float] | None = None,
    calls: Mapping[tuple, int] | None = None,
) -> list[dict[str, Any]]:
    settings, rows = configuration["studies"][name], []
    lists = [settings.get(key, [1.0]) for key in ("C", "B", "train_fraction")]
    cells = product(settings["data_sets"], SWEPT, settings.get("methods", ()), *lists)
    for data_set, measure, method, C, B, share in cells:
        x = {"by_B": B, "oracle_calls_by_B": B, "by_training_size": share}.get(name, C)
        key = (name, data_set, measure, method, x)
        steady = 0.6 if method == "capo_5cvm" else 0.6 + 0.02 * np.log10(x)
        n_calls = (calls or {}).get(key, 10 if method.startswith("capo") else 50)
        rows.append(
            {
                "data_set": data_set,
                "measure": measure,
                "method": method,
                "C": float(C),
                "B": float(B),
                "train_fraction": float(share),
                "n_train": round(1000 * share),
                "value": (values or {}).get(key, steady),
                "status": "ok" if n_calls < LIMIT else "timeout",
                "reason": "" if n_calls < LIMIT else "limit of iterations",
                "oracle_calls": n_calls,
                "cpu_seconds": (seconds or {}).get(key, 2.0 * share),
            }
        )
    return rows


def write_studies(run: SyntheticRun, state: int = 1, **given: Mapping[tuple, Any]) -> None:
    """Write all studies of a seed."""
    for name, rows in studies(run.configuration, **given).items():
        for data_set, part in product(
            run.configuration["studies"][name]["data_sets"], STUDY_COLUMNS[name]
        ):
            path = study_file(run.folder, PAPER, name, data_set, part, state)
            own = [row for row in rows if row["data_set"] == data_set]
            write_study(path, own, name, part)
