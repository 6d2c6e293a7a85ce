"""A synthetic run of the paper with its studies, and with numbers that decide claims."""

from collections.abc import Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.papers.li2013.names import COLLECTIONS
from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.fits import fit_jobs
from beyond_accuracy_pipeline.results.frames import read_frames, write_frame, write_study
from beyond_accuracy_pipeline.results.layout import study_file
from beyond_accuracy_pipeline.results.variants import HEADLINE

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
    write_studies(run)
    return run


def write_studies(run: SyntheticRun) -> None:
    """Write all studies, and the seconds of selections."""
    write_selection_seconds(run)
    write_sweeps(run)
    write_auxiliary_selection(run)


def write_values(
    run: SyntheticRun, values: Mapping[tuple[str, str, str], float], default: float | None = None
) -> None:
    """Replace measured values by (data set, measure, method), others by the default, if given."""
    path = run.path(layout.MEASUREMENTS)
    frame = read_frames([path], {})
    keys = zip(frame["data_set"], frame["measure"], frame["method"], strict=True)
    old = frame["value"] if default is None else [default] * len(frame)
    new = [values.get(key, value) for key, value in zip(keys, old, strict=True)]
    frame["value"] = pd.Series(new, dtype="float64").where(frame["status"] == "ok")
    write_frame(path, frame)


def write_intervals(run: SyntheticRun, ends: Mapping[tuple[str, ...], tuple[float, float]]) -> None:
    """Write intervals by (data set, measure, method) or (…, method, baseline), and no others."""
    names = ["data_set", "measure", "method", "baseline"]
    first = {"group": "all", "reading": HEADLINE, "state": 1}
    rows = [
        {**dict.fromkeys(names, ""), **dict(zip(names, key, strict=False)), **first}
        | {"low": low, "high": high}
        for key, (low, high) in ends.items()
    ]
    columns = [*names, *first, "low", "high"]
    write_frame(run.path(layout.INTERVALS), pd.DataFrame(rows, columns=columns))


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


def write_sweeps(
    run: SyntheticRun,
    values: Mapping[tuple, float] | None = None,
    seconds: Mapping[tuple, float] | None = None,
    calls: Mapping[tuple, int] | None = None,
    state: int = 1,
) -> None:
    """Write all sweeps of a seed; given numbers are by (sweep, data set, measure, method, x).

    Sweeps without given numbers are only written if the run does not have them.
    """
    values, seconds, calls = values or {}, seconds or {}, calls or {}
    given = {sweep for numbers in (values, seconds, calls) for sweep, *_ in numbers}
    for name, settings in run.configuration["studies"].items():
        if name == "auxiliary_selection":
            continue
        lists = [settings.get(key, [1.0]) for key in ("C", "B", "train_fraction")]
        for data_set in settings["data_sets"]:
            paths = {
                part: study_file(run.folder, PAPER, name, data_set, part, state)
                for part in ("rows", "seconds")
            }
            if name not in given and all(path.exists() for path in paths.values()):
                continue
            rows = []
            cells = product(SWEPT, settings["methods"], *lists)
            for measure, method, C, B, share in cells:
                x = {"by_B": B, "oracle_calls_by_B": B, "by_training_size": share}.get(name, C)
                key = (name, data_set, measure, method, x)
                steady = 0.6 if method == "capo_5cvm" else 0.6 + 0.02 * np.log10(x)
                n_calls = calls.get(key, 10 if method.startswith("capo") else 50)
                rows.append(
                    {
                        "data_set": data_set,
                        "measure": measure,
                        "method": method,
                        "C": float(C),
                        "B": float(B),
                        "train_fraction": float(share),
                        "n_train": round(1000 * share),
                        "value": values.get(key, steady),
                        "status": "ok" if n_calls < LIMIT else "timeout",
                        "reason": "" if n_calls < LIMIT else "limit of iterations",
                        "oracle_calls": n_calls,
                        "cpu_seconds": seconds.get(key, 2.0 * share),
                    }
                )
            for part, path in paths.items():
                write_study(path, rows, name, part)


def write_auxiliary_selection(
    run: SyntheticRun,
    selected: Mapping[tuple[str, str], tuple[float, float]] | None = None,
    state: int = 1,
) -> None:
    """Write 0.5 for the default auxiliaries, and 0.55 (CAPO: 0.5) for selected ones."""
    for data_set in run.configuration["studies"]["auxiliary_selection"]["data_sets"]:
        rows = []
        for measure in run.configuration["measures"]:
            better = (selected or {}).get((data_set, measure), (0.55, 0.5))
            for which, (auxiliary, capo) in (("default", (0.5, None)), ("selected", better)):
                row = {"data_set": data_set, "measure": measure, "which": which, "status": "ok"}
                rows.append(row | {"auxiliary_value": auxiliary, "capo_value": capo})
        path = study_file(run.folder, PAPER, "auxiliary_selection", data_set, state=state)
        write_study(path, rows, "auxiliary_selection")
