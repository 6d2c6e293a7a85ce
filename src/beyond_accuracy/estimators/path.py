"""Fits of many hyperparameters one after another, each from where the last one ended."""

import copy
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from beyond_accuracy.estimators.binary_classifier import BinaryClassifier
from beyond_accuracy.estimators.folds import no_groups
from beyond_accuracy.estimators.parameters import ArrayLike, MatrixLike

if TYPE_CHECKING:
    from beyond_accuracy.solvers.solution import Iteration


class PathClassifier(BinaryClassifier):
    """`fit`, and paths of fits, of an estimator made of two steps.

    `_start(X, y)` validates, sets the attributes that all fits share and returns a problem, which
    serves all values of the parameters in `_path_parameters`; `_solve(problem)` fits to it.
    `path_goes_on` is false where a fit of a path does not depend on those before it.
    """

    path_goes_on = True

    _start: Callable[..., Any]
    _solve: Callable[..., None]
    _path_parameters: tuple[str, ...] = ("C",)

    def fit(self, X: MatrixLike, y: ArrayLike, **unsupported: Any) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        Raises ValueError if X holds NaN or infinity, y has not exactly two classes, a parameter is
        out of range, or for what the class names besides; TypeError for keywords, such as weights.
        """
        if "groups" in unsupported:
            raise TypeError(no_groups(self))
        if unsupported:
            # A named parameter would tell scikit-learn that weights are taken.
            raise TypeError(
                f"{type(self).__name__}.fit takes X and y, and no {', '.join(unsupported)}; a "
                "table in `beyond_accuracy.measures` says where weights are taken, or what to do"
            )
        self._solve(self._start(X, y))
        return self

    def fit_path(
        self,
        X: MatrixLike,
        y: ArrayLike,
        X_validation: MatrixLike,
        candidates: Sequence[Mapping[str, Any]],
        **fit_parameters: Any,
    ) -> Iterator[tuple[int, "PathClassifier", np.ndarray]]:
        """Fit candidates in an order that lets them share work.

        Parameters
        ----------
        X, y, **fit_parameters
            To fit to, as in `fit`.
        X_validation : array or CSR matrix, shape (m, d)
        candidates : sequence of mappings
            Values of parameters; what a candidate does not name is this estimator's own.

        Yields
        ------
        index : int
            Of the candidate.
        model : estimator
            Fitted; this estimator is left as it is.
        decisions : ndarray of float64, shape (m,)
            Its decision values.

        Raises
        ------
        ValueError
            As `fit`.
        """
        for indices in self.paths(candidates):
            start = copy.copy(self).set_params(**self._shared(candidates[indices[0]]))
            problem = start._start(X, y, **fit_parameters)
            rows = start._rows(X_validation)
            for index in indices:
                model = copy.copy(start).set_params(**candidates[index])
                model._validate_params()
                model._solve(problem)
                yield index, model, model._decide(rows)

    def path_decisions(
        self,
        X: MatrixLike,
        y: ArrayLike,
        X_validation: MatrixLike,
        candidates: Sequence[Mapping[str, Any]],
        **fit_parameters: Any,
    ) -> NDArray[np.float64]:
        """Decision values of the fits of `fit_path`, shape (n_candidates, m), float64."""
        decisions = np.empty((len(candidates), X_validation.shape[0]))
        path = self.fit_path(X, y, X_validation, candidates, **fit_parameters)
        for index, _, values in path:
            decisions[index] = values
        return decisions

    def paths(self, candidates: Sequence[Mapping[str, Any]]) -> list[list[int]]:
        """Indices of the candidates that `fit_path` fits together, in the order of their fits."""

        def position(index):
            values = (candidates[index].get(k, getattr(self, k)) for k in self._path_parameters)
            # None, the default of C, is first.
            return [value or 0.0 for value in values]

        groups: dict = {}
        for index, candidate in enumerate(candidates):
            shared = tuple(sorted(self._shared(candidate).items()))
            groups.setdefault(shared, []).append(index)
        return [sorted(indices, key=position) for indices in groups.values()]

    def _shared(self, candidate):
        return {k: v for k, v in candidate.items() if k not in self._path_parameters}

    def _record_solution(self, solution):
        """`objective_`, `dual_gap_`, `n_iter_` and `history_`, and the warning of an early end."""
        self.objective_: float = solution.objective
        self.dual_gap_: float = solution.dual_gap
        self.n_iter_: int = solution.n_iter
        self.history_: list[Iteration] = solution.history
        if not solution.converged:
            remedy = "increase max_iter or scale the features to a similar range"
            if solution.n_iter < self.max_iter:
                remedy = "rounding lets it shrink no further: scale the features to a similar range"
            warnings.warn(
                f"stopped after {solution.n_iter} iterations at a duality gap of "
                f"{solution.dual_gap:.2g} of the objective, more than tol={self.tol:g} allows; "
                f"{remedy}",
                ConvergenceWarning,
                stacklevel=5,
            )
