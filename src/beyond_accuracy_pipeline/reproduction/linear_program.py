"""Linear program of Deng et al. (2006) for class weights, by cutting planes or interior points.

The variables are the class weights w_j, the largest products γ_i = max_j w_j·S_ij of the scores
S_ij, and the relaxed indicators I_ij that example i is predicted as class j.
"""

from numbers import Integral, Real
from typing import Literal

import numpy as np
from scipy.optimize import linprog

from beyond_accuracy.compilation import compiled
from beyond_accuracy.reweighting.base import WeightReweighter
from beyond_accuracy.scikit_learn import Interval, StrOptions
from beyond_accuracy_pipeline.reproduction.budget import BudgetExceededError
from beyond_accuracy_pipeline.reproduction.interior_point import find_central_point

# Cuts are made between the best weights and the model's, because pure cutting planes oscillate.
_TOWARDS_MODEL = 0.5
_OPERATIONS_OF_A_CALL = 1_000_000
# Per cut and class to set up a master problem, and per cut and simplex iteration.
_OPERATIONS_OF_A_CUT = 100
# Per score and interior-point step, in addition to m for the products of matrices.
_OPERATIONS_OF_A_SCORE = 30
# Status of scipy.optimize.linprog.
_ITERATION_LIMIT = 1


class LinearProgramReweighter(WeightReweighter):
    """Decision rule whose class weights solve the linear program (9)–(14) of Deng et al. (2006).

    Given are scores S_ij of n examples and m classes. A prediction is the class j with the largest
    product w_j·S_ij. The variables are the class weights w, the largest products γ_i, and the
    relaxed indicators I_ij that example i is predicted as class j. The program is to

        minimize   (1/n)·Σ_ij cost[y_i, j]·I_ij + η·Σ_j |w_j − 1|
        subject to w_j·S_ij ≤ γ_i,  γ_i − w_j·S_ij + I_ij ≤ 1,  Σ_j I_ij = 1,  I ≥ 0,  0 ≤ w ≤ 1.

    With the paper's η = 1e-6, w = 0 is optimal unless the scores are nearly perfect. Then all
    products are 0, and the first class is always predicted. To avoid this, use the normalization
    "sum" or "majority", or the interior-point solver. This solver finds small positive weights
    instead of 0, and their ratios hardly depend on `tol`.

    Parameters
    ----------
    normalization : {"none", "sum", "majority"}, default "none"
        "none" is the program as printed. "sum" adds the constraint Σ_j w_j = 1. "majority" sets the
        weight of the most frequent class to 1.
    solver : {"cutting_planes", "interior_point"}, default "cutting_planes"
        "interior_point" needs normalization "none".
    eta : float, default 1e-6
        Factor η of the regularizer. The default is the paper's value.
    tol : float, default 1e-6
        Stop if the gap between the program's value and a certified lower bound is at most
        tol·max(value, 1/n). With "interior_point", the gap is tol·max(η·m, 1/n), where η·m is the
        value at w = 0.
    max_operations : int, default 5_000_000_000
        Budget of operations, each about a nanosecond. Beyond it, `fit` raises BudgetExceededError.
        An iteration of cutting planes counts n·m². A master problem with k cuts and s simplex
        iterations counts 100·k·(m + s) + 10⁶. An interior-point step counts n·m·(m + 30) + 10⁶.

    Attributes
    ----------
    program_value_, program_bound_ : float
        Value of the linear program, and a lower bound on its optimal value.
    n_iter_ : int
        Number of iterations of cutting planes, or number of interior-point steps.
    weights_, objective_, n_classes_
        See `beyond_accuracy.reweighting.base.WeightReweighter`.

    References
    ----------
    K. Deng, C. Bourke, S. Scott, N. V. Vinodchandran, New Algorithms for Optimizing Multi-Class
    Classifiers via ROC Surfaces, ROCML 2006; its extended form:
    https://doi.org/10.1007/s10994-008-5056-8
    """

    _parameter_constraints = {
        "normalization": [StrOptions({"none", "sum", "majority"})],
        "solver": [StrOptions({"cutting_planes", "interior_point"})],
        "eta": [Interval(Real, 0, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_operations": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        normalization: Literal["none", "sum", "majority"] = "none",
        *,
        solver: Literal["cutting_planes", "interior_point"] = "cutting_planes",
        eta: float = 1e-6,
        tol: float = 1e-6,
        max_operations: int = 5_000_000_000,
    ) -> None:
        self.normalization = normalization
        self.solver = solver
        self.eta = eta
        self.tol = tol
        self.max_operations = max_operations

    def _find_weights(self, scores, labels, grouped, costs):
        """Return the class weights, shape (m,), and set attributes that describe the solution."""
        n, m = scores.shape
        scores = scores[grouped.order]
        scores /= scores.sum(axis=1, keepdims=True)
        if self.solver == "interior_point":
            return self._find_interior_weights(scores, costs[labels[grouped.order]] / n)
        ranking = np.argsort(costs, axis=1, kind="stable")
        # The first weights, and the bounds and the sum that the normalization demands.
        weights, lower_bounds, weight_sum = np.zeros(m), np.zeros(m), None
        if self.normalization == "sum":
            weights, weight_sum = np.full(m, 1.0 / m), 1.0
        elif self.normalization == "majority":
            weights = np.ones(m)
            lower_bounds[np.diff(grouped.starts).argmax()] = 1.0
        # No weight is above 1: the regularizer is penalty·(m − Σ_j w_j).
        penalty = self.eta * n
        objective = np.repeat([-penalty, 1.0], m)
        matrix, limits = np.empty((0, 2 * m)), np.empty(0)
        best_value, best_weights, bound = np.inf, weights, 0.0
        operations = 0
        self.n_iter_: int = 0
        while True:
            values, slopes = _cuts(scores, grouped.starts, costs, ranking, weights)
            self.n_iter_ += 1
            value = values.sum() + penalty * (m - weights.sum())
            if value < best_value:
                best_value, best_weights = value, weights
            if best_value - bound <= self.tol * max(best_value, 1.0):
                break
            # θ_c ≥ values_c + slopes_c·(w − weights), for every class that has a cost here.
            costly = slopes.any(axis=1) | (values > 0)
            matrix = np.vstack([matrix, np.hstack([slopes, -np.eye(m)])[costly]])
            limits = np.append(limits, (slopes @ weights - values)[costly])
            per_step = _OPERATIONS_OF_A_CUT * len(limits)
            operations += n * m * m + per_step * m + _OPERATIONS_OF_A_CALL
            max_iter = (self.max_operations - operations) // per_step if per_step else 1
            solved = _solve_master(objective, matrix, limits, lower_bounds, weight_sum, max_iter)
            if solved is None:
                raise BudgetExceededError(
                    f"the linear program of {n} examples and {m} classes needs more than "
                    f"max_operations={self.max_operations:g}: after {self.n_iter_} iterations its "
                    f"value is {best_value / n:.6g} and the bound {bound / n:.6g}; raise "
                    "max_operations or tol"
                )
            proposed, lower, n_simplex = solved
            operations += per_step * n_simplex
            bound = max(bound, lower + penalty * m)
            weights = best_weights + _TOWARDS_MODEL * (proposed - best_weights)
        self.program_value_: float = float(best_value) / n
        self.program_bound_: float = float(bound) / n
        return best_weights

    def _find_interior_weights(self, scores, costs):
        """Return the class weights by the interior-point method, shape (m,), and set attributes."""
        if self.normalization != "none":
            raise ValueError(
                f"solver='interior_point' needs normalization='none'; found {self.normalization!r}"
            )
        n, m = scores.shape
        per_step = n * m * (m + _OPERATIONS_OF_A_SCORE) + _OPERATIONS_OF_A_CALL
        gap = self.tol * max(self.eta * m, 1.0 / n)
        max_iter = self.max_operations // per_step
        point = find_central_point(scores, costs, self.eta, gap, max_iter)
        if point is None:
            raise BudgetExceededError(
                f"the interior-point method for {n} examples and {m} classes needs more than "
                f"max_operations={self.max_operations:g}, {max_iter} steps; raise max_operations "
                "or tol"
            )
        self.n_iter_ = point.n_iter
        self.program_value_ = point.value
        self.program_bound_ = point.value - gap
        return point.weights


def _solve_master(objective, matrix, limits, lower_bounds, weight_sum, max_iter):
    """Minimize objective·(w, θ) subject to matrix·(w, θ) ≤ limits and lower_bounds ≤ w ≤ 1.

    The variables θ ≥ 0 are bounds on the cost per true class. Return (weights, value, number of
    simplex iterations), or None if more than `max_iter` iterations are needed.
    """
    if max_iter < 1:
        return None
    m = len(lower_bounds)
    is_weight = np.repeat([1.0, 0.0], m)
    result = linprog(
        objective,
        matrix,
        limits,
        *((is_weight[None, :], [weight_sum]) if weight_sum is not None else (None, None)),
        # No part of the cost is negative.
        bounds=[*((low, 1.0) for low in lower_bounds), *[(0.0, None)] * m],
        method="highs",
        options={"maxiter": min(max_iter, np.iinfo(np.int32).max)},
    )
    if result.status == _ITERATION_LIMIT:
        return None
    if result.x is None:
        raise RuntimeError(f"{result.message}; scale the costs, or take another eta")
    return np.maximum(result.x[:m], 0.0), result.fun, result.nit


@compiled
def _cuts(scores, starts, costs, ranking, weights):
    """Return (values, slopes): the cost of each true class at `weights`, and subgradients.

    For each example i, the indicators I_ij are filled up from the cheapest class on, each to its
    capacity 1 − (γ_i − w_j·S_ij). The examples are sorted by true class.
    """
    n, m = scores.shape
    values = np.zeros(m)
    slopes = np.zeros((m, m))
    for c in range(m):
        for i in range(starts[c], starts[c + 1]):
            top = 0
            highest = weights[0] * scores[i, 0]
            for j in range(1, m):
                product = weights[j] * scores[i, j]
                if product > highest:
                    top, highest = j, product
            left = 1.0
            last = 0
            while True:
                j = ranking[c, last]
                capacity = 1.0 - highest + weights[j] * scores[i, j]
                if capacity >= left or last == m - 1:
                    break
                left -= capacity
                last += 1
            margin = costs[c, ranking[c, last]]
            values[c] += margin
            for k in range(last):
                j = ranking[c, k]
                gain = margin - costs[c, j]
                values[c] -= gain * (1.0 - highest + weights[j] * scores[i, j])
                slopes[c, j] -= gain * scores[i, j]
                slopes[c, top] += gain * scores[i, top]
    return values, slopes
