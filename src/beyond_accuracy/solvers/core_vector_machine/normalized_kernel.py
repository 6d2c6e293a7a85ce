"""Kernels with k(x, x) = 1, from inner products of dense or sparse rows."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import scipy.sparse

from beyond_accuracy.compilation import compiled
from beyond_accuracy.solvers.moments import column_variances

_LIBCVM_ROWS = 5000
KernelName = Literal["rbf", "poly", "laplacian", "inverse_distance", "inverse_square_distance"]
KERNEL_NAMES: tuple[KernelName, ...] = get_args(KernelName)


def inverse_mean_squared_distance(X) -> float:
    """1 / mean of ‖x − z‖² over all n² pairs of rows; 1 if all rows are equal.

    The mean is 2·(mean ‖x‖² − ‖mean x‖²), which is twice the sum of the columns' variances.
    """
    total = 2.0 * float(column_variances(X).sum())
    return 1.0 / total if total > 0 else 1.0


def libcvm_width(X) -> float:
    """The gamma that LibCVM takes by default; 1 if all rows that it looks at are equal.

    Twice the inverse of the mean of ‖x − z‖² over the pairs of different rows out of every k-th
    one, k = ⌈n/5000⌉. That mean is twice the sum of the columns' unbiased variances.
    """
    total = float(column_variances(X[:: -(-X.shape[0] // _LIBCVM_ROWS)], ddof=1).sum())
    return 1.0 / total if total > 0 else 1.0


@dataclass(frozen=True)
class NormalizedKernel:
    """One of KERNEL_NAMES, as LibCVM defines them, with D = gamma·‖x − z‖².

    "rbf" exp(−D), "laplacian" exp(−√D), "inverse_distance" 1/(1 + √D),
    "inverse_square_distance" 1/(1 + D), and "poly" the polynomial p(x, z)^degree,
    p(x, z) = gamma·x·z + coef0, divided by its values at (x, x) and (z, z):
    (p(x, z)/√(p(x, x)·p(z, z)))^degree; where p(x, x) is 0 it is 0 for every z but x.
    """

    name: str
    gamma: float
    degree: int = 3
    coef0: float = 0.0

    def of_products(self, products, squares, other_squares):
        """Kernel values, shape (n, m), from inner products of that shape, which are overwritten.

        `squares` (n,) and `other_squares` (m,) are the squared norms of the rows.
        """
        self.write_values(products, squares, other_squares, products)
        return products

    def write_values(self, products, squares, other_squares, out, others_first=False):
        """Write the kernel values of `of_products` to `out`, which may be the products.

        With `others_first` they are rounded as those of the transposed products.
        """
        if self.name == "poly":
            factors = self._inverse_norms(squares), self._inverse_norms(other_squares)
            options = self.gamma, self.coef0, self.degree
            _polynomials(products, *factors, others_first, *options, out)
        else:
            is_rooted = self.name in ("laplacian", "inverse_distance")
            is_exponential = self.name in ("rbf", "laplacian")
            options = self.gamma, is_rooted, is_exponential
            _functions_of_distances(products, squares, other_squares, others_first, *options, out)

    def _inverse_norms(self, squares):
        norms = np.sqrt(self.gamma * squares + self.coef0)
        return np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)


# Rows are written in loops of one operation or two, which the compiler makes vectors of.
@compiled(error_model="numpy")
def _functions_of_distances(
    products, squares, other_squares, others_first, gamma, is_rooted, is_exponential, out
):
    for i in range(len(products)):
        values, square = out[i], squares[i]
        for j in range(len(values)):
            value, other = -2.0 * products[i, j], other_squares[j]
            value = (value + other) + square if others_first else (value + square) + other
            values[j] = gamma * (0.0 if value < 0.0 else value)
        if is_rooted:
            for j in range(len(values)):
                values[j] = np.sqrt(values[j])
        if is_exponential:
            for j in range(len(values)):
                values[j] = np.exp(-values[j])
        else:
            for j in range(len(values)):
                values[j] = 1.0 / (1.0 + values[j])


@compiled
def _polynomials(products, factors, other_factors, others_first, gamma, coef0, degree, out):
    for i in range(len(products)):
        factor = factors[i]
        for j in range(products.shape[1]):
            value, other = gamma * products[i, j] + coef0, other_factors[j]
            value = (value * other) * factor if others_first else (value * factor) * other
            power = value
            for _ in range(degree - 1):
                power *= value
            out[i, j] = power


def inner_products(X, Z):
    """x·z for every pair of rows, shape (n, m); both dense, or both CSR matrices."""
    if not scipy.sparse.issparse(X):
        return X @ Z.T
    columns = Z.tocsc()
    out = np.zeros((X.shape[0], Z.shape[0]))
    _sparse_products(
        X.data, X.indices, X.indptr, columns.data, columns.indices, columns.indptr, out
    )
    return out


def all_products(X, Z):
    """x·z for every pair of rows, each rounded as by `inner_products` of most others with Z."""
    if scipy.sparse.issparse(X):
        return inner_products(X, Z)
    n = len(X)
    # BLAS has other sums for the last of an odd number of rows, and for an array with itself.
    return inner_products(np.pad(X, ((0, n % 2), (0, 0))), Z)[:n]


@compiled
def _sparse_products(data, indices, indptr, z_data, z_indices, z_indptr, out):
    """Add x_ik·z_jk to out_ij, reading the rows of X and, of Z, only the columns that they have."""
    for i in range(len(out)):
        for k in range(indptr[i], indptr[i + 1]):
            column, value = indices[k], data[k]
            for z_k in range(z_indptr[column], z_indptr[column + 1]):
                out[i, z_indices[z_k]] += value * z_data[z_k]
