"""What multivariate SVMs share, whatever their features: C, the solver and its certificate."""

import warnings
from collections.abc import Callable

from beyond_accuracy.estimators.path import PathClassifier
from beyond_accuracy.solvers import make_solver
from beyond_accuracy.solvers.zero_optimum import advice_at_zero

# In LIBLINEAR's convention. Where the means of the classes hardly differ, their unit has no bound.
_LARGEST_DEFAULT = 1e4


class MeasureSVC(PathClassifier):
    """Base of the SVMs that are trained on a `measure` with a weight `C`, which they declare.

    See `MultivariateSVC` for the parameters.
    """

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

    def _unit(self, n_samples, scaled: Callable[[], float]):
        """The unit of `_optimize`; `scaled()` is `scaled_unit` of the data."""
        if self.C_convention == "scaled":
            return 100 * scaled() or n_samples
        if self.C is None:
            return n_samples * min(max(100 * scaled() / n_samples, 1.0), _LARGEST_DEFAULT)
        return n_samples

    def _optimize(self, solver, unit):
        """Record the solution for C and return its w, shape (number of features + 1,).

        `unit` is a hundred times what C = 1 stands for, if that is not SVM-perf's: in LIBLINEAR's
        convention the number of examples.
        """
        C = float(1.0 if self.C is None else self.C)
        if self.C is None or self.C_convention != "svm_perf":
            C = C * unit / 100
        solution = solver.solve(C, tol=self.tol, eps=self.eps, max_iter=self.max_iter)
        self._record_solution(solution)
        self.degenerate_: bool = solution.zero_is_optimal
        if self.degenerate_:
            self._warn_of_zero()
        return solution.w

    def _warn_of_zero(self):
        warnings.warn(
            "w = 0 is optimal for every C: the predictions are arbitrary; "
            f"{advice_at_zero(self.measure)}",
            UserWarning,
            stacklevel=5,
        )
