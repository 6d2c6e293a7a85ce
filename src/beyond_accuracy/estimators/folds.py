"""Folds for cross-validation, and responses of classifiers on examples held out of their fit."""

import hashlib
import warnings
from collections.abc import Iterable, Mapping, Sequence, Sized
from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedShuffleSplit,
    check_cv,
)
from sklearn.utils import check_random_state, get_tags

from beyond_accuracy.scikit_learn import Interval, RealNotInt, safe_indexing

# Valid values of the parameter `cv`, as scikit-learn checks them: `fold_indices` adds the shares.
CV: list[Any] = ["cv_object", Interval(RealNotInt, 0, 1, closed="neither")]


def stratified_folds(X: Any, positive: NDArray[np.bool_], n_folds: int, seed: int) -> np.ndarray:
    """Assign examples to stratified folds; return fold numbers from 0 to n_folds − 1, shape (n,).

    Examples with equal features and equal class are in the same fold. The folds do not depend on
    the order of the examples or on how X is stored.
    """
    keys = np.array([_digest(row) for row in _rows(X)])
    folds = np.empty(len(keys), dtype=np.int64)
    rng = np.random.default_rng(seed)
    classes = (positive, ~positive)
    n_rarer = min(len(np.unique(keys[members])) for members in classes)
    if n_rarer < 2:
        raise ValueError("a class has a single distinct example, so that a fold would be without")
    n_folds = fitting_number(n_folds, n_rarer)
    for members in classes:
        distinct, inverse = np.unique(keys[members], return_inverse=True)
        folds[members] = (rng.permutation(len(distinct)) % n_folds)[inverse]
    return folds


def fitting_number(n_folds: int, n_rarer: int, stacklevel: int = 4) -> int:
    """Return `n_folds`, or a lower number of folds if the rarer class has fewer examples.

    `n_rarer` is the number of examples of the rarer class. If the number of folds is lowered, a
    UserWarning says so. The result is at least 2.
    """
    if n_rarer >= n_folds:
        return n_folds
    fewer = max(int(n_rarer), 2)
    warnings.warn(
        f"cv={n_folds} was lowered to {fewer}: the rarer class has {n_rarer} examples",
        UserWarning,
        stacklevel=stacklevel,
    )
    return fewer


