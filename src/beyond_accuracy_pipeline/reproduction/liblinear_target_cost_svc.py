"""Cost-sensitive linear SVM by LIBLINEAR (SVM-CS), with costs for a target value of F_β."""

import warnings
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.binary_classifier import BinaryClassifier
from beyond_accuracy.estimators.cost_sensitive_svc import costs_of_target
from beyond_accuracy.estimators.validation import ArrayLike, MatrixLike, binary_examples
from beyond_accuracy.scikit_learn import Interval, StrOptions
from beyond_accuracy.solvers.hinge import HingePath

# Tolerances that are tried, from LIBLINEAR's loosest useful one to where rounding begins to tell.
TOLERANCES_OF_LIBLINEAR = (1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8)
# The lower bound that gaps are measured against is itself this close to the optimum.
_BOUND_TOL = 1e-5
_TOL_OF_NEWTON = 1e-8


class LiblinearTargetCostSVC(BinaryClassifier):
    """Cost-sensitive linear SVM fitted by LIBLINEAR (SVM-CS), for a target value t of F_β.

    A missed positive costs 1 + β² − t, and a false alarm costs t. With the hinge loss, the
    objective is the same as in `TargetCostSVC` with a regularized intercept. LIBLINEAR's tolerance
    bounds projected gradients, not the objective. Use `stopping_parameters` to choose the tolerance
    by the objective, and `relative_gap` to check a fit.

    Parameters
    ----------
    t, beta, C, random_state
        See `TargetCostSVC`.
    loss : {"hinge", "squared_hinge"}, default "hinge"
        LIBLINEAR's own default is the squared hinge loss.
    fit_intercept : bool, default True
        Whether to add a constant feature. LIBLINEAR's own default is False.
    tol : float, default 0.1
        LIBLINEAR's tolerance; 0.1 is its default for the hinge loss.
    gap : float, default 1e-3
        Relative gap to the optimal objective that `stopping_parameters` aims at.
    max_iter : int, default 10000
        Largest number of passes over the data. A fit that reaches it gives a ConvergenceWarning.

    References
    ----------
    R.-E. Fan et al., LIBLINEAR: A Library for Large Linear Classification, JMLR 9, 2008.
    https://www.jmlr.org/papers/v9/fan08a.html
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "t": [Interval(Real, 0, None, closed="neither")],
        "beta": [Interval(Real, 0, 1e100, closed="right")],
        "C": [Interval(Real, 0, None, closed="neither")],
        "loss": [StrOptions({"hinge", "squared_hinge"})],
        "fit_intercept": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "gap": [Interval(Real, 0, 1, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        t: float = 0.5,
        *,
        beta: float = 1.0,
        C: float = 1.0,
        loss: Literal["hinge", "squared_hinge"] = "hinge",
        fit_intercept: bool = True,
        tol: float = 0.1,
        gap: float = 1e-3,
        max_iter: int = 10_000,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.t = t
        self.beta = beta
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.gap = gap
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes."""
        self._validate_params()
        X, positive, self.classes_ = binary_examples(self, X, y)
        model = self._liblinear(X, positive, self.tol)
        self.coef_, self.intercept_ = model.coef_, np.atleast_1d(model.intercept_)
        self.n_iter_: int = int(model.n_iter_)
        self.objective_: float = self._objective(model, X, positive)
        return self

    def stopping_parameters(self, X: MatrixLike, y: ArrayLike) -> dict[str, float]:
        """Choose LIBLINEAR's tolerance for training data X and y; return {"tol": tolerance}.

        Tolerances are tried from the loosest to the strictest. The first one is chosen whose fit
        has a relative gap of at most `gap` between the objective and a lower bound. The search also
        ends if LIBLINEAR stops at `max_iter`.
        """
        self._validate_params()
        X, positive, _ = binary_examples(self, X, y)
        bound = self._lower_bound(X, positive)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            for tol in TOLERANCES_OF_LIBLINEAR:
                model = self._liblinear(X, positive, tol)
                objective = self._objective(model, X, positive)
                at_limit = int(model.n_iter_) >= self.max_iter
                if at_limit or objective - bound <= self.gap * objective:
                    break
        return {"tol": tol}

    def relative_gap(self, X: MatrixLike, y: ArrayLike) -> float:
        """Return a bound on the relative gap between the training objective and its optimum.

        X and y are the training data. The result is (objective − lower bound) / objective, with a
        lower bound on the optimum from a more accurate solver.
        """
        check_is_fitted(self)
        X, positive, _ = binary_examples(self, X, y)
        bound = self._lower_bound(X, positive)
        return max(self.objective_ - bound, 0.0) / self.objective_

    def _costs(self):
        """Return (C times the cost of a missed positive, C times the cost of a false alarm)."""
        return tuple(self.C * cost for cost in costs_of_target(self.t, self.beta))

    def _liblinear(self, X, positive, tol, dual=True):
        """Fit a `LinearSVC`: by dual coordinate descent or, if not `dual`, by Newton's method."""
        cost_positive, cost_negative = self._costs()
        return LinearSVC(
            loss=self.loss,
            dual=dual,
            C=1.0,
            class_weight={0: cost_negative, 1: cost_positive},
            fit_intercept=self.fit_intercept,
            tol=tol,
            max_iter=self.max_iter,
            random_state=self.random_state,
        ).fit(X, positive.astype(np.int64))

    def _objective(self, model, X, positive):
        """Return the primal objective of a `LinearSVC`."""
        w, b, losses, costs = self._losses(model, X, positive)
        if self.loss == "squared_hinge":
            losses = losses**2
        return float(0.5 * (w @ w + b * b) + costs @ losses)

    def _losses(self, model, X, positive):
        """Return (weights, intercept, hinge loss of each example, cost of each example)."""
        w, b = model.coef_[0].astype(np.float64), np.atleast_1d(model.intercept_).item()
        margins = np.where(positive, 1.0, -1.0) * (np.asarray(X @ w).ravel() + b)
        return w, b, np.maximum(0.0, 1.0 - margins), np.where(positive, *self._costs())

    def _lower_bound(self, X, positive):
        """Return a lower bound on the objective: the dual objective of a more accurate fit."""
        if self.loss == "hinge":
            intercept = "regularized" if self.fit_intercept else "none"
            path = HingePath(X, positive, intercept=intercept)
            return path.solve(*self._costs(), tol=_BOUND_TOL).dual_objective
        model = self._liblinear(X, positive, _TOL_OF_NEWTON, dual=False)
        # The dual objective at the α that belongs to the losses is a bound wherever w is.
        _, _, losses, costs = self._losses(model, X, positive)
        alpha = 2.0 * costs * losses
        signed = np.where(positive, alpha, -alpha)
        w = np.asarray(X.T @ signed).ravel()
        b = float(signed.sum()) if self.fit_intercept else 0.0
        return float(alpha.sum() - 0.5 * (w @ w + b * b) - 0.5 * alpha @ losses)
