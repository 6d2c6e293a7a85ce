"""k-means as WEKA's SimpleKMeans does it, from the starts that it draws for a seed."""

import numpy as np
import scipy.sparse

from beyond_accuracy.solvers.moments import squared_norms

_MAX_ITERATIONS = 500
_MULTIPLIER, _INCREMENT, _MODULUS = 0x5DEECE66D, 0xB, 1 << 48


def weka_k_means(X, n_clusters, seed=1):
    """Divide the rows into clusters by Lloyd's algorithm.

    Distances are Euclidean in columns scaled to the range [0, 1]; a constant column counts for
    nothing. For dense rows every sum is taken in WEKA's order, since rounding decides between
    centres that are equally far, as the starting ones often are from cases of few distinct values.

    Parameters
    ----------
    X : ndarray or CSR matrix, shape (n, d)
    n_clusters : int
        Fewer where there are fewer distinct rows, or where a cluster runs empty.
    seed : int, default 1
        WEKA's default.

    Returns
    -------
    labels : ndarray of int, shape (n,)
        From 0 to the number of clusters less 1.
    """
    low, high = (_dense(extreme).ravel() for extreme in (X.min(axis=0), X.max(axis=0)))
    extent = np.where(high > low, high - low, 1.0)
    distances = _sparse_distances if scipy.sparse.issparse(X) else _dense_distances
    squared_distances = distances(X, low, extent)
    centers = _dense(X[starting_rows(X, n_clusters, seed)])
    labels = None
    for _ in range(_MAX_ITERATIONS):
        nearest = squared_distances(centers).argmin(axis=1)
        if labels is not None and np.array_equal(nearest, labels):
            break
        # A cluster that has lost all its rows is given up.
        labels = np.unique(nearest, return_inverse=True)[1]
        centers = np.array([_mean(X[labels == cluster]) for cluster in range(labels.max() + 1)])
    return labels


def starting_rows(X, n_clusters, seed):
    """Indices of the rows that WEKA starts from: distinct ones, in a random order of all."""
    state = (seed ^ _MULTIPLIER) % _MODULUS
    order, chosen = list(range(X.shape[0])), []
    seen = set()
    for last in range(X.shape[0] - 1, -1, -1):
        state, drawn = _next_integer(state, last + 1)
        row = order[drawn]
        values = _dense(X[[row]]).tobytes()
        if values not in seen:
            seen.add(values)
            chosen.append(row)
        order[last], order[drawn] = order[drawn], order[last]
        if len(chosen) == n_clusters:
            break
    return chosen


def _next_integer(state, bound):
    """nextInt(bound) of java.util.Random, as its documentation defines it, and the state after."""
    while True:
        state = (state * _MULTIPLIER + _INCREMENT) % _MODULUS
        bits = state >> 17
        if bound & -bound == bound:
            return state, (bound * bits) >> 31
        if bits - bits % bound + bound - 1 < 1 << 31:
            return state, bits % bound


def _dense_distances(X, low, extent):
    # Sums along the first axis add one column after another.
    columns = np.ascontiguousarray(((X - low) / extent).T)

    def squared_distances(centers):
        scaled = (centers - low) / extent
        return np.stack([((columns - c[:, None]) ** 2).sum(axis=0) for c in scaled], axis=1)

    return squared_distances


def _sparse_distances(X, low, extent):
    def squared_distances(centers):
        # Less the rows' own squared norms, which are the same for all centres.
        scaled = centers / extent
        return squared_norms(scaled) - 2.0 * (X @ (scaled / extent).T)

    return squared_distances


def _mean(rows):
    return np.asarray(rows.sum(axis=0)).ravel() / rows.shape[0]


def _dense(X):
    return X.toarray() if scipy.sparse.issparse(X) else X
