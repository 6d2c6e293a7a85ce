"""Costs of the predictions that class weights make: average (equation (1)) and expected (15)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from beyond_accuracy.compilation import Floats, Integers, compiled

# Products that differ by a relative 1e-12 are ties by rounding. The factor resolves them in favour
# of the lowest index, so that every prediction belongs to one exact weight vector.
TIE_FACTOR = 1.0 - 2.0**-40
# Scores below this share of their row's largest count as zero, so that products cannot underflow.
SMALLEST_SHARE = 1e-150
_BLOCK = 128


@dataclass(frozen=True)
class GroupedScores:
    """Scaled class scores of n examples, `values`, shape (m, n), sorted by true class.

    The examples of true class c are the columns starts[c] to starts[c + 1] − 1. order[i] is the
    original index of the example in column i.
    """

    values: np.ndarray
    starts: np.ndarray
    order: np.ndarray

    @property
    def n_classes(self) -> int:
        return self.values.shape[0]

    @property
    def labels(self) -> np.ndarray:
        """True class of each column of `values`, shape (n,)."""
        return np.repeat(np.arange(self.n_classes), np.diff(self.starts))


def scale_rows(scores: np.ndarray) -> np.ndarray:
    """Divide the scores in each row by the largest of them, and set quotients below 1e-150 to 0."""
    scaled = scores / scores.max(axis=1, keepdims=True)
    scaled[scaled < SMALLEST_SHARE] = 0.0
    return scaled


def group_scores(scores: np.ndarray, y: np.ndarray) -> GroupedScores:
    """Scale scores, shape (n, m), and sort the examples by their true classes y, shape (n,)."""
    m = scores.shape[1]
    order = np.argsort(y, kind="stable")
    starts = np.zeros(m + 1, dtype=np.int64)
    np.cumsum(np.bincount(y, minlength=m), out=starts[1:])
    return GroupedScores(np.ascontiguousarray(scale_rows(scores)[order].T), starts, order)


def average_cost(
    scores: ArrayLike, y: ArrayLike, weights: ArrayLike, cost_matrix: ArrayLike | None = None
) -> float:
    """Compute the average cost if the class with the largest product of weight and score wins.

    `scores` are class scores, shape (n, m), such as probabilities, `y` the true class indices,
    shape (n,), and `weights` the class weights, shape (m,). `cost_matrix`, shape (m, m), has costs
    [true, predicted]. None costs 1 for every error.

    References
    ----------
    K. Deng et al., ROCML 2006; its extended form: https://doi.org/10.1007/s10994-008-5056-8

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[.6, .3, .1], [.5, .4, .1], [.5, .1, .4], [.7, .2, .1], [.6, .3, .1]]
    >>> y = [0, 1, 2, 0, 1]
    >>> reweighting.average_cost(scores, y, [1, 1, 1])
    0.6
    >>> reweighting.average_cost(scores, y, [1, 1.5, 1.5])
    0.2
    """
    scores, y = np.asarray(scores, dtype=np.float64), np.asarray(y)
    costs = 1.0 - np.eye(scores.shape[1]) if cost_matrix is None else np.asarray(cost_matrix)
    return float(costs[y, weighted_argmax(scores, np.asarray(weights))].mean())


def weighted_argmax(scores: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the class with the largest product of weight and score per example, shape (n,)."""
    tilted = weights * TIE_FACTOR ** np.arange(len(weights))
    return np.argmax(scale_rows(scores) * tilted, axis=1)


@compiled
def copy_row(source: Floats, target: Floats) -> None:
    """Copy the vector `source` into `target`."""
    for j in range(len(source)):
        target[j] = source[j]


@compiled
def _copy_block(values, start, stop, block):
    """Copy columns into `block`, since loops over its contiguous rows are faster than over slices.

    Return the number of columns.
    """
    for j in range(len(values)):
        row = block[j]
        for i in range(stop - start):
            row[i] = values[j, start + i]
    return stop - start


@compiled
def sum_of(values: Floats) -> float:
    """Return the sum of values, added in their order."""
    total = 0.0
    for value in values:
        total += value
    return total


def evaluate(grouped: GroupedScores, costs: Floats, weights: Floats) -> float:
    """Return the average cost of predictions by one vector of class weights, shape (m,)."""
    paid = costs[grouped.labels, weighted_argmax(grouped.values.T, weights)]
    # The order of the additions is that of the compiled objectives.
    column = np.arange(len(paid)) - grouped.starts[grouped.labels]
    return sum_of(np.bincount(column % _BLOCK, paid)) / len(paid)


@compiled
def fractional_costs(
    values: Floats, starts: Integers, costs: Floats, population: Floats, out: Floats
) -> None:
    """Write the expected cost of random predictions by each weight vector into `out`, shape (p,).

    The probability of predicting a class is proportional to the product of its weight and score
    (SOLFF, Deng et al. 2006). `values` and `starts` are from `GroupedScores`. `costs` is indexed
    [true, predicted]. `population`, shape (p, m), has one weight vector per row.
    """
    m, n = values.shape
    whole = m - m % 3
    block = np.empty((m, _BLOCK))
    paid = np.empty(_BLOCK)
    mass = np.empty(_BLOCK)
    total = np.zeros((population.shape[0], _BLOCK))
    for label in range(m):
        for start in range(starts[label], starts[label + 1], _BLOCK):
            size = _copy_block(values, start, min(start + _BLOCK, starts[label + 1]), block)
            for p in range(population.shape[0]):
                paid[:size] = 0.0
                mass[:size] = 0.0
                # Three classes per pass, since the sums are stored after each pass.
                for j in range(0, whole, 3):
                    u, v, w = population[p, j], population[p, j + 1], population[p, j + 2]
                    first, second, third = block[j], block[j + 1], block[j + 2]
                    price_u = u * costs[label, j]
                    price_v = v * costs[label, j + 1]
                    price_w = w * costs[label, j + 2]
                    for i in range(size):
                        x, y, z = first[i], second[i], third[i]
                        paid[i] = paid[i] + price_u * x + price_v * y + price_w * z
                        mass[i] = mass[i] + u * x + v * y + w * z
                for j in range(whole, m):
                    weight = population[p, j]
                    price = weight * costs[label, j]
                    row = block[j]
                    for i in range(size):
                        paid[i] += price * row[i]
                        mass[i] += weight * row[i]
                sums = total[p]
                for i in range(size):
                    positive = mass[i] > 0.0
                    share = paid[i] / (mass[i] if positive else 1.0)
                    sums[i] += share if positive else costs[label, 0]
    for p in range(population.shape[0]):
        out[p] = sum_of(total[p]) / n
