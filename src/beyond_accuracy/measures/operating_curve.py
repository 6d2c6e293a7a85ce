"""Contingency tables of all thresholds on given scores."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Tables = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class OperatingCurve:
    """Contingency tables at every threshold on given scores, from the lowest to the highest.

    `thresholds`, shape (t,), are those of `RankedExamples`. `tables` holds TP, FP, FN and TN as
    sums of weights, each of shape (t,).
    """

    thresholds: np.ndarray
    tables: Tables


class RankedExamples:
    """Examples sorted by score, for fast sums over the examples above each threshold.

    Parameters
    ----------
    positive : array of bool, shape (n,)
        Whether each example is positive.
    scores : array of float, shape (n,)
        Finite numbers, at least one.

    Attributes
    ----------
    values : ndarray, shape (t − 1,)
        The distinct scores, increasing. There is one threshold more than distinct scores.
    """

    def __init__(self, positive: ArrayLike, scores: ArrayLike) -> None:
        self._scores = np.asarray(scores, dtype=np.float64)
        self._positive = np.asarray(positive, dtype=bool)
        # Sorting values takes a fifth of the time of argsort, and counts need no indices.
        ranked = np.sort(self._scores)
        # Where each value starts in the sorted scores.
        self._starts = np.flatnonzero(np.append(True, ranked[1:] > ranked[:-1]))
        self.values: NDArray[np.float64] = ranked[self._starts]

    @cached_property
    def thresholds(self) -> NDArray[np.float64]:
        """One threshold per possible set of predictions, increasing, shape (t,).

        A score above the threshold predicts positive. The first threshold is just below the lowest
        score, the last is the highest score, and the others are halfway between neighbouring
        distinct scores.
        """
        below = np.nextafter(self.values[:1], -np.inf)
        middles = _between(self.values[:-1], self.values[1:])
        return np.concatenate([below, middles, self.values[-1:]])

    def threshold(self, index: int) -> float:
        """Return `thresholds[index]`, except −inf for the first index and inf for the last."""
        if index == 0:
            return -np.inf
        if index == len(self.values):
            return np.inf
        return float(_between(self.values[index - 1], self.values[index]))

    def index(self, threshold: float) -> int:
        """Return the index in `thresholds` that gives the same predictions as `threshold`."""
        return int(np.searchsorted(self.values, threshold, side="right"))

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Indices of the examples by increasing score, shape (n,); ties keep their order."""
        # A stable sort takes three times as long.
        all_differ = len(self.values) == len(self._scores)
        return np.argsort(self._scores, kind=None if all_differ else "stable")

    def gaps(self, indices: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the gap between the two scores next to each threshold.

        `indices` are the indices of the thresholds; the result has the same shape. The gap is 0 for
        the first and the last threshold.
        """
        last = len(self.values) - 1
        return self.values[np.minimum(indices, last)] - self.values[np.maximum(indices - 1, 0)]

    def sums_above(self, amounts: ArrayLike) -> np.ndarray:
        """Return the sum of `amounts` over the examples above each threshold, shape (t,).

        `amounts`, shape (n,), has one number per example, such as its weight.
        """
        return self._sums(np.asarray(amounts, dtype=np.float64)[self.order])

    def curve(self, sample_weight: ArrayLike | None = None) -> OperatingCurve:
        """Return the thresholds, with the contingency table (TP, FP, FN, TN) at each.

        The entries are sums of the example weights, which are 1 by default.
        """
        return OperatingCurve(self.thresholds, self.tables(sample_weight))

    def tables(self, sample_weight: ArrayLike | None = None) -> Tables:
        """Return (TP, FP, FN, TN), each an array with one entry per threshold, shape (t,).

        The entries are sums of the example weights, which are 1 by default.
        """
        if sample_weight is None:
            places = np.searchsorted(self.values, np.sort(self._scores[self._positive]))
            positives = np.bincount(places, minlength=len(self.values))
            tp = np.append(np.cumsum(positives[::-1])[::-1], 0.0)
            fp = np.append(len(self._scores) - self._starts, 0.0) - tp
        else:
            weight, positive = np.asarray(sample_weight)[self.order], self._positive[self.order]
            tp = self._sums(np.where(positive, weight, 0.0))
            fp = self._sums(np.where(positive, 0.0, weight))
        return tp, fp, tp[0] - tp, fp[0] - fp

    def _sums(self, ranked):
        from_each = ranked[::-1].cumsum()[::-1]
        return np.append(from_each[self._starts], 0.0)


def _between(lower, upper):
    """Return the midpoints of pairs of scores, kept below the upper scores despite rounding."""
    return np.minimum(lower / 2 + upper / 2, np.nextafter(upper, -np.inf))
