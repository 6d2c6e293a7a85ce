"""Linear SVM for F_β: cross-validation chooses a target of F_β, which implies costs per class."""

from functools import partial
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from beyond_accuracy.estimators.binary_classifier import BinaryClassifier
from beyond_accuracy.estimators.cost_sensitive_svc import (
    HINGE_CONSTRAINTS,
    TargetCostSVC,
    costs_of_target,
    hinge_options,
    hinge_path,
    solve_for_costs,
    weighted_examples,
)
from beyond_accuracy.estimators.folds import CV, validation_splits
from beyond_accuracy.estimators.validation import ArrayLike, MatrixLike, several_numbers
from beyond_accuracy.measures import contingency_measure
from beyond_accuracy.measures.contingency import f_beta
from beyond_accuracy.scikit_learn import Interval
from beyond_accuracy.solvers.hinge.path import Algorithm

_DEFAULT_TARGETS = np.linspace(0.1, 1.0, 10)


class FMeasureSVC(BinaryClassifier):
    """Linear SVM for F_β by a grid of costs (Parambath et al. 2014; Cheng et al. 2016).

    For every target value t of F_β in a grid, a missed positive costs 1 + β² − t and a false alarm
    costs t. The pair (t, C) with the best F_β in cross-validation is fitted to all data.

    Parameters
    ----------
    beta : float, default 1.0
        Weight of recall against precision in F_β.
    t_grid : array-like of float or None, default None
        Targets in (0, 1 + β²). None is 0.1, 0.2, …, 1.
    C : float or array-like of float, default 1.0
        Weight of the loss, as C in LIBLINEAR; one value, or several to choose from.
    cv : int, float, cross-validation splitter or iterable of (train, test), default 3
        An integer is a number of stratified folds, at least 2. If the rarer class has fewer
        distinct examples, there are fewer folds and a warning. A share such as 0.3 is one
        stratified holdout.
    n_jobs : int or None, default None
        Number of folds fitted in parallel threads; −1 uses all cores.
    algorithm, intercept, mu, tol, max_iter, max_planes, pos_label
        See `CostSensitiveSVC`.
    random_state : int, RandomState or None, default 0
        Seed for the folds, and for the order of the examples in coordinate descent.

    Attributes
    ----------
    t_, C_ : float
        The chosen target and C. Among equally good values, the first in the order of the grids.
    validation_scores_ : ndarray, shape (n_t, n_C)
        Mean F_β over the folds.
    classes_, pos_label_, coef_, intercept_, objective_, dual_gap_, n_iter_, history_
        Attributes of the final fit; see `CostSensitiveSVC`.

    References
    ----------
    F. Cheng et al., Efficient Optimization of F-Measure with Cost-Sensitive SVM, Mathematical
    Problems in Engineering, 2016. https://www.hindawi.com/journals/mpe/2016/5873769/

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy import FMeasureSVC
    >>> classifier = FMeasureSVC().fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 1, 1])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "beta": [Interval(Real, 0, 1e100, closed="right")],
        "t_grid": ["array-like", None],
        "cv": CV,
        "n_jobs": [Integral, None],
        "C": [Interval(Real, 0, None, closed="neither"), "array-like"],
        **HINGE_CONSTRAINTS,
    }

    def __init__(
        self,
        beta: float = 1.0,
        t_grid: ArrayLike | None = None,
        *,
        C: float | ArrayLike = 1.0,
        cv: Any = 3,
        n_jobs: int | None = None,
        algorithm: Algorithm = "auto",
        intercept: Literal["regularized", "free", "none"] = "regularized",
        mu: float = 0.03,
        tol: float = 1e-3,
        max_iter: int = 10_000,
        max_planes: int = 1000,
        random_state: int | np.random.RandomState | None = 0,
        pos_label: Any = None,
    ) -> None:
        self.beta = beta
        self.t_grid = t_grid
        self.C = C
        self.cv = cv
        self.n_jobs = n_jobs
        self.algorithm = algorithm
        self.intercept = intercept
        self.mu = mu
        self.tol = tol
        self.max_iter = max_iter
        self.max_planes = max_planes
        self.random_state = random_state
        self.pos_label = pos_label

    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Choose class costs and C by cross-validation; fit to all X, shape (n, d), and y, (n,).

        `sample_weight`, shape (n,), non-negative, counts in the loss and in the F_β of the folds.
        `groups`, shape (n,), are passed to the cross-validation splitter.

        Raises ValueError for invalid data or parameters, if the weights leave no example of a
        class, and if a class has a single distinct example.
        """
        self._validate_params()
        targets = _DEFAULT_TARGETS if self.t_grid is None else self.t_grid
        targets = several_numbers("t_grid", targets, 0.0, 1.0 + self.beta**2)
        Cs = several_numbers("C", self.C, 0.0)
        X, positive, weight = weighted_examples(self, X, y, sample_weight)
        scores = self._cross_validate(X, positive, weight, targets, Cs, groups)
        best_t, best_C = np.unravel_index(np.argmax(scores), scores.shape)
        self.validation_scores_: NDArray[np.float64] = scores
        self.t_: float = float(targets[best_t])
        self.C_: float = float(Cs[best_C])
        path = hinge_path(self, X, positive, weight, **hinge_options(self))
        missed, false_alarm = costs_of_target(self.t_, self.beta)
        solve_for_costs(self, path, self.C_ * missed, self.C_ * false_alarm)
        return self

    def _cross_validate(self, X, positive, weight, targets, Cs, groups):
        """Return the mean F_β over the folds, shape (n_t, n_C)."""
        measure = contingency_measure("f_beta", partial(f_beta, beta=self.beta))
        model = TargetCostSVC(
            beta=self.beta,
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=self.random_state,
            **hinge_options(self),
        )
        model._warns_of_data = False
        if not isinstance(self.random_state, Integral):
            # Folds in threads would draw from one generator in random order.
            model.random_state = check_random_state(self.random_state).randint(2**31)
        candidates = [{"t": t, "C": C} for t in targets for C in Cs]

        def scores_of_fold(train, test):
            parts = [None, None] if weight is None else [weight[train], weight[test]]
            scores = np.empty(len(candidates))
            fits = model.fit_path(
                X[train], positive[train], X[test], candidates, sample_weight=parts[0]
            )
            for index, _, decisions in fits:
                scores[index] = measure.score(positive[test], decisions, parts[1])
            return scores

        used = np.arange(len(positive)) if weight is None else np.flatnonzero(weight > 0)
        splits = validation_splits(self.cv, X, positive, used, self.random_state, groups)
        folds = (delayed(scores_of_fold)(*split) for split in splits)
        scores = Parallel(self.n_jobs, prefer="threads")(folds)
        return np.mean(scores, axis=0).reshape(len(targets), len(Cs))
