"""Read single values of a dense or sparse matrix in compiled code."""

from typing import Any

import numpy as np
import scipy.sparse

from beyond_accuracy.compilation import compiled
from beyond_accuracy_pipeline.reproduction.matrix_arrays import matrix_arrays


class FeatureValues:
    """A feature matrix stored as arrays that numba-compiled code can read row by row.

    Parameters
    ----------
    X : ndarray or sparse matrix, shape (n, d)
        NaN is a missing value. Categories are codes 0, 1, …. Zeros of a sparse matrix are values.

    Attributes
    ----------
    X : ndarray or CSR matrix, shape (n, d), float64
    arrays : tuple
        (dense, data, indices, indptr), the argument of `value_at`. A dense X is `dense`, and the
        other arrays are empty. A sparse X has an empty `dense`.
    """

    def __init__(self, X: Any) -> None:
        self.X: Any
        self.arrays: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
        if scipy.sparse.issparse(X):
            X = X.tocsr().astype(np.float64)
            X.sum_duplicates()
        else:
            X = np.asarray(X, dtype=np.float64)
        self.arrays = matrix_arrays(X)
        self.X = X


@compiled
def value_at(arrays, row, feature):
    """Return X[row, feature], where `arrays` is `FeatureValues(X).arrays`."""
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


@compiled
def branch_of(value, threshold, n_categories):
    """Return the number of the branch that a feature value takes in a tree node; −1 for NaN.

    For a categorical feature (`n_categories` > 0) this is the category. For a numeric feature it is
    0 if value ≤ threshold, else 1.
    """
    if np.isnan(value):
        return -1
    if n_categories > 0:
        return int(value)
    return 0 if value <= threshold else 1
