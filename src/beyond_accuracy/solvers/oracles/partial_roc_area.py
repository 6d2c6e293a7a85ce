"""Most violated ranking for the ROC area between two false positive rates a and b.

Narasimhan and Agarwal (2013, "SVM_pAUC^tight"): only the J = ⌈b·N⌉ highest negatives of a ranking
count. Let the k-th of them have the share u_k of [k − 1, k] that lies between a·N and b·N. A
ranking that puts r_i negatives above positive i has the value

100/(P·(b − a)·N) · Σ_i Σ_{k ≤ min(r_i, J)} u_k + f_(k) − f_i

which is highest if the negatives are in the order of their scores, and each r_i is best for its
positive. The first A = ⌊a·N⌋ have u = 0, so there are two candidates: below the negatives of the A
with higher scores, or below all A and beyond. The gain of the second over the first falls with f_i.
So the positives below a threshold take it, a root of a piecewise linear function. Either way the
pairs then swap independently, as for ROC area.
"""

import math

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.measures.losses import PartialRocAreaLoss
from beyond_accuracy.solvers.oracles.pairs import (
    PairLabelling,
    PairOracle,
    highest,
    swapped_pairs,
)

# The tolerance makes products such as 0.1·30 whole numbers.
_DECIMALS = 9
_MOST_STEPS = 100


@compiled
def _threshold(first, share, others, top):
    """Find the root of (first + share − t) + Σ max(0, others − t) − Σ max(0, t − top).

    `first` is at least all `others`. The root lies between `first` and `first` + 1. It is found by
    Newton steps, with bisection if they leave the interval.
    """
    low, high = first, first + 1.0
    t = high
    for _ in range(_MOST_STEPS):
        value, slope = first + share - t, 1.0
        for other in others:
            value += max(other - t, 0.0)
            slope += other > t
        for score in top:
            value -= max(t - score, 0.0)
            slope += score < t
        if value == 0.0:
            break
        if value > 0.0:
            low = t
        else:
            high = t
        step = t + value / slope
        step = step if low < step < high else 0.5 * (low + high)
        if step == t:
            break
        t = step
    return t


class PartialRocAreaOracle(PairOracle):
    """Search for the most violated ranking of a PartialRocAreaLoss."""

    def __init__(self, loss: PartialRocAreaLoss, n_positives: int, n_negatives: int):
        start, stop = (
            round(rate * n_negatives, _DECIMALS) for rate in (loss.lowest_rate, loss.highest_rate)
        )
        super().__init__(n_positives, 100.0 / (n_positives * (stop - start)))
        self._n_free, self._n_counted = math.floor(start), math.ceil(stop)
        self._first_share = min(self._n_free + 1, stop) - start
        self._last_share = stop - (self._n_counted - 1)

    def search(self, scores) -> PairLabelling:
        """Find the most violated ranking at the given scores, shape (n,), float64."""
        n = self.n_positives
        positives, negatives = scores[:n], scores[n:]
        counted = highest(negatives, self._n_counted)
        is_free = np.zeros(len(counted), dtype=bool)
        is_free[highest(negatives[counted], self._n_free)] = True
        free, rest = counted[is_free], counted[~is_free]
        place = np.argmax(negatives[rest])
        first, rest = rest[place], np.delete(rest, place)
        shares = np.ones(len(rest))
        if len(rest):
            shares[np.argmin(negatives[rest])] = self._last_share
        raised = negatives[rest] + shares
        threshold = _threshold(negatives[first], self._first_share, raised, negatives[free])
        beyond = positives < threshold
        swaps = np.zeros(len(scores))
        of_positives, of_negatives = swaps[:n], swaps[n:]
        of_positives[~beyond], of_negatives[free] = swapped_pairs(
            positives[~beyond], negatives[free]
        )
        of_positives[beyond], of_negatives[rest] = swapped_pairs(positives[beyond], raised)
        n_beyond = np.count_nonzero(beyond)
        of_positives[beyond] += self._n_free + 1
        of_negatives[free] += n_beyond
        of_negatives[first] = n_beyond
        pairs = n_beyond * self._first_share + float(of_negatives[rest] @ shares)
        total = float(of_negatives @ negatives - of_positives @ positives)
        return PairLabelling(self.scale * (pairs + total), self.scale * pairs, swaps)
