"""Costs of the two kinds of error that a target value of a measure implies.

The measure must be a ratio of linear functions of TP, FP, FN and TN.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.measures.contingency import TableFunction
from beyond_accuracy.measures.losses import SeparableLoss
from beyond_accuracy.measures.registry import Measure, get_measure
from beyond_accuracy.measures.threshold_measures import find_threshold_measure, suggestion

# Counts at which a measure is evaluated to find its coefficients, shape (4, 81).
_TABLES = np.stack(np.meshgrid(*[(1.0, 2.0, 4.0)] * 4)).reshape(4, -1)
_ROUNDING = 1e-9


def error_costs(
    measure: str | Measure | TableFunction, n_positives: int, n_negatives: int
) -> tuple[TableFunction, Callable[[ArrayLike], NDArray[np.float64]]]:
    """Return a measure as a function of (TP, FP, FN, TN), and a function that returns error costs.

    The measure must be a ratio a/b, where a and b are linear in TP, FP, FN and TN and b > 0, such
    as F1. To reach a target value λ of the measure is to have a − λ·b ≥ 0. To maximize a − λ·b is
    to minimize the total cost of the errors, for certain costs of a missed positive and of a false
    alarm (Parambath et al. 2014; Mao et al. 2025).

    The second function takes target values λ, shape (k,), and returns these costs, shape (2, k):
    row 0 for missed positives, row 1 for false alarms. The mean of the two costs is 1.

    Raises ValueError if the measure is not such a ratio, or if the costs at λ = ½ are not above 0.
    """
    by_name = isinstance(measure, str)
    resolved = find_threshold_measure(measure) if by_name else get_measure(measure)
    if resolved is not None and isinstance(resolved.loss, SeparableLoss):
        missed, false_alarm = resolved.loss.costs(n_positives, n_negatives)
        a, b = np.array([[missed, -false_alarm, 0.0, 0.0], np.zeros(4)])
    else:
        a, b = _coefficients(resolved and resolved.table_function)

    def costs(target):
        tp, fp, fn, tn = a[:, None] - np.outer(b, target)
        of_errors = np.array([tp - fn, tn - fp])
        return of_errors / abs(of_errors.mean(axis=0))

    if not costs(0.5).min() > _ROUNDING:
        raise ValueError(
            f"measure={measure!r} is not a ratio of two linear functions of TP, FP, FN and TN that "
            "rises with fewer errors of each kind; "
            f"{suggestion(measure) if resolved is None else ''}take 'f1' or 'jaccard', or "
            "OperatingPointClassifier, which tunes a threshold for any measure"
        )
    return resolved.table_function, costs


def _coefficients(function):
    """Return the coefficients of (TP, FP, FN, TN) in a and b, shape (2, 4), for a measure a/b.

    For each table, a − value·b = 0 is a linear equation in the coefficients. The function is a
    ratio if the equations have a solution that is unique except for its scale; otherwise the
    coefficients are NaN.
    """
    value = np.broadcast_to(np.nan if function is None else function(*_TABLES), _TABLES.shape[1])
    if np.isfinite(value).all():
        _, singular, basis = np.linalg.svd(np.vstack([_TABLES, -value * _TABLES]).T)
        a, b = basis[-1].reshape(2, 4) * np.sign(basis[-1, 4:].sum())
        unique = np.count_nonzero(singular <= _ROUNDING * singular[0]) == 1
        if unique and (b @ _TABLES > 0).all():
            return np.array([a, b])
    return np.full((2, 4), np.nan)
