"""Final fits of earlier random states, which a state that chooses the same need not make again."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.results.columns import FIT_COLUMNS, SECONDS_COLUMNS
from beyond_accuracy_pipeline.results.frames import read_frames
from beyond_accuracy_pipeline.results.scores import Scores, read_scores

_RECORD = tuple(FIT_COLUMNS)[tuple(FIT_COLUMNS).index("converged") :]
_FINAL = ("fit", "predict")


class JobFiles(NamedTuple):
    """What a job of fits has written."""

    scores: str | Path
    fits: str | Path
    seconds: str | Path


class EarlierFit(NamedTuple):
    """Test scores, shape (n_test,), what is recorded of the fit, and its rows of seconds."""

    scores: np.ndarray
    record: dict[str, Any]
    seconds: list[dict[str, Any]]


def earlier_fits(files: Sequence[JobFiles], method: str) -> dict[tuple[str, str, str], EarlierFit]:
    """Return the fits of a method to whole training parts, by task, measure and what was selected.

    Of several that chose the same the first counts: nothing but their seconds differ.

    Parameters
    ----------
    files : sequence of JobFiles
        Of the same data set; jobs without the method are passed over.
    method : str

    Raises
    ------
    FileNotFoundError, DamagedFile
        As `read_frames` and `read_scores`.
    """
    found: dict[tuple[str, str, str], EarlierFit] = {}
    for job in files:
        fits = read_frames([job.fits], FIT_COLUMNS).query("method == @method and status == 'ok'")
        if fits.empty:
            continue
        seconds = read_frames([job.seconds], SECONDS_COLUMNS).query("method == @method")
        scores = read_scores(job.scores, method)
        for key, fit in _of_job(fits, seconds, scores):
            found.setdefault(key, fit)
    return found


def _of_job(
    fits: pd.DataFrame, seconds: pd.DataFrame, scores: Scores
) -> Iterator[tuple[tuple[str, str, str], EarlierFit]]:
    final = seconds[seconds["stage"].isin(_FINAL)]
    timed = dict(list(final.groupby(["task", "measure"])))
    for row in fits.to_dict("records"):
        task, measure = row["task"], row["measure"]
        record = {name: row[name] for name in _RECORD if not pd.isna(row[name])}
        own = timed.get((task, measure), final.iloc[:0]).drop(columns=["paper", "data_set"])
        yield (
            (task, measure, row["selected"]),
            EarlierFit(scores.row(measure, task), record, own.to_dict("records")),
        )
