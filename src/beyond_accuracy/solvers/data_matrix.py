"""The two products with the data that a solver needs, with the positives stored first.

The data is never copied or reordered: only the scores are, through `position`.
"""

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


# No reassociation here: hardware gathers are slower than a chain of scalar loads.
@njit(cache=True, nogil=True)
def _sparse_scores(data, indices, indptr, coef, intercept, position, out):
    for i in range(len(indptr) - 1):
        total = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            total += data[k] * coef[indices[k]]
        out[position[i]] = total + intercept


@njit(cache=True, nogil=True)
def _sparse_combination(data, indices, indptr, position, weights, out):
    out[:] = 0.0
    for i in range(len(indptr) - 1):
        weight = weights[position[i]]
        if weight != 0.0:
            for k in range(indptr[i], indptr[i + 1]):
                out[indices[k]] += weight * data[k]


class DataMatrix:
    """Rows with their class, and a constant feature 1 behind the last one.

    Parameters
    ----------
    X : ndarray or CSR matrix, shape (n, d), float64 or float32
        Not copied if it is C-contiguous. Products are accumulated in float64 either way.
    positive : array of bool, shape (n,)
    fit_intercept : bool, default True
        Without it the constant feature is 0.
    """

    def __init__(self, X, positive, fit_intercept=True):
        self.n_samples, self.n_features = X.shape
        self.n_positives = int(np.count_nonzero(positive))
        self.fit_intercept = fit_intercept
        order = np.argsort(~np.asarray(positive, dtype=bool), kind="stable")
        self.position = np.empty(self.n_samples, dtype=np.int64)
        self.position[order] = np.arange(self.n_samples)
        if scipy.sparse.issparse(X):
            X = X.tocsr()
            # As unsigned numbers the indices need no check for being counted from the end.
            unsigned = np.uint32 if X.indices.dtype == np.int32 else np.uint64
            arrays = (X.data, X.indices.view(unsigned), X.indptr)
            self._scores, self._combination = _sparse_scores, _sparse_combination
        else:
            arrays = (np.ascontiguousarray(X),)
            self._scores, self._combination = _dense_scores, _dense_combination
        self._arrays = arrays

    def scores(self, w, out):
        """Write X·w, positives first, into `out` (n,); `w` (d + 1,) ends with the intercept."""
        self._scores(*self._arrays, w[:-1], w[-1], self.position, out)

    def combination(self, weights, out):
        """Write Σ weights_i·x_i into `out` (d + 1,); `weights` (n,) with the positives first."""
        self._combination(*self._arrays, self.position, weights, out[:-1])
        out[-1] = weights.sum() if self.fit_intercept else 0.0
