"""Pass dense and sparse matrices to compiled code as arrays."""

import numpy as np
import scipy.sparse


def matrix_arrays(X):
    """Return (dense, data, indices, indptr) of an array or CSR matrix, for compiled code.

    The parts that do not apply are empty. The CSR arrays have no duplicate entries.
    """
    if not scipy.sparse.issparse(X):
        none = np.zeros(0, dtype=np.int64)
        return np.ascontiguousarray(X), np.zeros(0), none, none
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return np.zeros((0, 0)), X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)
