"""The SVM with a cost model and an RBF kernel, solved exactly."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.svm import SVC
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from beyond_accuracy.estimators.binary_labels import encode_binary_labels


class KernelCostModelSVC(ClassifierMixin, BaseEstimator):
    """`CostModelSVC` with an RBF kernel: positives weigh j times as much as negatives.

    Minimizes ½‖w‖² + C·(j·Σ hinge over positives + Σ hinge over negatives) in the kernel's feature
    space by LIBSVM, without approximating the kernel. The intercept is not regularized.

    Parameters
    ----------
    C : float, default 1.0
        Cost of a unit of hinge loss.
    j : float, default 1.0
        Factor on the cost of the positive class, as SVM-light's option -j.
    gamma : "scale", "auto" or float, default "scale"
        The kernel is exp(−gamma·‖x − z‖²); see sklearn.svm.SVC.
    tol : float, default 1e-3
        LIBSVM's: largest violation of the optimality conditions.
    max_iter : int, default 1000000
        Iterations, each on two examples, after which a ConvergenceWarning is given.
    cache_size : float, default 200
        Of kernel values, in megabytes.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The second class is the positive one.
    support_vectors_ : ndarray or CSR matrix, shape (n_support, n_features)
    dual_coef_ : ndarray or CSR matrix, shape (1, n_support)
    intercept_ : ndarray, shape (1,)
    kernel_error_ : float
        0: the kernel is not approximated.
    n_iter_ : int
    """

    _parameter_constraints = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "j": [Interval(Real, 0, None, closed="neither")],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "cache_size": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self, C=1.0, j=1.0, gamma="scale", *, tol=1e-3, max_iter=1_000_000, cache_size=200
    ):
        self.C = C
        self.j = j
        self.gamma = gamma
        self.tol = tol
        self.max_iter = max_iter
        self.cache_size = cache_size

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X, y):
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        Raises
        ------
        ValueError
            If X holds NaN or infinity, y has not exactly two classes, or a parameter is out of
            range.
        """
        self._validate_params()
        X, y = validate_data(
            self, X, y, accept_sparse="csr", accept_large_sparse=False, dtype=np.float64, order="C"
        )
        self.classes_, positive = encode_binary_labels(y)
        self._svc = SVC(
            C=self.C,
            gamma=self.gamma,
            class_weight={1: self.j},
            tol=self.tol,
            max_iter=self.max_iter,
            cache_size=self.cache_size,
        ).fit(X, positive.astype(np.int64))
        self.support_vectors_ = self._svc.support_vectors_
        self.dual_coef_ = self._svc.dual_coef_
        self.intercept_ = self._svc.intercept_
        self.n_iter_ = int(self._svc.n_iter_[0])
        self.kernel_error_ = 0.0
        return self

    def decision_function(self, X):
        """Decision values, shape (n,), float64; above 0 predicts `classes_[1]`."""
        check_is_fitted(self)
        X = validate_data(
            self,
            X,
            accept_sparse="csr",
            accept_large_sparse=False,
            dtype=np.float64,
            order="C",
            reset=False,
        )
        return self._svc.decision_function(X)

    def predict(self, X):
        """Predicted labels, shape (n,)."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]
