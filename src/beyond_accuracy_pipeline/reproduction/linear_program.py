"""Linear program of Deng et al. (2006), by cutting planes or by interior points."""

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
    """Reweighter that solves the linear relaxation (9)–(13) with the regularizer (14).

    Over weights w, largest products γ_i and shares I_ij the program is

        minimize   (1/n)·Σ_ij cost[y_i, j]·I_ij + η·Σ_j |w_j − 1|
        subject to w_j·S_ij ≤ γ_i,  γ_i − w_j·S_ij + I_ij ≤ 1,  Σ_j I_ij = 1,  I ≥ 0,  0 ≤ w ≤ 1.

    In its integer form I_ij is the indicator of the prediction. w ≤ 1 keeps products within (0, 1],
    which the paper assumes. As printed the program has a flaw: w = 0 satisfies every constraint,
    with I_ij the indicator of the true class, at the value η·m. At zero-one costs a small step to
    t·w pays only if mean_i(max_j w_j·S_ij − w_{y_i}·S_i{y_i}) is below η·Σ_j w_j. With the paper's
    η = 1e-6 only scores that hardly ever err have that. In other problems the optimum is w = 0, all
    products are ties, and the first class is predicted throughout. The two normalizations exclude
    w = 0. `solver="interior_point"` returns small positive weights near w = 0: the point of the
    central path at the gap of `tol`. Their ratios hardly depend on how small the gap is.

    Parameters
    ----------
    normalization : {"none", "sum", "majority"}, default "none"
        "none" is as printed; "sum" adds Σ_j w_j = 1, and "majority" sets the weight of the most
        frequent class to 1.
    solver : {"cutting_planes", "interior_point"}, default "cutting_planes"
        "interior_point" needs normalization "none".
    eta : float, default 1e-6
        η of the regularizer, the paper's.
    tol : float, default 1e-6
        Gap between the program's value and its certified lower bound at which to stop, relative to
        the value or, if that is smaller, to 1/n, one unit of cost for one example. For interior
        points the value is η·m, the one at w = 0.
    max_operations : int, default 5_000_000_000
        Budget. The cuts take n·m² per iteration. A master problem with k cuts that takes s simplex
        iterations counts 100·k·(m + s) + 10⁶. An interior-point step counts n·m·(m + 30) + 10⁶. An
        operation takes about a nanosecond.

    Attributes
    ----------
    weights_, objective_, n_classes_
        As in the other reweighters with weights.
    program_value_, program_bound_ : float
        Value of the program reached, and certified lower bound of its optimum.
    n_iter_ : int

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
        n, m = scores.shape
        shares = scores[grouped.order]
        shares /= shares.sum(axis=1, keepdims=True)
        if self.solver == "interior_point":
            return self._find_interior_weights(shares, costs[labels[grouped.order]] / n)
        ranking = np.argsort(costs, axis=1, kind="stable")
        weights, lowest, total = self._feasible_weights(np.diff(grouped.starts))
        # No weight is above 1: the regularizer is penalty·(m − Σ_j w_j).
        penalty = self.eta * n
        objective = np.repeat([-penalty, 1.0], m)
        matrix, limits = np.empty((0, 2 * m)), np.empty(0)
        best_value, best_weights, bound = np.inf, weights, 0.0
        operations = 0
        self.n_iter_: int = 0
        while True:
            values, slopes = _cuts(shares, grouped.starts, costs, ranking, weights)
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
            solved = _solve_master(objective, matrix, limits, lowest, total, max_iter)
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

    def _find_interior_weights(self, shares, prices):
        if self.normalization != "none":
            found = f"found {self.normalization!r}"
            raise ValueError(f"solver='interior_point' needs normalization='none'; {found}")
        n, m = shares.shape
        per_step = n * m * (m + _OPERATIONS_OF_A_SCORE) + _OPERATIONS_OF_A_CALL
        gap = self.tol * max(self.eta * m, 1.0 / n)
        max_iter = self.max_operations // per_step
        found = find_central_point(shares, prices, self.eta, gap, max_iter)
        if found is None:
            raise BudgetExceededError(
                f"the interior-point method for {n} examples and {m} classes needs more than "
                f"max_operations={self.max_operations:g}, {max_iter} steps; raise max_operations "
                "or tol"
            )
        self.n_iter_ = found.n_iter
        self.program_value_ = found.value
        self.program_bound_ = found.value - gap
        return found.weights

    def _feasible_weights(self, frequencies):
        """Return initial weights, their lower bounds, and their sum if it is fixed."""
        m = len(frequencies)
        lowest = np.zeros(m)
        if self.normalization == "sum":
            return np.full(m, 1.0 / m), lowest, 1.0
        if self.normalization == "none":
            return np.zeros(m), lowest, None
        lowest[frequencies.argmax()] = 1.0
        return np.ones(m), lowest, None


def _solve_master(objective, matrix, limits, lowest, total, max_iter):
    """Minimize objective·(w, θ) subject to the cuts matrix·(w, θ) ≤ limits and lowest ≤ w ≤ 1.

    Returns the weights, the value and the simplex iterations, or None beyond `max_iter` iterations.
    """
    if max_iter < 1:
        return None
    m = len(lowest)
    is_weight = np.repeat([1.0, 0.0], m)
    result = linprog(
        objective,
        matrix,
        limits,
        *((is_weight[None, :], [total]) if total is not None else (None, None)),
        # No part of the cost is negative.
        bounds=[*((low, 1.0) for low in lowest), *[(0.0, None)] * m],
        method="highs",
        options={"maxiter": min(max_iter, np.iinfo(np.int32).max)},
    )
    if result.status == _ITERATION_LIMIT:
        return None
    if result.x is None:
        raise RuntimeError(
            f"HiGHS finds no solution of the linear program: {result.message}; scale the costs, or "
            "take another eta"
        )
    return np.maximum(result.x[:m], 0.0), result.fun, result.nit


@compiled
def _cuts(shares, starts, costs, ranking, weights):
    """Return cost and a subgradient of each true class's part, shapes (m,) and (m, m).

    The shares I_ij fill up the classes from the cheapest on, each to its capacity
    1 − (γ_i − w_j·S_ij); γ_i is the largest product.
    """
    n, m = shares.shape
    values = np.zeros(m)
    slopes = np.zeros((m, m))
    for c in range(m):
        for i in range(starts[c], starts[c + 1]):
            top = 0
            highest = weights[0] * shares[i, 0]
            for j in range(1, m):
                product = weights[j] * shares[i, j]
                if product > highest:
                    top, highest = j, product
            left = 1.0
            last = 0
            while True:
                j = ranking[c, last]
                capacity = 1.0 - highest + weights[j] * shares[i, j]
                if capacity >= left or last == m - 1:
                    break
                left -= capacity
                last += 1
            margin = costs[c, ranking[c, last]]
            values[c] += margin
            for k in range(last):
                j = ranking[c, k]
                gain = margin - costs[c, j]
                values[c] -= gain * (1.0 - highest + weights[j] * shares[i, j])
                slopes[c, j] -= gain * shares[i, j]
                slopes[c, top] += gain * shares[i, top]
    return values, slopes
