"""Runs over C, B or the training size, and the selection of auxiliaries."""

import pandas as pd

from beyond_accuracy.papers.li2013.values import TASK
from beyond_accuracy.reporting.report import Report

KEYS = [*TASK, "method", "C", "B", "train_fraction"]
AUXILIARY_CHANGE, CAPO_CHANGE = "auxiliary_change", "capo_change"


def sweep(report: Report, name: str) -> pd.DataFrame:
    """Return one sweep on all its selected data sets; NaN where a row has no value."""
    return report.results.study(name)


def sweep_seconds(report: Report, name: str) -> pd.DataFrame:
    """Return one sweep with its CPU seconds, which differ from run to run."""
    seconds = report.results.study(name, "seconds")[[*KEYS, "cpu_seconds"]]
    return sweep(report, name).merge(seconds, on=KEYS, validate="one_to_one")


def matching_B(report: Report) -> pd.DataFrame:
    """Return the B that gives an auxiliary the weight 1, by task and auxiliary."""
    columns = [*TASK, "C", "auxiliary", "matching_B", "matches_below", "status", "reason"]
    return report.results.study("matching_B")[columns]


def relative_changes(report: Report) -> pd.DataFrame:
    """Return (selected − default) / default of auxiliaries and of CAPO by data set and measure."""
    rows = report.results.study("auxiliary_selection")
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
