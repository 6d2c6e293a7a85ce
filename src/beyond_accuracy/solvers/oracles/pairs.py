"""Swapped pairs of a positive and a negative: their counts, and the base of their oracles."""

from typing import NamedTuple

import numpy as np

from beyond_accuracy.compilation import compiled


class PairLabelling(NamedTuple):
    """Swapped pairs: `swaps[i]` of example i, positives first; value and loss as in `Labelling`."""

    value: float
    loss: float
    swaps: np.ndarray


@compiled
def _cell(value, lowest, cells_a_unit, n_cells):
    # Rounding keeps the order: no value is in a cell before the cell of a smaller value.
    return min(int((value - lowest) * cells_a_unit), n_cells - 1)


@compiled
def _grid(values):
    """Divide rising values into equal cells: number of values before each, and cells per unit."""
    width = (values[-1] - values[0]) / len(values)
    regular = width > 0.0 and np.isfinite(width) and np.isfinite(1.0 / width)
    n_cells, cells_a_unit = (len(values), 1.0 / width) if regular else (1, 0.0)
    before = np.zeros(n_cells + 1, dtype=np.int64)
    for value in values:
        before[_cell(value, values[0], cells_a_unit, n_cells) + 1] += 1
    for cell in range(n_cells):
        before[cell + 1] += before[cell]
    return before, cells_a_unit


@compiled
def _ranks(values, queries, ranks, histogram):
    """Rank queries among the rising values; count the queries of each rank."""
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
    """Count the pairs (smaller, larger) per value in which the larger class's value is higher.

    Only the smaller class is sorted, by `order`. The values of the larger class are ranked among
    the sorted ones; how many of them lie beyond a value of the smaller class follows from sums of
    the ranks' histogram. The counts are written into the last two arguments.
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
    """Count the pairs of each positive and negative in which the negative's score is higher."""
    of_positives, of_negatives = np.zeros(len(positives)), np.zeros(len(negatives))
    if 0 < len(positives) <= len(negatives):
        count_pairs(positives, positives.argsort(), negatives, of_positives, of_negatives)
    elif len(negatives) > 0:
        falling = -negatives
        count_pairs(falling, falling.argsort(), -positives, of_negatives, of_positives)
    return of_positives, of_negatives


def highest(scores, count):
    """Return the indices, increasing, of the `count` highest scores; of equal scores the first."""
    if count in (0, len(scores)):
        return np.arange(count)
    place = len(scores) - count
    threshold = np.partition(scores, place)[place]
    chosen = scores > threshold
    ties = np.flatnonzero(scores == threshold)
    chosen[ties[: count - np.count_nonzero(chosen)]] = True
    return np.flatnonzero(chosen)


class PairOracle:
    """Base of the searches over pairs; both classes have at least one example.

    `scale` is the weight of a pair's difference of scores.
    """

    weight_type = np.int32

    def __init__(self, n_positives: int, scale: float):
        self.n_positives = n_positives
        self.scale = scale

    def slope(self, labelling, scores, direction) -> float:
        """Compute the derivative of the labelling's value along a direction of the scores."""
        swaps, n = labelling.swaps, self.n_positives
        return self.scale * float(swaps[n:] @ direction[n:] - swaps[:n] @ direction[:n])

    def weights(self, labelling, scores, out):
        """Write each example's coefficient in the labelling's value into `out` and return it."""
        np.multiply(labelling.swaps, self.scale, out=out)
        out[: self.n_positives] *= -1.0
        return out
