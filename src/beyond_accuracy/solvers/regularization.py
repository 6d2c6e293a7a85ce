"""Unit of C that follows the scale and imbalance of the data, for `C_convention="scaled"`."""

import numpy as np

from beyond_accuracy.measures.losses import AveragePrecisionLoss, PartialRocAreaLoss, RocAreaLoss
from beyond_accuracy.solvers.blas_threads import one_blas_thread
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
    """Return the unit of C that follows the data, in SVM-perf's unit.

    It is ten times the C at which one gradient step from w = 0 could make the loss vanish, and 0 if
    the features are constant. X is an array or CSR matrix, shape (n, d), and `positive` bool, shape
    (n,), with two classes.

    At w = 0 the loss is 100 percent. The gradient is g = 100·(mean of the negatives − mean of the
    positives) for rankings. For measures of labels, it is multiplied by the share of the rarer
    class. Along −g the loss vanishes after a step of 100/‖g‖². So the unit grows as the square of
    the imbalance and falls as the square of the features' scale. It does not depend on the number
    of examples. Means that are closer than 10⁻⁴ of the features' total standard deviation count as
    this far apart.
    """
    n_positives = int(np.count_nonzero(positive))
    n_negatives = len(positive) - n_positives
    difference = np.empty(X.shape[1] + 1)
    shares = np.where(positive, -1.0 / n_positives, 1.0 / n_negatives)
    DataMatrix(X, positive, positives_first=False).combination(shares, difference)
    variance = float(some_variances(X).sum(dtype=np.float64))
    return unit_of_means(difference[:-1], variance, n_positives, n_negatives, measure)


def some_variances(X) -> np.ndarray:
    """Return estimates of the variances of the columns from some of the rows, shape (d,).

    Copying all rows might exceed memory.
    """
    return column_variances(X[:: -(-X.shape[0] // _ROWS_FOR_DEVIATION)])


@one_blas_thread
def unit_of_means(
    difference: np.ndarray, variance: float, n_positives: int, n_negatives: int, measure
) -> float:
    """Return `scaled_unit` from the difference of the class means (d,) and the total variance."""
    is_of_pairs = isinstance(
        training_loss(measure), RocAreaLoss | PartialRocAreaLoss | AveragePrecisionLoss
    )
    share = min(n_positives, n_negatives) / (n_positives + n_negatives)
    share = 1.0 if is_of_pairs else share
    apart = max(float(difference @ difference), _LEAST_DIFFERENCE**2 * variance)
    square = (_LARGEST_LOSS * share) ** 2 * apart
    return _STEPS * _LARGEST_LOSS / square if square > 0 else 0.0
