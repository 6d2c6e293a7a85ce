"""Fits of many hyperparameters, each starting from the end of the last one.

A class takes these functions as methods. It has `_start(X, y)`, which validates the data, sets the
attributes that all fits share and returns a problem. Its `_solve(problem)` fits for the present
parameters. `_path_parameters` names the parameters that a problem does not depend on.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.estimators.parameters import ArrayLike, MatrixLike


def refuse_keywords(estimator: Any, keywords: Mapping[str, Any]) -> None:
    """Raise TypeError for keywords of `fit`: a named parameter would claim to take weights."""
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
        To fit to, as in `fit`.
    X_validation : array or CSR matrix, shape (m, d)
    candidates : sequence of mappings
        Values of parameters. Parameters that a candidate does not name are this estimator's own.

    Yields
    ------
    index : int
        Of the candidate.
    model : estimator
        Fitted copy; this estimator does not change.
    decisions : ndarray of float64, shape (m,)
        Decision values of X_validation.

    Raises
    ------
    ValueError
        As `fit`.
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
    """Return decision values of the fits of `fit_path`, shape (n_candidates, m), float64."""
    decisions = np.empty((len(candidates), X_validation.shape[0]))
    for index, _, values in self.fit_path(X, y, X_validation, candidates, **fit_parameters):
        decisions[index] = values
    return decisions


def paths(self: Any, candidates: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """Return indices of the candidates that `fit_path` fits together, in the order of the fits."""

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
