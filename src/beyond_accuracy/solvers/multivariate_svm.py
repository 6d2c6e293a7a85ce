"""Multivariate SVMs from arrays, for one C or a path over several."""

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
import scipy.sparse

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.losses import Loss, SeparableLoss, TopLoss
from beyond_accuracy.measures.threshold_measures import as_constraint
from beyond_accuracy.solvers.cutting_planes import CuttingPlaneSolver
from beyond_accuracy.solvers.data_matrix import DataMatrix, all_finite
from beyond_accuracy.solvers.hinge import HingeSolver
from beyond_accuracy.solvers.oracles import make_oracle
from beyond_accuracy.solvers.solution import Solution, check_regularization

# With more features, coordinate descent beats cutting planes for sums over examples.
_FEATURES_OF_DOCUMENTS = 1000


def training_loss(measure, at_most_k: bool | None = None) -> Loss:
    """Return the training loss of a measure.

    Parameters are explained in `make_solver`. Raises ValueError if the measure is unknown, has no
    training loss, or has no k although `at_most_k` is given.
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
) -> CuttingPlaneSolver | HingeSolver:
    """Return a solver for given data and measure, which can solve for several C.

    Parameters
    ----------
    X : ndarray or CSR matrix, shape (n, d), float64 or float32
    positive : array of bool, shape (n,)
        At least one True and one False.
    measure : str, Measure or callable
        See `beyond_accuracy.measures.get_measure`.
    at_most_k : bool, optional
        Only for recall at k. True, the default, admits labellings with at most k predicted
        positives, as SVM-perf does. False admits only labellings with exactly k, as in Joachims
        (2005). Unless k is the number of positives, a large negative intercept alone then makes the
        loss vanish.
    fit_intercept, line_search, max_planes, keep_curvature
        See `DataMatrix` and `CuttingPlaneSolver`.
    intercept_scaling : float, default 1.0
        Value of the constant feature. The last entry of a solution's w is the weight of this
        feature, which is the intercept divided by `intercept_scaling`.

    Raises
    ------
    ValueError
        If X holds NaN or infinity, a class is absent, the measure is unknown or has no training
        loss, or k exceeds n.
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
    usual = line_search and intercept_scaling == 1
    if documents and usual and isinstance(loss, SeparableLoss):
        return HingeSolver(X, positive, loss, fit_intercept)
    data = DataMatrix(X, positive, fit_intercept, constant_feature=intercept_scaling)
    oracle = make_oracle(loss, n_positives, n_negatives)
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
    """Solve for several C, smallest first, keeping the cutting planes and the best point.

    Parameters
    ----------
    X : ndarray or CSR matrix, shape (n, d), float64 or float32
    y : array of bool or {-1, +1}, shape (n,)
    measure : str, Measure or callable
    Cs : sequence of float
        Weights of the loss in SVM-perf's unit (C in LIBLINEAR times n/100), above 0, in any order.
    tol, max_iter, callback
        See `CuttingPlaneSolver.solve`.
    **options
        Keywords of `make_solver`.

    Returns
    -------
    list of Solution
        Solutions in the order of `Cs`.

    Raises
    ------
    ValueError
        If `make_solver` raises it, y has other values or another length than X, or some C is not a
        number above 0.
    """
    y = np.asarray(y)
    if y.shape != (X.shape[0],):
        raise ValueError(f"y must have the shape ({X.shape[0]},), found {y.shape}")
    if y.dtype != bool and not np.isin(y, (-1, 1)).all():
        raise ValueError(f"y must hold booleans, or −1 and +1, found {np.unique(y)[:3]}")
    for C in Cs:
        check_regularization(C)
    solver = make_solver(X, y > 0, measure, **options)
    stopping = {"tol": tol, "max_iter": max_iter, "callback": callback}
    solutions = {C: solver.solve(C, **stopping) for C in sorted(set(Cs))}
    return [solutions[C] for C in Cs]
