"""Multivariate SVMs from arrays: the loss and its oracle, the unit of C, and solvers."""

import dataclasses

import numpy as np
import scipy.sparse

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.losses import (
    AveragePrecisionLoss,
    ContingencyLoss,
    Loss,
    PartialRocAreaLoss,
    RatioLoss,
    RocAreaLoss,
    SeparableLoss,
    TopLoss,
)
from beyond_accuracy.measures.threshold_measures import as_constraint
from beyond_accuracy.solvers.cutting_planes import CuttingPlaneSolver
from beyond_accuracy.solvers.data_matrix import DataMatrix, all_finite, column_variances
from beyond_accuracy.solvers.hinge import HingeSolver
from beyond_accuracy.solvers.iterations import one_blas_thread
from beyond_accuracy.solvers.oracles.contingency import ContingencyOracle, SeparableOracle
from beyond_accuracy.solvers.oracles.labelling import RatioOracle
from beyond_accuracy.solvers.oracles.rankings import (
    AveragePrecisionOracle,
    PartialRocAreaOracle,
    RocAreaOracle,
)
from beyond_accuracy.solvers.oracles.top import TopOracle

_ORACLES = {
    AveragePrecisionLoss: AveragePrecisionOracle,
    ContingencyLoss: ContingencyOracle,
    PartialRocAreaLoss: PartialRocAreaOracle,
    RatioLoss: RatioOracle,
    RocAreaLoss: RocAreaOracle,
    SeparableLoss: SeparableOracle,
    TopLoss: TopOracle,
}
# With more features, coordinate descent beats cutting planes for sums over examples.
_FEATURES_OF_DOCUMENTS = 1000
_RANKING_LOSSES = (RocAreaLoss, PartialRocAreaLoss, AveragePrecisionLoss)
_LARGEST_LOSS = 100.0
# With ten times the C of one step, F1 of documents and of dense data was near its best.
_STEPS = 10.0
# Least difference of the means, as a share of the features' total standard deviation. No sample of
# fewer than 10⁸ examples can resolve less, and without a bound rounding alone would decide.
_LEAST_DIFFERENCE = 1e-4
_ROWS_FOR_DEVIATION = 10_000


def training_loss(measure, at_most_k: bool | None = None) -> Loss:
    """Return the loss that a multivariate SVM minimizes to optimize a performance measure.

    `measure` is a name such as "f1", a `Measure` or a function of (TP, FP, FN, TN). `at_most_k` is
    only for recall at k: the loss considers predictions of at most k positives if True, the
    default, or of exactly k if False. Raises ValueError if the measure has no training loss, or an
    argument is invalid.
    """
    measure = get_measure(measure)
    if measure.loss is None:
        instead = as_constraint(measure)
        advice = instead and f"Take OperatingPointClassifier(classifier, {instead})."
        raise ValueError(
            f"no classifier can be trained on {measure.name!r}, a measure without a training loss, "
            f"for evaluation only. {advice or 'Train on another one, such as f1 or roc_area.'}"
        )
    is_recall_at_k = isinstance(measure.loss, TopLoss) and measure.name.startswith("recall_at_")
    if at_most_k is None:
        at_most_k = is_recall_at_k
    if not at_most_k:
        return measure.loss
    if not is_recall_at_k:
        raise ValueError(
            f"at_most_k=True is for recall_at_<k> only, found measure {measure.name!r}"
        )
    return dataclasses.replace(measure.loss, at_most=True)


def advice_at_zero(measure) -> str:
    """Return advice for a user whose SVM has zero weights for every C.

    `measure` is the performance measure on which the SVM was trained. The advice is a clause such
    as "change the features, or take a kernel or another classifier".
    """
    other = 'train on another measure, such as "roc_area", or change the features'
    loss = get_measure(measure).loss
    if isinstance(loss, _RANKING_LOSSES):
        return "change the features, or take a kernel or another classifier"
    if isinstance(loss, TopLoss):
        return f"rank by another classifier; {other}"
    objective = f'"{measure}"' if isinstance(measure, str) else "the measure"
    return (
        "choose a threshold of another classifier, as OperatingPointClassifier("
        f"LogisticRegression(), {objective}) does; {other}"
    )


def scaled_unit(X, positive, measure) -> float:
    """Return the unit of C for `C_convention="scaled"`, for a linear SVM trained on `measure`.

    The unit is 1000/‖g‖², where g is the gradient of the training loss at w = 0. If all features
    are constant, it is 0. It is a value of C as in the program SVM-perf (LIBLINEAR's C times
    n/100). `positive` is a boolean array with both values.

    The gradient is 100·s·(mean of the negatives − mean of the positives). For measures of rankings,
    such as the ROC area, s is 1. For measures of labels, such as F1, s is the share of the rarer
    class.
    """
    n_positives = int(np.count_nonzero(positive))
    n_negatives = len(positive) - n_positives
    difference = np.empty(X.shape[1] + 1)
    shares = np.where(positive, -1.0 / n_positives, 1.0 / n_negatives)
    DataMatrix(X, positive, positives_first=False).combination(shares, difference)
    variance = float(some_variances(X).sum(dtype=np.float64))
    return unit_of_means(difference[:-1], variance, n_positives, n_negatives, measure)


