"""Fits of the weighted hinge loss one after another, each from where the last one ended."""

from typing import Literal

import numpy as np

from beyond_accuracy.solvers.hinge.bundle import BundleMethod
from beyond_accuracy.solvers.hinge.coordinate_descent import coordinate_descent
from beyond_accuracy.solvers.hinge.interior_point import interior_point
from beyond_accuracy.solvers.hinge.problem import HingeProblem, Intercept
from beyond_accuracy.solvers.solution import Solution

Algorithm = Literal[
    "auto", "bundle", "bundle_without_line_search", "coordinate_descent", "interior_point"
]

# An interior-point iteration takes n·d² operations, an iteration of the others n·d.
_MOST_FEATURES_OF_INTERIOR_POINT = 500
_FEW_EXAMPLES = 10_000


def choose_algorithm(n_samples: int, n_features: int, intercept: Intercept) -> Algorithm:
    """The algorithm that "auto" stands for.

    Coordinate descent where features are many (documents), whose rounds are few there; else the
    bundle method, whose iterations cost two products with the data, if examples are many; else
    the interior-point method, whose some twenty iterations hardly depend on the costs. A free
    intercept is for the last and the first of them.
    """
    if n_features > _MOST_FEATURES_OF_INTERIOR_POINT:
        return "coordinate_descent"
    if intercept == "free" or n_samples <= _FEW_EXAMPLES:
        return "interior_point"
    return "bundle"


class HingePath:
    """Minimize ½‖w‖² + Σ weight_i·c(y_i)·max(0, 1 − y_i·f(x_i)) for several pairs of costs c.

    Parameters
    ----------
    X : ndarray or CSR matrix, shape (n, d), float64 or float32
    positive : array of bool, shape (n,)
        At least one True and one False.
    sample_weight : array of float, shape (n,), optional
        Each > 0; 1 by default.
    intercept : {"free", "regularized", "none"}, default "regularized"
    algorithm : str, default "auto"
        "bundle", "bundle_without_line_search", "coordinate_descent", "interior_point", or "auto";
        see `choose_algorithm`.
    mu : float, default 0.1
        Of the bundle method.
    max_planes : int, default 1000
        Of the bundle method.
    seed : int, default 0
        Of the order of the examples in coordinate descent.
    """

    def __init__(
        self,
        X,
        positive,
        sample_weight=None,
        *,
        intercept: Intercept = "regularized",
        algorithm: Algorithm = "auto",
        mu=0.1,
        max_planes=1000,
        seed=0,
    ):
        self.algorithm = algorithm
        if algorithm == "auto":
            self.algorithm = choose_algorithm(*X.shape, intercept)
        self._positive = np.asarray(positive, dtype=bool)
        self._weight = np.ones(X.shape[0]) if sample_weight is None else sample_weight
        self._problem = HingeProblem(X, positive, self._weight, intercept=intercept)
        self._bundle_options = {
            "line_search": algorithm != "bundle_without_line_search",
            "mu": mu,
            "max_planes": max_planes,
        }
        self._seed = seed
        self._bundle, self._ratio = None, None
        self._share = None

    def solve(
        self, cost_positive, cost_negative, *, tol=1e-3, max_iter=10_000, callback=None
    ) -> Solution:
        """Minimize for one pair of costs, each > 0; `callback` is called with an `Iteration`."""
        stopping = {"tol": tol, "max_iter": max_iter, "callback": callback}
        if self.algorithm.startswith("bundle"):
            return self._solve_by_planes(cost_positive, cost_negative, stopping)
        problem = self._problem
        problem.cost = self._costs(cost_positive, cost_negative)
        if self.algorithm == "interior_point":
            return interior_point(problem, **stopping)
        start = None if self._share is None else self._share * problem.cost
        solution, alpha = coordinate_descent(problem, seed=self._seed, alpha=start, **stopping)
        self._share = alpha / problem.cost
        return solution

    def _costs(self, cost_positive, cost_negative):
        return self._weight * np.where(self._positive, cost_positive, cost_negative)

    def _solve_by_planes(self, cost_positive, cost_negative, stopping):
        # Planes serve all costs of the same ratio; another ratio starts at the best point known.
        ratio = cost_positive / cost_negative
        if self._bundle is None or ratio != self._ratio:
            self._problem.cost = self._costs(ratio, 1.0)
            best = None if self._bundle is None else self._bundle.best
            self._bundle = BundleMethod(self._problem, best=best, **self._bundle_options)
            self._ratio = ratio
        return self._bundle.solve(cost_negative, **stopping)
