"""Training of SVMs for a performance measure: the weight of the loss, and the fit."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.estimators.solution_attributes import store_solution
from beyond_accuracy.solvers.zero_optimum import advice_at_zero

# In LIBLINEAR's convention. If the means of the classes hardly differ, their unit has no bound.
_LARGEST_DEFAULT = 1e4


def weight_of_loss(estimator: Any, n_samples: int, scaled: Callable[[], float]) -> float:
    """Return `C` of the estimator in SVM-perf's convention.

    Parameters
    ----------
    estimator : classifier with `C` and `C_convention`
    n_samples : int
    scaled : callable
        Returns `scaled_unit` of the data. It is called if the unit is needed.
    """
    C, convention = estimator.C, estimator.C_convention
    if C is not None and convention == "svm_perf":
        return float(C)
    if convention == "scaled":
        unit = 100 * scaled() or n_samples
    elif C is None:
        unit = n_samples * min(max(100 * scaled() / n_samples, 1.0), _LARGEST_DEFAULT)
    else:
        unit = n_samples
    return float(1.0 if C is None else C) * unit / 100


def solve_for_weight(
    estimator: Any, solver: Any, C: float, *, warn: bool = True
) -> NDArray[np.float64]:
    """Fit with the weight C in SVM-perf's convention; set the attributes of the fit.

    Returns the weights and, last, the intercept, shape (number of features + 1,). Warns if w = 0
    is optimal, unless `warn` is False.
    """
    solution = solver.solve(C, tol=estimator.tol, eps=estimator.eps, max_iter=estimator.max_iter)
    store_solution(estimator, solution)
    estimator.degenerate_ = solution.zero_is_optimal
    if estimator.degenerate_ and warn:
        warnings.warn(
            "w = 0 is optimal for every C: the predictions are arbitrary; "
            f"{advice_at_zero(estimator.measure)}",
            UserWarning,
            stacklevel=2,
        )
    return solution.w
