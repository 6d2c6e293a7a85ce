"""Costs of the two errors that a target value implies, for ratios of linear functions of counts."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.measures.losses import SeparableLoss
from beyond_accuracy.measures.registry import Measure

# Counts at which a measure is evaluated to find its coefficients, shape (4, 81).
_TABLES = np.stack(np.meshgrid(*[(1.0, 2.0, 4.0)] * 4)).reshape(4, -1)
_ROUNDING = 1e-9


class ErrorCosts(NamedTuple):
    """Costs of the two errors for target values of a measure.

    Attributes
    ----------
    of : callable
        Function of target values, shape (m,), that returns the costs (missed, false_alarm) of a
        missed positive and of a false alarm, each of shape (m,). Their sum is 2.
    worst, best : float
        Values of the measure if all decisions are wrong, and if all are right.
    """

    of: Callable[[ArrayLike], tuple[NDArray[np.float64], NDArray[np.float64]]]
    worst: float
    best: float


def error_costs(measure: Measure, n_positives: int, n_negatives: int) -> ErrorCosts | None:
    """Return the costs of errors that a target value of a measure implies, or None if it has none.

    A measure a/b, where a and b are linear in TP, FP, FN and TN and b > 0, is at least λ exactly if
    a − λ·b ≥ 0. So the decisions with the largest a − λ·b have the least total cost of errors
    (Parambath et al. 2014; Mao et al. 2025). The coefficients of a and b are found from values of
    `measure.table_function`. Accuracy, balanced accuracy and recall have the costs of their
    training loss. Other measures have none.

    Raises ValueError if only one kind of error counts, so that a constant prediction is best, or if
    better decisions do not have higher values.
    """
    if isinstance(measure.loss, SeparableLoss):
        missed, false_alarm = measure.loss.costs(n_positives, n_negatives)
        a, b = np.array([missed, -false_alarm, 0.0, 0.0]), np.zeros(4)
    elif (found := _coefficients(measure)) is not None:
        a, b = found
    else:
        return None

    def of(target):
        tp, fp, fn, tn = a[:, None] - np.outer(b, target)
        missed, false_alarm = tp - fn, tn - fp
        total = abs(missed + false_alarm)
        return 2 * missed / total, 2 * false_alarm / total

    worst = float(measure.table_function(0.0, float(n_negatives), float(n_positives), 0.0))
    best = float(measure.table_function(float(n_positives), 0.0, 0.0, float(n_negatives)))
    if not (worst < best and np.min(of((worst + best) / 2)) > _ROUNDING):
        raise ValueError(
            f"{measure.name} does not rise with fewer errors of each kind, so that one class for "
            "all examples may be best; take a measure that does, such as 'f1'"
        )
    return ErrorCosts(of, worst, best)


def _coefficients(measure):
    """Return the coefficients of (TP, FP, FN, TN) in the ratio a/b, or None if there are none.

    For each table, a − value·b = 0 is a linear equation in the coefficients. The measure is a ratio
    if the equations have a solution that is unique except for its scale.
    """
    if measure.table_function is None:
        return None
    value = np.broadcast_to(measure.table_function(*_TABLES), _TABLES.shape[1])
    equations = np.vstack([_TABLES, -value * _TABLES])
    if not np.isfinite(equations).all():
        return None
    _, singular, basis = np.linalg.svd(equations.T)
    a, b = basis[-1].reshape(2, 4) * np.sign(basis[-1, 4:].sum())
    unique = np.count_nonzero(singular <= _ROUNDING * singular[0]) == 1
    return (a, b) if unique and (b @ _TABLES > 0).all() else None
