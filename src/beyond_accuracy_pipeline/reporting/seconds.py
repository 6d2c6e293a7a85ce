"""Sum a paper's seconds over the tasks and measures of a data set."""

import pandas as pd

from beyond_accuracy_pipeline.results import layout
from beyond_accuracy_pipeline.results.damage import reading
from beyond_accuracy_pipeline.results.paper_results import PaperResults

_KEYS = ["data_set", "method", "stage"]
_SECONDS = ["wall_seconds", "cpu_seconds"]


def summed_seconds(results: PaperResults) -> pd.DataFrame:
    """Return seconds by data set, method and stage: medians of repetitions, summed over tasks.

    The stored reference has the sums instead of seconds of single fits.
    """
    sums = results.path(layout.SUMMED_SECONDS)
    if sums.is_file():
        with reading(sums) as file:
            return pd.read_csv(file, keep_default_na=False)
    cell = [*_KEYS, "measure", "task"]
    once = _sums(results.seconds, [*cell, "repetition"])
    medians = once.groupby(cell, sort=False, dropna=False)[_SECONDS].median().reset_index()
    return _sums(medians, _KEYS).round(4)


def _sums(frame: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    return frame.groupby(keys, sort=False, dropna=False)[_SECONDS].sum().reset_index()
