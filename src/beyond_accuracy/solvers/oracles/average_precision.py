"""Most violated ranking for average precision (Yue, Finley, Radlinski and Joachims 2007).

In the ranking, both classes are in the order of their scores. So the ranking is given by the
positions p_j of the negatives: the j-th highest negative is below p_j positives. Its best position
maximizes the sum, over the positives i > p_j below it, of

100/P · i/((i + j − 1)·(i + j)) + scale·(f_j − f_i)

The first term is the loss that the j-th negative adds if it is above positive i. The second term is
the gain of the swapped pair. Each position is optimized independently, and positions do not fall
with j. So the position of the middle negative bounds the positions of the others. A recursive
division looks at every positive about once per level (Mohapatra, Rolínek, Jawahar, Kolmogorov and
Kumar 2018). This takes O(P·log N) after sorting, for P positives and N negatives. Negatives that
stay below all positives, in practice most of them, are not sorted.
"""

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.measures.losses import AveragePrecisionLoss
from beyond_accuracy.solvers.oracles.pairs import PairLabelling, PairOracle, highest


@compiled
def _best_position(positives, n_negatives, score, j, low, high):
    """Return the best position p in [low, high] of the j-th negative, j ≥ 1; the last if tied.

    `positives` are descending scores, and `score` is the negative's score.
    """
    position, total, best = high, 0.0, 0.0
    for i in range(high, low, -1):
        total += n_negatives * (i / ((i + j - 1.0) * (i + j))) + score - positives[i - 1]
        if total > best:
            position, best = i - 1, total
    return position


@compiled
def _positions(positives, negatives, n_negatives):
    """Return the best positions of the highest negatives, for descending scores of both classes.

    `n_negatives` is the number of all negatives, also those that are not in `negatives`.
    """
    positions = np.empty(len(negatives), dtype=np.int64)
    # For each part still to be placed: its first negative, the one behind its last, and the bounds
    # of its positions. A part is half of the one below it.
    parts = np.empty((64, 4), dtype=np.int64)
    parts[0] = np.array([0, len(negatives), 0, len(positives)])
    n_parts = 1
    while n_parts > 0:
        n_parts -= 1
        first, last, low, high = parts[n_parts]
        if low == high or first == last:
            positions[first:last] = low
            continue
        middle = (first + last) // 2
        position = _best_position(positives, n_negatives, negatives[middle], middle + 1, low, high)
        positions[middle] = position
        parts[n_parts] = np.array([middle + 1, last, position, high])
        parts[n_parts + 1] = np.array([first, middle, low, position])
        n_parts += 2
    return positions


@compiled
def _count_above(positions, n_positives):
    """Return the number of negatives above each positive, from rising positions of negatives."""
    above = np.empty(n_positives)
    j = 0
    for i in range(n_positives):
        while j < len(positions) and positions[j] <= i:
            j += 1
        above[i] = j
    return above


class AveragePrecisionOracle(PairOracle):
    """Search for the most violated ranking of the examples, for average precision.

    The most violated ranking maximizes 100·(1 − average precision) − scale·Σ (score of the positive
    − score of the negative). The sum is over the pairs that the ranking puts in the wrong order,
    and `scale` is 100 divided by the number of all pairs. The maximum is the training loss of a
    multivariate SVM.
    """

    def __init__(self, loss: AveragePrecisionLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, 100.0 / (n_positives * n_negatives))
        self._n_negatives = n_negatives
        self._ranks = np.arange(1.0, n_positives + 1)

    def search(self, scores) -> PairLabelling:
        n = self.n_positives
        order = np.argsort(-scores[:n], kind="stable")
        positives, negatives = scores[:n][order], scores[n:]
        moved = highest(negatives, self._most_moved(positives, negatives))
        moved = moved[np.argsort(-negatives[moved], kind="stable")]
        positions = _positions(positives, negatives[moved], self._n_negatives)
        above = _count_above(positions, n)
        swaps = np.zeros(len(scores))
        swaps[order] = above
        swaps[n + moved] = n - positions
        loss = 100.0 / n * float((above / (self._ranks + above)).sum())
        total = float(swaps[n:] @ negatives - swaps[:n] @ scores[:n])
        return PairLabelling(loss + self.scale * total, loss, swaps)

    def _most_moved(self, positives, negatives):
        """Return an upper bound on how many negatives the ranking puts above a positive."""
        n, count = len(positives), len(negatives)
        while count > 1:
            half = count // 2
            negatives = np.partition(negatives, count - half)[count - half :]
            position = _best_position(positives, self._n_negatives, negatives[0], half, 0, n)
            if position < n:
                break
            count = half
        return count
