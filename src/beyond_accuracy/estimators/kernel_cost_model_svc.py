"""SVM with an RBF kernel and a cost factor for positives, solved without kernel approximation."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.svm import SVC
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.binary_classifier import (
    BinaryClassifier,
    finite_decisions,
    fit_path,
    path_decisions,
    paths,
)
from beyond_accuracy.estimators.kernels import (
    Kernel,
    SharedKernelValues,
    kernel_decisions,
    resolve_gamma,
)
from beyond_accuracy.estimators.validation import (
    ArrayLike,
    MatrixLike,
    binary_examples,
    refuse_keywords,
    warn_of_scales,
)
from beyond_accuracy.scikit_learn import Interval, StrOptions
from beyond_accuracy.solvers.data_matrix import squared_norms
from beyond_accuracy.solvers.plane_model import ScaleError


class KernelCostModelSVC(BinaryClassifier):
    """SVM with an RBF kernel whose positive examples weigh j times as much as negatives.

    This is `CostModelSVC` with a kernel. LIBSVM minimizes ½‖w‖² + C·(j·Σ hinge loss of positives +
    Σ hinge loss of negatives) in the feature space of the kernel, without approximating the kernel.
    The intercept is not regularized.

    Parameters
    ----------
    C, j : float, default 1.0
        See `CostModelSVC`.
    gamma : "scale", "auto" or float, default "scale"
        The kernel is exp(−gamma·‖x − z‖²); see sklearn.svm.SVC.
    tol : float, default 1e-3
        Largest violation of the optimality conditions at which LIBSVM stops.
    max_iter : int, default 1000000
        Iterations, each on two examples, after which a ConvergenceWarning is given.
    cache_size : float, default 200
        Size of the cache of kernel values, in megabytes. If the whole kernel matrix fits, it is
        computed at once and shared by all fits of `fit_path`.
    pos_label : int, float, bool, str or None, default None
        See `MultivariateSVC`.

    Attributes
    ----------
    classes_, pos_label_
        See `MultivariateSVC`.
    support_ : ndarray, shape (n_support,)
        Indices of the support vectors.
    support_vectors_ : ndarray or CSR matrix, shape (n_support, n_features)
    dual_coef_ : ndarray, shape (1, n_support)
        Coefficients of the support vectors in the decision function.
    intercept_ : ndarray, shape (1,)
    gamma_ : float
        The value of gamma that was used.
    kernel_error_ : float
        Always 0, since the kernel is not approximated.
    n_iter_ : int

    References
    ----------
    T. Joachims, SVM-light, whose option -j is the cost model.
    https://www.cs.cornell.edu/people/tj/svm_light/

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy import KernelCostModelSVC
    >>> classifier = KernelCostModelSVC(j=4.0).fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 1, 1])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "j": [Interval(Real, 0, None, closed="neither")],
        "gamma": [StrOptions({"auto", "scale"}), Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "cache_size": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        C: float = 1.0,
        j: float = 1.0,
        gamma: Literal["scale", "auto"] | float = "scale",
        *,
        tol: float = 1e-3,
        max_iter: int = 1_000_000,
        cache_size: float = 200,
        pos_label: Any = None,
    ) -> None:
        self.C = C
        self.j = j
        self.gamma = gamma
        self.tol = tol
        self.max_iter = max_iter
        self.cache_size = cache_size
        self.pos_label = pos_label

    def fit(self, X: MatrixLike, y: ArrayLike, **unsupported: Any) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        Raises ValueError if X holds NaN or infinity, y has not exactly two classes or a parameter
        is out of range. Raises TypeError for keywords such as sample_weight.
        """
        refuse_keywords(self, unsupported)
        self._solve(self._start(X, y))
        return self

    path_decisions, paths = path_decisions, paths
    path_goes_on = False
    _path_parameters = ("j", "C")
    _checks = {
        "accept_sparse": "csr", "accept_large_sparse": False, "dtype": np.float64, "order": "C"
    }  # fmt: skip

    def _start(self, X, y):
        self._validate_params()
        self.classes_: np.ndarray
        X, positive, self.classes_ = binary_examples(self, X, y)
        warn_of_scales(X)
        self.gamma_: float = resolve_gamma(self.gamma, X)
        with np.errstate(over="ignore"):
            # A squared distance is a sum of these.
            if not np.isfinite(4.0 * squared_norms(X).max()):
                raise ScaleError
        centre = None if scipy.sparse.issparse(X) else X.mean(axis=0)
        self._kernel = Kernel("rbf", self.gamma_, centre=centre)
        self._n_training = X.shape[0]
        fits_cache = 8.0 * X.shape[0] ** 2 <= self.cache_size * 2**20
        return X, positive, self._matrix(X) if fits_cache else None

    def _matrix(self, X):
        """Return the kernel matrix of X; fits of `fit_path` share the squared distances."""
        kept = getattr(self, "_distances", [])
        if not kept:
            kept.append(self._kernel.squared_distances(X, X))
        return self._kernel.of_squared_distances(kept[0])

    def fit_path(
        self,
        X: MatrixLike,
        y: ArrayLike,
        X_validation: MatrixLike,
        candidates: Sequence[Mapping[str, Any]],
        **fit_parameters: Any,
    ) -> Iterator[tuple[int, "KernelCostModelSVC", np.ndarray]]:
        """Fit a copy of this estimator for each candidate, a combination of parameter values.

        The order of the fits lets them share kernel values. Yield (index of the candidate, fitted
        copy, decision values of X_validation) per candidate. A candidate maps parameter names to
        values. See `MultivariateSVC.fit_path` for the parameters.
        """
        path = copy.copy(self)
        path._distances = []
        fits = fit_path(path, X, y, X_validation, candidates, **fit_parameters)
        for index, model, decisions in fits:
            del model._distances
            yield index, model, decisions

    def _solve(self, problem):
        X, positive, values = problem
        svc = SVC(
            kernel="rbf" if values is None else "precomputed",
            gamma=self.gamma_,
            C=1.0,
            class_weight={0: float(self.C), 1: self.C * self.j},
            tol=self.tol,
            max_iter=self.max_iter,
            cache_size=self.cache_size,
        ).fit(X if values is None else values, positive.astype(np.int64))
        self.support_: NDArray[np.integer] = svc.support_
        self.support_vectors_: Any = X[svc.support_]
        dual_coef = svc.dual_coef_
        self.dual_coef_: NDArray[np.float64] = self._sign * (
            dual_coef.toarray() if scipy.sparse.issparse(dual_coef) else dual_coef
        )
        self.intercept_: NDArray[np.float64] = self._sign * svc.intercept_
        self.n_iter_: int = int(svc.n_iter_[0])
        self.kernel_error_: float = 0.0

    def decision_function(self, X: MatrixLike) -> NDArray[np.float64]:
        """Compute decision values, shape (n,), float64; above 0 predicts `classes_[1]`."""
        check_is_fitted(self)
        kernel = self.dual_coef_[0], self._kernel, self.support_vectors_
        rows = super()._rows(X)
        return finite_decisions(kernel_decisions, *kernel, rows) + self.intercept_

    def _rows(self, X):
        return SharedKernelValues(self._kernel, super()._rows(X), self._n_training)

    def _decide(self, rows):
        support, vectors = self.support_, self.support_vectors_
        return rows.decisions(self.dual_coef_[0], support, vectors) + self.intercept_
