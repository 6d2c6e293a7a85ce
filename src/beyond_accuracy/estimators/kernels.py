"""Kernels by name or as functions, with parameters such as gamma computed from training data."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.metrics.pairwise import euclidean_distances, laplacian_kernel, polynomial_kernel

from beyond_accuracy.solvers.kernel_factor import evaluate_kernel
from beyond_accuracy.solvers.plane_model import ScaleError

KERNEL_NAMES = ("linear", "rbf", "poly", "laplacian")
_ROWS_AT_ONCE = 4096


@dataclass(frozen=True)
class Kernel:
    """Kernel function with fixed parameters, called as kernel(X, Y).

    The result has shape (n, m) for n rows of X and m rows of Y, which are both dense or both
    sparse. `kernel` is "rbf", "poly", "laplacian" or a function of X and Y. `gamma`, `degree` and
    `coef0` are the same as in scikit-learn. For "rbf" on dense rows, `centre`, shape (d,), is
    subtracted from all rows, for numerical accuracy.
    """

    kernel: str | Callable[[Any, Any], np.ndarray]
    gamma: float
    degree: int = 3
    coef0: float = 0.0
    centre: np.ndarray | None = None

    def __call__(self, X: Any, Y: Any) -> np.ndarray:
        if callable(self.kernel):
            return self.kernel(X, Y)
        # Both have been validated. The caller reports overflow, with advice.
        with (
            config_context(assume_finite=True, skip_parameter_validation=True),
            np.errstate(over="ignore", invalid="ignore"),
        ):
            if self.kernel == "rbf":
                values = self.squared_distances(X, Y)
                values *= -self.gamma
                return np.exp(values, out=values)
            if self.kernel == "laplacian":
                return laplacian_kernel(_narrow(X), _narrow(Y), gamma=self.gamma)
            return polynomial_kernel(X, Y, gamma=self.gamma, degree=self.degree, coef0=self.coef0)

    @np.errstate(over="ignore", invalid="ignore")
    def squared_distances(self, X: Any, Y: Any) -> np.ndarray:
        """Return the squared Euclidean distances between the rows of X and of Y, shape (n, m)."""
        if scipy.sparse.issparse(X):
            return euclidean_distances(X, Y, squared=True)
        # Equal to scikit-learn's values, without its checks, which take longer on a few rows.
        same = X is Y
        if self.centre is not None:
            X = X - self.centre
            Y = X if same else Y - self.centre
        values = X @ Y.T
        values *= -2
        values += np.einsum("ij,ij->i", X, X)[:, None]
        values += np.einsum("ij,ij->i", Y, Y)
        np.maximum(values, 0.0, out=values)
        if same:
            # The distance of a row to itself is exactly 0.
            np.fill_diagonal(values, 0.0)
        return values


def _narrow(X):
    """Return X with 32-bit indices if sparse; scikit-learn's distances take no others."""
    if not scipy.sparse.issparse(X) or X.indices.dtype == X.indptr.dtype == np.int32:
        return X
    arrays = (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32))
    return scipy.sparse.csr_matrix(arrays, shape=X.shape)


def as_stored(X: Any, stored: Any) -> Any:
    """Convert X to the storage format of `stored`, which is a dense array or a CSR matrix."""
    if scipy.sparse.issparse(stored):
        return X if scipy.sparse.issparse(X) else scipy.sparse.csr_matrix(X)
    return X.toarray() if scipy.sparse.issparse(X) else X


def kernel_values(kernel: Callable[[Any, Any], np.ndarray], components: Any, X: Any) -> np.ndarray:
    """Return the kernel values between the training rows `components` and the rows of X.

    The result has shape (n_components, n_rows).
    """
    return evaluate_kernel(kernel, as_stored(X, components), components)


def kernel_decisions(
    coefficients: NDArray[np.float64],
    kernel: Callable[[Any, Any], np.ndarray],
    components: Any,
    X: Any,
) -> np.ndarray:
    """Return Σ_i coefficients[i]·kernel(components[i], x) for each row x of X, shape (n,)."""
    # Blocks of rows save memory.
    parts = (X[start : start + _ROWS_AT_ONCE] for start in range(0, X.shape[0], _ROWS_AT_ONCE))
    return np.concatenate([coefficients @ kernel_values(kernel, components, x) for x in parts])


@np.errstate(over="ignore", invalid="ignore")
def resolve_gamma(gamma: Literal["scale", "auto"] | float, X: Any) -> float:
    """Return the kernel parameter gamma as a number; "scale" and "auto" as in sklearn.svm.SVC.

    Raises ScaleError if the variance of all values of X, or one over it, overflows.
    """
    if gamma == "auto":
        return 1.0 / X.shape[1]
    if gamma != "scale":
        return float(gamma)
    if scipy.sparse.issparse(X):
        variance = float(X.multiply(X).mean() - X.mean() ** 2)
    else:
        variance = float(X.var())
    gamma = 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0
    if not np.isfinite([variance, gamma]).all():
        raise ScaleError
    return gamma
