"""Runs over C, B or the training size, and the selection of auxiliaries: files of their own."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from beyond_accuracy.results import PaperResults

SWEEP_KEYS = ["data_set", "measure", "method", "C", "B", "train_fraction"]
DEFAULT, SELECTED = "default", "selected"
AUXILIARY_CHANGE, CAPO_CHANGE = "auxiliary_change", "capo_change"


def sweep_seconds(
    results: PaperResults, configuration: Mapping[str, Any], name: str
) -> pd.DataFrame:
    """One sweep with its CPU seconds, which differ from run to run."""
    rows, seconds = (results.study(name, configuration, part) for part in ("rows", "seconds"))
    return rows.merge(seconds[[*SWEEP_KEYS, "cpu_seconds"]], on=SWEEP_KEYS, validate="one_to_one")


def relative_changes(results: PaperResults, configuration: Mapping[str, Any]) -> pd.DataFrame:
    """(selected − default) / default of auxiliaries and of CAPO by data set and measure."""
    rows = results.study("auxiliary_selection", configuration)
    rows = rows[rows["status"] == "ok"]
    keys = ["data_set", "measure"]
    default, selected = (
        rows[rows["which"] == which].set_index(keys)[["auxiliary_value", "capo_value"]]
        for which in (DEFAULT, SELECTED)
    )
    common = default.index.intersection(selected.index, sort=False)
    # Nothing is relative to zero.
    changes = selected.loc[common] / default.loc[common].where(lambda value: value > 0) - 1.0
    changes.columns = [AUXILIARY_CHANGE, CAPO_CHANGE]
    return changes.dropna()


def in_order(found: pd.Series, first: tuple[str, ...]) -> list[str]:
    """The distinct names, those of `first` in its order before others."""
    known = list(dict.fromkeys(found))
    return [name for name in first if name in known] + [x for x in known if x not in first]
