"""Most violated labelling for ROC area: every pair (positive, negative) swaps on its own.

A pair swaps if its scores differ by less than 1, so that the value is the mean pairwise hinge
loss, 100/(P·N)·Σ max(0, 1 − (f_i − f_j)). Sorting the positives' f_i − 1 and the negatives' f_j
and merging them counts the swapped pairs of every example (Joachims 2005, Algorithm 3).
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from beyond_accuracy.measures.losses import RocAreaLoss


class PairLabelling(NamedTuple):
    """Swapped pairs: `swaps[i]` of example i, positives first; value and loss as in Labelling."""

    value: float
    loss: float
    swaps: np.ndarray


@njit(cache=True, nogil=True)
def _count_swaps(scores, n_positives, positive_order, negative_order, swaps):
    """Swapped pairs of every example, and the total loss of all pairs."""
    n_negatives = len(scores) - n_positives
    j = n_negatives
    for rank in range(n_positives - 1, -1, -1):
        i = positive_order[rank]
        while j > 0 and scores[n_positives + negative_order[j - 1]] > scores[i] - 1.0:
            j -= 1
        swaps[i] = n_negatives - j
    i = 0
    for rank in range(n_negatives):
        j = n_positives + negative_order[rank]
        while i < n_positives and scores[positive_order[i]] - 1.0 < scores[j]:
            i += 1
        swaps[j] = i
    pairs = 0.0
    total = 0.0
    for k in range(n_positives):
        pairs += swaps[k]
        total -= swaps[k] * scores[k]
    for k in range(n_positives, len(scores)):
        total += swaps[k] * scores[k]
    return pairs, total


class RocAreaOracle:
    """Search for the most violated labelling of a RocAreaLoss.

    Parameters
    ----------
    loss : RocAreaLoss
    n_positives, n_negatives : int
        Both at least 1. Scores are given positives first.
    """

    weight_type = np.int32
    nearly_smooth = True

    def __init__(self, loss: RocAreaLoss, n_positives: int, n_negatives: int):
        self.n_positives = n_positives
        self.scale = 100.0 / (n_positives * n_negatives)

    def search(self, scores) -> PairLabelling:
        """The most violated labelling at the given scores, shape (n,), float64."""
        swaps = np.empty(len(scores))
        pairs, total = _count_swaps(
            scores,
            self.n_positives,
            np.argsort(scores[: self.n_positives]),
            np.argsort(scores[self.n_positives :]),
            swaps,
        )
        return PairLabelling(self.scale * (pairs + total), self.scale * pairs, swaps)

    def slope(self, labelling, scores, direction) -> float:
        """Derivative of the labelling's value along a direction of the scores."""
        swaps, n = labelling.swaps, self.n_positives
        return self.scale * float(swaps[n:] @ direction[n:] - swaps[:n] @ direction[:n])

    def weights(self, labelling, scores, out):
        """Write each example's coefficient in the labelling's value into `out`."""
        np.multiply(labelling.swaps, self.scale, out=out)
        out[: self.n_positives] *= -1.0
