"""Measures on many bootstrap resamples at once: sort once, then add up repetition counts.

A task (true labels and scores) is prepared once per measure. The result is a function that maps
repetition counts, shape (n, r), to values, float64, shape (r,). Each column of the counts is a
resample and sums to n. There are fast functions for some training losses, as value = 1 − Δ/100 for
the loss Δ. Other measures are scored resample by resample. Either way the values equal
`Measure.score` with the counts as `sample_weight`, except that they are NaN if a resample has no
positive or no negative example.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from beyond_accuracy.measures.losses import (
    ContingencyLoss,
    RatioLoss,
    RocAreaLoss,
    SeparableLoss,
    TopLoss,
)

if TYPE_CHECKING:
    from beyond_accuracy.measures.registry import Measure

Resampler = Callable[[np.ndarray], np.ndarray]


def resampled(measure: "Measure", positive: np.ndarray, scores: np.ndarray) -> Resampler:
    """Return a function that computes a measure on many bootstrap samples; see `Measure`."""
    if not np.isfinite(scores).all():
        raise ValueError(
            f"{measure.name}: decision values are not finite; leave failed tasks out first."
        )
    match measure.loss:
        case RocAreaLoss():
            return _roc_area(positive, scores)
        case TopLoss() as loss:
            return _top(loss, positive, scores)
        case RatioLoss() | SeparableLoss() | ContingencyLoss() as loss:
            return _contingency(loss, positive, scores)
        case _:
            return _one_by_one(measure, positive, scores)


def _one_by_one(measure, positive, scores) -> Resampler:
    def evaluate(counts: np.ndarray) -> np.ndarray:
        defined = counts[positive].any(axis=0) & counts[~positive].any(axis=0)
        values = np.full(counts.shape[1], np.nan)
        for column in np.flatnonzero(defined):
            values[column] = measure.score(positive, scores, counts[:, column])
        return values

    return evaluate


def _contingency(loss, positive, scores) -> Resampler:
    predicted = scores > 0
    cells = (positive & predicted, ~positive & predicted, positive & ~predicted)
    order = np.concatenate([np.flatnonzero(cell) for cell in cells])
    members = _sums(order, map(np.sum, cells), len(positive))

    def evaluate(counts: np.ndarray) -> np.ndarray:
        tp, fp, fn = (members @ counts).astype(np.float64)
        tn = len(positive) - tp - fp - fn
        values = np.full(tp.shape, np.nan)
        defined = (tp + fn > 0) & (fp + tn > 0)
        values[defined] = _table_value(loss, *(cell[defined] for cell in (tp, fp, fn, tn)))
        return values

    return evaluate


def _sums(order, sizes, n_rows):
    """Return a sparse matrix that sums counts over successive parts of `order`, of given sizes.

    A product with this matrix takes an eighth of the time of cumulative sums over all rows.
    """
    ends = np.cumsum([0, *sizes])
    members = order[: ends[-1]]
    values = np.ones(len(members), dtype=np.float32)
    return csr_array((values, members, ends), shape=(len(ends) - 1, n_rows))


def _table_value(loss, tp, fp, fn, tn):
    match loss:
        case RatioLoss(gain, offset, slope):
            return gain * tp / (offset * (tp + fn) + slope * tp + fp)
        case SeparableLoss(costs):
            false_negative, false_positive = costs(tp + fn, fp + tn)
            return 1 - false_negative * fn - false_positive * fp
        case ContingencyLoss(function):
            return function(tp, fp, fn, tn)


def _top(loss, positive, scores) -> Resampler:
    # Among equal scores the negatives come first, as in the measure.
    order = np.lexsort((positive, -scores))
    rows = np.flatnonzero(positive[order])
    positives_in_order = order[rows]
    between_positives = _sums(order, np.diff(rows, prepend=0), len(order))

    def evaluate(counts: np.ndarray) -> np.ndarray:
        weights = counts.take(positives_in_order, axis=0)
        before = np.cumsum(between_positives @ counts, axis=0)
        positives = weights.sum(axis=0, dtype=np.float64)
        different, place = np.unique(positives, return_inverse=True)
        sizes = [loss.size.count(number, len(order)) for number in different.tolist()]
        size = np.array(sizes, dtype=weights.dtype)[place]
        found = np.clip(size - before, 0, weights).sum(axis=0, dtype=np.float64)
        total = positives if loss.relative_to == "positives" else size
        return _divide(found, total, where=(positives > 0) & (positives < len(order)))

    return evaluate


def _roc_area(positive, scores) -> Resampler:
    positives = np.flatnonzero(positive)
    negatives = np.flatnonzero(~positive)
    negatives = negatives[np.argsort(scores[negatives], kind="stable")]
    sides = [np.searchsorted(scores[negatives], scores[positives], s) for s in ("left", "right")]
    cuts, places = np.unique(sides, return_inverse=True)
    below, not_above = places.reshape(2, -1)
    between_cuts = _sums(negatives, np.diff(cuts, prepend=0), len(positive))

    def evaluate(counts: np.ndarray) -> np.ndarray:
        weights = counts.take(positives, axis=0)
        passed = np.cumsum(between_cuts @ counts, axis=0)
        # A tie counts one half: average the negatives below and the negatives not above.
        doubled = passed.take(below, axis=0) + passed.take(not_above, axis=0)
        in_order = np.einsum("ij,ij->j", weights, doubled, dtype=np.float64) / 2
        n_positives = weights.sum(axis=0, dtype=np.float64)
        pairs = n_positives * (len(positive) - n_positives)
        return _divide(in_order, pairs, where=pairs > 0)

    return evaluate


def _divide(numerator, denominator, *, where):
    result = np.full(numerator.shape, np.nan)
    return np.divide(numerator, denominator, out=result, where=where)
