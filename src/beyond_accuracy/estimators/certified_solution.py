"""What estimators record of a solution that a duality gap certifies."""

import warnings

from sklearn.exceptions import ConvergenceWarning


class CertifiedSolutionMixin:
    """`objective_`, `dual_gap_`, `n_iter_` and `history_`, and the warning of an early end."""

    def _record_solution(self, solution):
        self.objective_ = solution.objective
        self.dual_gap_ = solution.dual_gap
        self.n_iter_ = solution.n_iter
        self.history_ = solution.history
        self._warn_unless_converged(solution)

    def _warn_unless_converged(self, solution):
        if not solution.converged:
            remedy = "increase max_iter or scale the features to a similar range"
            if solution.n_iter < self.max_iter:
                remedy = "rounding lets it shrink no further: scale the features to a similar range"
            warnings.warn(
                f"stopped after {solution.n_iter} iterations at a relative duality gap of "
                f"{solution.dual_gap:.2g}, above tol={self.tol:g}; {remedy}",
                ConvergenceWarning,
                stacklevel=4,
            )
