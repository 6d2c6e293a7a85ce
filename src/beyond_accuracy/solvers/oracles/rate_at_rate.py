"""Most violated labelling for recall at a precision, and precision at a recall.

With both classes sorted, a kept positives and b flipped negatives have the value
Δ(a, b) + scale·(T⁺(a) − T⁺(P) + T⁻(b)), T(m) being the sum of the m highest scores. For each a,
either side of the constraint leaves a function of b that is concave: the negatives worth taking,
clipped to that side, or for the precision a hill climb from the b of the previous a. So a search
takes O(n) after sorting.
"""

import numpy as np
from numba import njit

from beyond_accuracy.measures.losses import PrecisionAtRecallLoss, RecallAtPrecisionLoss
from beyond_accuracy.solvers.oracles.buckets import sort_descending
from beyond_accuracy.solvers.oracles.labelling import Labelling, LabellingOracle, top_threshold

# Rounding must not turn a table that just meets the constraint into one that does not.
_ROUNDING = 1e-9


@njit(cache=True, nogil=True)
def _sorted_sums(scores, n_positives, room):
    """Descending scores of both classes, in `room`; their cumulative sums, which begin with 0."""
    room[:] = scores
    positives, negatives = room[:n_positives], room[n_positives:]
    sort_descending(positives)
    sort_descending(negatives)
    kept, flipped = np.zeros(len(positives) + 1), np.zeros(len(negatives) + 1)
    for i in range(len(positives)):
        kept[i + 1] = kept[i] + positives[i]
    for i in range(len(negatives)):
        flipped[i + 1] = flipped[i] + negatives[i]
    return positives, negatives, kept, flipped


@njit(cache=True, nogil=True)
def _worthwhile(descending):
    """Number of scores above 0."""
    count = 0
    while count < len(descending) and descending[count] > 0.0:
        count += 1
    return count


@njit(cache=True, nogil=True)
def _labelling(positives, negatives, a, b, loss, value):
    positive_threshold, positive_ties = top_threshold(positives, a)
    negative_threshold, negative_ties = top_threshold(negatives, b)
    return Labelling(
        value, loss, 0.0, positive_threshold, positive_ties, negative_threshold, negative_ties
    )


@njit(cache=True, nogil=True)
def _recall_at_precision(scores, n_positives, odds, scale, room):
    """`odds` is how many flipped negatives a kept positive allows."""
    positives, negatives, kept, flipped = _sorted_sums(scores, n_positives, room)
    n_negatives = len(negatives)
    worthwhile = _worthwhile(negatives)
    best, best_a, best_b, best_loss = -np.inf, 0, 0, 100.0
    for a in range(n_positives + 1):
        base = scale * (kept[a] - kept[n_positives])
        # Where nothing is predicted positive, no precision is reached.
        most = -1 if a == 0 else min(int(np.floor(a * odds + _ROUNDING)), n_negatives)
        if most >= 0:
            b = min(worthwhile, most)
            loss = 100.0 * (1.0 - a / n_positives)
            value = loss + base + scale * flipped[b]
            if value > best:
                best, best_a, best_b, best_loss = value, a, b, loss
        if most < n_negatives:
            b = max(worthwhile, most + 1)
            value = 100.0 + base + scale * flipped[b]
            if value > best:
                best, best_a, best_b, best_loss = value, a, b, 100.0
    return _labelling(positives, negatives, best_a, best_b, best_loss, best)


@njit(cache=True, nogil=True)
def _precision_at_recall(scores, n_positives, least, scale, room):
    """`least` is how many positives have to be kept."""
    positives, negatives, kept, flipped = _sorted_sums(scores, n_positives, room)
    n_negatives = len(negatives)
    best_a, best_b = min(_worthwhile(positives), least - 1), _worthwhile(negatives)
    best_loss = 100.0
    best = 100.0 + scale * (kept[best_a] - kept[n_positives] + flipped[best_b])
    b = best_b
    for a in range(least, n_positives + 1):
        while b < n_negatives and _gain(a, b + 1) - _gain(a, b) + scale * negatives[b] > 0.0:
            b += 1
        while b > 0 and _gain(a, b - 1) - _gain(a, b) - scale * negatives[b - 1] > 0.0:
            b -= 1
        loss = _gain(a, b)
        value = loss + scale * (kept[a] - kept[n_positives] + flipped[b])
        if value > best:
            best, best_a, best_b, best_loss = value, a, b, loss
    return _labelling(positives, negatives, best_a, best_b, best_loss, best)


@njit(cache=True, nogil=True)
def _gain(a, b):
    return 100.0 * b / (a + b)


class RecallAtPrecisionOracle(LabellingOracle):
    """Search for the most violated labelling of a RecallAtPrecisionLoss."""

    def __init__(self, loss: RecallAtPrecisionLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, n_negatives)
        self._odds = (1.0 - loss.precision) / loss.precision
        self._room = np.empty(n_positives + n_negatives)

    def search(self, scores) -> Labelling:
        """The most violated labelling at the given scores, shape (n,), float64."""
        return _recall_at_precision(scores, self.n_positives, self._odds, self.scale, self._room)


class PrecisionAtRecallOracle(LabellingOracle):
    """Search for the most violated labelling of a PrecisionAtRecallLoss."""

    def __init__(self, loss: PrecisionAtRecallLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, n_negatives)
        self._least = loss.least(n_positives)
        self._room = np.empty(n_positives + n_negatives)

    def search(self, scores) -> Labelling:
        """The most violated labelling at the given scores, shape (n,), float64."""
        return _precision_at_recall(scores, self.n_positives, self._least, self.scale, self._room)
