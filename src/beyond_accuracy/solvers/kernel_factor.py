"""Low-rank approximation of a kernel matrix: pivoted incomplete Cholesky with a known error.

K ≈ G·Gᵀ with one column of G per pivot. The pivot is the row with the largest residual K_ii −
‖g_i‖² (Fine and Scheinberg 2001), where g_i is row i of G. The remainder K − G·Gᵀ is positive
semidefinite, so its trace bounds every entry. Columns of several rows with large residuals are
computed in one matrix product; this does not change the choice of pivots.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse
from scipy.linalg import solve_triangular

from beyond_accuracy.compilation import compiled

_CHUNK_VALUES = 2**18
_DIAGONAL_ROWS = 64
_MOST_CANDIDATES = 32
_BLOCK = 32


@dataclass(frozen=True)
class KernelFactor:
    """Low-rank approximation G·Gᵀ of a kernel matrix K of n rows.

    `features` is G, shape (n, rank). G is computed from some columns of K. `pivots` are the indices
    of these columns, in the order of choice. `trace` is the trace of K, and `trace_error` the trace
    of K − G·Gᵀ.
    """

    features: np.ndarray = field(repr=False)
    pivots: np.ndarray = field(repr=False)
    trace: float
    trace_error: float

    @property
    def relative_error(self) -> float:
        """Error of the approximation G·Gᵀ of K: trace(K − G·Gᵀ) / trace(K), between 0 and 1."""
        return self.trace_error / self.trace

    @property
    def pivot_block(self) -> np.ndarray:
        """Rows of `features` at the indices `pivots`, lower triangular, shape (rank, rank)."""
        return np.tril(self.features[self.pivots])

    def map(self, values) -> np.ndarray:
        """Return approximate kernel features of m new rows, shape (m, rank).

        `values`, shape (rank, m), is the kernel of each pivot row with each new row.
        """
        return solve_triangular(self.pivot_block, values, lower=True).T

    def expand(self, w) -> np.ndarray:
        """Return weights β, shape (rank,), with features(x)·w = Σ β_j·K(x, pivot row j)."""
        return solve_triangular(self.pivot_block, w, lower=True, trans="T")


@compiled
def _take_step(residual, column, pivot, out):
    """Write the next column of G into `out`, and update the residuals in place.

    `column` is the pivot's column of the remainder K − G·Gᵀ. Return (next pivot, trace of the
    remainder, smallest residual).
    """
    root = np.sqrt(residual[pivot])
    best, trace, lowest = 0, 0.0, np.inf
    for i in range(len(residual)):
        value = column[i] / root
        out[i] = value
        left = residual[i] - value * value
        if i == pivot:
            out[i] = root
            left = 0.0
        lowest = min(lowest, left)
        left = max(left, 0.0)
        residual[i] = left
        trace += left
        if left > residual[best]:
            best = i
    return best, trace, lowest


class _Columns:
    """Columns of the matrix G, in blocks, since their number is not known in advance."""

    def __init__(self, n_samples):
        self.count = 0
        self._blocks = []
        self._n_samples = n_samples

    def new(self):
        """Add a column to the matrix, and return it as an array of n values to be filled."""
        row = self.count % _BLOCK
        if row == 0:
            self._blocks.append(np.zeros((_BLOCK, self._n_samples)))
        self.count += 1
        return self._blocks[-1][row]

    def subtract(self, values, rows, start):
        """Subtract G[rows]·Gᵀ, over the columns of G from `start` on, from `values` in place."""
        for i in range(start // _BLOCK, len(self._blocks)):
            first = max(start - i * _BLOCK, 0)
            block = self._blocks[i][first : self.count - i * _BLOCK]
            values -= block[:, rows].T @ block

    def assemble(self):
        """Return all columns as one C-contiguous matrix, shape (n, number of columns)."""
        features = np.empty((self._n_samples, self.count))
        for i, block in enumerate(self._blocks):
            part = features[:, i * _BLOCK : (i + 1) * _BLOCK]
            part[:] = block[: part.shape[1]].T
        return features


def evaluate_kernel(kernel, X, Y) -> np.ndarray:
    """Return the kernel of each row of Y with each row of X, shape (rows of Y, rows of X).

    `kernel` is a function (part of X, Y) → matrix, called with parts of X to save memory. Raises
    ValueError if a result is sparse, has a wrong shape, or holds values that are not finite real
    numbers.
    """
    n_rows, n_columns = X.shape[0], Y.shape[0]
    values = np.empty((n_columns, n_rows))
    step = max(_CHUNK_VALUES // n_columns, 1)
    for start in range(0, n_rows, step):
        part = X if step >= n_rows else X[start : start + step]
        block = kernel(part, Y)
        if scipy.sparse.issparse(block):
            raise ValueError("the kernel returned a sparse matrix, expected a dense array")
        expected = (part.shape[0], n_columns)
        if np.shape(block) != expected:
            raise ValueError(
                f"the kernel returned shape {np.shape(block)} for {expected[0]} and {expected[1]} "
                f"rows, expected {expected}: kernel(X, Y) must hold one value for each pair of rows"
            )
        block = np.asarray(block)
        if block.dtype.kind not in "fiub":
            raise ValueError(
                f"the kernel returned values of type {block.dtype}, expected real numbers"
            )
        if not np.isfinite(block).all():
            i, j = np.argwhere(~np.isfinite(block))[0]
            raise ValueError(
                f"the kernel returned {block[i, j]} for a pair of rows; scale the features or "
                "choose other kernel parameters"
            )
        values[:, start : start + step] = block.T
    return values


def _not_semidefinite(what):
    return ValueError(
        f"the kernel is not positive semidefinite: {what}; choose another kernel or other "
        'parameters, e.g. coef0 >= 0 for "poly"'
    )


def factor_kernel(
    X, kernel: Callable, *, max_rank: int | None = None, trace_tol: float = 0.0
) -> KernelFactor:
    """Approximate the kernel matrix K of the rows of X by a product G·Gᵀ of low rank.

    The method is a pivoted incomplete Cholesky decomposition, which is deterministic. It takes
    O(n·rank²) time and memory for 2·n·rank floats. It stops

    - at `max_rank` columns of G,
    - when the trace of K − G·Gᵀ is at most `trace_tol` times the trace of K,
    - or when the diagonal of K − G·Gᵀ is only rounding errors.

    Raises ValueError if the kernel is zero everywhere, returns invalid values, or proves not to be
    symmetric and positive semidefinite.
    """
    n_samples = X.shape[0]
    max_rank = n_samples if max_rank is None else min(max_rank, n_samples)
    parts = (X[start : start + _DIAGONAL_ROWS] for start in range(0, n_samples, _DIAGONAL_ROWS))
    diagonals = [evaluate_kernel(kernel, rows, rows).diagonal().copy() for rows in parts]
    residual = np.concatenate(diagonals)
    if residual.min() < 0:
        i = int(np.argmin(residual))
        raise _not_semidefinite(f"K(x, x) = {residual[i]:g} for row {i}")
    largest, trace = float(residual.max()), float(residual.sum())
    if largest == 0:
        raise ValueError("K(x, x) is 0 for every row: the kernel leaves nothing to learn from")
    dtype = np.asarray(kernel(X[:1], X[:1])).dtype
    epsilon = np.finfo(dtype if dtype.kind == "f" else np.float64).eps
    negligible, tolerance = 1e4 * epsilon * largest, 100 * np.sqrt(epsilon) * largest
    if not np.isfinite(trace):
        raise ValueError("the trace of the kernel matrix overflows; scale the features")

    columns = _Columns(n_samples)
    pivots = []
    pivot, left = int(np.argmax(residual)), trace
    n_candidates = 1
    candidates, waiting, n_subtracted = {}, None, 0
    while columns.count < max_rank and left > trace_tol * trace and residual[pivot] > negligible:
        if pivot not in candidates:
            # Twice as many if most of the last ones were used, half as many if few were.
            used = columns.count - n_subtracted
            n_candidates = 2 * n_candidates if 2 * used >= n_candidates else n_candidates // 2
            n_candidates = min(max(n_candidates, 1), _MOST_CANDIDATES, max_rank - columns.count)
            rows = np.argpartition(-residual, n_candidates - 1)[:n_candidates]
            rows = np.append(pivot, rows[rows != pivot])[:n_candidates]
            waiting = evaluate_kernel(kernel, X, X[rows])
            columns.subtract(waiting, rows, 0)
            candidates = {int(row): i for i, row in enumerate(rows)}
            n_subtracted = columns.count
        column = waiting[candidates[pivot]]
        columns.subtract(column[None], np.array([pivot]), n_subtracted)
        asymmetry = np.abs(column[pivots]).max(initial=0.0)
        if asymmetry > tolerance:
            raise ValueError(
                f"the kernel is not symmetric: K(x, z) and K(z, x) differ by {asymmetry:g}; "
                "return the same value for a pair of rows in either order"
            )
        pivots.append(pivot)
        pivot, left, lowest = _take_step(residual, column, pivot, columns.new())
        if lowest < -tolerance:
            raise _not_semidefinite(
                f"a residual of {lowest:g} is left beside a largest K(x, x) of {largest:g}"
            )
    return KernelFactor(columns.assemble(), np.array(pivots, dtype=np.int64), trace, left)
