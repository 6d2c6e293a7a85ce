"""Base class of the binary classifiers, and functions for their fits: units of C, results, paths.

A path is a sequence of fits to the same data with several parameter values.
"""

import copy
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.validation import ArrayLike, MatrixLike, validate_data
from beyond_accuracy.measures import Measure
from beyond_accuracy.measures.losses import TopLoss
from beyond_accuracy.solvers.iterations import Iteration, Solution
from beyond_accuracy.solvers.multivariate_svm import advice_at_zero

# Rows converted at a time.
_ROWS = 1_024
# In LIBLINEAR's convention. If the means of the classes hardly differ, their unit has no bound.
_LARGEST_DEFAULT = 1e4


class BinaryClassifier(ClassifierMixin, BaseEstimator):
    """Base class of binary classifiers, which implements `decision_function` and `predict`.

    The decision values are X·w + b. A subclass sets w as `coef_`, b as `intercept_`, and the two
    labels `classes_` in `fit`. A subclass that is not linear in X overrides `_rows`, which prepares
    new rows, and `_decide`, which computes decision values from the prepared rows.
    """

    classes_: np.ndarray
    pos_label_: Any
    coef_: NDArray[np.float64]
    intercept_: NDArray[np.float64]
    # Attributes of classifiers that are fitted by the solvers of this package.
    objective_: float
    dual_gap_: float
    n_iter_: int
    history_: list[Iteration]
    degenerate_: bool
    algorithm_: str

    _checks: dict[str, Any] = {"accept_sparse": "csr", "dtype": [np.float64, np.float32]}
    # False for fits within cross-validation: only the last fit warns.
    _warns_of_data = True

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags

    def decision_function(self, X: MatrixLike) -> NDArray[np.float64]:
        """Compute decision values, shape (n,), float64; above 0 predicts `classes_[1]`."""
        check_is_fitted(self)
        return self._decide(self._rows(X))

    def predict(self, X: MatrixLike) -> np.ndarray:
        """Predict labels, shape (n,)."""
        decisions = self.decision_function(X)
        second = decisions > 0 if self._sign > 0 else decisions >= 0
        return self.classes_[second.astype(int)]

    @property
    def _sign(self):
        """1 if the positive class is `classes_[1]`, otherwise −1."""
        return 1.0 if getattr(self, "pos_label_", self.classes_[1]) == self.classes_[1] else -1.0

    def _rows(self, X):
        return validate_data(self, X, **self._checks, reset=False)

    def _decide(self, rows):
        return linear_scores(rows, self.coef_[0]) + self.intercept_[0]


