"""The earlier exact algorithms of Chai (2005) and Jansche (2007), for comparison."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def maximize_cubic(ordered, square, sizes, expected):
    """Chai's O(m³): distributions of positives among the first k labels and among the rest.

    Parameters: marginals (n, m) in descending order, β², and two arrays of length n that receive
    the number of labels to predict and the expected F_β.
    """
    n_examples, n_labels = ordered.shape
    first = np.zeros(n_labels + 1)
    rest = np.zeros((n_labels + 1, n_labels + 1))
    for e in range(n_examples):
        rest[n_labels, 0] = 1.0
        for k in range(n_labels, 0, -1):
            p = ordered[e, k - 1]
            n_rest = n_labels - k
            rest[k - 1, 0] = (1.0 - p) * rest[k, 0]
            for b in range(1, n_rest + 1):
                rest[k - 1, b] = p * rest[k, b - 1] + (1.0 - p) * rest[k, b]
            rest[k - 1, n_rest + 1] = p * rest[k, n_rest]
        best, best_size = rest[0, 0], 0
        first[0] = 1.0
        for k in range(1, n_labels + 1):
            p = ordered[e, k - 1]
            first[k] = p * first[k - 1]
            for a in range(k - 1, 0, -1):
                first[a] = p * first[a - 1] + (1.0 - p) * first[a]
            first[0] *= 1.0 - p
            value = 0.0
            for a in range(1, k + 1):
                inner = 0.0
                for b in range(n_labels - k + 1):
                    inner += rest[k, b] / (k + square * (a + b))
                value += (1.0 + square) * a * first[a] * inner
            if value > best:
                best, best_size = value, k
        sizes[e], expected[e] = best_size, best


@njit(cache=True, nogil=True)
def maximize_jansche(ordered, square, sizes, expected):
    """Jansche's O(m⁴): for each k, all states (true positives, positives) of a trellis of labels.

    Parameters: as `maximize_cubic`.
    """
    n_examples, n_labels = ordered.shape
    state = np.zeros((n_labels + 2, n_labels + 2))
    for e in range(n_examples):
        best, best_size = -1.0, 0
        for k in range(n_labels + 1):
            state[:] = 0.0
            state[0, 0] = 1.0
            for j in range(n_labels):
                p = ordered[e, j]
                predicted = 1 if j < k else 0
                for a in range(min(j, k), -1, -1):
                    for t in range(j, a - 1, -1):
                        moved = p * state[a, t]
                        state[a, t] -= moved
                        state[a + predicted, t + 1] += moved
            value = state[0, 0] if k == 0 else 0.0
            for a in range(1, k + 1):
                for t in range(a, n_labels + 1):
                    value += state[a, t] * (1.0 + square) * a / (square * t + k)
            if value > best:
                best, best_size = value, k
        sizes[e], expected[e] = best_size, best
