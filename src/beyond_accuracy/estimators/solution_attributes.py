"""Attributes and warnings that classifiers take from a solver's solution."""

import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from beyond_accuracy.solvers.solution import Solution


def store_solution(estimator: Any, solution: Solution) -> None:
    """Set `objective_`, `dual_gap_`, `n_iter_` and `history_`; warn of a fit that ended early."""
    estimator.objective_ = solution.objective
    estimator.dual_gap_ = solution.dual_gap
    estimator.n_iter_ = solution.n_iter
    estimator.history_ = solution.history
    if solution.converged:
        return
    remedy = "increase max_iter or scale the features to a similar range"
    if solution.n_iter < estimator.max_iter:
        remedy = "rounding lets it shrink no further: scale the features to a similar range"
    warnings.warn(
        f"stopped after {solution.n_iter} iterations at a duality gap of "
        f"{solution.dual_gap:.2g} of the objective, more than tol={estimator.tol:g} allows; "
        f"{remedy}",
        ConvergenceWarning,
        stacklevel=2,
    )