def linear_scores(rows: Any, coef: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows·coef, shape (n,), for an array or CSR matrix `rows` of shape (n, d)."""
    if scipy.sparse.issparse(rows) or rows.dtype == coef.dtype:
        return np.asarray(rows @ coef).ravel()
    # A single product would copy all rows as float64.
    scores = np.empty(len(rows))
    for start in range(0, len(rows), _ROWS):
        scores[start : start + _ROWS] = rows[start : start + _ROWS] @ coef
    return scores


def best_threshold(
    measure: Measure, positive: NDArray[np.bool_], scores: NDArray[np.float64]
) -> float:
    """Return the threshold on decision scores that maximizes a performance measure.

    Scores above the threshold predict the positive class. `positive` and `scores` have shape (n,).
    For measures of the k highest scores, such as precision at k, k scores exceed the threshold. For
    measures of the whole ranking, such as ROC area, the threshold is 0.
    """
    if not isinstance(measure.loss, TopLoss):
        return measure.best_threshold(positive, scores)
    k = measure.loss.size.count(np.count_nonzero(positive), len(positive))
    ordered = np.append(np.sort(scores)[::-1], scores.min() - 1.0)
    return float((ordered[k - 1] + ordered[k]) / 2)


def weight_of_loss(estimator: Any, n_samples: int, scaled: Callable[[], float]) -> float:
    """Convert the parameter C of an SVM to the unit of the program SVM-perf.

    The estimator's parameter `C_convention` names the unit of `C`. If it is "liblinear", C is the
    weight of one of the `n_samples` examples. If it is "scaled", `scaled()` returns the SVM-perf
    value for C = 1.
    """
    C, convention = estimator.C, estimator.C_convention
    if C is not None and convention == "svm_perf":
        return float(C)
    if convention == "scaled":
        unit = 100 * scaled() or n_samples
    elif C is None:
        unit = n_samples * min(max(100 * scaled() / n_samples, 1.0), _LARGEST_DEFAULT)
    else:
        unit = n_samples
    return float(1.0 if C is None else C) * unit / 100


def solve_for_weight(
    estimator: Any, solver: Any, C: float, *, warn: bool = True
) -> NDArray[np.float64]:
    """Train an SVM with a prepared solver, and set the fitted attributes of the estimator.

    `C` is the weight of the loss in the unit of the program SVM-perf. Return the weights of the
    features followed by the intercept, shape (d + 1,). If zero weights are optimal, `degenerate_`
    is True and, with `warn`, a UserWarning is given.
    """
    solution = solver.solve(C, tol=estimator.tol, eps=estimator.eps, max_iter=estimator.max_iter)
    store_solution(estimator, solution)
    estimator.degenerate_ = solution.zero_is_optimal
    if estimator.degenerate_ and warn:
        warn_of_zero(estimator.measure)
    return solution.w


def warn_of_zero(measure: Any) -> None:
    """Warn that an SVM for this measure has only zero weights, so predictions are arbitrary."""
    warnings.warn(
        f"w = 0 is optimal for every C: the predictions are arbitrary; {advice_at_zero(measure)}",
        UserWarning,
        stacklevel=3,
    )


def store_solution(estimator: Any, solution: Solution) -> None:
    """Copy the result of a solver to the estimator; warn if the solver did not converge."""
    estimator.objective_ = solution.objective
    estimator.dual_gap_ = solution.dual_gap
    estimator.n_iter_ = solution.n_iter
    estimator.history_ = solution.history
    if solution.converged:
        return
    remedy = "increase max_iter or scale the features to a similar range"
    if solution.n_iter < estimator.max_iter:
        remedy = "rounding lets it shrink no further: scale the features to a similar range"
    warnings.warn(
        f"stopped after {solution.n_iter} iterations at a duality gap of "
        f"{solution.dual_gap:.2g} of the objective, more than tol={estimator.tol:g} allows; "
        f"{remedy}",
        ConvergenceWarning,
        stacklevel=2,
    )


class PathClassifier(BinaryClassifier):
    """Base class of binary classifiers whose fits with several parameter values share work.

    A path is a sequence of fits to the same data with several values of the parameters named in
    `_path_parameters`. If `warm_starts` is True, each fit starts from the earlier fits.

    A subclass implements two methods. `_start(X, y)` validates the data, sets the attributes that
    all fits share, and returns the prepared data. `_solve(prepared)` fits with the current
    parameters.
    """

    warm_starts = True
    _path_parameters: tuple[str, ...] = ()

    def fit_path(
        self,
        X: MatrixLike,
        y: ArrayLike,
        X_validation: MatrixLike,
        candidates: Sequence[Mapping[str, Any]],
        **fit_parameters: Any,
    ) -> Iterator[tuple[int, Self, NDArray[np.float64]]]:
        """Fit a copy of this estimator for each candidate, a combination of parameter values.

        Candidates are fitted in an order that saves work, not in the order given.

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
            Fitted copy of this estimator.
        decisions : ndarray of float64, shape (m,)
            Decision values of X_validation.
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

    def paths(self, candidates: Sequence[Mapping[str, Any]]) -> list[list[int]]:
        """Group candidates (combinations of parameter values) whose fits can share work.

        Return one list of candidate indices per group, in the order of the fits.
        """

        def position(index):
            values = (candidates[index].get(k, getattr(self, k)) for k in self._path_parameters)
            # None, the default of C, comes first.
            return [value or 0.0 for value in values]

        groups: dict = {}
        for index, candidate in enumerate(candidates):
            shared = tuple(sorted(self._shared(candidate).items()))
            groups.setdefault(shared, []).append(index)
        return [sorted(indices, key=position) for indices in groups.values()]

    def _shared(self, candidate):
        return {k: v for k, v in candidate.items() if k not in self._path_parameters}
