"""SVM with an RBF kernel and a cost factor for positives, solved without kernel approximation."""

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.svm import SVC
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.binary_classifier import PathClassifier
from beyond_accuracy.estimators.kernels import (
    Kernel,
    kernel_decisions,
    resolve_gamma,
)
from beyond_accuracy.estimators.validation import (
    ArrayLike,
    MatrixLike,
    binary_examples,
)
from beyond_accuracy.scikit_learn import Interval, StrOptions
from beyond_accuracy.solvers.data_matrix import squared_norms
from beyond_accuracy.solvers.plane_model import ScaleError

_VALUES_AT_ONCE = 2**18


class KernelCostModelSVC(PathClassifier):
    """SVM with an RBF kernel whose positive examples weigh j times as much as negatives.

    LIBSVM minimizes ½‖w‖² + C·(j·Σ hinge loss of positives + Σ hinge loss of negatives) in the
    feature space of the kernel, without approximating the kernel. The intercept is not regularized.
    For a linear kernel, see `CostModelSVC`.

    Parameters
    ----------
    C, j : float, default 1.0
        See `CostModelSVC`.
    gamma : "scale", "auto" or float, default "scale"
        The kernel is exp(−gamma·‖x − z‖²); see sklearn.svm.SVC.
    tol : float, default 1e-3
        Largest violation of the optimality conditions at which LIBSVM stops.
    max_iter : int, default 1000000
        Iterations, each on two examples. Reaching the limit gives a ConvergenceWarning.
    cache_size : float, default 200
        Size of the cache of kernel values, in megabytes. If the kernel matrix fits, all fits of
        `fit_path` share it.

    Attributes
    ----------
    support_ : ndarray, shape (n_support,)
        Indices of the support vectors.
    dual_coef_ : ndarray, shape (1, n_support)
        Coefficients of the support vectors in the decision function.
    kernel_error_ : float
        Always 0, since the kernel is not approximated.

    References
    ----------
    T. Joachims, SVM-light, whose option -j is the cost model.
    https://www.cs.cornell.edu/people/tj/svm_light/
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
    ) -> None:
        self.C = C
        self.j = j
        self.gamma = gamma
        self.tol = tol
        self.max_iter = max_iter
        self.cache_size = cache_size

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        Raises ValueError if X has NaN or infinity, y has not two classes, or a parameter is
        invalid.
        """
        self._solve(self._start(X, y))
        return self

    warm_starts = False
    _path_parameters = ("j", "C")
    _checks = {
        "accept_sparse": "csr", "accept_large_sparse": False, "dtype": np.float64, "order": "C"
    }  # fmt: skip

    def _start(self, X, y):
        self._validate_params()
        X, positive, self.classes_ = binary_examples(self, X, y)
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
        distances = kept[0]
        values = np.empty_like(distances)
        step = max(_VALUES_AT_ONCE // len(values), 1)
        for start in range(0, len(values), step):
            part = values[start : start + step]
            np.multiply(distances[start : start + step], -self.gamma_, out=part)
            np.exp(part, out=part)
        return values

    def fit_path(
        self,
        X: MatrixLike,
        y: ArrayLike,
        X_validation: MatrixLike,
        candidates: Sequence[Mapping[str, Any]],
    ) -> Iterator[tuple[int, "KernelCostModelSVC", np.ndarray]]:
        """Fit a copy of this estimator for each candidate, a dict of parameter values.

        Yield (index of the candidate, fitted copy, decision values of X_validation) per candidate,
        in an order in which fits can share kernel values. See `MultivariateSVC.fit_path` for the
        parameters.
        """
        path = copy.copy(self)
        path._distances = []
        fits = super(KernelCostModelSVC, path).fit_path(X, y, X_validation, candidates)
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
        self.dual_coef_ = dual_coef.toarray() if scipy.sparse.issparse(dual_coef) else dual_coef
        self.intercept_, self.n_iter_ = svc.intercept_, int(svc.n_iter_[0])
        self.kernel_error_: float = 0.0

    def decision_function(self, X: MatrixLike) -> NDArray[np.float64]:
        """Compute decision values, shape (n,), float64; above 0 predicts `classes_[1]`."""
        check_is_fitted(self)
        kernel = self.dual_coef_[0], self._kernel, self.support_vectors_
        rows = super()._rows(X)
        return kernel_decisions(*kernel, rows) + self.intercept_

    def _rows(self, X):
        return SharedKernelValues(self._kernel, super()._rows(X), self._n_training)

    def _decide(self, rows):
        support, vectors = self.support_, self.support_vectors_
        return rows.decisions(self.dual_coef_[0], support, vectors) + self.intercept_


class SharedKernelValues:
    """Cache of kernel values between training rows and new rows X, for several kernel SVMs.

    The SVMs have the same kernel and training rows. Kernel values are computed when an SVM first
    needs them, and kept for the other SVMs.
    """

    def __init__(self, kernel: Callable[[Any, Any], np.ndarray], X: Any, n_training: int):
        self._kernel, self._X = kernel, X
        # Memory that is not written to costs nothing.
        self._values = np.empty((n_training, X.shape[0]))
        self._computed = np.zeros(n_training, dtype=bool)

    def decisions(
        self, coefficients: NDArray[np.float64], support: NDArray[np.integer], vectors: Any
    ) -> np.ndarray:
        """Return the decision values of an SVM on the m new rows, shape (m,).

        The value of a new row x is Σ_i coefficients_i·K(vectors_i, x) with the kernel K and the
        support vectors `vectors`. `support` has the indices of the support vectors among the
        training rows.
        """
        missing = np.flatnonzero(~self._computed[support])
        step = max(_VALUES_AT_ONCE // max(self._X.shape[0], 1), 1)
        for start in range(0, len(missing), step):
            part = missing[start : start + step]
            self._values[support[part]] = self._kernel(vectors[part], self._X)
        self._computed[support] = True
        row = (coefficients, support, [0, len(support)])
        return (scipy.sparse.csr_array(row, shape=(1, len(self._values))) @ self._values)[0]
