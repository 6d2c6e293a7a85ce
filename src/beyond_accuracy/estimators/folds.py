"""Folds of two classes: checks, and stratified folds in which equal examples stay together."""

import hashlib
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

_FOLDS_OF_GROUPS = "cv=list(GroupKFold(5).split(X, y, groups))"


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


def groups_remedy() -> str:
    """Return advice on how to give groups to a splitter without metadata routing."""
    return (
        "fit sends groups to the splitter under metadata routing alone: give the folds themselves, "
        f"{_FOLDS_OF_GROUPS}, or enable it"
    )


def no_groups(estimator: Any) -> str:
    """Return the message that an estimator's `fit` takes no groups, with advice on `cv`."""
    name = type(estimator).__name__
    if not hasattr(estimator, "cv"):
        return f"{name}.fit takes X and y: groups are for splitters, and it has none"
    return f"{name}.fit takes X and y: give the folds of the groups themselves, {_FOLDS_OF_GROUPS}"


def fold_indices(
    cv: Any, X: Any, y: NDArray, *, classifier: bool = False, **split_parameters: Any
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return a list of (training indices, test indices), one pair per fold.

    `cv` is a number of folds, a splitter or an iterable of pairs, and `classifier` is whether folds
    are stratified, as in scikit-learn's `check_cv`. Boolean masks become indices.
    `split_parameters` are keywords of the splitter's `split`.

    Raises ValueError if there are no folds, a part is empty, an index exceeds the n examples, or a
    mask has another length.
    """
    n = y.shape[0]
    splitter = check_cv(cv, y, classifier=classifier)
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


def _indices(part, n):
    part = np.asarray(part)
    if part.dtype != bool:
        return part
    if part.shape != (n,):
        raise ValueError(f"a mask of cv has shape {part.shape}; ({n},) is needed, one value a row")
    return np.flatnonzero(part)


def check_partition(pairs: Iterable[tuple[np.ndarray, np.ndarray]], n: int) -> None:
    """Raise ValueError unless each of n examples is in exactly one test set.

    `pairs` are (training indices, test indices), as `fold_indices` returns them.
    """
    times = np.bincount(np.concatenate([test for _, test in pairs]), minlength=n)
    if (times != 1).any():
        raise ValueError(
            f"cv puts {np.count_nonzero(times == 0)} of {n} rows into no test part and "
            f"{np.count_nonzero(times > 1)} into several, but each needs one out-of-fold score; "
            'take StratifiedKFold, GroupKFold or another partition, or cv="prefit" with the rows '
            "that are left"
        )


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