def some_variances(X) -> np.ndarray:
    """Return the variance of each column of X, estimated on at most 10,000 rows to save memory."""
    return column_variances(X[:: -(-X.shape[0] // _ROWS_FOR_DEVIATION)])


@one_blas_thread
def unit_of_means(
    difference: np.ndarray, variance: float, n_positives: int, n_negatives: int, measure
) -> float:
    """Compute the result of `scaled_unit` from means and variances, without the data.

    `difference`, shape (d,), is the mean of the negatives minus the mean of the positives.
    `variance` is the sum of the variances of all features. `measure` is a performance measure, such
    as "f1".
    """
    share = min(n_positives, n_negatives) / (n_positives + n_negatives)
    if isinstance(training_loss(measure), _RANKING_LOSSES):
        share = 1.0
    apart = max(float(difference @ difference), _LEAST_DIFFERENCE**2 * variance)
    square = (_LARGEST_LOSS * share) ** 2 * apart
    return _STEPS * _LARGEST_LOSS / square if square > 0 else 0.0


def make_oracle(loss: Loss, n_positives: int, n_negatives: int):
    """Return an object (oracle) that evaluates the training loss of a multivariate SVM.

    For given scores, the oracle finds the labelling, a vector of predicted labels or a ranking,
    that maximizes the loss of the performance measure plus a linear function of the scores. The
    maximum is the training loss.
    """
    return _ORACLES[type(loss)](loss, n_positives, n_negatives)


class _OffsetOracle:
    """Oracle that finds the most violated labelling at the scores plus a constant vector `offset`.

    `oracle` finds the labelling that maximizes Δ + weights·(scores + offset), where Δ is its loss.
    The labellings returned here have `loss` = Δ + weights·offset, so that their value is loss +
    weights·scores. `offset` and scores list the positive examples first.
    """

    def __init__(self, oracle, offset):
        self.oracle, self.offset = oracle, offset
        self.scale, self.weight_type = oracle.scale, oracle.weight_type

    def search(self, scores):
        shifted = scores + self.offset
        labelling = self.oracle.search(shifted)
        constant = self.oracle.slope(labelling, shifted, self.offset)
        return labelling._replace(loss=labelling.loss + constant)

    def slope(self, labelling, scores, direction) -> float:
        return self.oracle.slope(labelling, scores + self.offset, direction)

    def weights(self, labelling, scores, out):
        return self.oracle.weights(labelling, scores + self.offset, out)


def make_solver(
    X,
    positive,
    measure,
    *,
    at_most_k: bool | None = None,
    fit_intercept=True,
    line_search=True,
    max_planes=1000,
    intercept_scaling=1.0,
    keep_curvature=False,
    offset=None,
) -> CuttingPlaneSolver | HingeSolver:
    """Return a solver that trains a linear multivariate SVM on the given data, for any C.

    A multivariate SVM optimizes a performance measure of all predictions together, such as F1. X is
    an array or CSR matrix of float64 or float32, and `positive` a boolean array with both values.

    - `measure`, `at_most_k`: see `training_loss`. For recall at k, `at_most_k=True` is the loss of
      the program SVM-perf, and False the loss of Joachims (2005).
    - `intercept_scaling`: value of a constant feature. Its weight, the last entry of a solution's
      w, is the intercept divided by `intercept_scaling`.
    - `offset`: array of shape (n,) that is added to the scores.
    - `line_search`, `max_planes`, `keep_curvature`: see `CuttingPlaneSolver`.

    Raises ValueError if X holds NaN or infinity, a class is absent, the measure is unknown or has
    no training loss, or k exceeds n.
    """
    loss = training_loss(measure, at_most_k)
    if not all_finite(X):
        raise ValueError("X holds NaN or infinity; impute or drop these values")
    n_positives = int(np.count_nonzero(positive))
    n_negatives = len(positive) - n_positives
    if n_positives == 0 or n_negatives == 0:
        absent = "positive" if n_positives == 0 else "negative"
        raise ValueError(f"the training data holds no {absent} example; both classes are needed")
    documents = scipy.sparse.issparse(X) and X.shape[1] > _FEATURES_OF_DOCUMENTS
    usual = line_search and intercept_scaling == 1 and offset is None
    if documents and usual and isinstance(loss, SeparableLoss):
        return HingeSolver(X, positive, loss, fit_intercept)
    data = DataMatrix(X, positive, fit_intercept, constant_feature=intercept_scaling)
    oracle = make_oracle(loss, n_positives, n_negatives)
    if offset is not None:
        oracle = _OffsetOracle(oracle, data.ordered(offset))
    options = {"max_planes": max_planes, "line_search": line_search}
    return CuttingPlaneSolver(data, oracle, keep_curvature=keep_curvature, **options)
