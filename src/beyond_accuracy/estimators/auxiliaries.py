"""Auxiliary classifiers of CAPO (classifier adaptation): fits, outputs, and augmented features."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.validation import check_is_fitted, check_memory

from beyond_accuracy.estimators.folds import fold_indices, out_of_fold
from beyond_accuracy.estimators.validation import ArrayLike, MatrixLike
from beyond_accuracy.scikit_learn import num_samples


def augment(X: Any, outputs: NDArray[np.float64], B: float = 1.0) -> Any:
    """Return features for CAPO: outputs of other classifiers times √(1/B), then the columns of X.

    `outputs`, shape (n, m), holds the outputs of m classifiers on the n rows of X. The result,
    shape (n, m + d), is sparse if X is. Through the factor, a penalty ½‖v‖² on the weights v of the
    first m columns equals B/2·‖a‖², where a = v/√B are the weights of `outputs`.
    """
    dtype = X.dtype if X.dtype.kind == "f" else np.float64
    scaled = np.asarray(outputs * np.sqrt(1.0 / B), dtype=dtype)
    if scipy.sparse.issparse(X):
        return scipy.sparse.hstack([scipy.sparse.csr_matrix(scaled), X], format="csr")
    return np.hstack([scaled, X])


def auxiliary_outputs(
    auxiliaries: Sequence[Any],
    X: MatrixLike,
    classes: np.ndarray,
    real_valued: bool = False,
    memory: Any = None,
) -> NDArray[np.float64]:
    """Compute the outputs of m fitted binary classifiers on n rows X, as an array of shape (n, m).

    `classes` holds the two classes. By default, an output is 1 for `classes[1]` and −1 for
    `classes[0]`. If `real_valued`, it is 2·P − 1 for the probability P of `classes[1]`, or the
    decision value of a classifier without probabilities. `memory`, a folder or an object like
    joblib.Memory, caches the outputs. Raises ValueError for a classifier that was fitted on other
    features or classes.
    """
    outputs = np.empty((num_samples(X), len(auxiliaries)))
    predict = check_memory(memory).cache(_predict)
    for i, auxiliary in enumerate(auxiliaries):
        name = auxiliary_name(i, auxiliary)
        fitted_classes = getattr(auxiliary, "classes_", classes)
        if not np.array_equal(fitted_classes, classes):
            raise ValueError(
                f"{name} was fitted on the classes {np.asarray(fitted_classes).tolist()}, expected "
                f"{classes.tolist()}"
            )
        method = _output_method(auxiliary, real_valued)
        try:
            predicted = predict(auxiliary, X, method)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
        outputs[:, i] = _as_output(name, method, predicted, classes)
    return outputs


def fit_auxiliaries(
    auxiliaries: Sequence[Any],
    X: MatrixLike,
    y: ArrayLike,
    classes: np.ndarray,
    real_valued: bool = False,
    keep_fitted: bool = False,
    folds: int | Sequence[tuple[NDArray[np.integer], NDArray[np.integer]]] | None = None,
    random_state: int | np.random.RandomState | None = None,
    memory: Any = None,
    n_jobs: int | None = None,
) -> tuple[list[Any], NDArray[np.float64], list[int]]:
    """Fit auxiliary classifiers, whose outputs serve as features of another classifier.

    Return three values: the list of m fitted classifiers, an array of their outputs on X, shape (n,
    m), and the indices of classifiers that were left out because all their outputs are equal.

    Unfitted classifiers are cloned and fitted to X and y. If `folds` are given, their outputs on
    each fold come from copies fitted on the other folds. An integer is a number of stratified
    folds, shuffled by `random_state`. Rows in no test set have outputs of classifiers fitted to all
    rows.

    Fitted classifiers are used unchanged. If `folds` are given, they raise ValueError unless
    `keep_fitted`. `real_valued` and `memory` are as for `auxiliary_outputs`; fits are also cached.
    """
    memory = check_memory(memory)
    fit, cross_predict = memory.cache(_fit_clone), memory.cache(_cross_predict, ignore=["n_jobs"])
    fitted = []
    for i, auxiliary in enumerate(auxiliaries):
        name = auxiliary_name(i, auxiliary)
        tagged = hasattr(auxiliary, "__sklearn_tags__") and is_classifier(auxiliary)
        if not tagged and not hasattr(auxiliary, "classes_"):
            raise ValueError(
                f"{name} is not a classifier; auxiliaries must predict the two classes"
            )
        ready = is_fitted(auxiliary)
        if ready and folds is not None and not keep_fitted:
            raise ValueError(
                f"{name} is fitted already, so that it cannot be cross-fitted; give it unfitted, "
                "or set cross_fit=False"
            )
        fitted.append(auxiliary if ready else fit(auxiliary, X, y))
    outputs = auxiliary_outputs(fitted, X, classes, real_valued, memory)
    # Out-of-fold probabilities of a constant auxiliary would only tell the folds apart.
    constant = (outputs == outputs[0]).all(axis=0) & real_valued
    if folds is not None:
        splitter = folds
        if isinstance(folds, int):
            splitter = StratifiedKFold(folds, shuffle=True, random_state=random_state)
        for i, auxiliary in enumerate(auxiliaries):
            if is_fitted(auxiliary):
                continue
            method = _output_method(auxiliary, real_valued)
            rows, predicted = cross_predict(auxiliary, X, y, splitter, method, n_jobs=n_jobs)
            if method == "predict":
                method = "predict_proba"
            outputs[rows, i] = _as_output(auxiliary_name(i, auxiliary), method, predicted, classes)
    constant |= (outputs == outputs[0]).all(axis=0)
    kept = [auxiliary for auxiliary, out in zip(fitted, constant, strict=True) if not out]
    return kept, outputs[:, ~constant], np.flatnonzero(constant).tolist()


def _fit_clone(auxiliary, X, y):
    return clone(auxiliary).fit(X, y)


def _predict(auxiliary, X, method):
    return np.asarray(getattr(auxiliary, method)(X))


def _cross_predict(auxiliary, X, y, splitter, method, n_jobs):
    pairs = fold_indices(splitter, X, y, classifier=True)
    return out_of_fold(auxiliary, X, y, pairs, method, n_jobs=n_jobs)


def _output_method(auxiliary, real_valued):
    if not real_valued:
        return "predict"
    return "predict_proba" if hasattr(auxiliary, "predict_proba") else "decision_function"


def _as_output(name, method, predicted, classes):
    if method == "predict":
        return np.where(predicted == classes[1], 1.0, -1.0)
    infinite = ~np.isfinite(predicted if predicted.ndim == 1 else predicted[:, 1])
    if infinite.any():
        raise ValueError(
            f"{name} gives NaN or infinity as {method} of {infinite.sum()} of {len(infinite)} "
            "rows; mend it, or leave it out"
        )
    return 2.0 * predicted[:, 1] - 1.0 if method == "predict_proba" else predicted


def auxiliary_name(i: int, auxiliary: object) -> str:
    """Return the name of auxiliary classifier `i` in messages, such as "auxiliary 0 (SVC)"."""
    return f"auxiliary {i} ({type(auxiliary).__name__})"


def is_fitted(auxiliary: object) -> bool:
    """Return whether an estimator is fitted, by scikit-learn's criterion."""
    try:
        check_is_fitted(auxiliary)
    except NotFittedError:
        return False
    return True
