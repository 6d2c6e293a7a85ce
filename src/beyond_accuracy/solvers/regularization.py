"""Unit of C that adapts to the data."""

import numpy as np

from beyond_accuracy.measures.losses import AveragePrecisionLoss, PartialRocAreaLoss, RocAreaLoss
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.moments import column_variances
from beyond_accuracy.solvers.multivariate_svm import training_loss

_LARGEST_LOSS = 100.0
# With ten times the C of one step, F1 of documents and of dense data was near its best.
_STEPS = 10.0
# Least difference of the means, as a share of the features' total standard deviation. No sample of
# fewer than 10⁸ examples can resolve less, and without a bound rounding alone would decide.
_LEAST_DIFFERENCE = 1e-4
_ROWS_FOR_DEVIATION = 10_000


def scaled_unit(X, positive, measure) -> float:
    """Return ten times the C at which one gradient step from w = 0 could make the loss vanish.

    At w = 0 the loss is 100 in percent. Swapping all pairs, or the labels of the rarer class and as
    many examples of the other, has the gradient g = 100·(mean of the negatives − mean of the
    positives), times the share of the rarer class if the measure is one of labels. Along −g the
    loss vanishes after a step of 100/‖g‖². So the unit grows as the square of the imbalance (to
    keep one of P positives, F1 needs scores of about n/P) and falls as the square of the features'
    scale. The number of examples has no influence. Means that are closer than 10⁻⁴ of the features'
    total standard deviation count as that far apart.

    X is an array or CSR matrix, shape (n, d); positive bool, shape (n,), of two classes. The result
    is in SVM-perf's convention; 0 if the features are constant.
    """
    n_positives = int(np.count_nonzero(positive))
    n_negatives = len(positive) - n_positives
    difference = np.empty(X.shape[1] + 1)
    shares = np.where(positive, -1.0 / n_positives, 1.0 / n_negatives)
    DataMatrix(X, positive, positives_first=False).combination(shares, difference)
    variance = float(some_variances(X).sum(dtype=np.float64))
    return unit_of_means(difference[:-1], variance, n_positives, n_negatives, measure)


def some_variances(X) -> np.ndarray:
    """Compute the variances of the columns on some rows; copying all might exceed memory."""
    return column_variances(X[:: -(-X.shape[0] // _ROWS_FOR_DEVIATION)])


def unit_of_means(
    difference: np.ndarray, variance: float, n_positives: int, n_negatives: int, measure
) -> float:
    """Compute `scaled_unit` from the difference of the means (d,) and the total variance."""
    is_of_pairs = isinstance(
        training_loss(measure), RocAreaLoss | PartialRocAreaLoss | AveragePrecisionLoss
    )
    share = min(n_positives, n_negatives) / (n_positives + n_negatives)
    share = 1.0 if is_of_pairs else share
    apart = max(float(difference @ difference), _LEAST_DIFFERENCE**2 * variance)
    square = (_LARGEST_LOSS * share) ** 2 * apart
    return _STEPS * _LARGEST_LOSS / square if square > 0 else 0.0
