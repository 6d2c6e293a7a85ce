"""Measures of a contingency table (TP, FP, FN, TN).

Every measure takes the four counts as floats or arrays that broadcast against each other, and
returns values of at most 1. A ratio 0/0 is 0, so that a classifier that finds no positive scores
zero.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

# A caller's function of (TP, FP, FN, TN), and the types of the functions below.
TableFunction = Callable[..., float | np.ndarray]
Counts = float | np.ndarray
Shares = np.float64 | NDArray[np.float64]


def ratio(numerator: Counts, denominator: Counts) -> Shares:
    """Return numerator / denominator, elementwise; 0 where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    return np.divide(numerator, denominator, out=np.zeros(numerator.shape), where=denominator != 0)[
        ()
    ]


def f_beta(tp: Counts, fp: Counts, fn: Counts, tn: Counts, beta: float = 1.0) -> Shares:
    """Compute the F-measure (1 + β²)·TP / ((1 + β²)·TP + β²·FN + FP); 0 when TP = 0."""
    weight = beta * beta
    return ratio((1 + weight) * tp, (1 + weight) * tp + weight * fn + fp)


def precision(tp: Counts, fp: Counts, fn: Counts, tn: Counts) -> Shares:
    """Compute TP / (TP + FP); 0 when nothing is predicted positive."""
    return ratio(tp, tp + fp)


def recall(tp: Counts, fp: Counts, fn: Counts, tn: Counts) -> Shares:
    """Compute TP / (TP + FN); 0 when no example is positive."""
    return ratio(tp, tp + fn)


def jaccard(tp: Counts, fp: Counts, fn: Counts, tn: Counts) -> Shares:
    """Compute TP / (TP + FP + FN); 0 when TP = 0."""
    return ratio(tp, tp + fp + fn)


def accuracy(tp: Counts, fp: Counts, fn: Counts, tn: Counts) -> Shares:
    """Compute (TP + TN) / (TP + FP + FN + TN), the share of correct predictions."""
    return ratio(tp + tn, tp + fp + fn + tn)


def balanced_accuracy(tp: Counts, fp: Counts, fn: Counts, tn: Counts) -> Shares:
    """Average the recall of the positives and the recall of the negatives."""
    return (ratio(tp, tp + fn) + ratio(tn, tn + fp)) / 2


def geometric_mean(tp: Counts, fp: Counts, fn: Counts, tn: Counts) -> Shares:
    """Compute √(recall · specificity), where the specificity is TN / (FP + TN)."""
    return np.sqrt(ratio(tp, tp + fn) * ratio(tn, fp + tn))


def matthews_corrcoef(tp: Counts, fp: Counts, fn: Counts, tn: Counts) -> Shares:
    """Compute the Matthews correlation coefficient.

    The value is 0 if all predictions or all true labels are equal.
    """
    # The product of all four sums would overflow first.
    spread = np.sqrt((tp + fp) * (fn + tn)) * np.sqrt((tp + fn) * (fp + tn))
    return ratio(tp * tn - fp * fn, spread)


def contingency_table(
    positive: NDArray[np.bool_], decision: np.ndarray, weight: NDArray[np.float64]
) -> tuple[float, float, float, float]:
    """Return (TP, FP, FN, TN) of binary predictions, each as a sum of example weights.

    `positive` marks the positive examples. `decision` above 0 predicts the positive class. All
    arguments have shape (n_examples,).
    """
    predicted = decision > 0
    tp = weight[positive & predicted].sum()
    fp = weight[~positive & predicted].sum()
    fn = weight[positive & ~predicted].sum()
    tn = weight[~positive & ~predicted].sum()
    return tp, fp, fn, tn
