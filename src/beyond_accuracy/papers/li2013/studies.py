"""Seconds of runs over C, B or the training size, and what selecting auxiliaries changes."""

import pandas as pd

from beyond_accuracy.papers.li2013.values import CELL, TASK
from beyond_accuracy.reporting.report import Report

AUXILIARY_CHANGE, CAPO_CHANGE = "auxiliary_change", "capo_change"


def sweep_seconds(report: Report, name: str) -> pd.DataFrame:
    """Return one sweep with its CPU seconds, which differ from run to run."""
    keys = [*CELL, "C", "B", "train_fraction"]
    seconds = report.results.study(name, "seconds")[[*keys, "cpu_seconds"]]
    return report.results.study(name).merge(seconds, on=keys, validate="one_to_one")


def relative_changes(report: Report) -> pd.DataFrame:
    """Return (selected − default) / default of auxiliaries and of CAPO by data set and measure."""
    rows = report.results.study("auxiliary_selection")
    rows = rows[rows["status"] == "ok"].set_index(TASK)
    values = rows[["auxiliary_value", "capo_value"]].set_axis(
        [AUXILIARY_CHANGE, CAPO_CHANGE], axis=1
    )
    default, selected = (values[rows["which"] == which] for which in ("default", "selected"))
    common = default.index.intersection(selected.index, sort=False)
    # Nothing is relative to zero.
    positive = default.loc[common].where(lambda value: value > 0)
    return (selected.loc[common] / positive - 1.0).dropna()
