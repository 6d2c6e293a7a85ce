"""The contingency tables of all thresholds on given scores."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class OperatingCurve:
    """Contingency tables from that of predicting everything positive to that of predicting nothing.

    Attributes
    ----------
    thresholds : ndarray, shape (t,)
        Increasing; a score above predicts positive. The first is just below the lowest score, the
        last is the highest score, the others are halfway between neighbours.
    tables : tuple of ndarray, each of shape (t,)
        TP, FP, FN and TN, sums of weights.
    """

    thresholds: np.ndarray
    tables: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


class RankedExamples:
    """Examples in the order of their scores, for which sums beyond every threshold are cheap.

    Parameters
    ----------
    positive : array of bool, shape (n,)
    scores : array of float, shape (n,)
        Finite; n > 0.

    Attributes
    ----------
    thresholds : ndarray, shape (t,)
        Those of the `OperatingCurve`.
    values : ndarray, shape (t − 1,)
        The scores that occur, increasing.
    """

    def __init__(self, positive: ArrayLike, scores: ArrayLike) -> None:
        scores = np.asarray(scores, dtype=np.float64)
        self._scores = scores
        # Counts do not depend on the order of equal scores, and a stable sort takes thrice as long.
        self._ranking = np.argsort(scores)
        ranked = scores[self._ranking]
        self._positive = np.asarray(positive, dtype=bool)
        self._starts = np.flatnonzero(np.append(True, ranked[1:] > ranked[:-1]))
        self.values: NDArray[np.float64]
        self.values = values = ranked[self._starts]
        middles = (values[:-1] + values[1:]) / 2
        # Rounding must not lift the middle of two values to the upper one.
        lifted = middles >= values[1:]
        middles[lifted] = np.nextafter(values[1:][lifted], -np.inf)
        below = np.nextafter(values[:1], -np.inf)
        self.thresholds: NDArray[np.float64] = np.concatenate([below, middles, values[-1:]])

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """The examples by increasing score, shape (n,); equal scores keep their order."""
        if len(self.values) == len(self._scores):
            return self._ranking
        return np.argsort(self._scores, kind="stable")

    def gaps(self, places: NDArray[np.integer]) -> NDArray[np.float64]:
        """Distance of the scores on both sides of the thresholds at `places`, 0 at the ends."""
        last = len(self.values) - 1
        return self.values[np.minimum(places, last)] - self.values[np.maximum(places - 1, 0)]

    def sums_above(self, amounts: ArrayLike) -> np.ndarray:
        """Sum what examples have, shape (n,), over those above each threshold; shape (t,)."""
        return self._sums(np.asarray(amounts, dtype=np.float64)[self.order])

    def curve(self, sample_weight: ArrayLike | None = None) -> OperatingCurve:
        """Return the curve, each example counting `sample_weight`, shape (n,); 1 by default."""
        if sample_weight is None:
            places = np.append(self._starts, len(self._ranking))
            below = np.append(0.0, self._positive[self._ranking].cumsum())[places]
            tp = below[-1] - below
            fp = (len(self._ranking) - places) - tp
        else:
            weight, positive = np.asarray(sample_weight)[self.order], self._positive[self.order]
            tp = self._sums(np.where(positive, weight, 0.0))
            fp = self._sums(np.where(positive, 0.0, weight))
        return OperatingCurve(self.thresholds, (tp, fp, tp[0] - tp, fp[0] - fp))

    def _sums(self, ranked):
        from_each = np.append(ranked[::-1].cumsum()[::-1], 0.0)
        return from_each[np.append(self._starts, len(ranked))]
