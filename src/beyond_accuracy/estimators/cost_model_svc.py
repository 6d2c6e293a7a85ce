"""The linear SVM with a cost model: positives weigh j times as much as negatives."""

import warnings
from numbers import Integral, Real

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import validate_data

from beyond_accuracy.estimators.binary_labels import encode_binary_labels
from beyond_accuracy.estimators.linear_decision import LinearDecisionMixin


class CostModelSVC(LinearDecisionMixin, BaseEstimator):
    """Linear hinge-loss SVM through LIBLINEAR, with convergence checked.

    Minimizes ½‖w‖² + C·(j·Σ hinge over positives + Σ hinge over negatives).

    Parameters
    ----------
    C : float, default 1.0
        Cost of a unit of hinge loss, in LIBLINEAR's convention.
    j : float, default 1.0
        Factor on the cost of the positive class, as SVM-light's option -j.
    tol : float, default 1e-3
        LIBLINEAR's tolerance on the projected gradient.
    max_iter : int, default 10000
        LIBLINEAR stops there without a word; a ConvergenceWarning is raised instead.
    intercept_scaling : float, default 1.0
        Value of the constant feature whose weight is the intercept. LIBLINEAR regularizes that
        weight and SVM-light does not; at value s the penalty on the intercept shrinks by s², but
        LIBLINEAR needs many more iterations. `benchmarks/intercept.py` measures the effect.
    random_state : int, RandomState or None, default 0
        Order of LIBLINEAR's coordinate descent.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The second class is the positive one.
    coef_ : ndarray, shape (1, n_features)
    intercept_ : ndarray, shape (1,)
    n_iter_ : int
    converged_ : bool
    """

    _parameter_constraints = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "j": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "intercept_scaling": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(
        self, C=1.0, j=1.0, *, tol=1e-3, max_iter=10_000, intercept_scaling=1.0, random_state=0
    ):
        self.C = C
        self.j = j
        self.tol = tol
        self.max_iter = max_iter
        self.intercept_scaling = intercept_scaling
        self.random_state = random_state

    def fit(self, X, y):
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes."""
        self._validate_params()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, order="C")
        if scipy.sparse.issparse(X) and X.indices.dtype != np.int32:
            X = scipy.sparse.csr_matrix(
                (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape
            )
        self.classes_, positive = encode_binary_labels(y)
        model = LinearSVC(
            loss="hinge",
            C=self.C,
            class_weight={1: self.j},
            tol=self.tol,
            max_iter=self.max_iter,
            intercept_scaling=self.intercept_scaling,
            random_state=self.random_state,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X, positive.astype(int))
        self.coef_ = model.coef_
        self.intercept_ = np.atleast_1d(model.intercept_)
        self.n_iter_ = int(np.max(model.n_iter_))
        self.converged_ = self.n_iter_ < self.max_iter
        if not self.converged_:
            warnings.warn(
                f"LIBLINEAR stopped at max_iter={self.max_iter} (C={self.C:g}, j={self.j:g}); "
                "increase max_iter or scale the features",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self
