"""Measures of multi-class decisions, by name; lower is better for all of them.

A measure is one entry of `MULTICLASS_MEASURES`: configuration, protocol and reports take it from
there.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class MulticlassMeasure:
    """A loss of multi-class decisions.

    Attributes
    ----------
    label : str
        How tables print it.
    value : callable
        Makes the loss, a float, of the test part of one fold: of true and predicted classes,
        integers of 0 … m − 1, shape (n,), and the cost matrix, shape (m, m), row = true class.
    under_costs : bool
        Whether there is one task for each drawn cost matrix; else a single one, in which every
        error costs 1. The reweighter is fitted to the costs of the task.
    out_of_fold : bool
        Whether the reweighter always sees out-of-fold scores of the training part.
    """

    label: str
    value: Callable[[np.ndarray, np.ndarray, np.ndarray], float]
    under_costs: bool = False
    out_of_fold: bool = False


def average_cost(y_true: np.ndarray, y_pred: np.ndarray, cost_matrix: np.ndarray) -> float:
    """Mean cost of an example; the error rate where every error costs 1."""
    return float(cost_matrix[y_true, y_pred].mean())


def balanced_error_rate(
    y_true: np.ndarray, y_pred: np.ndarray, cost_matrix: np.ndarray | None = None
) -> float:
    """Mean over the classes that occur in `y_true` of their error rates; no costs enter."""
    errors = np.bincount(y_true, weights=y_true != y_pred)
    sizes = np.bincount(y_true)
    return float((errors[sizes > 0] / sizes[sizes > 0]).mean())


def macro_f1_loss(
    y_true: np.ndarray, y_pred: np.ndarray, cost_matrix: np.ndarray | None = None
) -> float:
    """1 − the mean of F1 over the classes that occur or are predicted; no costs enter."""
    n_classes = max(y_true.max(), y_pred.max()) + 1
    true, predicted, hits = (
        np.bincount(classes, minlength=n_classes)
        for classes in (y_true, y_pred, y_true[y_true == y_pred])
    )
    total = true + predicted
    return float(1 - (2 * hits[total > 0] / total[total > 0]).mean())


MULTICLASS_MEASURES = {
    "error_rate": MulticlassMeasure("Error rate", average_cost),
    "average_cost": MulticlassMeasure("Average cost", average_cost, under_costs=True),
    "error_rate_out_of_fold": MulticlassMeasure(
        "Error rate, out-of-fold scores", average_cost, out_of_fold=True
    ),
    "average_cost_out_of_fold": MulticlassMeasure(
        "Average cost, out-of-fold scores", average_cost, under_costs=True, out_of_fold=True
    ),
    "balanced_error_rate": MulticlassMeasure("Balanced error rate", balanced_error_rate),
    "macro_f1_loss": MulticlassMeasure("1 − macro-F1", macro_f1_loss),
}
