"""Reweighting by the columns of the boundary matrix (O'Brien and Gray 2005)."""

from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.compilation import compiled
from beyond_accuracy.reweighting.base import Reweighter
from beyond_accuracy.reweighting.objective import TIE_FACTOR, scale_rows
from beyond_accuracy.reweighting.threshold import best_threshold, find_two_lowest, update_two_lowest
from beyond_accuracy.scikit_learn import Interval


class BoundaryMatrixReweighter(Reweighter):
    """Decision rule that rescales the expected cost of each class (O'Brien and Gray 2005).

    Example i with scores S is predicted as argmin_j Σ_k B_kj·S_ik; ties go to the lowest index. The
    boundary matrix B is at first the cost matrix. Then each column in turn is multiplied by the
    number that minimizes the average cost while the other columns are fixed, until a round over all
    columns brings no gain.

    Parameters
    ----------
    max_rounds : int, default 10
        Largest number of rounds over all columns.

    Attributes
    ----------
    boundary_matrix_ : ndarray, shape (m, m), float64
        The cost matrix with column j multiplied by multipliers_[j].
    multipliers_ : ndarray, shape (m,), float64
        Multipliers of the columns, with geometric mean 1.
    n_rounds_ : int
        Number of rounds over all columns.
    objective_, n_classes_
        See `Reweighter`.

    References
    ----------
    D. B. O'Brien, R. M. Gray, Improving Classification Performance by Exploring the Role of Cost
    Matrices, ROCML 2005. https://dmip.webs.upv.es/ROCML2005/

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[.6, .3, .1], [.5, .4, .1], [.5, .1, .4], [.7, .2, .1], [.6, .3, .1]]
    >>> y, costs = [0, 1, 2, 0, 1], [[0, 1, 1], [4, 0, 1], [4, 1, 0]]
    >>> rule = reweighting.BoundaryMatrixReweighter().fit(scores, y, costs)
    >>> rule.predict(scores), round(rule.objective_, 6)
    (array([1, 1, 2, 0, 1]), 0.2)
    """

    _parameter_constraints = {"max_rounds": [Interval(Integral, 1, None, closed="left")]}

    def __init__(self, max_rounds: int = 10) -> None:
        self.max_rounds = max_rounds

    def _fit(self, scores, labels, costs):
        with np.errstate(divide="ignore"):
            expected = np.log(scale_rows(scores) @ costs).T.copy()
        log_multipliers = np.zeros(len(costs))
        for round_number in range(1, self.max_rounds + 1):
            self.n_rounds_: int = round_number
            if not _improve(expected, log_multipliers, labels, costs):
                break
        self.multipliers_: NDArray[np.float64] = np.exp(log_multipliers - log_multipliers.mean())
        self.boundary_matrix_: NDArray[np.float64] = costs * self.multipliers_
        self.objective_: float = float(costs[labels, self._predict(scores)].mean())

    def _predict(self, scores):
        tilt = TIE_FACTOR ** -np.arange(self.n_classes_)
        return np.argmin(scale_rows(scores) @ self.boundary_matrix_ * tilt, axis=1)


def _improve(expected, log_multipliers, labels, costs):
    """Improve each column's multiplier once, in place; return whether the average cost fell.

    `expected` are logarithms of expected costs, [class, example].
    """
    improved = False
    current = expected + log_multipliers[:, None]
    winners, lowest = find_two_lowest(current)
    for column in range(len(costs)):
        now, base, positions, changes = _turns(
            expected[column], labels, costs, winners, lowest, column
        )
        threshold, change, _ = best_threshold(positions, changes)
        if base + change < now - 1e-9 * max(now, 1.0):
            log_multipliers[column] = threshold
            current[column] = expected[column] + threshold
            update_two_lowest(current, winners, lowest, column)
            improved = True
    return improved


@compiled
def _turns(expected, labels, costs, winners, lowest, column):
    """Return (current cost, cost if the column won all examples, positions, changes of cost).

    At `positions`, logarithms of the multiplier, the column loses one example each.
    """
    n = len(labels)
    positions, changes = np.empty(n), np.empty(n)
    now = base = 0.0
    for i in range(n):
        of_label = costs[labels[i]]
        place = 1 if winners[0, i] == column else 0
        price = of_label[column]
        now += of_label[winners[0, i]]
        base += price
        changes[i] = of_label[winners[place, i]] - price
        rival = lowest[place, i]
        never = rival == -np.inf and expected[i] == -np.inf
        positions[i] = -np.inf if never else rival - expected[i]
    return now, base, positions, changes
