"""Costs in any form as prices: the cost of predicting each example as each class."""

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
    """Return costs of any sign, [true, predicted], shape (m, m) or (n, m, m); None is 0/1 cost.

    Raises
    ------
    InvalidCostMatrixError
        If there is something else than numbers, the shape is another, or a cost is NaN, infinite,
        or above 1e100 in size.
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
    """Return prices [predicted, example], shape (m, n), from costs of shape (m, m) or (n, m, m)."""
    rows = costs[labels] if costs.ndim == 2 else costs[np.arange(len(labels)), labels]
    return np.ascontiguousarray(rows.T)


def without_gains(costs: np.ndarray) -> np.ndarray:
    """Subtract the lowest cost of each true class that has a gain, which changes no optimum."""
    return costs - np.minimum(costs.min(axis=-1, keepdims=True), 0.0)


def check_weights(sample_weight: ArrayLike | None, n: int) -> np.ndarray | None:
    """Return weights, float64, shape (n,), non-negative, not all 0 and of finite sum, or None."""
    if sample_weight is None:
        return None
    weights = check_each(sample_weight, n)
    if total_weight(weights) == 0:
        raise ValueError("sample_weight is 0 everywhere; at least one weight must be above 0")
    return weights
