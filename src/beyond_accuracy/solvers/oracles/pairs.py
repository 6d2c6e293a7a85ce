"""Swapped pairs of a positive and a negative: their counts, and the base class of searches.

A pair is swapped if the labelling ranks the negative above the positive.
"""

from typing import NamedTuple

import numpy as np

from beyond_accuracy.compilation import compiled


class PairLabelling(NamedTuple):
    """A ranking, described by the number of swapped pairs of each example.

    `swaps`, shape (n,), has the positives first. `value` and `loss` have the meaning they have in
    `Labelling`.
    """

    value: float
    loss: float
    swaps: np.ndarray


def _grid(values):
    """Divide rising values into equal cells: number of values before each, and cells per unit."""
    n, lowest = len(values), float(values[0])
    width = (float(values[-1]) - lowest) / n
    regular = width > 0.0 and np.isfinite(width) and np.isfinite(1.0 / width)
    n_cells, cells_a_unit = (n, 1.0 / width) if regular else (1, 0.0)
    # Rounding keeps the order: no value is in a cell before the cell of a smaller value.
    cells = np.minimum(((values - lowest) * cells_a_unit).astype(np.int64), n_cells - 1)
    before = np.zeros(n_cells + 1, dtype=np.int64)
    np.cumsum(np.bincount(cells, minlength=n_cells), out=before[1:])
    return before, cells_a_unit


@compiled
def _rank(values, queries, before, cells_a_unit, ranks, histogram):
    """Rank queries among the rising values; count the queries of each rank."""
    n, n_cells = len(values), len(before) - 1
    lowest, highest = values[0], values[n - 1]
    for i in range(len(queries)):
        query = queries[i]
        if query < lowest:
            low = 0
        elif query > highest:
            low = n
        else:
            cell = int((query - lowest) * cells_a_unit)
            cell = cell if cell < n_cells else n_cells - 1
            low, high = before[cell], before[cell + 1]
            while low < high:
                middle = (low + high) // 2
                if values[middle] < query:
                    low = middle + 1
                else:
                    high = middle
        ranks[i] = low
        histogram[low] += 1


def count_pairs(smaller, larger):
    """Count, for each value of one class, the values of the other class that are out of order.

    `smaller` and `larger` are the scores of the class with fewer and with more examples. A pair is
    out of order if the score in `larger` is the higher one.

    Only the smaller class is sorted. The values of the larger class are ranked among the sorted
    ones; how many of them lie beyond a value of the smaller class follows from sums of the ranks'
    histogram. Returns two arrays of float64.
    """
    n, order = len(smaller), smaller.argsort()
    rising = smaller[order]
    ranks, histogram = np.empty(len(larger)), np.zeros(n + 1, dtype=np.int64)
    _rank(rising, larger, *_grid(rising), ranks, histogram)
    beyond = np.empty(n)
    beyond[order] = np.cumsum(histogram[:0:-1])[::-1]
    return beyond, ranks


def swapped_pairs(positives, negatives):
    """Count the pairs of each positive and negative in which the negative's score is higher."""
    if len(positives) == 0 or len(negatives) == 0:
        return np.zeros(len(positives)), np.zeros(len(negatives))
    if len(positives) <= len(negatives):
        return count_pairs(positives, negatives)
    return count_pairs(-negatives, -positives)[::-1]


def highest(scores, count):
    """Return the increasing indices of the `count` highest scores; of equal scores the first."""
    if count in (0, len(scores)):
        return np.arange(count)
    place = len(scores) - count
    threshold = np.partition(scores, place)[place]
    chosen = scores > threshold
    ties = np.flatnonzero(scores == threshold)
    chosen[ties[: count - np.count_nonzero(chosen)]] = True
    return np.flatnonzero(chosen)


class PairOracle:
    """Base class of searches over pairs of a positive and a negative.

    Both classes must have an example. `scale` is the weight of the score difference of a pair.
    """

    weight_type = np.int32

    def __init__(self, n_positives: int, scale: float):
        self.n_positives = n_positives
        self.scale = scale

    def slope(self, labelling, scores, direction) -> float:
        """Return the derivative of the labelling's value if the scores move along `direction`."""
        swaps, n = labelling.swaps, self.n_positives
        return self.scale * float(swaps[n:] @ direction[n:] - swaps[:n] @ direction[:n])

    def weights(self, labelling, scores, out):
        """Write the weight of each score in the labelling's value into `out`, and return `out`."""
        np.multiply(labelling.swaps, self.scale, out=out)
        out[: self.n_positives] *= -1.0
        return out
