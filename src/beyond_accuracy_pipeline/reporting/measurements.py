"""Compute the value of every measure from the stored predictions for the test examples."""

import numpy as np
import pandas as pd

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.multiclass import MULTICLASS_MEASURES
from beyond_accuracy.measures.multilabel import get_multilabel_measure
from beyond_accuracy_pipeline.results.columns import MEASUREMENT_COLUMNS
from beyond_accuracy_pipeline.results.layout import fitted_pairs
from beyond_accuracy_pipeline.results.paper_results import PaperResults
from beyond_accuracy_pipeline.results.scores import (
    COST_MATRICES,
    FOLDS,
    PREDICTION,
    TRUE_CLASSES,
    TRUE_LABELS,
    Scores,
)

from .report import Report


def measure_variants(report: Report) -> pd.DataFrame:
    """Compute the measures of all fits for all seeds and all variants of the paper's protocol."""
    measured: dict[tuple, pd.DataFrame] = {}
    return report.over_variants(lambda variant: measure_scores(variant.results, measured))


def measure_scores(results: PaperResults, measured: dict[tuple, pd.DataFrame]) -> pd.DataFrame:
    """Compute the measures of all fits from the stored predictions for the test examples.

    Return one row per fit and measure, with NaN for failed fits. `measured` is a cache of such rows
    that several calls can share; it is updated in place.
    """
    protocol = results.configuration["protocol"]
    value = {"binary": _binary, "multilabel": _multilabel, "multiclass": _multiclass}[protocol]
    fits = results.fits
    frames = []
    by_pair = dict(list(fits.groupby(["data_set", "method"], sort=False)))
    for data_set, method in fitted_pairs(results.configuration):
        key = results.fits_of(data_set, method)
        if key not in measured:
            frame = by_pair.get((data_set, method), fits.iloc[:0])
            scores = results.scores(data_set, method)
            values = [
                value(scores, row) if row.status == "ok" else np.nan for row in frame.itertuples()
            ]
            measured[key] = frame.assign(value=values)[list(MEASUREMENT_COLUMNS)]
        frames.append(measured[key])
    return pd.concat(frames, ignore_index=True).astype(MEASUREMENT_COLUMNS)


def _binary(scores: Scores, fit) -> float:
    truth = scores.row(TRUE_LABELS, fit.task)
    return get_measure(fit.measure).score(truth, scores.row(fit.measure, fit.task))


def _multilabel(scores: Scores, fit) -> float:
    measure = get_multilabel_measure(fit.measure)
    return measure.score(scores.arrays[TRUE_LABELS], scores.arrays[PREDICTION + fit.task])


def _multiclass(scores: Scores, fit) -> float:
    test = scores.arrays[FOLDS] == fit.fold
    predicted = scores.row(PREDICTION + fit.measure, fit.task)[test]
    costs = scores.row(COST_MATRICES, fit.task)
    truth = scores.arrays[TRUE_CLASSES][test]
    return MULTICLASS_MEASURES[fit.measure].score(truth, predicted, costs)
