"""Responses of classifiers on examples that they were not fitted to."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import get_tags

from beyond_accuracy.scikit_learn import safe_indexing


def out_of_fold(
    estimator: Any,
    X: Any,
    y: NDArray,
    splits: Sequence[tuple[np.ndarray, np.ndarray]],
    method: str,
    *,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return tested rows, and responses to them of clones fitted to the training sets.

    scikit-learn's `cross_val_predict` encodes classes as integers. Options that name classes, such
    as `class_weight`, would then fail. This function fits to the original classes.

    Parameters
    ----------
    estimator : classifier
    X : array, matrix or data frame, shape (n, d)
        If the estimator takes a precomputed kernel, the shape is (n, n), and columns are selected
        like rows.
    y : ndarray, shape (n,)
    splits : sequence of pairs of int arrays
        (training indices, test indices) per fold.
    method : {"predict_proba", "decision_function", "predict"}
        Method of the estimator that gives the responses.
    params : mapping, optional
        Keywords of `fit`. For those with one value per example, only the values of the training set
        are passed.
    n_jobs : int, optional
        Number of folds fitted in parallel.

    Returns
    -------
    rows : ndarray, shape (r,)
        The examples that are in a test set, in increasing order.
    responses : ndarray, shape (r,), or (r, m) of probabilities
        If an example is in several test sets, the mean over them. The columns are the m classes of
        y, sorted. If a training set lacks a class, its probability is 0, with a UserWarning.
        Predicted classes become columns of 0 and 1.
    """
    classes = np.unique(y)
    found = Parallel(n_jobs=n_jobs)(
        delayed(_of_one_fold)(clone(estimator), X, y, train, test, method, dict(params or {}))
        for train, test in splits
    )
    responses = []
    for (_, test), (response, known) in zip(splits, found, strict=True):
        if method == "predict":
            response = response[:, None] == classes
        if method == "predict_proba":
            if len(known) < len(classes):
                absent = np.setdiff1d(classes, known)
                warnings.warn(
                    f"the training part of a fold lacks the classes {absent[:5].tolist()}, whose "
                    "probability is 0 in its test part; take fewer folds or stratified ones",
                    UserWarning,
                    stacklevel=5,
                )
            aligned = np.zeros((len(test), len(classes)))
            aligned[:, np.searchsorted(classes, known)] = response
            response = aligned
        responses.append(response)
    tests = np.concatenate([test for _, test in splits])
    rows, place, counts = np.unique(tests, return_inverse=True, return_counts=True)
    pooled = np.concatenate(responses)
    sums = np.zeros((len(rows), *pooled.shape[1:]))
    np.add.at(sums, place, pooled)
    return rows, sums / counts.reshape(-1, *(1,) * (pooled.ndim - 1))


def _of_one_fold(model, X, y, train, test, method, params):
    n = len(y)
    own = {name: kept_rows(value, train, n) for name, value in params.items()}
    parts = [safe_indexing(X, rows) for rows in (train, test)]
    if get_tags(model).input_tags.pairwise:
        parts = [part[:, train] for part in parts]
    model.fit(parts[0], y[train], **own)
    return np.asarray(getattr(model, method)(parts[1])), model.classes_


def kept_rows(value: Any, rows: np.ndarray, n: int) -> Any:
    """Return value[rows] if `value` has one entry for each of n examples, otherwise `value`."""
    if hasattr(value, "__len__") and not isinstance(value, str) and len(value) == n:
        return safe_indexing(value, rows)
    return value
