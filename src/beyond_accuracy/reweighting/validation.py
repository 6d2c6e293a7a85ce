"""Checks of scores, labels and costs for all reweighters, and their exceptions."""

import warnings

import numpy as np
from numpy.typing import ArrayLike

from beyond_accuracy.measures.bounds import check_size_of_costs

_SUM_TOLERANCE = 1e-6


class InvalidScoresError(ValueError):
    """Error for scores that are not an (n, m) array of finite non-negative numbers.

    References
    ----------
    K. Deng, C. Bourke, S. Scott, N. V. Vinodchandran, New Algorithms for Optimizing Multi-Class
    Classifiers via ROC Surfaces, ROCML 2006; its extended form:
    https://doi.org/10.1007/s10994-008-5056-8

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
    """Error for labels that are not class indices of the scores' columns.

    References
    ----------
    K. Deng, C. Bourke, S. Scott, N. V. Vinodchandran, New Algorithms for Optimizing Multi-Class
    Classifiers via ROC Surfaces, ROCML 2006; its extended form:
    https://doi.org/10.1007/s10994-008-5056-8

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
    """Return scores as a C-contiguous float64 array of shape (n, m).

    Zeros are accepted, except for a whole row of zeros. Rows need not sum to one.

    Raises
    ------
    InvalidScoresError
        If the array is not two-dimensional, has no row, fewer than two columns or not `n_classes`
        columns, or holds NaN, infinity, negative numbers or a row of zeros.
    """
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


def check_labels(y: ArrayLike, n: int, n_classes: int) -> np.ndarray:
    """Return true classes as int64, shape (n,): indices of columns of the scores.

    Classes without examples are accepted, since a fold may lack some.

    Raises
    ------
    InvalidLabelsError
        If the shape is wrong, or a label is not an integer from 0 to n_classes − 1.
    """
    y = np.asarray(y)
    if y.shape != (n,):
        raise InvalidLabelsError(f"y must have shape ({n},) as the scores; found {y.shape}")
    if y.dtype.kind not in "iufb" or not np.all(np.equal(np.mod(y, 1), 0)):
        raise InvalidLabelsError(
            "y must hold class indices, integers; encode names by np.unique(y, return_inverse=True)"
        )
    labels = y.astype(np.int64)
    if labels.min() < 0 or labels.max() >= n_classes:
        wrong = labels[(labels < 0) | (labels >= n_classes)][0]
        raise InvalidLabelsError(
            f"y holds class {wrong}, but the scores have {n_classes} columns: "
            f"use 0 … {n_classes - 1}"
        )
    return labels


def check_cost_matrix(
    cost_matrix: ArrayLike | None, n_classes: int, *, gains: bool = False
) -> np.ndarray:
    """Return costs [true, predicted] as float64, shape (m, m); None costs 1 for every error.

    Costs may be negative only if `gains` is True. Error messages then also name costs per row.

    Raises
    ------
    InvalidCostMatrixError
        If the costs are not numbers, the shape is not (n_classes, n_classes), or a cost is NaN,
        infinite, above 1e100 in absolute value, or negative although `gains` is False.
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
    if costs.ndim != 2 or costs.shape[0] != costs.shape[1]:
        each = ", or costs[row, true, predicted] for costs of each row" if gains else ""
        raise InvalidCostMatrixError(
            f"the cost matrix must be square, costs[true, predicted]{each}; found shape "
            f"{costs.shape}"
        )
    if costs.shape[0] != n_classes:
        raise InvalidCostMatrixError(
            f"the cost matrix is for {costs.shape[0]} classes, the scores for {n_classes}"
        )
    hint = " (subtract a row's smallest cost from the row: the optimum is the same)"
    _check_numbers(costs, "cost_matrix", "costs", hint, InvalidCostMatrixError, gains)
    check_size_of_costs(costs, InvalidCostMatrixError)
    return costs


def _check_numbers(matrix, name, entries, hint, error, negative=False):
    # One pass finds NaN (for which no comparison holds), infinity and negative numbers.
    wrong = ~np.isfinite(matrix) if negative else ~((matrix >= 0) & (matrix < np.inf))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        asked = "" if negative else f" and non-negative{hint}"
        raise error(
            f"{name}[{row}, {column}] is {matrix[row, column]}; {entries} must be finite{asked}"
        )
