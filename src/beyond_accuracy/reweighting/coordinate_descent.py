"""Weights by coordinate descent with exact line searches, from several starts."""

from numbers import Integral

import numpy as np
from numba import njit
from sklearn.utils._param_validation import Interval

from beyond_accuracy.reweighting.base import WeightReweighter
from beyond_accuracy.reweighting.sequential import set_in_order
from beyond_accuracy.reweighting.threshold import best_threshold, find_two_lowest


class CoordinateDescentReweighter(WeightReweighter):
    """Minimizes the average cost, equation (1), one weight at a time, each exactly.

    With all other weights fixed, sorting the examples by the weight at which they turn to a class
    finds the best weight of that class, O(n·log n). The classes are taken in turn, by index, until
    a round changes nothing: no single weight can then be improved. Since that may be a local
    minimum, the descent is run from several starts, and the best end is taken, the first of equals.
    Nothing is random. Of several best weights of a class that in the widest gap is taken, between
    two examples their geometric mean.

    The starts are equal weights, which makes the result no worse on the data of `fit` than no
    re-weighting; the inverse frequencies of the classes; and the weights that Lachiche and Flach's
    method (SequentialReweighter) finds with frequent classes first and with rare classes first.

    Parameters
    ----------
    n_starts : int, default 4
        How many of these starts, in this order.
    max_rounds : int, default 50
        Rounds over the classes from each start.

    Attributes
    ----------
    weights_, objective_, n_classes_
        As in the other reweighters with weights.
    n_rounds_ : int
        Rounds of all starts.
    """

    _parameter_constraints = {
        "n_starts": [Interval(Integral, 1, 4, closed="both")],
        "max_rounds": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, *, n_starts=4, max_rounds=50):
        self.n_starts = n_starts
        self.max_rounds = max_rounds

    def _find_weights(self, scores, labels, grouped, costs):
        with np.errstate(divide="ignore"):
            logs = np.log(grouped.values)
        labels = grouped.labels
        self.n_rounds_ = 0
        lowest, found = np.inf, None
        for log_weights in self._starts(logs, labels, costs):
            total, n_rounds = _descend(logs, labels, costs, log_weights, self.max_rounds)
            self.n_rounds_ += n_rounds
            if total < lowest:
                lowest, found = total, log_weights
        return np.exp(found - found.max())

    def _starts(self, logs, labels, costs):
        """Yield logarithms of weights."""
        m = len(costs)
        frequencies = np.bincount(labels, minlength=m)
        orders = (np.argsort(sign * frequencies, kind="stable") for sign in (-1, 1))
        starts = (
            lambda: np.zeros(m),
            lambda: -np.log(np.maximum(frequencies, 1.0)),
            lambda: set_in_order(next(orders), logs, labels, costs),
            lambda: set_in_order(next(orders), logs, labels, costs),
        )
        for start in starts[: self.n_starts]:
            yield start()


def _descend(logs, labels, costs, log_weights, max_rounds):
    """Change `log_weights`; return the sum of costs and the number of rounds."""
    m = len(costs)
    # Products are compared by what they fall short of 1, in logarithms.
    shortfalls = -(logs + log_weights[:, None])
    winners, lowest = find_two_lowest(shortfalls)
    now = costs[labels, winners[0]].sum()
    unchanged = n_rounds = 0
    while n_rounds < max_rounds and unchanged < m:
        n_rounds += 1
        for j in range(m):
            base, positions, changes = _turns(logs[j], labels, costs, winners, lowest, j)
            threshold, change = best_threshold(positions, changes)
            unchanged += 1
            if base + change < now - 1e-9 * max(now, 1.0):
                now = base + change
                log_weights[j] = threshold
                shortfalls[j] = -(logs[j] + threshold)
                winners, lowest = find_two_lowest(shortfalls)
                # This one is at its best.
                unchanged = 1
            if unchanged == m:
                break
    return now, n_rounds


@njit(cache=True, nogil=True)
def _turns(logs, labels, costs, winners, lowest, j):
    """Where examples turn to class j, and what that changes; the others' cost without class j.

    Examples that never turn, or whose turn costs nothing, are left out.
    """
    n = len(logs)
    positions, changes = np.empty(n), np.empty(n)
    k = 0
    base = 0.0
    for i in range(n):
        place = 1 if winners[0, i] == j else 0
        price = costs[labels[i], winners[place, i]]
        base += price
        change = costs[labels[i], j] - price
        if change != 0.0 and logs[i] > -np.inf:
            positions[k] = -lowest[place, i] - logs[i]
            changes[k] = change
            k += 1
    return base, positions[:k], changes[:k]