def fold_indices(
    cv: Any,
    X: Any,
    y: NDArray,
    *,
    classifier: bool = False,
    groups: Any = None,
    **split_parameters: Any,
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return a list of (training indices, test indices), one pair per fold.

    `cv` and `classifier` are arguments of scikit-learn's `check_cv`. In addition, `cv` may be a
    share such as 0.3 for a single holdout, which is stratified if `classifier`, or hold boolean
    masks instead of indices. If `cv` is a share or a number of folds, rows with the same entry in
    `groups`, shape (n,), stay together. `split_parameters` are keywords of the splitter's `split`.
    """
    n = y.shape[0]
    splitter = _splitter(cv, y, classifier, groups is not None)
    if groups is not None:
        split_parameters["groups"] = groups
    pairs = [
        (
            _indices(train, n, f"the training part of fold {number}"),
            _indices(test, n, f"the test part of fold {number}"),
        )
        for number, (train, test) in enumerate(splitter.split(X, y, **split_parameters))
    ]
    if not pairs:
        raise ValueError("cv holds no fold; give a number of folds, a splitter or pairs of indices")
    return pairs


def _splitter(cv, y, classifier, has_groups):
    if isinstance(cv, Real) and not isinstance(cv, Integral):
        stratified = StratifiedShuffleSplit if classifier else ShuffleSplit
        holdout = GroupShuffleSplit if has_groups else stratified
        return holdout(1, test_size=cv, random_state=0)
    if has_groups and (cv is None or isinstance(cv, Integral)):
        return (StratifiedGroupKFold if classifier else GroupKFold)(5 if cv is None else cv)
    if isinstance(cv, Iterable) and not hasattr(cv, "split"):
        cv = list(cv)
        for number, fold in enumerate(cv):
            if not (isinstance(fold, Sized) and len(fold) == 2):
                raise ValueError(
                    f"fold {number} of cv is no pair, found {type(fold).__name__}; give (training "
                    "indices, test indices) for each fold"
                )
    return check_cv(cv, y, classifier=classifier)


def _indices(part, n, name):
    """Return the row numbers of a part of a fold, given as row numbers or as a mask.

    Errors call the part `name`.
    """
    part = np.asarray(part)
    if part.dtype == bool:
        if part.shape != (n,):
            raise ValueError(
                f"{name} is a mask of shape {part.shape}; ({n},) is needed, one value a row"
            )
        part = np.flatnonzero(part)
    if part.size == 0:
        raise ValueError(f"{name} is empty; leave that fold out")
    if part.ndim != 1 or part.dtype.kind not in "iu":
        raise ValueError(
            f"{name} has type {part.dtype} and shape {part.shape}; give row numbers, as a "
            "one-dimensional array of integers, or a mask"
        )
    beyond = part[(part < 0) | (part >= n)]
    if len(beyond):
        raise ValueError(f"{name} holds row {beyond[0]}, but there are {n} rows, 0 to {n - 1}")
    return part


def validation_splits(
    cv: Any, X: Any, positive: NDArray, used: NDArray, random_state: Any, groups: Any
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Split examples of two classes for cross-validation.

    Return a list of (training indices, test indices), one pair per fold. If `cv` is a number of
    folds and there are no groups, the folds are stratified, and equal examples share a fold. Other
    values of `cv` are as for `fold_indices`. `used` holds the indices of the examples with positive
    weight. ValueError is raised if, among these, a training set lacks a class, a test set has no
    positive example, or no test set has a negative one.
    """
    if groups is None and isinstance(cv, Integral):
        seed = check_random_state(random_state).randint(2**31)
        folds = stratified_folds(X[used], positive[used], cv, seed)
        pairs = [(used[folds != k], used[folds == k]) for k in range(folds.max() + 1)]
    else:
        pairs = fold_indices(cv, X, positive, classifier=True, groups=groups)
    check_folds(pairs, positive, used)
    return pairs


def check_folds(
    pairs: Sequence[tuple[np.ndarray, np.ndarray]],
    positive: NDArray[np.bool_],
    used: NDArray[np.integer],
) -> None:
    """Raise ValueError if folds lack examples of a class.

    Each training set needs both classes, and each test set a positive example. At least one test
    set needs a negative example. `pairs` holds (training indices, test indices) per fold, and
    `positive`, shape (n,), marks the positive examples. Only examples with indices in `used` count.
    """
    for number, (train, test) in enumerate(pairs):
        for part, indices in (("training", train), ("test", test)):
            members = positive[np.intersect1d(indices, used)]
            if not members.any() or (part == "training" and members.all()):
                raise ValueError(
                    f"the {part} part of fold {number} has no "
                    f"{'negative' if members.any() else 'positive'} example; use fewer folds "
                    "or stratified ones"
                )
    tested = np.concatenate([test for _, test in pairs])
    if positive[np.intersect1d(tested, used)].all():
        raise ValueError(
            "the test parts of cv have no negative example; use other folds, such as stratified "
            "ones"
        )


def check_held_out(labels: NDArray, classes: NDArray) -> None:
    """Raise ValueError if the labels of held-out rows lack one of the classes."""
    absent = np.setdiff1d(classes, labels)
    if len(absent):
        raise ValueError(
            f"the held-out rows lack the classes {absent[:5].tolist()}; hold out rows of every "
            "class, as stratified folds do"
        )


def _rows(X):
    """Yield an array per row of X: its nonzero values, followed by the indices of their columns."""
    X = scipy.sparse.csr_matrix(X).sorted_indices()
    for start, stop in zip(X.indptr[:-1], X.indptr[1:], strict=True):
        values, columns = X.data[start:stop], X.indices[start:stop]
        used = values != 0
        yield np.concatenate([values[used], columns[used]]).astype(np.float64)


def _digest(row):
    return int.from_bytes(hashlib.blake2b(row.tobytes(), digest_size=7).digest())


def label_folds(
    Y: NDArray[np.integer], n_folds: int, random_state: int | np.random.RandomState | None = 0
) -> NDArray[np.int64]:
    """Assign rows with several labels to folds by iterative stratification.

    Return the fold number of each row, from 0 to n_folds − 1, shape (n,). Y is a 0/1 indicator of
    the labels, shape (n, m). Every fold gets similar numbers of positives of each label (Sechidis
    et al., On the Stratification of Multi-label Data, ECML PKDD 2011).
    """
    n, m = Y.shape
    if n < n_folds:
        raise ValueError(f"{n_folds} folds need as many rows, found {n}; lower cv")
    random = check_random_state(random_state)
    order = random.permutation(n)
    Y = Y[order].astype(np.int64)
    remaining = Y.sum(axis=0)
    # Positives per label, and rows, that each fold still lacks.
    wanted = np.tile(remaining / n_folds, (n_folds, 1))
    rows_wanted = np.full(n_folds, n / n_folds)
    fold = np.full(n, -1, dtype=np.int64)

    def assign(row, most):
        best = np.flatnonzero(most >= most.max() - 1e-9)
        best = best[np.argmax(rows_wanted[best])]
        fold[row] = best
        wanted[best] -= Y[row]
        rows_wanted[best] -= 1

    while remaining.any():
        rarest = np.argmin(np.where(remaining > 0, remaining, n + 1))
        for row in np.flatnonzero((fold < 0) & (Y[:, rarest] == 1)):
            assign(row, wanted[:, rarest])
            remaining -= Y[row]
    for row in np.flatnonzero(fold < 0):
        assign(row, rows_wanted)
    folds = np.empty(n, dtype=np.int64)
    folds[order] = fold
    return folds


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
    """Compute out-of-fold responses of a classifier, such as the probabilities of held-out rows.

    Return (rows, responses): the indices of the rows in test sets, increasing, and the responses on
    these rows. For each split, a clone of `estimator` is fitted to the training set, and its method
    named `method` is called on the test set. The method is "predict_proba", "decision_function", or
    "predict", whose classes become columns of 0 and 1. If a row is in several test sets, its
    response is the mean. `params` are keywords of `fit`. ValueError is raised if a training set has
    one class only.
    """
    # scikit-learn's `cross_val_predict` encodes classes as integers, so that options with names of
    # classes, such as `class_weight`, would fail.
    classes = np.unique(y)
    for number, (train, _) in enumerate(splits):
        if (y[train] == y[train[0]]).all():
            raise ValueError(
                f"the training part of fold {number} has one class only; take fewer folds or "
                "stratified ones"
            )
    fitted = Parallel(n_jobs=n_jobs)(
        delayed(_of_one_fold)(clone(estimator), X, y, train, test, method, dict(params or {}))
        for train, test in splits
    )
    responses = []
    for (_, test), (response, seen) in zip(splits, fitted, strict=True):
        if method == "predict":
            response = response[:, None] == classes
        if method == "predict_proba":
            if len(seen) < len(classes):
                absent = np.setdiff1d(classes, seen)
                warnings.warn(
                    f"the training part of a fold lacks the classes {absent[:5].tolist()}, whose "
                    "probability is 0 in its test part; take fewer folds or stratified ones",
                    UserWarning,
                    stacklevel=4,
                )
            aligned = np.zeros((len(test), len(classes)))
            aligned[:, np.searchsorted(classes, seen)] = response
            response = aligned
        responses.append(response)
    tests = np.concatenate([test for _, test in splits])
    rows, position, counts = np.unique(tests, return_inverse=True, return_counts=True)
    pooled = np.concatenate(responses)
    sums = np.zeros((len(rows), *pooled.shape[1:]))
    np.add.at(sums, position, pooled)
    return rows, sums / counts.reshape(-1, *(1,) * (pooled.ndim - 1))


def _of_one_fold(model, X, y, train, test, method, params):
    n = len(y)
    params = {name: kept_rows(value, train, n) for name, value in params.items()}
    parts = [safe_indexing(X, rows) for rows in (train, test)]
    # A precomputed kernel loses columns, too.
    if get_tags(model).input_tags.pairwise:
        parts = [part[:, train] for part in parts]
    model.fit(parts[0], y[train], **params)
    return np.asarray(getattr(model, method)(parts[1])), model.classes_


def kept_rows(value: Any, rows: np.ndarray, n: int) -> Any:
    """Return value[rows] if `value` has an entry for each of n examples, otherwise `value`."""
    if hasattr(value, "__len__") and not isinstance(value, str) and len(value) == n:
        return safe_indexing(value, rows)
    return value
