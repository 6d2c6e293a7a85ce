"""k-means as in WEKA's SimpleKMeans, from the initial centres that WEKA draws for a seed."""

import numpy as np
import scipy.sparse

from beyond_accuracy.solvers.data_matrix import squared_norms

_MAX_ITERATIONS = 500
_MULTIPLIER, _INCREMENT, _MODULUS = 0x5DEECE66D, 0xB, 1 << 48
# WEKA's default seed.
_SEED = 1


def weka_k_means(X, n_clusters):
    """Cluster the rows of X by k-means as WEKA does; return the cluster number of each row.

    Numbers start at 0. Distances are Euclidean in columns scaled to [0, 1]. Clusters without rows
    are dropped.
    """
    low, high = (_dense(extreme).ravel() for extreme in (X.min(axis=0), X.max(axis=0)))
    extent = np.where(high > low, high - low, 1.0)
    squared_distances = _squared_distances_from(X, low, extent)
    centers = _dense(X[starting_rows(X, n_clusters)])
    labels = None
    for _ in range(_MAX_ITERATIONS):
        nearest = squared_distances(centers).argmin(axis=1)
        if labels is not None and np.array_equal(nearest, labels):
            break
        # Clusters without rows are dropped.
        labels = np.unique(nearest, return_inverse=True)[1]
        members = [X[labels == cluster] for cluster in range(labels.max() + 1)]
        centers = np.array([np.asarray(x.sum(axis=0)).ravel() / x.shape[0] for x in members])
    return labels


def starting_rows(X, n_clusters):
    """Return the indices of the rows that WEKA takes as initial centres of k-means.

    They are the first `n_clusters` distinct rows in the random order that WEKA's generator draws.
    If X has fewer distinct rows, there are fewer indices.
    """
    state = (_SEED ^ _MULTIPLIER) % _MODULUS
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
    """Return (next 48-bit state, random integer below `bound`), as java.util.Random does."""
    while True:
        state = (state * _MULTIPLIER + _INCREMENT) % _MODULUS
        bits = state >> 17
        if bound & -bound == bound:
            return state, (bound * bits) >> 31
        if bits - bits % bound + bound - 1 < 1 << 31:
            return state, bits % bound


def _squared_distances_from(X, low, extent):
    """Return a function that maps k centres to their squared distances from rows, shape (n, k).

    The distances are in columns scaled to the range [0, 1].
    """
    if scipy.sparse.issparse(X):

        def squared_distances(centers):
            # The rows' squared norms are left out: they are the same for all centres.
            scaled = centers / extent
            return squared_norms(scaled) - 2.0 * (X @ (scaled / extent).T)

    else:
        # Sums along the first axis add one column after another.
        columns = np.ascontiguousarray(((X - low) / extent).T)

        def squared_distances(centers):
            scaled = (centers - low) / extent
            return np.stack([((columns - c[:, None]) ** 2).sum(axis=0) for c in scaled], axis=1)

    return squared_distances


def _dense(X):
    return X.toarray() if scipy.sparse.issparse(X) else X
