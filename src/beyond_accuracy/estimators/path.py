"""Fits for several parameter values ("candidates"), each warm-started by the previous ones.

A class takes these functions as methods. It has `_start(X, y)`, which validates the data, sets the
attributes that all fits share and returns a problem. Its `_solve(problem)` fits with the current
parameters. `_path_parameters` names the parameters that a problem does not depend on.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.estimators.parameters import ArrayLike, MatrixLike


def refuse_keywords(estimator: Any, keywords: Mapping[str, Any]) -> None:
    """Raise TypeError if `fit` got keywords, such as sample_weight, that it does not support.

    `fit` accepts **unsupported keywords, since scikit-learn takes a parameter `sample_weight` as a
    sign that weights are supported.
    """
    if keywords:
        raise TypeError(
            f"{type(estimator).__name__}.fit takes X and y, and no {', '.join(keywords)}; a "
            "table in `beyond_accuracy.measures` says where weights are taken, or what to do"
        )


def fit_path(
    self: Any,
    X: MatrixLike,
    y: ArrayLike,
    X_validation: MatrixLike,
    candidates: Sequence[Mapping[str, Any]],
    **fit_parameters: Any,
) -> Iterator[tuple[int, Any, NDArray[np.float64]]]:
    """Fit candidates in an order that lets them share work.

    Parameters
    ----------
    X, y, **fit_parameters
        Training data and keywords, as for `fit`.
    X_validation : array or CSR matrix, shape (m, d)
        Rows for which decision values are computed.
    candidates : sequence of mappings
        Parameter values by name. Other parameters have the values of this estimator.

    Yields
    ------
    index : int
        Index of the candidate.
    model : estimator
        Fitted copy of this estimator, which itself does not change.
    decisions : ndarray of float64, shape (m,)
        Decision values of X_validation.

    Raises
    ------
    ValueError
        If `fit` raises it.
    """
    for indices in self.paths(candidates):
        start = copy.copy(self).set_params(**_shared(self, candidates[indices[0]]))
        problem = start._start(X, y, **fit_parameters)
        rows = start._rows(X_validation)
        for index in indices:
            model = copy.copy(start).set_params(**candidates[index])
            model._validate_params()
            model._solve(problem)
            yield index, model, model._decide(rows)


def path_decisions(
    self: Any,
    X: MatrixLike,
    y: ArrayLike,
    X_validation: MatrixLike,
    candidates: Sequence[Mapping[str, Any]],
    **fit_parameters: Any,
) -> NDArray[np.float64]:
    """Return the decision values of each candidate on X_validation, shape (n_candidates, m).

    See `fit_path` for the parameters.
    """
    decisions = np.empty((len(candidates), X_validation.shape[0]))
    for index, _, values in self.fit_path(X, y, X_validation, candidates, **fit_parameters):
        decisions[index] = values
    return decisions


def paths(self: Any, candidates: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """Return lists of indices of candidates that `fit_path` fits together, in the order of fits."""

    def position(index):
        values = (candidates[index].get(k, getattr(self, k)) for k in self._path_parameters)
        # None, the default of C, comes first.
        return [value or 0.0 for value in values]

    groups: dict = {}
    for index, candidate in enumerate(candidates):
        shared = tuple(sorted(_shared(self, candidate).items()))
        groups.setdefault(shared, []).append(index)
    return [sorted(indices, key=position) for indices in groups.values()]


def _shared(estimator, candidate):
    return {k: v for k, v in candidate.items() if k not in estimator._path_parameters}
