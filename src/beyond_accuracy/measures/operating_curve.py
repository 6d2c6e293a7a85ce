"""The contingency tables of all thresholds on given scores."""

from dataclasses import dataclass

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
    order : ndarray of int, shape (n,)
        The examples by increasing score; equal scores keep their order.
    thresholds : ndarray, shape (t,)
        Those of the `OperatingCurve`.
    values : ndarray, shape (t − 1,)
        The scores that occur, increasing.
    """

    def __init__(self, positive: ArrayLike, scores: ArrayLike) -> None:
        scores = np.asarray(scores, dtype=np.float64)
        self.order: NDArray[np.intp] = np.argsort(scores, kind="stable")
        ranked = scores[self.order]
        self._positive = np.asarray(positive, dtype=bool)[self.order]
        self._starts = np.flatnonzero(np.append(True, ranked[1:] > ranked[:-1]))
        self.values: NDArray[np.float64]
        self.values = values = ranked[self._starts]
        # Rounding must not lift the middle of two values to the upper one.
        middles = np.minimum((values[:-1] + values[1:]) / 2, np.nextafter(values[1:], -np.inf))
        below = np.nextafter(values[:1], -np.inf)
        self.thresholds: NDArray[np.float64] = np.concatenate([below, middles, values[-1:]])

    @property
    def gaps(self) -> np.ndarray:
        """Distance of the scores on both sides of each threshold, 0 at the ends; shape (t,)."""
        return np.concatenate([[0.0], np.diff(self.values), [0.0]])

    def sums_above(self, amounts: ArrayLike) -> np.ndarray:
        """Sum what examples have, shape (n,), over those above each threshold; shape (t,)."""
        return self._sums(np.asarray(amounts, dtype=np.float64)[self.order])

    def curve(self, sample_weight: ArrayLike | None = None) -> OperatingCurve:
        """Return the curve, each example counting `sample_weight`, shape (n,); 1 by default."""
        weight = 1.0 if sample_weight is None else np.asarray(sample_weight)[self.order]
        tp = self._sums(np.where(self._positive, weight, 0.0))
        fp = self._sums(np.where(self._positive, 0.0, weight))
        return OperatingCurve(self.thresholds, (tp, fp, tp[0] - tp, fp[0] - fp))

    def _sums(self, ranked):
        from_each = np.append(ranked[::-1].cumsum()[::-1], 0.0)
        return from_each[np.append(self._starts, len(ranked))]
