"""Objectives of coordinate descent: sums of costs, and measures of the confusion matrix."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from beyond_accuracy.compilation import Floats, Integers, compiled
from beyond_accuracy.measures.multiclass import ConfusionMatrixMeasure
from beyond_accuracy.reweighting.threshold import GAP_TOLERANCE, best_threshold, stable_order

# Number of confusion-matrix entries that a measure gets at once.
_NUMBERS_AT_ONCE = 2**20


@dataclass(frozen=True)
class TotalPrice:
    """Objective to be minimized: the total cost of the predictions.

    prices[rows[i], c] is the cost if class c is predicted for example i.
    """

    prices: np.ndarray
    rows: np.ndarray
    # The results of two descents are compared exactly.
    rounding: ClassVar[float] = 0.0

    def value(self, predicted: np.ndarray) -> float:
        """Return the total cost of the predicted classes, shape (n,)."""
        return self.prices[self.rows, predicted].sum()

    def is_lower(self, value: float, than: float) -> bool:
        """Return whether `value` is lower than `than` by more than rounding errors."""
        return value < than - 1e-9 * max(than, self._highest)

    @cached_property
    def _highest(self):
        return self.prices.max(initial=0.0)

    def search(
        self, logs: Floats, winners: Integers, lowest: Floats, j: int
    ) -> tuple[float, float]:
        """Return the log weight of class j that minimizes the total cost, and this cost.

        - `logs`, shape (n,): logarithms of the examples' scores for class j.
        - `winners`, shape (2, n): for each example, the classes with the largest and second-largest
          product of weight and score, at the current weights.
        - `lowest`, shape (2, n): minus the logarithms of these two products.
        """
        base, positions, changes = _turns(logs, self.prices, self.rows, winners, lowest, j)
        threshold, change, _ = best_threshold(positions, changes)
        return threshold, base + change


@dataclass(frozen=True)
class NegatedMeasure:
    """Objective to be minimized: minus a measure of the confusion matrix of the predictions.

    `labels`, true classes, and `weights` of the examples have shape (n,).
    """

    measure: ConfusionMatrixMeasure
    labels: np.ndarray
    weights: np.ndarray
    n_classes: int
    # Measures are of order 1, and along a line their terms are summed one after the other.
    rounding: ClassVar[float] = 1e-11

    def value(self, predicted: np.ndarray) -> float:
        """Return minus the measure for predicted classes, shape (n,)."""
        confusion = confusion_matrix(self.labels, predicted, self.n_classes, self.weights)
        return -float(self.measure(confusion[None])[0])

    def is_lower(self, value: float, than: float) -> bool:
        """Return whether `value` is lower than `than` by more than rounding errors."""
        return value < than - self.rounding

    def search(
        self, logs: Floats, winners: Integers, lowest: Floats, j: int
    ) -> tuple[float, float]:
        """Return the log weight of class j that maximizes the measure, and minus the measure.

        The arguments are those of `TotalPrice.search`.
        """
        wins = winners[0] == j
        previous = np.where(wins, winners[1], winners[0])
        others = np.where(wins, lowest[1], lowest[0])
        turning = np.flatnonzero(logs > -np.inf)
        positions = -others[turning] - logs[turning]
        order = stable_order(positions)
        order, positions = turning[order], positions[order]
        base = confusion_matrix(self.labels, previous, self.n_classes, self.weights)
        # If only class j has a score, every positive weight gives it the example.
        n_always = np.searchsorted(positions, -np.inf, side="right")
        moved = (self.labels[order], previous[order], self.weights[order])
        finite = positions[n_always:]
        gaps, thresholds = np.diff(finite), np.zeros(1)
        counts = n_always + np.arange(len(finite) + 1)
        widths = np.r_[2.0, gaps, 2.0][: len(counts)]
        if len(finite):
            thresholds = np.r_[finite[0] - 1.0, finite[:-1] + 0.5 * gaps, finite[-1] + 1.0]
        possible = widths > GAP_TOLERANCE
        values = _values_along(self.measure, base, j, *moved, counts[possible])
        best = np.flatnonzero(values >= values.max() - self.rounding)
        index = best[np.argmax(widths[possible][best])]
        return float(thresholds[possible][index]), -float(values[index])


def _values_along(measure, confusion, j, labels, previous, weights, counts):
    """Return the measure after the first `counts[k]` examples have changed to class j."""
    if measure.f1_shares is not None:
        # A mean of F1 changes by two terms per example.
        shares = measure.f1_shares(confusion.sum(axis=1))
        return _mean_f1_along(confusion, shares, j, labels, previous, weights)[counts]
    m = len(confusion)
    size = max(1, _NUMBERS_AT_ONCE // m**2)
    # Sums in which all weights cancel leave at most this much, below any weight.
    rounding = len(labels) * np.finfo(np.float64).eps * confusion.sum()
    rounding = min(rounding, 0.5 * weights.min(initial=np.inf))
    values = np.empty(len(counts))
    now, done = confusion.astype(np.float64), 0
    for start in range(0, len(counts), size):
        stops = counts[start : start + size]
        # Examples that turn between two counts change the matrix of the later count.
        rows = np.searchsorted(stops, np.arange(done, stops[-1]), side="right")
        changes = np.zeros((len(stops), m, m))
        part = slice(done, stops[-1])
        np.add.at(changes, (rows, labels[part], previous[part]), -weights[part])
        np.add.at(changes, (rows, labels[part], j), weights[part])
        changes[0] += now
        np.cumsum(changes, axis=0, out=changes)
        changes[np.abs(changes) <= rounding] = 0.0
        values[start : start + size] = measure(changes)
        now, done = changes[-1].copy(), stops[-1]
    return values


def confusion_matrix(
    labels: Integers, predicted: Integers, n_classes: int, weights: Floats
) -> np.ndarray:
    """Return the confusion matrix, [true, predicted], as sums of the example weights."""
    cells = np.bincount(labels * n_classes + predicted, weights, minlength=n_classes**2)
    return cells.reshape(n_classes, n_classes)


@compiled
def _turns(logs, prices, rows, winners, lowest, j):
    """Return (total cost without class j, log weights at which examples change to j, changes).

    Examples that never change, or whose change costs nothing, are left out.
    """
    n = len(logs)
    positions, changes = np.empty(n), np.empty(n)
    k = 0
    base = 0.0
    for i in range(n):
        place = 1 if winners[0, i] == j else 0
        price = prices[rows[i], winners[place, i]]
        base += price
        change = prices[rows[i], j] - price
        if change != 0.0 and logs[i] > -np.inf:
            positions[k] = -lowest[place, i] - logs[i]
            changes[k] = change
            k += 1
    return base, positions[:k], changes[:k]


@compiled
def _f1(hits, size, predicted):
    return 2.0 * hits / (size + predicted) if size + predicted > 0.0 else 0.0


@compiled
def _mean_f1_along(confusion, shares, j, labels, previous, weights):
    """Return Σ_c shares[c]·F1_c after 0, 1, … n examples have changed to class j, (n + 1,)."""
    m, n = len(confusion), len(labels)
    hits, sizes, predicted = np.zeros(m), np.zeros(m), np.zeros(m)
    for c in range(m):
        hits[c] = confusion[c, c]
        for d in range(m):
            sizes[c] += confusion[c, d]
            predicted[d] += confusion[c, d]
    f1 = np.empty(m)
    total = 0.0
    for c in range(m):
        f1[c] = shares[c] * _f1(hits[c], sizes[c], predicted[c])
        total += f1[c]
    values = np.empty(n + 1)
    values[0] = total
    for i in range(n):
        label, source, weight = labels[i], previous[i], weights[i]
        predicted[source] -= weight
        predicted[j] += weight
        if label == source:
            hits[source] -= weight
        if label == j:
            hits[j] += weight
        for c in (source, j):
            new = shares[c] * _f1(hits[c], sizes[c], predicted[c])
            total += new - f1[c]
            f1[c] = new
        values[i + 1] = total
    return values
