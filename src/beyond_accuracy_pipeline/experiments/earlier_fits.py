"""Read final fits of the first seed, which other seeds reuse if they select equal parameters."""

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
    """Paths of the result files of a job: test predictions, facts about its fits, and times."""

    scores: str | Path
    fits: str | Path
    seconds: str | Path


class EarlierFit(NamedTuple):
    """Fit that an earlier job made: test scores, facts about the fit, and rows of its times."""

    scores: np.ndarray
    record: dict[str, Any]
    seconds: list[dict[str, Any]]


def read_earlier_fits(files: Sequence[JobFiles], fit_key: str):
    """Read the successful fits of a method from the files of earlier jobs.

    `fit_key` identifies the method's fits in the files. Return {(task, measure, selected
    hyperparameters as JSON): `EarlierFit`}.
    """
    earlier = {}
    for job in files:
        fits = read_frames([job.fits], FIT_COLUMNS).query("fit == @fit_key and status == 'ok'")
        if fits.empty:
            continue
        seconds = read_frames([job.seconds], SECONDS_COLUMNS)
        seconds = seconds.query("fit == @fit_key and stage in @_FINAL")
        timed = dict(list(seconds.groupby(["task", "measure"])))
        scores = read_scores(job.scores, fit_key)
        for row in fits.to_dict("records"):
            task, measure = row["task"], row["measure"]
            record = {name: row[name] for name in _RECORD if not pd.isna(row[name])}
            rows = timed.get((task, measure), seconds.iloc[:0]).to_dict("records")
            fit = EarlierFit(scores.row(measure, task), record, rows)
            earlier[task, measure, row["selected"]] = fit
    return earlier
