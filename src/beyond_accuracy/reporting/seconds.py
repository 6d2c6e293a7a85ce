"""Seconds of a paper, summed over the tasks of a data set."""

import pandas as pd

from beyond_accuracy.results import layout
from beyond_accuracy.results.damage import reading
from beyond_accuracy.results.paper_results import PaperResults

_KEYS = ["data_set", "method", "measure", "stage"]
_SECONDS = ["wall_seconds", "cpu_seconds"]


def summed_seconds(results: PaperResults) -> pd.DataFrame:
    """Return wall and CPU seconds by data set, method, measure and stage, summed over tasks.

    Of fits that are repeated they are medians. The reference has no others.

    Raises
    ------
    FileNotFoundError
        If there are neither files of jobs nor the reference's sums.
    """
    sums = results.path(layout.SUMMED_SECONDS)
    if sums.is_file():
        with reading(sums) as file:
            return pd.read_csv(file, keep_default_na=False, na_values={"cpu_seconds": [""]})
    once = _sums(results.seconds, [*_KEYS, "task", "repetition"])
    medians = once.groupby([*_KEYS, "task"], sort=False, dropna=False)[_SECONDS].median()
    return _sums(medians.reset_index(), _KEYS).round(4).fillna({"measure": ""})


def _sums(frame: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    return frame.groupby(keys, sort=False, dropna=False)[_SECONDS].sum().reset_index()
