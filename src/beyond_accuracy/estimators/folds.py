"""Folds of two classes: checks, and stratified folds in which equal examples stay together."""

import hashlib
import warnings
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedShuffleSplit,
    check_cv,
)
from sklearn.utils import check_random_state

from beyond_accuracy.scikit_learn import Interval, RealNotInt

# Valid values of the parameter `cv`, as scikit-learn checks them: `fold_indices` adds the shares.
CV: list[Any] = ["cv_object", Interval(RealNotInt, 0, 1, closed="neither")]


def stratified_folds(X: Any, positive: NDArray[np.bool_], n_folds: int, seed: int) -> np.ndarray:
    """Return the fold of each example, shape (n,), from 0 to n_folds − 1.

    Examples that are equal in X and class are in one fold. So no model is validated on a copy of a
    training example, and repeated examples behave like weighted ones. The fold depends on the
    example's values and the seed, not on its position in X or on how X is stored. There are fewer
    folds if the rarer class has fewer distinct examples (see `fitting_number`).

    Raises ValueError if a class has fewer than two distinct examples.
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
    """Return the number of folds, reduced to `n_rarer`, the number of examples of the rarer class.

    It warns if the number is reduced. The result is at least 2, so that the caller reports a class
    with a single example. `stacklevel` is passed to `warnings.warn`.
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

    `cv` is a number of folds, a splitter or an iterable of pairs, and `classifier` is whether folds
    are stratified, as in scikit-learn's `check_cv`. Boolean masks become indices. In addition, a
    share such as 0.3 is a single random holdout of that share of the rows, stratified for a
    classifier. If `groups`, shape (n,), is given, a share or a number of folds keeps each group
    together.

    Raises ValueError if there are no folds, a part is empty, an index exceeds the n examples, or a
    mask has another length.
    """
    n = y.shape[0]
    splitter = _splitter(cv, y, classifier, groups is not None)
    if groups is not None:
        split_parameters["groups"] = groups
    pairs = [
        (_indices(train, n), _indices(test, n))
        for train, test in splitter.split(X, y, **split_parameters)
    ]
    if not pairs:
        raise ValueError("cv holds no fold; give a number of folds, a splitter or pairs of indices")
    for place, (train, test) in enumerate(pairs):
        for part, indices in (("training", train), ("test", test)):
            if len(indices) == 0:
                raise ValueError(f"the {part} part of fold {place} is empty; leave that fold out")
            beyond = indices[(indices < 0) | (indices >= n)]
            if len(beyond):
                raise ValueError(
                    f"the {part} part of fold {place} holds row {beyond[0]}, but there are {n} "
                    f"rows, 0 to {n - 1}"
                )
    return pairs


def _splitter(cv, y, classifier, has_groups):
    if isinstance(cv, Real) and not isinstance(cv, Integral):
        stratified = StratifiedShuffleSplit if classifier else ShuffleSplit
        holdout = GroupShuffleSplit if has_groups else stratified
        return holdout(1, test_size=cv, random_state=0)
    if has_groups and (cv is None or isinstance(cv, Integral)):
        return (StratifiedGroupKFold if classifier else GroupKFold)(5 if cv is None else cv)
    return check_cv(cv, y, classifier=classifier)


def _indices(part, n):
    part = np.asarray(part)
    if part.dtype != bool:
        return part
    if part.shape != (n,):
        raise ValueError(f"a mask of cv has shape {part.shape}; ({n},) is needed, one value a row")
    return np.flatnonzero(part)


def validation_splits(
    cv: Any, X: Any, positive: NDArray, used: NDArray, random_state: Any, groups: Any
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return (training indices, test indices) per fold, each with examples of both classes.

    Only examples whose indices are in `used` count. A number of folds without groups is that of
    `stratified_folds`. Other values of `cv`, and errors, are those of `fold_indices`.
    """
    if groups is None and isinstance(cv, Integral):
        seed = check_random_state(random_state).randint(2**31)
        folds = stratified_folds(X[used], positive[used], cv, seed)
        numbers = range(folds.max() + 1)
        pairs = [(used[folds != fold], used[folds == fold]) for fold in numbers]
    else:
        pairs = fold_indices(cv, X, positive, classifier=True, groups=groups)
    check_folds(pairs, positive, used)
    return pairs


def check_folds(
    pairs: Iterable[tuple[np.ndarray, np.ndarray]],
    positive: NDArray[np.bool_],
    used: NDArray[np.integer],
) -> None:
    """Raise ValueError if a training set lacks a class, or a test set has no positive example.

    `pairs` are (training indices, test indices). Only examples whose indices are in `used` count.
    """
    for place, (train, test) in enumerate(pairs):
        for part, indices in (("training", train), ("test", test)):
            members = positive[np.intersect1d(indices, used)]
            if not members.any() or (part == "training" and members.all()):
                raise ValueError(
                    f"the {part} part of fold {place} has no "
                    f"{'negative' if members.any() else 'positive'} example; use fewer folds "
                    "or stratified ones"
                )


def _rows(X):
    if not scipy.sparse.issparse(X):
        for row in np.asarray(X, dtype=np.float64):
            places = np.flatnonzero(row)
            yield np.concatenate([row[places], places])
        return
    X = X.sorted_indices()
    for start, stop in zip(X.indptr[:-1], X.indptr[1:], strict=True):
        values, places = X.data[start:stop], X.indices[start:stop]
        used = values != 0
        yield np.concatenate([values[used], places[used]]).astype(np.float64)


def _digest(row):
    return int.from_bytes(hashlib.blake2b(row.tobytes(), digest_size=7).digest())
