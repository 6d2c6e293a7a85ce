"""Logistic regression for a ratio of linear functions of the confusion matrix (METRO)."""

import warnings
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from beyond_accuracy.estimators.binary_classifier import BinaryClassifier, binary_examples
from beyond_accuracy.estimators.folds import CV, validation_splits
from beyond_accuracy.estimators.parameters import (
    SMALLEST_C,
    ArrayLike,
    MatrixLike,
    candidates_of_C,
)
from beyond_accuracy.measures import Measure, get_measure
from beyond_accuracy.measures.contingency import TableFunction
from beyond_accuracy.measures.linear_ratio import error_costs
from beyond_accuracy.measures.threshold_measures import find_threshold_measure, suggestion
from beyond_accuracy.scikit_learn import Interval
from beyond_accuracy.solvers.label_regressions import dense_if_small
from beyond_accuracy.solvers.logistic_newton import LogisticProblem

# Costs, whose mean is 1, that differ by less are equal.
_EQUAL = 1e-9


class MetroClassifier(BinaryClassifier):
    """Logistic regression with the class costs that maximize F_β or a similar ratio (METRO).

    The measure is a ratio a/b of two linear functions of the confusion matrix, such as F_β, the
    Jaccard index or balanced accuracy. Its largest value λ* is the λ at which the maximum of
    a − λ·b is 0, and the maximizer of a − λ*·b also maximizes a/b. For fixed λ, maximizing a − λ·b
    means minimizing costs, one for each missed positive and one for each false alarm. So each λ
    gives a logistic regression with a cost per class. A bisection finds λ* on held-out data.

    Parameters
    ----------
    measure : str, Measure or callable, default "f1"
        "f1", "f<beta>", "jaccard", "accuracy", "balanced_accuracy", "precision",
        "negative_predictive_value", or a function of (TP, FP, FN, TN) that takes arrays and is a
        ratio of two linear functions with higher values for better decisions.
    C : float or array-like of float, default 1.0
        Inverse strength of the penalty, as in sklearn.linear_model.LogisticRegression, at least
        1e-100; one value, or several to choose from. The costs of the two errors have the mean 1.
    n_steps : int, default 7
        Number of bisections for each C, which halve the interval of λ from the worst to the best
        value of the measure. For F1, 7 steps find λ* within 0.008. Measures whose costs do not
        depend on λ need a single step.
    cv : int, float, cross-validation splitter or iterable of (train, test), default 3
        Held-out data for the choice of λ and C; see `FMeasureSVC`.
    tol : float, default 1e-5
        Largest entry of the gradient of the mean loss at which to stop.
    max_iter : int, default 100
        Number of Newton steps after which a ConvergenceWarning is given.
    random_state : int, RandomState or None, default 0
        Seed for the folds.

    Attributes
    ----------
    ratio_ : float
        The λ of the final fit.
    C_ : float
        The C of the final fit.
    ratios_, validation_scores_ : ndarray, shape (n_steps, n_C)
        Values of λ tried, for C in ascending order, and the measure on the pooled held-out
        decisions. The final fit has the λ and C of the largest value; among equals, the λ of the
        latest step and the smallest C.
    classes_ : ndarray, shape (2,)
        The second class is the positive one.
    coef_ : ndarray, shape (1, n_features)
    intercept_ : ndarray, shape (1,)
    n_iter_ : int
        Number of Newton steps of the final fit.

    Notes
    -----
    The paper states the reduction for the loss E[ℓ_α]/E[ℓ_β], which here is 1 − a/b. Its λ is 1
    minus the λ of this class. The paper proves guarantees for other surrogate losses. This class
    follows the abstract and the statement of the reduction. The logistic loss with one cost per
    class, the bisection on held-out data and the joint choice of C are choices of this class.

    References
    ----------
    A. Mao, M. Mohri, Y. Zhong, Principled Algorithms for Optimizing Generalized Metrics in Binary
    Classification, ICML 2025. https://arxiv.org/abs/2512.23133
    S. Parambath, N. Usunier, Y. Grandvalet, Optimizing F-Measures by Cost-Sensitive
    Classification, NIPS 2014.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy import MetroClassifier
    >>> classifier = MetroClassifier("f1").fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 1, 1])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "measure": [str, Measure, callable],
        "C": [Interval(Real, SMALLEST_C, None, closed="left"), "array-like"],
        "n_steps": [Interval(Integral, 1, None, closed="left")],
        "cv": CV,
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        measure: str | Measure | TableFunction = "f1",
        *,
        C: float | ArrayLike = 1.0,
        n_steps: int = 7,
        cv: Any = 3,
        tol: float = 1e-5,
        max_iter: int = 100,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.measure = measure
        self.C = C
        self.n_steps = n_steps
        self.cv = cv
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: MatrixLike, y: ArrayLike, groups: ArrayLike | None = None) -> Self:
        """Choose λ and C on held-out data and fit to X, shape (n, d), and y, shape (n,).

        X is dense or sparse, and y has two classes. `groups`, shape (n,), are for the splitter.

        Raises ValueError if X holds NaN or infinity, y has not exactly two classes, a parameter is
        out of range, or a class has a single distinct example. It also does so if the measure is
        not a ratio of linear functions, or depends on one kind of error only.
        """
        self._validate_params()
        Cs = candidates_of_C(self.C)
        self.classes_: np.ndarray
        X, positive, self.classes_ = binary_examples(self, X, y, dtype=np.float64)
        X = dense_if_small(X)
        used = np.arange(len(positive))
        splits = validation_splits(self.cv, X, positive, used, self.random_state, groups)
        measure, costs = self._measure_and_costs(positive)
        self.ratios_: NDArray[np.float64]
        self.validation_scores_: NDArray[np.float64]
        self.ratios_, self.validation_scores_ = self._search(
            X, positive, splits, Cs, measure.table_function, costs
        )
        latest_first = self.validation_scores_[::-1]
        step, c = np.unravel_index(np.argmax(latest_first), latest_first.shape)
        self.ratio_: float = float(self.ratios_[::-1][step, c])
        self.C_: float = float(Cs[c])
        missed, false_alarm = costs.of(self.ratio_)
        problem = LogisticProblem(X, positive[:, None]).with_costs(false_alarm, missed)
        solution = problem.solve(self.C_, tol=self.tol, max_iter=self.max_iter)
        self.coef_: NDArray[np.float64] = solution.coef
        self.intercept_: NDArray[np.float64] = solution.intercept
        self.n_iter_: int = int(solution.n_iter[0])
        if not solution.converged[0]:
            warnings.warn(
                f"stopped above tol={self.tol:g} after {self.n_iter_} steps, of at most "
                f"max_iter={self.max_iter}; standardize the features or decrease C",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _measure_and_costs(self, positive):
        by_name = isinstance(self.measure, str)
        measure = find_threshold_measure(self.measure) if by_name else get_measure(self.measure)
        counts = np.count_nonzero(positive), np.count_nonzero(~positive)
        costs = None if measure is None else error_costs(measure, *counts)
        if costs is None:
            hint = suggestion(self.measure) if by_name else ""
            raise ValueError(
                f"measure={self.measure!r} is not a ratio of two linear functions of TP, FP, FN "
                f"and TN; {hint}take 'f1', 'f2', 'jaccard' or 'balanced_accuracy', or "
                "OperatingPointClassifier, which tunes a threshold for any measure"
            )
        return measure, costs

    def _search(self, X, positive, splits, Cs, function, costs):
        """Return the values of λ tried and the measure on held-out data, shape (n_steps, n_C).

        `function` is the measure as a function of (TP, FP, FN, TN).
        """
        m = len(Cs)
        Y = np.repeat(positive[:, None], m, axis=1)
        problems = [LogisticProblem(X[train], Y[train]) for train, _ in splits]
        starts: list[Any] = [None] * len(splits)
        low, high = np.full(m, costs.worst), np.full(m, costs.best)
        middle = np.linspace(costs.worst, costs.best, 4)[1:3]
        n_steps = 1 if np.ptp(costs.of(middle), axis=1).max() < _EQUAL else self.n_steps
        ratios, scores = [], []
        for _ in range(n_steps):
            ratio = (low + high) / 2
            missed, false_alarm = costs.of(ratio)
            tables = np.zeros((4, m))
            for i, (_, test) in enumerate(splits):
                problem = problems[i].with_costs(false_alarm, missed)
                solution = problem.solve(Cs, starts[i], tol=self.tol, max_iter=self.max_iter)
                starts[i] = solution.coef, solution.intercept
                says = np.asarray(X[test] @ solution.coef.T) + solution.intercept > 0
                true = Y[test]
                tables += [np.sum(each, axis=0) for each in _cells(true, says)]
            reached = np.nan_to_num(function(*tables), nan=-np.inf)
            enough = reached >= ratio
            low, high = np.where(enough, ratio, low), np.where(enough, high, ratio)
            ratios.append(ratio)
            scores.append(reached)
        return np.array(ratios), np.array(scores)


def _cells(true, predicted):
    return true & predicted, ~true & predicted, true & ~predicted, ~true & ~predicted
