"""The two products with the data that a solver needs.

The data is never copied or reordered: only the scores are, through `position`.
"""

from functools import cached_property

import numpy as np
import scipy.sparse
from numba import njit

_REASSOCIATE = {"reassoc", "contract", "nsz"}


@njit(cache=True, nogil=True, fastmath=_REASSOCIATE)
def _dense_scores(X, coef, intercept, position, out):
    for i in range(X.shape[0]):
        total = 0.0
        for j in range(X.shape[1]):
            total += X[i, j] * coef[j]
        out[position[i]] = total + intercept


@njit(cache=True, nogil=True, fastmath=_REASSOCIATE)
def _dense_combination(X, position, weights, out):
    out[:] = 0.0
    for i in range(X.shape[0]):
        weight = weights[position[i]]
        if weight != 0.0:
            for j in range(X.shape[1]):
                out[j] += weight * X[i, j]


# Reassociation would let the compiler use hardware gathers, slower than scalar loads. Four sums by
# hand instead: one would wait for each addition to end.
@njit(cache=True, nogil=True)
def _sparse_scores(data, indices, indptr, coef, intercept, position, out):
    for i in range(len(indptr) - 1):
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        k, end = indptr[i], indptr[i + 1]
        while k + 3 < end:
            a += data[k] * coef[indices[k]]
            b += data[k + 1] * coef[indices[k + 1]]
            c += data[k + 2] * coef[indices[k + 2]]
            d += data[k + 3] * coef[indices[k + 3]]
            k += 4
        while k < end:
            a += data[k] * coef[indices[k]]
            k += 1
        out[position[i]] = (a + b) + (c + d) + intercept


@njit(cache=True, nogil=True)
def _sparse_combination(data, indices, indptr, position, weights, out):
    out[:] = 0.0
    for i in range(len(indptr) - 1):
        weight = weights[position[i]]
        if weight != 0.0:
            for k in range(indptr[i], indptr[i + 1]):
                out[indices[k]] += weight * data[k]


@njit(cache=True, nogil=True)
def _dense_magnitudes(X, position, share, out):
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            out[j] += share[position[i]] * abs(X[i, j])


def check_structure(X):
    """Raise ValueError if a compressed sparse matrix points beyond its data or its shape.

    SciPy's constructors let such a matrix pass, and the products read memory that is not theirs.
    """
    if not scipy.sparse.issparse(X) or X.format not in ("csr", "csc"):
        return
    starts, n_starts, n_indices = X.indptr, *(X.shape if X.format == "csr" else X.shape[::-1])
    regular = len(starts) == n_starts + 1 and starts[0] == 0 and (np.diff(starts) >= 0).all()
    if not regular or starts[-1] > min(len(X.indices), len(X.data)):
        raise ValueError(
            f"the sparse matrix X is damaged: its indptr must rise from 0 to at most "
            f"{min(len(X.indices), len(X.data))}, the number of values, in {n_starts + 1} numbers"
        )
    indices = X.indices[: starts[-1]]
    if len(indices) and not 0 <= indices.min() <= indices.max() < n_indices:
        raise ValueError(
            f"the sparse matrix X is damaged: its indices must lie in 0 … {n_indices - 1}, "
            f"found {indices.min()} … {indices.max()}"
        )


class DataMatrix:
    """Rows with their class, and a constant feature 1 behind the last one.

    Parameters
    ----------
    X : ndarray or CSR matrix, shape (n, d), float64 or float32
        Not copied if it is C-contiguous. Products are accumulated in float64 either way.
        ValueError if it is sparse and damaged, see `check_structure`.
    positive : array of bool, shape (n,)
    fit_intercept : bool, default True
        Without it the constant feature is 0.
    positives_first : bool, default True
        Order of scores and weights: the positives first, or the order of the rows.
    """

    def __init__(self, X, positive, fit_intercept=True, positives_first=True):
        self.n_samples, self.n_features = X.shape
        self.n_positives = int(np.count_nonzero(positive))
        self.fit_intercept = fit_intercept
        self.position = np.arange(self.n_samples)
        if positives_first:
            order = np.argsort(~np.asarray(positive, dtype=bool), kind="stable")
            self.position[order] = np.arange(self.n_samples)
        if scipy.sparse.issparse(X):
            check_structure(X)
            X = X.tocsr()
            # As unsigned numbers the indices need no check for being counted from the end.
            unsigned = np.uint32 if X.indices.dtype == np.int32 else np.uint64
            # Of one type for the dense rows of coordinate descent, too, which saves compilations.
            self.arrays = (X.data, X.indices.view(unsigned), X.indptr.astype(np.int64))
            self._scores, self._combination = _sparse_scores, _sparse_combination
        else:
            self.arrays = (np.ascontiguousarray(X),)
            self._scores, self._combination = _dense_scores, _dense_combination

    def rows(self, start, stop):
        """Rows start … stop − 1 of X as a dense array."""
        if len(self.arrays) == 1:
            return self.arrays[0][start:stop]
        data, indices, indptr = self.arrays
        first, last = indptr[start], indptr[stop]
        signed = indices[first:last].view(np.int32 if indices.itemsize == 4 else np.int64)
        block = (data[first:last], signed, indptr[start : stop + 1] - first)
        return scipy.sparse.csr_array(block, shape=(stop - start, self.n_features)).toarray()

    def scores(self, w, out):
        """Write X·w into `out` (n,); `w` (d + 1,) ends with the intercept."""
        self._scores(*self.arrays, w[:-1], w[-1], self.position, out)

    @cached_property
    def magnitudes(self):
        """Mean absolute value of each feature over the positives plus that over the negatives.

        Shape (d + 1,), the constant feature last; for scores in the order of the positives first.
        """
        n_negatives = self.n_samples - self.n_positives
        share = np.repeat((1 / self.n_positives, 1 / n_negatives), (self.n_positives, n_negatives))
        out = np.zeros(self.n_features + 1)
        if len(self.arrays) == 1:
            _dense_magnitudes(*self.arrays, self.position, share, out[:-1])
        else:
            values, indices, starts = self.arrays
            _sparse_combination(abs(values), indices, starts, self.position, share, out[:-1])
        out[-1] = 2.0 if self.fit_intercept else 0.0
        return out

    def combination(self, weights, out):
        """Write Σ weights_i·x_i into `out` (d + 1,); `weights` (n,)."""
        self._combination(*self.arrays, self.position, weights, out[:-1])
        out[-1] = weights.sum() if self.fit_intercept else 0.0
