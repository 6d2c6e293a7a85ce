"""LibCVM's kernels and default gamma, computed from inner products of dense or sparse rows."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import scipy.sparse

from beyond_accuracy.compilation import compiled
from beyond_accuracy.solvers.data_matrix import column_variances

_LIBCVM_ROWS = 5000
KernelName = Literal[
    "rbf", "laplacian", "inverse_distance", "inverse_square_distance", "poly", "unnormalized_poly"
]
KERNEL_NAMES: tuple[KernelName, ...] = get_args(KernelName)
_NUMBERS = {name: number for number, name in enumerate(KERNEL_NAMES)}


def inverse_mean_squared_distance(X) -> float:
    """Return 1 divided by the mean of ‖x − z‖² over all pairs of rows, or 1 if the mean is 0."""
    total = 2.0 * float(column_variances(X).sum())
    return 1.0 / total if total > 0 else 1.0


def libcvm_gamma(X) -> float:
    """Return LibCVM's default of the kernel parameter gamma for training data X.

    It is 2 divided by the mean of ‖x − z‖² over pairs of different rows, or 1 if the mean is 0.
    With n > 5000 rows, only every ⌈n/5000⌉-th row is used.
    """
    total = float(column_variances(X[:: -(-X.shape[0] // _LIBCVM_ROWS)], ddof=1).sum())
    return 1.0 / total if total > 0 else 1.0


@dataclass(frozen=True)
class Kernel:
    """One of LibCVM's kernels, with its parameters.

    With D = gamma·‖x − z‖² and p(x, z) = gamma·x·z + coef0, the kernels are

    - "rbf": exp(−D)
    - "laplacian": exp(−√D)
    - "inverse_distance": 1/(√D + 1)
    - "inverse_square_distance": 1/(D + 1)
    - "poly": (p(x, z)/√(p(x, x)·p(z, z)))^degree. If p(x, x) is 0, k(x, x) is 1, and k(x, z) is 0
      for all other z.
    - "unnormalized_poly": p(x, z)^degree
    """

    name: KernelName
    gamma: float
    degree: int = 3
    coef0: float = 0.0

    @property
    def has_constant_diagonal(self) -> bool:
        """Whether k(x, x) = 1 for every x."""
        return self.name != "unnormalized_poly"

    @property
    def options(self) -> tuple[int, float, int, float]:
        """Tuple (index of the kernel function, gamma, degree, coef0) for compiled functions."""
        return _NUMBERS[self.name], float(self.gamma), int(self.degree), float(self.coef0)

    def largest_value(self, squares) -> float:
        """Return the largest k(x, x) among rows with the squared norms `squares`, shape (n,)."""
        if self.has_constant_diagonal:
            return 1.0
        largest = squares.max(keepdims=True)
        return float(self.of_products(largest[:, None].copy(), largest, largest)[0, 0])

    def of_products(self, products, squares, other_squares):
        """Turn inner products of rows x and z into kernel values k(x, z), in place; return them.

        `products` has shape (n, m). `squares`, shape (n,), and `other_squares`, shape (m,), are the
        squared norms of the rows x and z.
        """
        _kernel_matrix(products, squares, other_squares, *self.options)
        return products


@compiled
def _kernel_matrix(products, squares, other_squares, number, gamma, degree, coef0):
    for i in range(len(products)):
        kernel_values(products[i], squares[i], other_squares, number, gamma, degree, coef0)


@compiled(error_model="numpy")
def kernel_values(values, square, squares, number, gamma, degree, coef0):
    """Turn inner products of one row with m other rows into kernel values, in place.

    `values` are the inner products, `square` is the squared norm of the row, and `squares` are
    those of the other rows. `number` is the index of the kernel in KERNEL_NAMES.
    """
    if number < 4:
        for j in range(len(values)):
            distance = (square + squares[j]) - 2.0 * values[j]
            values[j] = gamma * (0.0 if distance < 0.0 else distance)
    if number == 1 or number == 2:
        for j in range(len(values)):
            values[j] = np.sqrt(values[j])
    if number < 2:
        for j in range(len(values)):
            values[j] = np.exp(-values[j])
    elif number < 4:
        for j in range(len(values)):
            values[j] = 1.0 / (values[j] + 1.0)
    else:
        for j in range(len(values)):
            base = gamma * values[j] + coef0
            if number == 4:
                norm = np.sqrt((gamma * square + coef0) * (gamma * squares[j] + coef0))
                base = base / norm if norm > 0.0 else 0.0
            values[j] = _power(base, degree)


@compiled
def _power(base, exponent):
    """Return base^exponent for an integer exponent, by repeated squaring in LibCVM's order."""
    power = 1.0
    while exponent > 0:
        if exponent % 2 == 1:
            power *= base
        base *= base
        exponent //= 2
    return power


def inner_products(X, Z):
    """Return the inner products of all rows of X with all rows of Z, both dense or both CSR."""
    products = X @ Z.T
    return products.toarray() if scipy.sparse.issparse(products) else products
