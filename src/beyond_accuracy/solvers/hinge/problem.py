"""Weighted hinge loss of a linear classifier: objective, best intercept, lower bound.

minimize  ½‖w‖² + ½r·b² + Σ cost_i·max(0, margin_i − y_i·(w·x_i + b))

with r = 0 (free intercept) or r = 1 (regularized, as the weight of a constant feature 1). The dual
is

maximize Σ margin_i·α_i − ½‖Σ y_i·α_i·x_i‖² − (Σ y_i·α_i)²/(2r)

over 0 ≤ α ≤ cost. A free intercept also requires Σ y_i·α_i = 0.
"""

from typing import Literal

import numpy as np

from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.iterations import Solution
from beyond_accuracy.solvers.plane_model import ScaleError

Intercept = Literal["free", "regularized", "none"]


class HingeProblem:
    """Training data of a linear SVM whose hinge loss has a cost and a margin per example.

    The objective is ½‖w‖² + Σ cost_i·max(0, margin_i − y_i·f(x_i)). `positive` is a boolean array
    with the class of each row of X. `cost`, above 0, and `margin`, 1 by default, have one number
    per row. The intercept is "free" (absent from the penalty), "regularized" (in the penalty) or
    "none".
    """

    def __init__(self, X, positive, cost, margin=None, intercept: Intercept = "free"):
        self.data = DataMatrix(X, positive, intercept != "none", positives_first=False)
        self.sign = np.where(positive, 1.0, -1.0)
        self.cost = np.asarray(cost, dtype=np.float64)
        n = self.data.n_samples
        self.margin = np.ones(n) if margin is None else np.asarray(margin, dtype=np.float64)
        self.intercept = intercept

    def scores(self, w):
        """Return the scores X·w + b of all rows, shape (n,); b is the last entry of `w`."""
        out = np.empty(self.data.n_samples)
        self.data.scores(w, out)
        return out

    def combination(self, alpha):
        """Return Σ y_i·alpha_i·(x_i, 1) over all rows x_i of X, with y_i = ±1, shape (d + 1,)."""
        out = np.empty(self.data.n_features + 1)
        self.data.combination(self.sign * alpha, out)
        return out

    def objective(self, w, scores) -> float:
        """Return the objective of the SVM at `w`, whose last entry is the intercept.

        `scores`, shape (n,), are the scores of all rows for this `w`.
        """
        regularized = w if self.intercept == "regularized" else w[:-1]
        loss = float(self.cost @ np.maximum(self.margin - self.sign * scores, 0.0))
        return 0.5 * float(regularized @ regularized) + loss

    def objective_at_zero(self) -> float:
        """Return the objective if all weights are 0; a free intercept has its best value."""
        zero = np.zeros(self.data.n_samples)
        intercept = self.best_intercept(zero) if self.intercept == "free" else 0.0
        return self.objective(np.zeros(1), zero + intercept)

    def best_intercept(self, scores) -> float:
        """Return the intercept b that minimizes the objective for fixed weights of the features.

        `scores`, shape (n,), are X·w without intercept. If the problem has no intercept, b is 0.
        """
        if self.intercept == "none":
            return 0.0
        # The loss is piecewise linear in b. Its slope rises by the cost where a margin is met
        # exactly.
        breaks = self.sign * self.margin - scores
        order = np.argsort(breaks)
        if (np.diff(breaks[order]) == 0).any():
            # A stable sort takes three times as long.
            order = np.argsort(breaks, kind="stable")
        breaks = breaks[order]
        slopes = np.cumsum(self.cost[order]) - self.cost[self.sign > 0].sum()
        if self.intercept == "free":
            crossing = np.searchsorted(slopes, 0.0)
            return float(breaks[min(crossing, len(breaks) - 1)])
        crossing = np.searchsorted(slopes + breaks, 0.0)
        if crossing == len(breaks):
            return float(-slopes[-1])
        before = slopes[crossing] - self.cost[order[crossing]]
        return float(min(-before, breaks[crossing]))

    def dual(self, alpha) -> float:
        """Return the dual objective at `alpha`, a lower bound on the minimum of the objective.

        `alpha` has one dual variable per example, with 0 ≤ alpha ≤ cost. If the intercept is
        "free", the variables of one class are first reduced so that both classes have equal sums.
        """
        if self.intercept == "free":
            alpha = self._balance(alpha)
        w = self.combination(alpha)
        if self.intercept == "free":
            w[-1] = 0.0
        return float(self.margin @ alpha) - 0.5 * float(w @ w)

    def within_range(self, solution: Solution) -> Solution:
        """Return `solution`, or raise ScaleError if overflow kept it from converging."""
        if not solution.converged:
            values = self.data.arrays[0]
            largest = np.float64(max(values.max(initial=0.0), -values.min(initial=0.0)))
            with np.errstate(over="ignore"):
                norm = largest * largest * self.data.n_features
            if not (np.isfinite(norm) and np.isfinite(solution.dual_gap)):
                raise ScaleError
        return solution

    def _balance(self, alpha):
        positive = self.sign > 0
        sums = alpha[positive].sum(), alpha[~positive].sum()
        if sums[0] == sums[1]:
            return alpha
        heavier = positive if sums[0] > sums[1] else ~positive
        return np.where(heavier, min(sums) / max(sums) * alpha, alpha)
