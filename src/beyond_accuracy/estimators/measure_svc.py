"""What multivariate SVMs share, whatever their features: C, the solver and its certificate."""

import warnings
from numbers import Integral, Real

from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions

from beyond_accuracy.estimators.path import PathMixin
from beyond_accuracy.solvers import make_solver


class MeasureSVC(PathMixin, BaseEstimator):
    """Base of the SVMs that are trained on a measure; see `MultivariateSVC` for the parameters."""

    _parameter_constraints = {
        "measure": [str, callable, object],
        "C": [None, Interval(Real, 0, None, closed="neither")],
        "C_convention": [StrOptions({"svm_perf", "liblinear"})],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "eps": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
        "line_search": ["boolean"],
        "max_planes": [Interval(Integral, 3, None, closed="left")],
    }

    def __init__(
        self, measure, C, C_convention, tol, eps, max_iter, fit_intercept, line_search, max_planes
    ):
        self.measure = measure
        self.C = C
        self.C_convention = C_convention
        self.tol = tol
        self.eps = eps
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.line_search = line_search
        self.max_planes = max_planes

    def _solver(self, features, positive, make=make_solver, **options):
        return make(
            features,
            positive,
            self.measure,
            fit_intercept=self.fit_intercept,
            line_search=self.line_search,
            max_planes=self.max_planes,
            **options,
        )

    def _optimize(self, solver, n_samples):
        """Record the solution for C and return its w, shape (number of features + 1,)."""
        C = float(1.0 if self.C is None else self.C)
        if self.C is None or self.C_convention == "liblinear":
            C = C * n_samples / 100
        solution = solver.solve(C, tol=self.tol, eps=self.eps, max_iter=self.max_iter)
        self._record_solution(solution)
        self.degenerate_ = solver.is_degenerate(C)
        if self.degenerate_ and solution.converged:
            warnings.warn(
                f"w = 0 is an optimum at C={C:g}: the predictions are arbitrary; increase C",
                UserWarning,
                stacklevel=4,
            )
        return solution.w
