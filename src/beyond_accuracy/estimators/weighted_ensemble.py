"""A weighted vote of auxiliary classifiers, trained for a performance measure."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, validate_data

from beyond_accuracy.estimators.auxiliaries import (
    auxiliary_outputs,
    default_auxiliaries,
    fit_auxiliaries,
    rows_for_auxiliaries,
)
from beyond_accuracy.estimators.binary_labels import encode_binary_labels
from beyond_accuracy.estimators.certified_solution import CertifiedSolutionMixin
from beyond_accuracy.estimators.linear_decision import LinearDecisionMixin
from beyond_accuracy.solvers import make_solver


class WeightedEnsemble(CertifiedSolutionMixin, LinearDecisionMixin, BaseEstimator):
    """Multivariate SVM on nothing but the outputs ±1 of auxiliary classifiers.

    `CAPOClassifier` without its delta function: f(x) = Σ a_i·f_i(x) + b, where a and b minimize
    ½‖a‖² + ½b² + C·ξ with ξ as in `MultivariateSVC` (Li, Tsang, Zhou 2013).

    Parameters
    ----------
    auxiliaries : list of classifiers, or None, default None
        As in `CAPOClassifier`.
    measure : str, Measure or callable, default "f1"
        See `MultivariateSVC`.
    C : float or None, default None
        Weight of the loss, in SVM-perf's convention; None is n/100.
    tol : float, default 1e-3
        Relative duality gap, (primal − dual) / primal, at which to stop.
    max_iter : int, default 10000
        Iterations after which a ConvergenceWarning names the gap reached.
    fit_intercept : bool, default True

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The second class is the positive one.
    auxiliaries_ : list of classifiers
        All fitted.
    auxiliary_coef_ : ndarray, shape (1, m)
        Weights of the outputs ±1.
    intercept_ : ndarray, shape (1,)
    objective_, dual_gap_, n_iter_, history_
        See `MultivariateSVC`.
    """

    _parameter_constraints = {
        "auxiliaries": [None, list, tuple],
        "measure": [str, callable, object],
        "C": [None, Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
    }

    def __init__(
        self,
        auxiliaries=None,
        measure="f1",
        C=None,
        *,
        tol=1e-3,
        max_iter=10_000,
        fit_intercept=True,
    ):
        self.auxiliaries = auxiliaries
        self.measure = measure
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept

    def fit(self, X, y):
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        Raises
        ------
        ValueError
            As `MultivariateSVC.fit`; and if an auxiliary was fitted on other features or classes,
            or predicts one class only.
        """
        self._validate_params()
        given = X
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=[np.float64, np.float32])
        self.classes_, positive = encode_binary_labels(y)
        auxiliaries = self.auxiliaries
        self.auxiliaries_, outputs = fit_auxiliaries(
            default_auxiliaries() if auxiliaries is None else list(auxiliaries),
            rows_for_auxiliaries(given, X),
            y,
            self.classes_,
            leave_out_constant=auxiliaries is None,
        )
        solver = make_solver(outputs, positive, self.measure, fit_intercept=self.fit_intercept)
        C = X.shape[0] / 100 if self.C is None else float(self.C)
        solution = solver.solve(C, tol=self.tol, max_iter=self.max_iter)
        self.auxiliary_coef_ = solution.w[None, :-1]
        self.intercept_ = solution.w[-1:]
        self._record_solution(solution)
        return self

    def decision_function(self, X):
        """Decision values, shape (n,), float64; above 0 predicts `classes_[1]`."""
        check_is_fitted(self)
        given = X
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        X = rows_for_auxiliaries(given, X)
        outputs = auxiliary_outputs(self.auxiliaries_, X, self.classes_)
        return outputs @ self.auxiliary_coef_[0] + self.intercept_[0]
