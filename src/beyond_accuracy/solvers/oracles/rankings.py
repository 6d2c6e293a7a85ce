"""Most violated rankings: ROC area, ROC area between two false positive rates, average precision.

A pair of a positive and a negative is swapped if the ranking has the negative above the positive.
"""

import math
from typing import NamedTuple

import numpy as np

from beyond_accuracy.compilation import compiled, compiled_part
from beyond_accuracy.measures.losses import (
    AveragePrecisionLoss,
    PartialRocAreaLoss,
    RocAreaLoss,
)

# The tolerance makes products such as 0.1·30 whole numbers.
_DECIMALS = 9
_MOST_STEPS = 100


class PairLabelling(NamedTuple):
    """Ranking of the examples, given by the number of wrongly ordered pairs of each example.

    A pair of a positive and a negative is wrongly ordered, or swapped, if the negative ranks
    higher. `swaps` holds the numbers of swapped pairs, positives first. `loss` is the loss of the
    ranking in percent. `value` is `loss` plus a linear function of the scores (see `PairOracle`).
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


@compiled
def write_ranks(values, queries, ranks, histogram):
    """Write the rank of each query among the ascending `values` into the output array `ranks`.

    The rank is the number of values below the query. The number of queries of each rank is added to
    `histogram` in place, shape (number of values + 1,).
    """
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
    """Count the pairs of each example in which the example of the larger class scores higher.

    A pair has one example of each class. `smaller` and `larger` are the scores of the class with
    fewer and with more examples. `order` is `smaller.argsort()`. The counts are written into the
    output arrays `swaps_of_smaller` and `swaps_of_larger`.
    """
    n = len(smaller)
    rising, histogram = np.empty(n), np.zeros(n + 1, dtype=np.int64)
    for rank in range(n):
        rising[rank] = smaller[order[rank]]
    write_ranks(rising, larger, swaps_of_larger, histogram)
    beyond = 0
    for rank in range(n - 1, -1, -1):
        beyond += histogram[rank + 1]
        swaps_of_smaller[order[rank]] = beyond


def swapped_pairs(positives, negatives):
    """Return the number of wrongly ordered pairs of each example, shape (n,), positives first.

    A pair has one positive and one negative. It is wrongly ordered if the negative scores higher.
    `positives` and `negatives` are the scores of the classes.
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
    """Base class of objects that evaluate the loss of a multivariate SVM for rankings.

    The training loss is the largest value of any ranking of the examples. The value is the
    ranking's loss in percent − scale·Σ (score of the positive − score of the negative). The sum is
    over the pairs that the ranking puts in the wrong order, with the negative above the positive.
    `search` finds the ranking with the largest value. It takes the scores of all examples,
    positives first.
    """

    weight_type = np.int32

    def __init__(self, n_positives: int, scale: float):
        self.n_positives = n_positives
        self.scale = scale

    def slope(self, labelling, scores, direction) -> float:
        """Return the derivative of a ranking's value when the scores change along `direction`.

        The ranking, `labelling`, does not change. `direction` has shape (n,). `scores` is not used.
        """
        swaps, n = labelling.swaps, self.n_positives
        return self.scale * float(swaps[n:] @ direction[n:] - swaps[:n] @ direction[:n])

    def weights(self, labelling, scores, out):
        """Write weights such that value = loss + weights @ scores into the output array `out`.

        `labelling` is a ranking with this value and loss. `scores` is not used. Return `out`.
        """
        np.multiply(labelling.swaps, self.scale, out=out)
        out[: self.n_positives] *= -1.0
        return out


@compiled
def _hinge_loss(scores, n_positives, swaps):
    # Return the number of swapped pairs, and the sum of their score differences.
    pairs, total = 0.0, 0.0
    for k in range(n_positives):
        pairs += swaps[k]
        total -= swaps[k] * scores[k]
    for k in range(n_positives, len(scores)):
        total += swaps[k] * scores[k]
    return pairs, total


class RocAreaOracle(PairOracle):
    """Oracle that finds the most violated ranking of the examples, for the ROC area.

    This ranking puts positive i below negative j if their scores have f_i < f_j + 1. Its value is
    the mean pairwise hinge loss in percent, 100/(P·N)·Σ max(0, 1 − (f_i − f_j)), for P positives
    and N negatives.
    """

    def __init__(self, loss: RocAreaLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, 100.0 / (n_positives * n_negatives))

    def search(self, scores) -> PairLabelling:
        n = self.n_positives
        swaps = swapped_pairs(scores[:n] - 1.0, scores[n:])
        pairs, total = _hinge_loss(scores, n, swaps)
        return PairLabelling(self.scale * (pairs + total), self.scale * pairs, swaps)


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
    """Oracle that finds the most violated ranking, for ROC area between two false positive rates.

    Let a and b be the rates, and P and N the numbers of positives and negatives. Let f_i be the
    score of positive i, and g_k the k-th highest score of a negative. Let u_k be the length of the
    part of the interval [k − 1, k] that lies between a·N and b·N. A ranking that puts r_i negatives
    above positive i has the value

    100/(P·(b − a)·N) · Σ_i Σ_{k ≤ min(r_i, J)} (u_k + g_k − f_i)

    Only the J = ⌈b·N⌉ highest negatives count (Narasimhan and Agarwal 2013, "SVM_pAUC^tight").
    """

    def __init__(self, loss: PartialRocAreaLoss, n_positives: int, n_negatives: int):
        start, stop = (
            round(rate * n_negatives, _DECIMALS) for rate in (loss.lowest_rate, loss.highest_rate)
        )
        super().__init__(n_positives, 100.0 / (n_positives * (stop - start)))
        self._n_free, self._n_counted = math.floor(start), math.ceil(stop)
        self._first_share = min(self._n_free + 1, stop) - start
        self._last_share = stop - (self._n_counted - 1)

    # The first A = ⌊a·N⌋ negatives have u_k = 0. So the best r_i is the number of negatives k ≤ A
    # with g_k > f_i, or a number above A, which is best for all positives below one threshold.
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
    """Return the best positions of the highest of `n_negatives` negatives.

    Scores of both classes are in descending order.
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
    """Oracle that finds the most violated ranking, for average precision (Yue et al. 2007).

    Let f_i be the i-th highest score of P positives, and g_j the j-th highest score of N negatives.
    The ranking puts negative j below the first p_j positives and above all others. The best p_j
    maximizes the sum, over the positives i > p_j, of

    100/P · i/((i + j − 1)·(i + j)) + 100/(P·N) · (g_j − f_i)

    The first term is the loss that negative j adds if it is above positive i. The second term is
    the gain of the swapped pair. After sorting, the search takes O(P·log N) (Mohapatra et al.
    2018).
    """

    def __init__(self, loss: AveragePrecisionLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, 100.0 / (n_positives * n_negatives))
        self._n_negatives = n_negatives
        self._ranks = np.arange(1.0, n_positives + 1)

    # The best p_j does not decrease with j. So the p_j of the middle negative bounds the others,
    # and the search divides the negatives recursively. Those below all positives are not sorted.
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
