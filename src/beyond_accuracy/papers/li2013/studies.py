"""Runs over C, B or the training size, and the selection of auxiliaries."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from beyond_accuracy.papers.li2013.values import TASK
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.results import read_frames

KEYS = [*TASK, "method", "C", "B", "train_fraction"]
SWEEP_COLUMNS = (*KEYS, "n_train", "value", "status", "oracle_calls")
MATCHING_B_COLUMNS = (*TASK, "C", "auxiliary", "matching_B", "matches_below", "status", "reason")
SELECTION_COLUMNS = (*TASK, "which", "auxiliary_value", "capo_value", "status")
TEXTS = (*TASK, "method", "auxiliary", "which", "matches_below", "status", "reason")

AUXILIARY_CHANGE, CAPO_CHANGE = "auxiliary_change", "capo_change"


def sweep(report: Report, name: str) -> pd.DataFrame:
    """Return one sweep on all its selected data sets; NaN where a row has no value."""
    return _read(report, f"sweeps/{name}", _sweep_settings(report, name), SWEEP_COLUMNS)


def sweep_seconds(report: Report, name: str) -> pd.DataFrame:
    """Return one sweep with its CPU seconds, which differ from run to run."""
    settings, columns = _sweep_settings(report, name), (*KEYS, "cpu_seconds")
    seconds = _read(report, f"sweeps/seconds/{name}", settings, columns)
    return sweep(report, name).merge(seconds, on=KEYS, validate="one_to_one")


def matching_B(report: Report) -> pd.DataFrame:
    """Return the B that gives an auxiliary the weight 1, by task and auxiliary."""
    settings = _sweep_settings(report, "matching_B")
    return _read(report, "sweeps/matching_B", settings, MATCHING_B_COLUMNS)


def relative_changes(report: Report) -> pd.DataFrame:
    """Return (selected − default) / default of auxiliaries and of CAPO by data set and measure."""
    settings = report.configuration.get("auxiliary_selection")
    rows = _read(report, "auxiliary_selection", settings, SELECTION_COLUMNS)
    rows = rows[rows["status"] == "ok"]
    default, selected = (
        rows[rows["which"] == which].set_index(TASK)[["auxiliary_value", "capo_value"]]
        for which in ("default", "selected")
    )
    common = default.index.intersection(selected.index, sort=False)
    # Nothing is relative to zero.
    changes = selected.loc[common] / default.loc[common].where(lambda value: value > 0) - 1.0
    changes.columns = [AUXILIARY_CHANGE, CAPO_CHANGE]
    return changes.dropna()


def _sweep_settings(report: Report, name: str) -> Mapping[str, Any] | None:
    return (report.configuration.get("sweeps") or {}).get(name)


def _read(
    report: Report, folder: str, settings: Mapping[str, Any] | None, columns: Sequence[str]
) -> pd.DataFrame:
    """Read columns of a study on those of its data sets that are selected, in its order.

    Raises FileNotFoundError that names the first file which is not there.
    """
    names = [name for name in (settings or {}).get("data_sets", ()) if name in report.data_sets]
    pattern = f"{{paper}}/{folder}/{{data_set}}.parquet"
    paths = [report.results.path(pattern, data_set=name) for name in names]
    frame = read_frames(paths)[list(columns)] if paths else pd.DataFrame(columns=list(columns))
    # A file of nothing but missing values has no number type of its own.
    return frame.astype({name: "float64" for name in columns if name not in TEXTS})
