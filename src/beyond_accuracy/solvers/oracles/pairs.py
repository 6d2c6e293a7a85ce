"""Swapped pairs of a positive and a negative: counts, base class of searches, and ROC area.

A pair is swapped if the ranking has the negative above the positive.
"""

from typing import NamedTuple

import numpy as np

from beyond_accuracy.compilation import compiled, compiled_part
from beyond_accuracy.measures.losses import RocAreaLoss


class PairLabelling(NamedTuple):
    """Ranking of the examples, given by the number of wrongly ordered pairs of each example.

    A pair of a positive and a negative is wrongly ordered, or swapped, if the ranking has the
    negative above the positive. `swaps` lists the positives first. `loss` is the loss of the
    ranking in percent. `value` is loss − scale·Σ (score of the positive − score of the negative)
    over the swapped pairs, where `scale` is a constant of the search that found the ranking.
    """

    value: float
    loss: float
    swaps: np.ndarray


@compiled_part
def _cell(value, lowest, cells_a_unit, n_cells):
    # Rounding keeps the order: no value is in a cell before the cell of a smaller value.
    return min(int((value - lowest) * cells_a_unit), n_cells - 1)


@compiled_part
def _grid(values):
    """Divide the range of rising values into equal cells, for fast ranking.

    Return (number of values before each cell, number of cells per unit of value).
    """
    width = (values[-1] - values[0]) / len(values)
    regular = width > 0.0 and np.isfinite(width) and np.isfinite(1.0 / width)
    n_cells, cells_a_unit = (len(values), 1.0 / width) if regular else (1, 0.0)
    before = np.zeros(n_cells + 1, dtype=np.int64)
    for value in values:
        before[_cell(value, values[0], cells_a_unit, n_cells) + 1] += 1
    for cell in range(n_cells):
        before[cell + 1] += before[cell]
    return before, cells_a_unit


@compiled_part
def _ranks(values, queries, ranks, histogram):
    """Write each query's rank among the rising values, and the number of queries per rank."""
    before, cells_a_unit = _grid(values)
    n, n_cells = len(values), len(before) - 1
    lowest, highest = values[0], values[-1]
    for i in range(len(queries)):
        query = queries[i]
        if query < lowest:
            low = 0
        elif query > highest:
            low = n
        else:
            cell = _cell(query, lowest, cells_a_unit, n_cells)
            low, high = before[cell], before[cell + 1]
            while low < high:
                middle = (low + high) // 2
                if values[middle] < query:
                    low = middle + 1
                else:
                    high = middle
        ranks[i] = low
        histogram[low] += 1


@compiled
def count_pairs(smaller, order, larger, swaps_of_smaller, swaps_of_larger):
    """Count the pairs in which the example of the larger class scores higher, for each example.

    A pair has one example of each class. `smaller` and `larger` are the scores of the class with
    fewer and of the class with more examples. The counts are written into `swaps_of_smaller` and
    `swaps_of_larger`. `order` are the indices that sort `smaller`.
    """
    n = len(smaller)
    rising, histogram = np.empty(n), np.zeros(n + 1, dtype=np.int64)
    for rank in range(n):
        rising[rank] = smaller[order[rank]]
    _ranks(rising, larger, swaps_of_larger, histogram)
    beyond = 0
    for rank in range(n - 1, -1, -1):
        beyond += histogram[rank + 1]
        swaps_of_smaller[order[rank]] = beyond


def swapped_pairs(positives, negatives):
    """Count the pairs in which the negative scores higher than the positive, for each example.

    A pair has one example of each class. The arguments are the scores of the positives and of the
    negatives. The result lists the counts of the positives, followed by the counts of the
    negatives.
    """
    n, swaps = len(positives), np.zeros(len(positives) + len(negatives))
    if 0 < n <= len(negatives):
        count_pairs(positives, positives.argsort(), negatives, swaps[:n], swaps[n:])
    elif len(negatives) > 0:
        falling = -negatives
        count_pairs(falling, falling.argsort(), -positives, swaps[n:], swaps[:n])
    return swaps


def highest(scores, count):
    """Return the sorted indices of the `count` highest scores; of equal scores, the first."""
    if count in (0, len(scores)):
        return np.arange(count)
    rank = len(scores) - count
    threshold = np.partition(scores, rank)[rank]
    chosen = scores > threshold
    ties = np.flatnonzero(scores == threshold)
    chosen[ties[: count - np.count_nonzero(chosen)]] = True
    return np.flatnonzero(chosen)


class PairOracle:
    """Base class of searches for the most violated ranking of the examples.

    Given the scores of all examples, the positive ones first, the search maximizes the value loss −
    scale·Σ (score of the positive − score of the negative). The sum is over the swapped pairs, in
    which the ranking has the negative above the positive. The maximum is the training loss of a
    multivariate SVM. There must be at least one example of each class.
    """

    weight_type = np.int32

    def __init__(self, n_positives: int, scale: float):
        self.n_positives = n_positives
        self.scale = scale

    def slope(self, labelling, scores, direction) -> float:
        """Return how fast the value of a ranking changes if the scores move along `direction`.

        The value of a ranking is its loss minus scale·Σ (score of the positive − score of the
        negative) over all pairs in which the ranking has the negative above the positive.
        `labelling` describes the ranking.
        """
        swaps, n = labelling.swaps, self.n_positives
        return self.scale * float(swaps[n:] @ direction[n:] - swaps[:n] @ direction[:n])

    def weights(self, labelling, scores, out):
        """Write the derivative of a ranking's value in each score into `out`, and return `out`.

        `labelling` describes the ranking. Each entry is ±scale times the number of wrongly ordered
        pairs of the example: negative for positive examples, positive for negative ones.
        """
        np.multiply(labelling.swaps, self.scale, out=out)
        out[: self.n_positives] *= -1.0
        return out


@compiled
def _hinge_loss(scores, n_positives, swaps):
    """Return the number of swapped pairs, and the sum of their score differences."""
    pairs = 0.0
    total = 0.0
    for k in range(n_positives):
        pairs += swaps[k]
        total -= swaps[k] * scores[k]
    for k in range(n_positives, len(scores)):
        total += swaps[k] * scores[k]
    return pairs, total


class RocAreaOracle(PairOracle):
    """Search for the most violated ranking of the examples, for the ROC area.

    Every pair of a positive i and a negative j is swapped, that is ordered wrongly, if the score
    f_i is less than f_j + 1. So the value of the ranking is the mean pairwise hinge loss in
    percent, 100/(P·N)·Σ max(0, 1 − (f_i − f_j)), for P positives and N negatives. Joachims (2005,
    Algorithm 3) sorts the scores of both classes and merges them. This search sorts only the
    smaller class.
    """

    def __init__(self, loss: RocAreaLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, 100.0 / (n_positives * n_negatives))

    def search(self, scores) -> PairLabelling:
        n = self.n_positives
        swaps = swapped_pairs(scores[:n] - 1.0, scores[n:])
        pairs, total = _hinge_loss(scores, n, swaps)
        return PairLabelling(self.scale * (pairs + total), self.scale * pairs, swaps)
