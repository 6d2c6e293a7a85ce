"""Multivariate SVMs from arrays: the loss, the unit of C, solvers, and a path over several C."""

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
import scipy.sparse

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.losses import (
    AveragePrecisionLoss,
    Loss,
    PartialRocAreaLoss,
    RocAreaLoss,
    SeparableLoss,
    TopLoss,
)
from beyond_accuracy.measures.threshold_measures import as_constraint
from beyond_accuracy.solvers.cutting_planes import CuttingPlaneSolver
from beyond_accuracy.solvers.data_matrix import DataMatrix, all_finite, column_variances
from beyond_accuracy.solvers.hinge import HingeSolver
from beyond_accuracy.solvers.oracles import OffsetOracle, make_oracle
from beyond_accuracy.solvers.solution import Solution, one_blas_thread

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
    """Return the training loss of a measure, given by name, as a `Measure` or as a function.

    `at_most_k` has the same meaning as in `make_solver`. Raises ValueError if the measure is
    unknown, has no training loss, or has no k although `at_most_k` is True.
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
    """Return advice to a user whose measure and data make w = 0 optimal for every C."""
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
    """Return a value of C that suits the data, which `C_convention="scaled"` takes as its unit.

    It is in SVM-perf's convention; 0 for constant features. It is ten times the C at which one
    gradient step from w = 0 could make the loss vanish. At w = 0 the loss is 100 percent. For
    rankings, the gradient is g = 100·(mean of the negatives − mean of the positives). For measures
    of labels, it is multiplied by the share of the rarer class. Along −g the loss vanishes after a
    step of 100/‖g‖². So the unit grows as the square of the imbalance and falls as the square of
    the features' scale. It does not depend on the number of examples.
    """
    n_positives = int(np.count_nonzero(positive))
    n_negatives = len(positive) - n_positives
    difference = np.empty(X.shape[1] + 1)
    shares = np.where(positive, -1.0 / n_positives, 1.0 / n_negatives)
    DataMatrix(X, positive, positives_first=False).combination(shares, difference)
    variance = float(some_variances(X).sum(dtype=np.float64))
    return unit_of_means(difference[:-1], variance, n_positives, n_negatives, measure)


def some_variances(X) -> np.ndarray:
    """Return the variances of the columns, estimated on at most 10,000 rows to save memory."""
    return column_variances(X[:: -(-X.shape[0] // _ROWS_FOR_DEVIATION)])


@one_blas_thread
def unit_of_means(
    difference: np.ndarray, variance: float, n_positives: int, n_negatives: int, measure
) -> float:
    """Return `scaled_unit` from the difference of the class means, (d,), and a variance.

    `variance` is the sum of the variances of all features.
    """
    share = min(n_positives, n_negatives) / (n_positives + n_negatives)
    if isinstance(training_loss(measure), _RANKING_LOSSES):
        share = 1.0
    apart = max(float(difference @ difference), _LEAST_DIFFERENCE**2 * variance)
    square = (_LARGEST_LOSS * share) ** 2 * apart
    return _STEPS * _LARGEST_LOSS / square if square > 0 else 0.0


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
    """Return a solver that trains a multivariate SVM on given data and measure for any C.

    X is an array or CSR matrix of float64 or float32, `positive` a boolean array with both values,
    and `measure` as for `beyond_accuracy.measures.get_measure`. `at_most_k` is only for recall at
    k. True, the default, admits labellings with at most k predicted positives, as SVM-perf does.
    False admits only labellings with exactly k, as in Joachims (2005). Unless k is the number of
    positives, a large negative intercept alone then makes the loss vanish.

    `intercept_scaling` is the value of the constant feature. The last entry of a solution's w is
    the weight of this feature, which is the intercept divided by `intercept_scaling`. With an
    `offset`, shape (n,), the scores are w·x + offset. `CuttingPlaneSolver` explains the other
    options.

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
        oracle = OffsetOracle(oracle, data.ordered(offset))
    return CuttingPlaneSolver(
        data,
        oracle,
        max_planes=max_planes,
        line_search=line_search,
        keep_curvature=keep_curvature,
    )


def multivariate_svm_path(
    X,
    y,
    measure,
    Cs: Sequence[float],
    *,
    tol=1e-3,
    max_iter=10_000,
    callback: Callable | None = None,
    **options,
) -> list[Solution]:
    """Train a multivariate SVM for each C, smallest first, each fit starting from the previous one.

    y is bool or ±1, C is in SVM-perf's unit (C in LIBLINEAR times n/100), and `options` are
    keywords of `make_solver`. The solutions have the order of `Cs`. Raises ValueError for other
    labels, for C that is not above 0, and if `make_solver` does.
    """
    y = np.asarray(y)
    if y.shape != (X.shape[0],):
        raise ValueError(f"y must have the shape ({X.shape[0]},), found {y.shape}")
    if y.dtype != bool and not np.isin(y, (-1, 1)).all():
        raise ValueError(f"y must hold booleans, or −1 and +1, found {np.unique(y)[:3]}")
    solver = make_solver(X, y > 0, measure, **options)
    stopping = {"tol": tol, "max_iter": max_iter, "callback": callback}
    solutions = {C: solver.solve(C, **stopping) for C in sorted(set(Cs))}
    return [solutions[C] for C in Cs]
