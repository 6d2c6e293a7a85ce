"""Costs in any form, converted to the cost of predicting each example as each class."""

import numpy as np
from numpy.typing import ArrayLike

from beyond_accuracy.measures.bounds import check_size_of_costs
from beyond_accuracy.measures.weights import check_weights as check_each
from beyond_accuracy.measures.weights import total_weight
from beyond_accuracy.reweighting.validation import (
    InvalidCostMatrixError,
    check_cost_matrix,
)


def check_costs(cost_matrix: ArrayLike | None, n: int, n_classes: int) -> np.ndarray:
    """Return costs [true, predicted], shape (m, m) or (n, m, m), as float64; raise if invalid.

    Costs may be negative. None costs 1 for every error.

    Raises
    ------
    InvalidCostMatrixError
        If the costs are not numbers or have another shape, or a cost is NaN, infinite, or above
        1e100 in absolute value.
    """
    try:
        costs = np.ascontiguousarray(cost_matrix, dtype=np.float64)
    except (TypeError, ValueError):
        costs = None
    if costs is None or costs.ndim != 3:
        return check_cost_matrix(cost_matrix, n_classes, gains=True)
    if costs.shape != (n, n_classes, n_classes):
        raise InvalidCostMatrixError(
            f"costs of each example must have shape {(n, n_classes, n_classes)}, [example, true, "
            f"predicted]; found {costs.shape}"
        )
    wrong = ~np.isfinite(costs)
    if wrong.any():
        place = np.argwhere(wrong)[0].tolist()
        raise InvalidCostMatrixError(
            f"cost_matrix{place} is {costs[tuple(place)]}; costs must be finite"
        )
    check_size_of_costs(costs, InvalidCostMatrixError)
    return costs


def make_prices(costs: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return costs [predicted class, example], shape (m, n), from cost matrices and true labels.

    `costs` has shape (m, m) or (n, m, m).
    """
    rows = costs[labels] if costs.ndim == 2 else costs[np.arange(len(labels)), labels]
    return np.ascontiguousarray(rows.T)


def without_gains(costs: np.ndarray) -> np.ndarray:
    """Return costs without negative values, which have the same optimal predictions.

    If a true class has a negative cost (a gain), its lowest cost is subtracted from all its costs.
    """
    return costs - np.minimum(costs.min(axis=-1, keepdims=True), 0.0)


def check_weights(sample_weight: ArrayLike | None, n: int) -> np.ndarray | None:
    """Return sample weights as float64, shape (n,), or None if none are given.

    Raises ValueError unless they are non-negative, not all 0, and have a finite sum.
    """
    if sample_weight is None:
        return None
    weights = check_each(sample_weight, n)
    if total_weight(weights) == 0:
        raise ValueError("sample_weight is 0 everywhere; at least one weight must be above 0")
    return weights
