"""Fits of the weighted hinge loss, each starting from the solution of the previous one."""

from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np
import scipy.sparse

from beyond_accuracy.measures.losses import SeparableLoss
from beyond_accuracy.solvers.data_matrix import squared_norms
from beyond_accuracy.solvers.hinge.bundle import BundleMethod
from beyond_accuracy.solvers.hinge.coordinate_descent import coordinate_descent
from beyond_accuracy.solvers.hinge.interior_point import interior_point
from beyond_accuracy.solvers.hinge.problem import HingeProblem, Intercept
from beyond_accuracy.solvers.iterations import Solution, accepted_gap, check_regularization

Algorithm = Literal[
    "auto",
    "bundle",
    "bundle_without_line_search",
    "coordinate_descent",
    "interior_point",
]

# An interior-point iteration takes n·d² operations, an iteration of the others n·d.
_MOST_FEATURES_OF_INTERIOR_POINT = 500
# Up to this n·d² (d at least 10) the interior-point method takes milliseconds, even to the last
# digits. The solution then depends on the problem alone: weights equal repetition, and the order of
# examples has no effect.
_SMALL_PROBLEM = 2.5e5
_LEAST_FEATURES = 10
_ROUNDING = 1e-12
_SMALL_TOL = 1e-5
# Mean cost·‖x‖² up to which coordinate descent needs few rounds. A round skips the examples put
# aside, which gains most on sparse rows.
_SMALL_SCALE_DENSE = 1.0
_SMALL_SCALE_SPARSE = 20.0


class HingePath:
    """Solver of linear SVMs with one cost per class, for several pairs of costs in turn.

    `solve` minimizes ½‖w‖² + Σ weight_i·cost(y_i)·max(0, 1 − y_i·f(x_i)). Here weight_i is the
    `sample_weight` of example i, above 0, and cost(y_i) the cost of its class. Most algorithms
    start each fit from the previous solution. `positive` is a boolean array with the class of each
    row.

    - `intercept`: "free" (not penalized), "regularized" (penalized like a weight) or "none".
    - `algorithm`: "auto" chooses "coordinate_descent", "interior_point" or "bundle" for each pair
      of costs. "bundle_without_line_search" is "bundle" without line search. After a fit, the
      attribute `algorithm` names the algorithm that was used.
    - `mu`, `max_planes`: parameters of the bundle algorithms (see `BundleMethod`).
    - `seed`: for the order of the examples in coordinate descent.
    """

    def __init__(
        self,
        X,
        positive,
        sample_weight=None,
        *,
        intercept: Intercept = "regularized",
        algorithm: Algorithm = "auto",
        mu=0.03,
        max_planes=1000,
        seed=0,
    ):
        self.algorithm = self._requested = algorithm
        self._positive = np.asarray(positive, dtype=bool)
        self._weight = np.ones(X.shape[0]) if sample_weight is None else sample_weight
        self._problem = HingeProblem(X, positive, self._weight, intercept=intercept)
        self._X = X
        self._bundle_options = {
            "line_search": algorithm != "bundle_without_line_search",
            "mu": mu,
            "max_planes": max_planes,
        }
        self._seed = seed
        self._bundle = self._ratio = self._shares = None

    # Overflow is an error, not a warning.
    @np.errstate(over="ignore", invalid="ignore")
    def solve(
        self, cost_positive, cost_negative, *, tol=1e-3, max_iter=10_000, callback=None
    ) -> Solution:
        """Fit the SVM for one pair of costs of the two classes, both above 0.

        The fit ends when the duality gap is at most `accepted_gap(tol, …)` or after `max_iter`
        iterations. If the problem is small, `algorithm="auto"` continues up to rounding errors.
        Raises ScaleError if squares of features overflow.
        """
        solution = self._solve(cost_positive, cost_negative, tol, max_iter, callback)
        return self._problem.within_range(solution)

    def _solve(self, cost_positive, cost_negative, tol, max_iter, callback):
        n, d = self._X.shape
        is_small = n * max(d, _LEAST_FEATURES) ** 2 <= _SMALL_PROBLEM
        if self._requested == "auto" and is_small:
            exact = self._solve_to_rounding(cost_positive, cost_negative, tol, max_iter, callback)
            if exact.converged or exact.n_iter >= max_iter:
                return exact
        stopping = {"tol": tol, "max_iter": max_iter, "callback": callback}
        self.algorithm = self._choose(cost_positive, cost_negative, tol)
        if self.algorithm.startswith("bundle"):
            return self._solve_by_planes(cost_positive, cost_negative, stopping)
        problem = self._problem
        problem.cost = self._costs(cost_positive, cost_negative)
        if self.algorithm == "interior_point":
            return interior_point(problem, **stopping)
        stopping |= {"seed": self._seed, "shares": self._shares}
        solution, self._shares = coordinate_descent(problem, **stopping)
        return solution

    def _solve_to_rounding(self, cost_positive, cost_negative, tol, max_iter, callback):
        """Run the interior-point method up to rounding; `converged` means that `tol` is reached."""
        self.algorithm, problem = "interior_point", self._problem
        problem.cost = self._costs(cost_positive, cost_negative)
        tightest = min(tol, _ROUNDING)
        solution = interior_point(problem, tol=tightest, max_iter=max_iter, callback=callback)
        at_zero = problem.objective_at_zero()
        enough = accepted_gap(tol, solution.objective, solution.dual_objective, at_zero)
        gap = solution.objective - solution.dual_objective
        return replace(solution, converged=gap <= enough)

    def _choose(self, cost_positive, cost_negative, tol) -> Algorithm:
        """Return the algorithm for a pair of costs.

        If the problem is not small, "auto" is chosen as follows:

        - Coordinate descent for many features, as in text data.
        - The interior-point method for a free intercept or a very small `tol`.
        - Coordinate descent if the mean of cost_i·‖x_i‖² is small, since its rounds grow with it.
        - The interior-point method for other sparse data.
        - The bundle method for other dense data.
        """
        if self._requested != "auto":
            return self._requested
        if self._problem.data.n_features > _MOST_FEATURES_OF_INTERIOR_POINT:
            return "coordinate_descent"
        if self._problem.intercept == "free" or tol < _SMALL_TOL:
            return "interior_point"
        small, otherwise = (_SMALL_SCALE_DENSE, "bundle")
        if scipy.sparse.issparse(self._X):
            small, otherwise = (_SMALL_SCALE_SPARSE, "interior_point")
        positives, negatives = self._class_scales
        scale = cost_positive * positives + cost_negative * negatives
        return "coordinate_descent" if scale <= small else otherwise

    @cached_property
    def _class_scales(self):
        """Contributions (of positives, of negatives) to the mean of weight_i·‖x_i‖²."""
        squares = squared_norms(self._X) * self._weight
        sums = squares[self._positive].sum(), squares[~self._positive].sum()
        return tuple(float(total) / len(squares) for total in sums)

    def _costs(self, cost_positive, cost_negative):
        return self._weight * np.where(self._positive, cost_positive, cost_negative)

    def _solve_by_planes(self, cost_positive, cost_negative, stopping):
        # Planes serve all costs of the same ratio. Another ratio starts at the best known point.
        ratio = cost_positive / cost_negative
        self._problem.cost = self._costs(ratio, 1.0)
        if self._bundle is None or ratio != self._ratio:
            best = None if self._bundle is None else self._bundle.best
            self._bundle = BundleMethod(self._problem, best=best, **self._bundle_options)
            self._ratio = ratio
        return self._bundle.solve(cost_negative, **stopping)


