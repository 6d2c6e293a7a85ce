"""Most violated labelling for ROC area: every pair (positive, negative) swaps independently.

A pair swaps if its scores differ by less than 1, so the value is the mean pairwise hinge loss,
100/(P·N)·Σ max(0, 1 − (f_i − f_j)). Joachims (2005, Algorithm 3) sorts the positives' f_i − 1 and
the negatives' f_j and merges them; here only the smaller class is sorted.
"""

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.measures.losses import RocAreaLoss
from beyond_accuracy.solvers.oracles.pairs import PairLabelling, PairOracle, count_pairs


@compiled
def _count_swaps(scores, n_positives, smaller, order, larger, swaps):
    """Write the number of swapped pairs per example into `swaps`, and return the total hinge loss.

    A pair of a positive and a negative is swapped if the ranking puts the negative first. `order`
    sorts the smaller class, `smaller`; `larger` are the scores of the other class.
    """
    of_smaller, of_larger = swaps[:n_positives], swaps[n_positives:]
    if len(smaller) < n_positives:
        of_smaller, of_larger = of_larger, of_smaller
    count_pairs(smaller, order, larger, of_smaller, of_larger)
    pairs = 0.0
    total = 0.0
    for k in range(n_positives):
        pairs += swaps[k]
        total -= swaps[k] * scores[k]
    for k in range(n_positives, len(scores)):
        total += swaps[k] * scores[k]
    return pairs, total


class RocAreaOracle(PairOracle):
    """Search for the most violated ranking of a RocAreaLoss.

    It maximizes the loss minus scale·Σ (f_i − f_j) over the swapped pairs of a positive i and a
    negative j, for scores f. Both classes must have an example.
    """

    def __init__(self, loss: RocAreaLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, 100.0 / (n_positives * n_negatives))

    def search(self, scores) -> PairLabelling:
        """Return the most violated ranking at the given scores, float64, shape (n,)."""
        n = self.n_positives
        if 2 * n <= len(scores):
            smaller, larger = scores[:n] - 1.0, scores[n:]
        else:
            smaller, larger = -scores[n:], 1.0 - scores[:n]
        swaps = np.empty(len(scores))
        pairs, total = _count_swaps(scores, n, smaller, smaller.argsort(), larger, swaps)
        return PairLabelling(self.scale * (pairs + total), self.scale * pairs, swaps)
