"""Reuse final fits of the first seed for later seeds that select the same hyperparameters."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.results.columns import FIT_COLUMNS, SECONDS_COLUMNS
from beyond_accuracy_pipeline.results.frames import read_frames
from beyond_accuracy_pipeline.results.scores import read_scores

_RECORD = tuple(FIT_COLUMNS)[tuple(FIT_COLUMNS).index("converged") :]
_FINAL = ("fit", "predict")


class JobFiles(NamedTuple):
    """Paths of the files that a job of fits writes."""

    scores: str | Path
    fits: str | Path
    seconds: str | Path


class EarlierFit(NamedTuple):
    """Test scores of a fit, shape (n_test,), its record, and its rows of seconds."""

    scores: np.ndarray
    record: dict[str, Any]
    seconds: list[dict[str, Any]]


def earlier_fits(files: Sequence[JobFiles], key: str) -> dict[tuple[str, str, str], EarlierFit]:
    """Return the final fits of one key by task, measure and selected hyperparameters.

    Raises FileNotFoundError or DamagedFile if a file cannot be read.
    """
    found = {}
    for job in files:
        fits = read_frames([job.fits], FIT_COLUMNS).query("fit == @key and status == 'ok'")
        if fits.empty:
            continue
        seconds = read_frames([job.seconds], SECONDS_COLUMNS)
        seconds = seconds.query("fit == @key and stage in @_FINAL")
        timed = dict(list(seconds.groupby(["task", "measure"])))
        scores = read_scores(job.scores, key)
        for row in fits.to_dict("records"):
            task, measure = row["task"], row["measure"]
            record = {name: row[name] for name in _RECORD if not pd.isna(row[name])}
            own = timed.get((task, measure), seconds.iloc[:0])
            found[task, measure, row["selected"]] = EarlierFit(
                scores.row(measure, task), record, own.to_dict("records")
            )
    return found
