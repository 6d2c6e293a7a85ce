"""Logistic regression for a ratio of linear functions of the confusion matrix (METRO)."""

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.estimators.binary_classifier import BinaryClassifier
from beyond_accuracy.estimators.folds import CV, validation_splits
from beyond_accuracy.estimators.ridge_logistic_regression import warn_of_regressions
from beyond_accuracy.estimators.validation import (
    SMALLEST_C,
    ArrayLike,
    MatrixLike,
    binary_examples,
    refuse_keywords,
    several_numbers,
)
from beyond_accuracy.measures import Measure
from beyond_accuracy.measures.contingency import TableFunction, contingency_table
from beyond_accuracy.measures.linear_ratio import error_costs
from beyond_accuracy.scikit_learn import Interval
from beyond_accuracy.solvers.label_regressions import LogisticProblem, dense_if_small


class MetroClassifier(BinaryClassifier):
    """Logistic regression with the class costs that maximize F_β or a similar ratio (METRO).

    The measure is a ratio a/b of two linear functions of the confusion matrix, such as F_β, the
    Jaccard index or balanced accuracy. To maximize a/b is to maximize a − λ·b, where λ is the
    largest value of a/b. For fixed λ, this means minimizing the costs of missed positives and of
    false alarms. So each λ gives a logistic regression with a cost per class. A bisection finds the
    best λ on held-out data.

    Parameters
    ----------
    measure : str, Measure or callable, default "f1"
        "f1", "f<beta>", "jaccard", "accuracy", "balanced_accuracy", "precision",
        "negative_predictive_value", or a function of (TP, FP, FN, TN) that takes arrays, is a ratio
        of two linear functions, and is in [0, 1].
    C : float or array-like of float, default 1.0
        Inverse strength of the penalty, as in sklearn.linear_model.LogisticRegression, at least
        1e-100; one value, or several to choose from.
    n_steps : int, default 7
        Number of bisections of the interval of λ from 0 to 1, for each C. 7 find λ within 0.008.
    cv, random_state
        Held-out data for the choice of λ and C, and seed of the folds; see `FMeasureSVC`.
    tol, max_iter
        See `RidgeLogisticRegression`.
    pos_label
        See `MultivariateSVC`.

    Attributes
    ----------
    ratio_, C_ : float
        The λ and C of the final fit, for which the measure on held-out data is largest.
    ratios_, validation_scores_ : ndarray, shape (n_steps, n_C)
        Values of λ that were tried, and the measure on held-out data for each. There is one row per
        bisection and one column per value of C, in ascending order.
    classes_, pos_label_
        See `MultivariateSVC`.
    coef_, intercept_, n_iter_
        See `RidgeLogisticRegression`.

    Notes
    -----
    The reduction to costs and the search for λ are the paper's, which states them for the loss
    1 − a/b. The surrogate, the bisection and the joint choice of C are choices of this class.

    References
    ----------
    A. Mao, M. Mohri, Y. Zhong, Principled Algorithms for Optimizing Generalized Metrics in Binary
    Classification, ICML 2025. https://arxiv.org/abs/2512.23133

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy import MetroClassifier
    >>> classifier = MetroClassifier("f1").fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 1, 1])
    """

    ratios_: NDArray[np.float64]
    validation_scores_: NDArray[np.float64]
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
        pos_label: Any = None,
    ) -> None:
        self.measure = measure
        self.C = C
        self.n_steps = n_steps
        self.cv = cv
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.pos_label = pos_label

    def fit(
        self, X: MatrixLike, y: ArrayLike, groups: ArrayLike | None = None, **unsupported: Any
    ) -> Self:
        """Choose λ and C on held-out data and fit to X, shape (n, d), and y, shape (n,).

        X is dense or sparse. `groups`, shape (n,), are passed to the splitter `cv`.

        Raises ValueError for invalid data or parameters, if a class has a single distinct example,
        and if the measure is not a ratio of linear functions or depends on one kind of error only.
        """
        refuse_keywords(self, unsupported)
        self._validate_params()
        Cs = np.unique(several_numbers("C", self.C, np.nextafter(SMALLEST_C, 0)))
        X, positive, self.classes_ = binary_examples(self, X, y, dtype=np.float64)
        X, used = dense_if_small(X), np.arange(len(positive))
        splits = validation_splits(self.cv, X, positive, used, self.random_state, groups)
        function, costs = error_costs(self.measure, *np.bincount(~positive))
        tried = _search(self, X, positive, splits, Cs, function, costs)
        self.ratios_, self.validation_scores_ = tried
        step, c = divmod(int(np.argmax(self.validation_scores_[::-1])), len(Cs))
        self.ratio_: float = float(self.ratios_[::-1][step, c])
        self.C_: float = float(Cs[c])
        problem = LogisticProblem(X, positive[:, None]).with_costs(*costs(self.ratio_))
        solution = problem.solve(self.C_, tol=self.tol, max_iter=self.max_iter)
        warn_of_regressions(self, solution.converged, stacklevel=3)
        self.coef_ = self._sign * solution.coef
        self.intercept_ = self._sign * solution.intercept
        self.n_iter_ = int(solution.n_iter[0])
        return self


def _search(model, X, positive, splits, Cs, function, costs):
    """Bisect λ on held-out data for each C; return `ratios_` and `validation_scores_`.

    `function` is the measure of (TP, FP, FN, TN), and `costs` maps λ to the costs of the errors.
    """
    Y = np.repeat(positive[:, None], len(Cs), axis=1)
    problems = [LogisticProblem(X[train], Y[train]) for train, _ in splits]
    starts: list[Any] = [None] * len(splits)
    ratio, ratios, scores = np.full(len(Cs), 0.5), [], []
    for step in range(model.n_steps):
        tables = np.zeros((4, len(Cs)))
        for i, (_, test) in enumerate(splits):
            problem = problems[i].with_costs(*costs(ratio))
            solution = problem.solve(Cs, starts[i], tol=model.tol, max_iter=model.max_iter)
            starts[i] = solution.coef, solution.intercept
            decisions = np.asarray(X[test] @ solution.coef.T) + solution.intercept
            true, once = positive[test], np.ones(len(test))
            tables += np.transpose([contingency_table(true, d, once) for d in decisions.T])
        ratios.append(ratio)
        scores.append(np.nan_to_num(function(*tables), nan=-np.inf))
        ratio = ratio + np.where(scores[-1] >= ratio, 1, -1) * 0.5 ** (step + 2)
    return np.array(ratios), np.array(scores)
