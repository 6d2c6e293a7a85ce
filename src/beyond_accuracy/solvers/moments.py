"""Squared norms of rows and variances of columns, of dense arrays and CSR matrices."""

import numpy as np
import scipy.sparse


def squared_norms(X):
    """Return ‖x‖² of every row x, shape (n,)."""
    if scipy.sparse.issparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)


@np.errstate(over="ignore", invalid="ignore")
def column_variances(X, ddof=0):
    """Return the variances of the columns, shape (d,); 0 if there are at most `ddof` rows.

    They are not finite if squares overflow.
    """
    n = X.shape[0]
    if n <= ddof:
        return np.zeros(X.shape[1])
    if not scipy.sparse.issparse(X):
        return X.var(axis=0, ddof=ddof)
    squares = np.asarray(X.multiply(X).mean(axis=0)).ravel()
    variances = squares - np.asarray(X.mean(axis=0)).ravel() ** 2
    # The remainder of a constant column is rounding.
    variances[variances < 1e-14 * squares] = 0.0
    return variances * (n / (n - ddof))
