"""Most violated labelling for ROC area: every pair (positive, negative) swaps on its own.

A pair swaps if its scores differ by less than 1, so that the value is the mean pairwise hinge
loss, 100/(P·N)·Σ max(0, 1 − (f_i − f_j)). Joachims (2005, Algorithm 3) sorts the positives' f_i − 1
and the negatives' f_j and merges them; here only the smaller class is sorted.
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
def _cell(value, lowest, cells_a_unit, n_cells):
    # Rounding keeps the order: no value is in a cell before that of a smaller one.
    return min(int((value - lowest) * cells_a_unit), n_cells - 1)


@njit(cache=True, nogil=True)
def _grid(values):
    """Cells of equal width over rising values: how many values lie before each; cells a unit."""
    width = (values[-1] - values[0]) / len(values)
    regular = width > 0.0 and np.isfinite(width) and np.isfinite(1.0 / width)
    n_cells, cells_a_unit = (len(values), 1.0 / width) if regular else (1, 0.0)
    before = np.zeros(n_cells + 1, dtype=np.int64)
    for value in values:
        before[_cell(value, values[0], cells_a_unit, n_cells) + 1] += 1
    for cell in range(n_cells):
        before[cell + 1] += before[cell]
    return before, cells_a_unit


@njit(cache=True, nogil=True)
def _ranks(values, queries, ranks, histogram):
    """Of each query how many of the rising values are below it; how many queries have each rank."""
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


@njit(cache=True, nogil=True)
def _count_swaps(scores, n_positives, smaller, order, larger, swaps):
    """Swapped pairs of every example, and the total loss of all pairs.

    A pair is swapped if the value of the larger class exceeds that of the smaller one, which
    `order` sorts. The values of the larger are ranked among the sorted ones; how many of them lie
    beyond a value of the smaller class are sums of the ranks' histogram.
    """
    n = len(smaller)
    rising, histogram = np.empty(n), np.zeros(n + 1, dtype=np.int64)
    for rank in range(n):
        rising[rank] = smaller[order[rank]]
    first, ranks = 0, swaps[n_positives:]
    if n < n_positives:
        first, ranks = n_positives, swaps[:n_positives]
    _ranks(rising, larger, ranks, histogram)
    beyond = 0
    for rank in range(n - 1, -1, -1):
        beyond += histogram[rank + 1]
        swaps[first + order[rank]] = beyond
    pairs = 0.0
    total = 0.0
    for k in range(n_positives):
        pairs += swaps[k]
        total -= swaps[k] * scores[k]
    for k in range(n_positives, len(scores)):
        total += swaps[k] * scores[k]
    return pairs, total


class RocAreaOracle:
    """Search for the most violated labelling of a RocAreaLoss; both classes have an example."""

    weight_type = np.int32

    def __init__(self, loss: RocAreaLoss, n_positives: int, n_negatives: int):
        self.n_positives = n_positives
        self.scale = 100.0 / (n_positives * n_negatives)

    def search(self, scores) -> PairLabelling:
        """The most violated labelling at the given scores, shape (n,), float64."""
        n = self.n_positives
        if 2 * n <= len(scores):
            smaller, larger = scores[:n] - 1.0, scores[n:]
        else:
            smaller, larger = -scores[n:], 1.0 - scores[:n]
        swaps = np.empty(len(scores))
        pairs, total = _count_swaps(scores, n, smaller, smaller.argsort(), larger, swaps)
        return PairLabelling(self.scale * (pairs + total), self.scale * pairs, swaps)

    def slope(self, labelling, scores, direction) -> float:
        """Derivative of the labelling's value along a direction of the scores."""
        swaps, n = labelling.swaps, self.n_positives
        return self.scale * float(swaps[n:] @ direction[n:] - swaps[:n] @ direction[:n])

    def weights(self, labelling, scores, out):
        """Write each example's coefficient in the labelling's value into `out`."""
        np.multiply(labelling.swaps, self.scale, out=out)
        out[: self.n_positives] *= -1.0