class HingeSolver:
    """Solver of linear SVMs for losses that are sums over examples, such as the error rate.

    The objective is ½‖w‖² + C·R(w) with R(w) = 100·Σ max(0, cost_i − y_i·f(x_i)/n) over n examples.
    Here f(x_i) is a score, y_i = ±1 the class, and cost_i the cost that `loss` gives to an error on
    example i. The method is dual coordinate descent, which is fast on many sparse features.
    """

    def __init__(self, X, positive, loss: SeparableLoss, fit_intercept=True):
        n = len(positive)
        n_positives = int(np.count_nonzero(positive))
        false_negative, false_positive = loss.costs(n_positives, n - n_positives)
        margin = n * np.where(positive, false_negative, false_positive)
        intercept = "regularized" if fit_intercept else "none"
        self._problem = HingeProblem(X, positive, np.ones(n), margin, intercept)
        self._shares = None

    # Overflow is an error, not a warning.
    @np.errstate(over="ignore", invalid="ignore")
    def solve(self, C, *, tol=1e-3, eps=0.0, max_iter=10_000, callback=None) -> Solution:
        """Minimize ½‖w‖² + C·R(w) for one C, where R(w) is the training loss in percent.

        The fit starts from the solution of the previous call. The arguments are as for
        `CuttingPlaneSolver.solve`, with rounds over the examples as iterations. `callback` is
        called whenever the gap is computed.
        """
        check_regularization(C)
        n = self._problem.data.n_samples
        self._problem.cost = np.full(n, C * 100 / n)
        stopping = {"tol": tol, "eps": C * eps, "max_iter": max_iter, "callback": callback}
        solution, self._shares = coordinate_descent(self._problem, shares=self._shares, **stopping)
        return self._problem.within_range(solution)
