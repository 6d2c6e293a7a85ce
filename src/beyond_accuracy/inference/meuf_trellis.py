"""Exact maximizers of the expected F_β of independent labels, by Chai (2005) and Jansche (2007)."""

import numpy as np

from beyond_accuracy.compilation import Floats, Integers, compiled


@compiled
def _add_label(p, distribution, low, high, allowance):
    """Add a label to a distribution of counts, in place, and drop tails of at most `allowance`.

    Only entries from `low` to `high` are not 0. Returns the new (low, high).
    """
    distribution[high + 1] = p * distribution[high]
    for s in range(high, low, -1):
        distribution[s] = p * distribution[s - 1] + (1.0 - p) * distribution[s]
    distribution[low] *= 1.0 - p
    high += 1
    dropped = 0.0
    while low < high and dropped + distribution[low] <= allowance:
        dropped += distribution[low]
        distribution[low] = 0.0
        low += 1
    dropped = 0.0
    while high > low and dropped + distribution[high] <= allowance:
        dropped += distribution[high]
        distribution[high] = 0.0
        high -= 1
    return low, high


@compiled
def maximize_chai(
    ordered: Floats, square: float, tail_mass: float, sizes: Integers, expected: Floats
) -> None:
    """Maximize the expected F_β of independent labels by the O(m³) algorithm of Chai (SIGIR 2005).

    `ordered`, shape (n, m), are the label probabilities of each example, descending. `square` is
    β². The best number of labels to predict is written into the output array `sizes`, and the
    expected F_β into `expected`, both of shape (n,). For speed, the tails of each distribution of
    label counts are dropped, up to a probability of `tail_mass`. A negative `tail_mass` drops
    nothing.
    """
    n_examples, n_labels = ordered.shape
    allowance = tail_mass / (2.0 * n_labels)
    first = np.zeros(n_labels + 2)
    current = np.zeros(n_labels + 2)
    rest = np.zeros((n_labels + 1, n_labels + 2))
    ends = np.zeros((n_labels + 1, 2), dtype=np.int64)
    for e in range(n_examples):
        current[:] = 0.0
        current[0] = 1.0
        low, high = np.int64(0), np.int64(0)
        rest[n_labels, 0] = 1.0
        ends[n_labels, 0], ends[n_labels, 1] = 0, 0
        empty = 1.0
        for k in range(n_labels - 1, -1, -1):
            empty *= 1.0 - ordered[e, k]
            low, high = _add_label(ordered[e, k], current, low, high, allowance)
            ends[k, 0], ends[k, 1] = low, high
            for s in range(low, high + 1):
                rest[k, s] = current[s]
        best, best_size = empty, 0
        first[:] = 0.0
        first[0] = 1.0
        low, high = np.int64(0), np.int64(0)
        for k in range(1, n_labels + 1):
            low, high = _add_label(ordered[e, k - 1], first, low, high, allowance)
            value = 0.0
            for a in range(max(low, 1), high + 1):
                inner = 0.0
                for b in range(ends[k, 0], ends[k, 1] + 1):
                    inner += rest[k, b] / (k + square * (a + b))
                value += (1.0 + square) * a * first[a] * inner
            if value > best:
                best, best_size = value, k
        sizes[e], expected[e] = best_size, best


@compiled
def maximize_jansche(ordered: Floats, square: float, sizes: Integers, expected: Floats) -> None:
    """Maximize the expected F_β of independent labels by the O(m⁴) algorithm of Jansche (ACL 2007).

    The arguments are those of `maximize_chai`.
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
