"""The linear SVM with a cost model: positives weigh j times as much as negatives."""

import warnings
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import validate_data

from beyond_accuracy.estimators.binary_labels import encode_binary_labels
from beyond_accuracy.estimators.linear_decision import LinearDecisionMixin
from beyond_accuracy.solvers.hinge import hinge_svm


class CostModelSVC(LinearDecisionMixin, BaseEstimator):
    """Linear hinge-loss SVM with SVM-light's cost model and free intercept, certified by its gap.

    Minimizes ½‖w‖² + C·(j·Σ hinge over positives + Σ hinge over negatives). The intercept is not
    regularized, as in SVM-light and LIBSVM and unlike in LIBLINEAR.

    Parameters
    ----------
    C : float, default 1.0
        Cost of a unit of hinge loss, in LIBLINEAR's and LIBSVM's convention.
    j : float, default 1.0
        Factor on the cost of the positive class, as SVM-light's option -j.
    tol : float, default 1e-3
        Relative duality gap, (primal − dual) / primal, at which to stop.
    max_iter : int, default 10000
        Iterations after which a ConvergenceWarning names the gap reached.
    fit_intercept : bool, default True
    random_state : int, RandomState or None, default 0
        Order of the examples in coordinate descent, which serves beyond 500 features.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The second class is the positive one.
    coef_ : ndarray, shape (1, n_features)
    intercept_ : ndarray, shape (1,)
    objective_ : float
        Primal objective.
    dual_gap_ : float
        Relative duality gap reached.
    n_iter_ : int
    """

    _parameter_constraints = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "j": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self, C=1.0, j=1.0, *, tol=1e-3, max_iter=10_000, fit_intercept=True, random_state=0
    ):
        self.C = C
        self.j = j
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X, y):
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        Raises
        ------
        ValueError
            If X holds NaN or infinity, y has not exactly two classes, or a parameter is out of
            range.
        """
        self._validate_params()
        dtype = [np.float64, np.float32]
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=dtype, order="C")
        self.classes_, positive = encode_binary_labels(y)
        solution = hinge_svm(
            X,
            positive,
            np.where(positive, self.C * self.j, float(self.C)),
            intercept="free" if self.fit_intercept else "none",
            tol=self.tol,
            max_iter=self.max_iter,
            seed=check_random_state(self.random_state).randint(2**31),
        )
        self.coef_ = solution.w[None, :-1]
        self.intercept_ = solution.w[-1:]
        self.objective_ = solution.objective
        self.dual_gap_ = solution.dual_gap
        self.n_iter_ = solution.n_iter
        if not solution.converged:
            warnings.warn(
                f"stopped after {self.n_iter_} iterations at a relative duality gap of "
                f"{self.dual_gap_:.2g}, above tol={self.tol:g} (C={self.C:g}, j={self.j:g}); "
                "increase max_iter or scale the features",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self
