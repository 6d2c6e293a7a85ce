"""Search for the best macro-F_β if only a limited number of labels may be predicted per row.

The limit (budget) couples the labels, so thresholds per label are not enough. The rules searched
predict, of the labels with a_j·(p_j − t_j) > 0, the k largest. As in Schultheis et al. (Generalized
Test Utilities for Long-Tail Performance in Extreme Multi-Label Classification, NeurIPS 2023,
https://arxiv.org/abs/2311.05081), the search is the Frank-Wolfe algorithm: linearized at the
current rates of true positives and predictions, macro-F_β is maximized by a = ∂F/∂TP and t = F/(1 +
β²).
"""

import itertools

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.compilation import Floats, compiled

_ITERATIONS = 30
_CHANGE = 1e-9
_SMALLEST = 1e-300
_ROWS_AT_ONCE = 512
BELOW_ALL = -5e-324
"""A threshold below every probability, and from whose differences nothing is rounded off."""


def top_within_budget(surplus: Floats, budget: int | None) -> NDArray[np.bool_]:
    """Return a mask of the largest positive entries of `surplus` per row, at most `budget`."""
    chosen = surplus > 0
    if budget is not None and budget < surplus.shape[1]:
        rows = np.flatnonzero(chosen.sum(axis=1) > budget)
        dropped = np.argsort(-surplus[rows], axis=1, kind="stable")[:, budget:]
        chosen[rows[:, None], dropped] = False
    return chosen


def macro_f_within_budget(
    Y: NDArray[np.bool_], marginals: Floats, budget: int, thresholds: Floats, beta: float = 1.0,
    weights: Floats | None = None, known: NDArray[np.bool_] | None = None,
) -> tuple[Floats, Floats, float]:  # fmt: skip
    """Search for the rule of highest macro-F_β that predicts at most `budget` labels per row.

    `Y` holds the true labels, and `marginals` their predicted probabilities, both of shape (n, m).
    Return (gains, thresholds, macro-F_β) of the best rule found. It is never worse than the given
    `thresholds` with gains 1, or than the most probable labels. A label with an infinite threshold
    is never predicted.

    `known`, shape (n, m), marks the usable entries of `marginals`, all by default. At other
    entries, positives count as missed, and predictions only use up the budget.
    """
    square = beta**2
    counted = np.ones(Y.shape) if known is None else known.astype(np.float64)
    weights = np.ones(len(Y)) if weights is None else weights
    counted *= weights[:, None]
    scale = counted.sum(axis=0).max()
    counted /= scale
    true = counted * Y
    positives = weights @ Y / scale
    never = np.isposinf(thresholds)

    n_labels = Y.shape[1]
    columns = [np.ascontiguousarray(each.T) for each in (marginals, true, counted)]

    def rates(gains, own):
        tp, predicted = np.zeros(n_labels), np.zeros(n_labels)
        _add_rates(*columns, gains, own, min(budget, n_labels), tp, predicted)
        return tp, predicted

    def value(tp, predicted):
        size = square * positives + predicted
        return float(np.where(size > 0, (1 + square) * tp / np.where(size > 0, size, 1), 1).mean())

    start = np.ones(n_labels)
    rates_at_start = rates(start, thresholds)
    best = start, thresholds, value(*rates_at_start)
    # The most probable labels, whatever their probability, are another rule.
    most_probable = np.where(never, np.inf, BELOW_ALL)
    rates_at_most_probable = rates(start, most_probable)
    reached = value(*rates_at_most_probable)
    if reached > best[2]:
        best = start, most_probable, reached
    probabilities = (start, 0 * start), _calibration(true, counted, marginals)
    for (slopes, offsets), is_filled in itertools.product(probabilities, (False, True)):
        tp, predicted = rates_at_most_probable if is_filled else rates_at_start
        for iteration in range(_ITERATIONS):
            size = np.maximum(square * positives + predicted, _SMALLEST)
            # a·(slope·p + offset − t), where slope·p + offset is the probability.
            gains = np.where(never, 1.0, slopes / size)
            gains = gains / gains[~never].max(initial=_SMALLEST)
            own = np.where(never, np.inf, (tp / size - offsets) / slopes)
            if is_filled:
                # A row's labels keep their order, and all surpluses become positive.
                own -= (1 + np.max(gains * own, where=~never, initial=0)) / gains
            new = rates(gains, own)
            reached = value(*new)
            if reached > best[2]:
                best = gains, own, reached
            step = 2 / (iteration + 2) if iteration or is_filled else 0.5
            change = [step * (ours - old) for ours, old in zip(new, (tp, predicted), strict=True)]
            tp, predicted = tp + change[0], predicted + change[1]
            if max(np.abs(each).max() for each in change) < _CHANGE:
                break
    return best


def _calibration(true, counted, marginals):
    """Return slopes and offsets of least-squares fits of labels to marginals; 1, 0 if useless."""
    total = np.maximum(counted.sum(axis=0), _SMALLEST)
    mean, rate = (counted * marginals).sum(axis=0) / total, true.sum(axis=0) / total
    variance = (counted * (marginals - mean) ** 2).sum(axis=0)
    covariance = (true * (marginals - mean)).sum(axis=0)
    usable = (variance > 0) & (covariance > 0)
    slopes = np.where(usable, covariance / np.where(usable, variance, 1), 1.0)
    return slopes, np.where(usable, rate - slopes * mean, 0.0)


# Many rows at once pass their labels through a list of the largest surpluses, which needs no
# branches and is vectorized.
@compiled
def _add_rates(marginals, true, counted, gains, thresholds, budget, tp, predicted):
    """Add the true positives and the predictions of a rule to `tp` and `predicted`, shape (m,).

    The rule predicts as `top_within_budget(gains·(marginals − thresholds), budget)`. The first
    three arguments have shape (m, n).
    """
    m, n = marginals.shape
    largest = np.empty((budget, _ROWS_AT_ONCE))
    labels = np.empty((budget, _ROWS_AT_ONCE), dtype=np.int64)
    surplus, label = np.empty(_ROWS_AT_ONCE), np.empty(_ROWS_AT_ONCE, dtype=np.int64)
    for start in range(0, n, _ROWS_AT_ONCE):
        size = min(_ROWS_AT_ONCE, n - start)
        for k in range(budget):
            for i in range(size):
                largest[k, i], labels[k, i] = 0.0, -1
        for j in range(m):
            gain, threshold = gains[j], thresholds[j]
            values = marginals[j, start : start + size]
            for i in range(size):
                surplus[i], label[i] = gain * (values[i] - threshold), j
            for k in range(budget):
                kept, kept_label = largest[k], labels[k]
                for i in range(size):
                    new, old = surplus[i], kept[i]
                    new_label, old_label = label[i], kept_label[i]
                    # Earlier labels stay before equal ones.
                    is_larger = new > old
                    kept[i] = new if is_larger else old
                    kept_label[i] = new_label if is_larger else old_label
                    surplus[i] = old if is_larger else new
                    label[i] = old_label if is_larger else new_label
        for i in range(size):
            for k in range(budget):
                j = labels[k, i]
                if j < 0:
                    break
                tp[j] += true[j, start + i]
                predicted[j] += counted[j, start + i]
