"""Pass dense and sparse matrices to compiled code as arrays."""

import numpy as np
import scipy.sparse


def matrix_arrays(X):
    """Return (dense, data, indices, indptr) of a dense or sparse matrix, for compiled code.

    For a dense X, the last three arrays are empty. For a CSR matrix, `dense` is empty and the
    others are its CSR arrays, without duplicate entries.
    """
    if not scipy.sparse.issparse(X):
        none = np.zeros(0, dtype=np.int64)
        return np.ascontiguousarray(X), np.zeros(0), none, none
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return np.zeros((0, 0)), X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)
