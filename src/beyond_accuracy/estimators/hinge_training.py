"""Training of linear SVMs with one cost per class: checks of the data, and the fit."""

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from beyond_accuracy.estimators.binary_classifier import binary_examples
from beyond_accuracy.estimators.solution_attributes import store_solution
from beyond_accuracy.scikit_learn import check_sample_weight
from beyond_accuracy.solvers.hinge import HingePath


def weighted_examples(estimator: Any, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """Validate the data and set `classes_`; return X, positive (n,) and the weights or None.

    Raises ValueError as `binary_examples`, and if the weights leave no example of a class.
    """
    X, positive, estimator.classes_ = binary_examples(estimator, X, y)
    if sample_weight is None:
        return X, positive, None
    weight = check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    used = positive[weight > 0]
    if used.all() or not used.any():
        raise ValueError(
            "the examples of weight above 0 are of one class only; both classes are needed"
        )
    return X, positive, weight


def hinge_path(estimator: Any, X: Any, positive: Any, weight: Any, **options: Any) -> HingePath:
    """Return the solver of the examples of weight above 0; `options` are those of `HingePath`."""
    if weight is not None and not (weight > 0).all():
        used = weight > 0
        X, positive, weight = X[used], positive[used], weight[used]
    seed = check_random_state(estimator.random_state).randint(2**31)
    return HingePath(X, positive, weight, seed=seed, **options)


def solve_for_costs(estimator: Any, path: HingePath, missed: float, false_alarm: float) -> None:
    """Fit with the costs of a missed positive and of a false alarm; set the fitted attributes."""
    solution = path.solve(missed, false_alarm, tol=estimator.tol, max_iter=estimator.max_iter)
    estimator.coef_, estimator.intercept_ = solution.w[None, :-1], solution.w[-1:]
    estimator.algorithm_ = path.algorithm
    store_solution(estimator, solution)
