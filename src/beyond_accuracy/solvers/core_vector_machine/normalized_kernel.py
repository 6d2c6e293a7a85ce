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
        values = products
        if self.name == "poly":
            values *= self.gamma
            values += self.coef0
            for own_squares in (squares[:, None], other_squares[None, :]):
                norm = np.sqrt(self.gamma * own_squares + self.coef0)
                values *= np.divide(1.0, norm, out=np.zeros_like(norm), where=norm > 0)
            power = values.copy()
            for _ in range(self.degree - 1):
                power *= values
            return power
        values *= -2.0
        values += squares[:, None]
        values += other_squares[None, :]
        np.maximum(values, 0.0, out=values)
        values *= self.gamma
        if self.name in ("laplacian", "inverse_distance"):
            np.sqrt(values, out=values)
        if self.name in ("rbf", "laplacian"):
            np.negative(values, out=values)
            return np.exp(values, out=values)
        values += 1.0
        return np.divide(1.0, values, out=values)


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


def rounded_products(known, X, Z):
    """`inner_products` to the bit, with OpenBLAS, from those of `all_products`.

    It has other sums for a single row on either side, and for the last of an odd number of rows.
    """
    if not scipy.sparse.issparse(X):
        if min(known.shape) == 1:
            return inner_products(X, Z)
        if len(X) % 2:
            known[-1] = inner_products(X[-3:], Z)[-1]
    return known


@compiled
def _sparse_products(data, indices, indptr, z_data, z_indices, z_indptr, out):
    """Add x_ik·z_jk to out_ij, reading the rows of X and, of Z, only the columns that they have."""
    for i in range(len(out)):
        for k in range(indptr[i], indptr[i + 1]):
            column, value = indices[k], data[k]
            for z_k in range(z_indptr[column], z_indptr[column + 1]):
                out[i, z_indices[z_k]] += value * z_data[z_k]
