"""Pass dense and sparse matrices to compiled code as arrays."""

import numpy as np
import scipy.sparse

from beyond_accuracy.compilation import compiled


def matrix_arrays(X):
    """Return a dense array or CSR matrix as arrays (dense, data, indices, indptr), for numba.

    For a dense X, the last three arrays are empty; for a CSR matrix, `dense` is empty.
    """
    if not scipy.sparse.issparse(X):
        none = np.zeros(0, dtype=np.int64)
        return np.ascontiguousarray(X), np.zeros(0), none, none
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return np.zeros((0, 0)), X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)


@compiled
def value_at(arrays, row, feature):
    """Return the entry X[row, feature] of a matrix X, given `arrays` = `matrix_arrays(X)`."""
    dense, data, indices, indptr = arrays
    if len(indptr) == 0:
        return dense[row, feature]
    low, high = indptr[row], indptr[row + 1]
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < feature:
            low = middle + 1
        else:
            high = middle
    if low < indptr[row + 1] and indices[low] == feature:
        return data[low]
    return 0.0
