"""Check the scores, labels, costs and weights of reweighters; costs of each example."""

import warnings

import numpy as np
from numpy.typing import ArrayLike

from beyond_accuracy.measures.weights import check_weights as check_each

_SUM_TOLERANCE = 1e-6


class InvalidScoresError(ValueError):
    """Error for scores that are not an (n, m) array of finite non-negative numbers.

    References
    ----------
    K. Deng et al., ROCML 2006; its extended form: https://doi.org/10.1007/s10994-008-5056-8

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> try:
    ...     reweighting.MetaClassReweighter().fit([[0.5, float("nan")]], [0])
    ... except reweighting.InvalidScoresError as error:
    ...     print(error)
    scores[0, 1] is nan; scores must be finite and non-negative, such as class probabilities
    """


class InvalidLabelsError(ValueError):
    """Error for true classes that are not column indices of the scores.

    References
    ----------
    K. Deng et al., ROCML 2006; its extended form: https://doi.org/10.1007/s10994-008-5056-8

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> try:
    ...     reweighting.MetaClassReweighter().fit([[0.5, 0.5]], [2])
    ... except reweighting.InvalidLabelsError as error:
    ...     print(error)
    y holds class 2, but the scores have 2 columns: use 0 … 1
    """


class InvalidCostMatrixError(ValueError):
    """Error for a cost matrix that is not an (m, m) array of finite non-negative numbers.

    References
    ----------
    C. Elkan, The Foundations of Cost-Sensitive Learning, IJCAI 2001.
    https://dl.acm.org/doi/10.5555/1642194.1642224

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> try:
    ...     reweighting.MetaClassReweighter().fit([[0.5, 0.5]], [0], [[0, 1, 2]])
    ... except reweighting.InvalidCostMatrixError as error:
    ...     print(error)
    the cost matrix must be square, costs[true, predicted]; found shape (1, 3)
    """


def check_scores(scores: ArrayLike, n_classes: int | None = None) -> np.ndarray:
    """Return class scores as a C-contiguous float64 array, shape (n, m), without rows of zeros."""
    scores = np.ascontiguousarray(scores, dtype=np.float64)
    if scores.ndim != 2:
        raise InvalidScoresError(
            f"scores must have shape (n, m), one column a class; found shape {scores.shape}"
        )
    n, m = scores.shape
    if n == 0:
        raise InvalidScoresError("scores have no row; at least one example is needed")
    if m < 2:
        raise InvalidScoresError(
            f"scores have {m} column: with one class there is nothing to reweight; give the "
            "scores of at least two classes"
        )
    if n_classes is not None and m != n_classes:
        raise InvalidScoresError(
            f"scores have {m} columns, but the reweighter was fitted to {n_classes} classes"
        )
    _check_numbers(scores, "scores", "scores", ", such as class probabilities", InvalidScoresError)
    empty = np.flatnonzero(scores.max(axis=1) == 0)
    if empty.size:
        raise InvalidScoresError(
            f"row {empty[0]} of the scores holds only zeros ({empty.size} in all): no weights can "
            "decide it; smooth the probabilities or leave the row out"
        )
    return scores


def warn_unless_probabilities(scores: np.ndarray) -> None:
    """Give a UserWarning if a row of the scores does not sum to one."""
    sums = scores.sum(axis=1)
    low, high = sums.min(), sums.max()
    if low < 1 - _SUM_TOLERANCE or high > 1 + _SUM_TOLERANCE:
        warnings.warn(
            f"the rows of the scores sum to {low:.6g} … {high:.6g}, not to 1; they are accepted, "
            "since only the ratios of the scores within a row matter",
            UserWarning,
            stacklevel=3,
        )


def check_examples(scores: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return checked class scores, shape (n, m), and true classes as int64, shape (n,).

    Raise InvalidLabelsError unless the labels are integers from 0 to m − 1.
    """
    scores = check_scores(scores)
    n, m = scores.shape
    y = np.asarray(y)
    if y.shape != (n,):
        raise InvalidLabelsError(f"y must have shape ({n},) as the scores; found {y.shape}")
    if y.dtype.kind not in "iufb" or not np.all(np.equal(np.mod(y, 1), 0)):
        raise InvalidLabelsError(
            "y must hold class indices, integers; encode names by np.unique(y, return_inverse=True)"
        )
    labels = y.astype(np.int64)
    wrong = labels[(labels < 0) | (labels >= m)]
    if len(wrong):
        raise InvalidLabelsError(
            f"y holds class {wrong[0]}, but the scores have {m} columns: use 0 … {m - 1}"
        )
    return scores, labels


def check_costs(cost_matrix: ArrayLike | None, n: int | None, n_classes: int) -> np.ndarray:
    """Return costs as float64, shape (m, m), or (n, m, m) with one matrix per example.

    None costs 1 for every error. If the number n of examples is None, only a single matrix without
    negative entries is valid.
    """
    if cost_matrix is None:
        return 1.0 - np.eye(n_classes)
    try:
        costs = np.ascontiguousarray(cost_matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidCostMatrixError(
            f"the cost matrix must hold numbers, costs[true, predicted], in rows of equal length; "
            f"found {cost_matrix!r:.80}"
        ) from error
    if n is not None and costs.ndim == 3:
        if costs.shape != (n, n_classes, n_classes):
            raise InvalidCostMatrixError(
                f"costs of each example must have shape {(n, n_classes, n_classes)}, [example, "
                f"true, predicted]; found {costs.shape}"
            )
    elif costs.ndim != 2 or costs.shape[0] != costs.shape[1]:
        each = "" if n is None else ", or costs[row, true, predicted] for costs of each row"
        raise InvalidCostMatrixError(
            f"the cost matrix must be square, costs[true, predicted]{each}; found shape "
            f"{costs.shape}"
        )
    elif len(costs) != n_classes:
        raise InvalidCostMatrixError(
            f"the cost matrix is for {len(costs)} classes, the scores for {n_classes}"
        )
    hint = " (subtract a row's smallest cost from the row: the optimum is the same)"
    _check_numbers(costs, "cost_matrix", "costs", hint, InvalidCostMatrixError, n is not None)
    return costs


def _check_numbers(matrix, name, entries, hint, error, negative=False):
    # One pass finds NaN (for which no comparison holds), infinity and negative numbers.
    wrong = ~np.isfinite(matrix) if negative else ~((matrix >= 0) & (matrix < np.inf))
    if wrong.any():
        index = np.argwhere(wrong)[0].tolist()
        asked = "" if negative else f" and non-negative{hint}"
        raise error(f"{name}{index} is {matrix[tuple(index)]}; {entries} must be finite{asked}")


def make_prices(costs: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the cost if each example is predicted as each class, shape (m, n).

    `costs` have shape (m, m), or (n, m, m) with one matrix per example.
    """
    rows = costs[labels] if costs.ndim == 2 else costs[np.arange(len(labels)), labels]
    return np.ascontiguousarray(rows.T)


def without_gains(costs: np.ndarray) -> np.ndarray:
    """Subtract its lowest cost, if negative, from all costs of each true class (second last axis).

    The optimal predictions stay the same.
    """
    return costs - np.minimum(costs.min(axis=-1, keepdims=True), 0.0)


def check_weights(sample_weight: ArrayLike | None, n: int) -> np.ndarray:
    """Return sample weights as float64, shape (n,), not all 0; None means that all are 1."""
    if sample_weight is None:
        return np.ones(n)
    weights = check_each(sample_weight, n)
    if not weights.any():
        raise ValueError("sample_weight is 0 everywhere; at least one weight must be above 0")
    return weights
