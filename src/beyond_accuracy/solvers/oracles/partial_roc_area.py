"""Most violated ranking for the ROC area between two false positive rates a and b.

Only the J = ⌈b·N⌉ highest of N negatives count (Narasimhan and Agarwal 2013, "SVM_pAUC^tight"). Let
u_k be the share of the interval [k − 1, k] that lies between a·N and b·N. A ranking that puts r_i
negatives above positive i has the value

100/(P·(b − a)·N) · Σ_i Σ_{k ≤ min(r_i, J)} u_k + f_(k) − f_i

where P is the number of positives and f_(k) the k-th highest score of a negative. In the best
ranking, the negatives are in the order of their scores, and each r_i is best for its positive. The
first A = ⌊a·N⌋ negatives have u = 0. So there are two candidates for the position of a positive:

1. directly below those of the first A negatives that have higher scores;
2. below all of the first A negatives, and perhaps below further ones.

The gain of the second candidate over the first falls with f_i. So the positives below a threshold
take the second one; the threshold is a root of a piecewise linear function. In both cases the pairs
then swap independently, as for ROC area.
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
    """Return the root t of (first + share − t) + Σ max(0, others − t) − Σ max(0, t − top).

    `first` is at least all `others`, and the root lies between `first` and `first` + 1. It is found
    by Newton steps, and by bisection if they leave the interval.
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
    """Search for the most violated ranking, for the ROC area between two false positive rates.

    The most violated ranking maximizes 100·(1 − partial ROC area) − scale·Σ (score of the positive
    − score of the negative), where the sum is over the pairs that the ranking puts in the wrong
    order. The maximum is the training loss of a multivariate SVM.
    """

    def __init__(self, loss: PartialRocAreaLoss, n_positives: int, n_negatives: int):
        start, stop = (
            round(rate * n_negatives, _DECIMALS) for rate in (loss.lowest_rate, loss.highest_rate)
        )
        super().__init__(n_positives, 100.0 / (n_positives * (stop - start)))
        self._n_free, self._n_counted = math.floor(start), math.ceil(stop)
        self._first_share = min(self._n_free + 1, stop) - start
        self._last_share = stop - (self._n_counted - 1)

    def search(self, scores) -> PairLabelling:
        n = self.n_positives
        positives, negatives = scores[:n], scores[n:]
        counted = highest(negatives, self._n_counted)
        is_free = np.zeros(len(counted), dtype=bool)
        is_free[highest(negatives[counted], self._n_free)] = True
        free, rest = counted[is_free], counted[~is_free]
        top = np.argmax(negatives[rest])
        first, rest = rest[top], np.delete(rest, top)
        shares = np.ones(len(rest))
        if len(rest):
            shares[np.argmin(negatives[rest])] = self._last_share
        raised = negatives[rest] + shares
        threshold = _threshold(negatives[first], self._first_share, raised, negatives[free])
        beyond = positives < threshold
        swaps = np.zeros(len(scores))
        of_positives, of_negatives = swaps[:n], swaps[n:]
        n_beyond = np.count_nonzero(beyond)
        of_positives[~beyond], of_negatives[free] = np.split(
            swapped_pairs(positives[~beyond], negatives[free]), [n - n_beyond]
        )
        of_positives[beyond], of_negatives[rest] = np.split(
            swapped_pairs(positives[beyond], raised), [n_beyond]
        )
        of_positives[beyond] += self._n_free + 1
        of_negatives[free] += n_beyond
        of_negatives[first] = n_beyond
        pairs = n_beyond * self._first_share + float(of_negatives[rest] @ shares)
        total = float(of_negatives @ negatives - of_positives @ positives)
        return PairLabelling(self.scale * (pairs + total), self.scale * pairs, swaps)
