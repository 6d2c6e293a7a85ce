"""GFM: the exact maximizer of the expected F-measure under any joint distribution.

F_β(y, h) = (1 + β²)·Σ y_i·h_i / (β²·|y| + |h|), and 0/0 = 1. For |h| = k the expectation is the sum
over the chosen labels of f_ik = Σ_s P(Y_i = 1, |Y| = s)·(1 + β²)/(β²·s + k), so that the best h of
size k holds the k largest (Dembczyński et al. 2011, Algorithm 1).
"""

import numpy as np
from numba import njit

from beyond_accuracy.inference.checks import check_beta, check_joint, check_samples


def gfm(joint, p_empty, beta=1.0):
    """Predictions of largest expected F_β, from the joint of each label and their number.

    The work is O(K·L·S + K·L): L labels and S sizes s of positive probability, and the sizes
    k ≤ K of predictions that a bound leaves; O(m³) at worst.

    Parameters
    ----------
    joint : array of float, shape (m, m) or (n, m, m)
        Entry [i, s - 1] is P(Y_i = 1, |Y| = s).
    p_empty : float or array of float, shape (n,)
        P(Y = 0).
    beta : float, default 1.0

    Returns
    -------
    prediction : array of uint8, shape (m,) or (n, m)
    expected_f : float or array of float64, shape (n,)
        Its expected F_β. Among equals the smallest prediction is returned.

    Raises
    ------
    ValueError
        See `beyond_accuracy.inference.checks.check_joint`.

    References
    ----------
    K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure
    Maximization, NIPS 2011.
    """
    beta = check_beta(beta)
    joint, p_empty, single = check_joint(joint, p_empty)
    prediction = np.zeros(joint.shape[:2], dtype=np.uint8)
    expected = np.empty(joint.shape[0])
    _gfm_joint(joint, p_empty, beta * beta, prediction, expected)
    return (prediction[0], float(expected[0])) if single else (prediction, expected)


def gfm_from_samples(samples, beta=1.0):
    """Predictions of largest mean F_β over samples of Y, without forming the joint.

    Parameters
    ----------
    samples : array of 0/1, shape (n_samples, m) or (n, n_samples, m)
    beta : float, default 1.0

    Returns
    -------
    prediction, expected_f
        As `gfm`; the expectation is over the samples.

    Raises
    ------
    ValueError
        See `beyond_accuracy.inference.checks.check_samples`.
    """
    beta = check_beta(beta)
    samples, single = check_samples(samples)
    n_examples, _, n_labels = samples.shape
    prediction = np.zeros((n_examples, n_labels), dtype=np.uint8)
    expected = np.empty(n_examples)
    _gfm_samples(samples, beta * beta, prediction, expected)
    return (prediction[0], float(expected[0])) if single else (prediction, expected)


@njit(cache=True, nogil=True)
def count_by_size(samples, table, n_of_size):
    """Add up one example's samples: table[i, s] of those with label i and size s; sizes."""
    n_samples, n_labels = samples.shape
    chosen = np.empty(n_labels + 1, dtype=np.int64)
    table[:] = 0.0
    n_of_size[:] = 0.0
    for r in range(n_samples):
        size = 0
        for i in range(n_labels):
            # Without a branch: a wrong guess at each rare 1 costs more than the store.
            chosen[size] = i
            size += samples[r, i]
        n_of_size[size] += 1.0
        for c in range(size):
            table[chosen[c], size] += 1.0


@njit(cache=True, nogil=True)
def _maximize(table, labels, sizes, p_empty, square, prediction, scratch, order):
    """Best prediction from table[label, position of size]; returns its expected F_β."""
    weight, total, f = scratch[0], scratch[1], scratch[2]
    n_labels, n_sizes = len(labels), len(sizes)
    best, best_size = p_empty, 0
    for c in range(n_sizes):
        total[c] = 0.0
        for i in range(n_labels):
            total[c] += table[i, c]
    for i in range(n_labels):
        order[i] = i
    for k in range(1, n_labels + 1):
        bound = 0.0
        for c in range(n_sizes):
            weight[c] = (1.0 + square) / (square * sizes[c] + k)
            bound += total[c] * weight[c]
        # All labels together, which falls with k: no larger prediction can be better.
        if bound <= best:
            break
        for i in range(n_labels):
            value = 0.0
            for c in range(n_sizes):
                value += table[i, c] * weight[c]
            f[i] = value
        # The order changes little from k to k + 1, which insertion makes use of.
        for i in range(1, n_labels):
            label = order[i]
            position = i
            while position > 0 and f[order[position - 1]] < f[label]:
                order[position] = order[position - 1]
                position -= 1
            order[position] = label
        value = 0.0
        for i in range(k):
            value += f[order[i]]
        if value > best:
            best, best_size = value, k
            prediction[:] = 0
            for i in range(best_size):
                prediction[labels[order[i]]] = 1
    return best


@njit(cache=True, nogil=True)
def _gfm_joint(joint, p_empty, square, prediction, expected):
    n_examples, n_labels, _ = joint.shape
    scratch = np.empty((3, n_labels))
    order = np.empty(n_labels, dtype=np.int64)
    labels = np.empty(n_labels, dtype=np.int64)
    sizes = np.empty(n_labels)
    columns = np.empty(n_labels, dtype=np.int64)
    table = np.empty((n_labels, n_labels))
    in_label = np.empty(n_labels)
    in_size = np.empty(n_labels)
    for e in range(n_examples):
        in_size[:] = 0.0
        for i in range(n_labels):
            in_label[i] = 0.0
            for s in range(n_labels):
                in_label[i] += joint[e, i, s]
                in_size[s] += joint[e, i, s]
        n_rows, n_columns = 0, 0
        for s in range(n_labels):
            if in_size[s] > 0.0:
                columns[n_columns] = s
                sizes[n_columns] = s + 1.0
                n_columns += 1
        for i in range(n_labels):
            if in_label[i] > 0.0:
                labels[n_rows] = i
                for c in range(n_columns):
                    table[n_rows, c] = joint[e, i, columns[c]]
                n_rows += 1
        expected[e] = _maximize(
            table,
            labels[:n_rows],
            sizes[:n_columns],
            p_empty[e],
            square,
            prediction[e],
            scratch,
            order,
        )


@njit(cache=True, nogil=True)
def _gfm_samples(samples, square, prediction, expected):
    n_examples, n_samples, n_labels = samples.shape
    counts = np.empty((n_labels, n_labels + 1))
    n_of_size = np.empty(n_labels + 1)
    scratch = np.empty((3, n_labels))
    order = np.empty(n_labels, dtype=np.int64)
    labels = np.empty(n_labels, dtype=np.int64)
    sizes = np.empty(n_labels)
    table = np.empty((n_labels, n_labels))
    for e in range(n_examples):
        count_by_size(samples[e], counts, n_of_size)
        n_rows, n_columns = 0, 0
        for s in range(1, n_labels + 1):
            if n_of_size[s] > 0.0:
                sizes[n_columns] = s
                n_columns += 1
        for i in range(n_labels):
            row_total = 0.0
            for c in range(n_columns):
                value = counts[i, int(sizes[c])]
                table[n_rows, c] = value
                row_total += value
            if row_total > 0.0:
                labels[n_rows] = i
                n_rows += 1
        # In counts, exact numbers, until the end.
        best = _maximize(
            table,
            labels[:n_rows],
            sizes[:n_columns],
            n_of_size[0],
            square,
            prediction[e],
            scratch,
            order,
        )
        expected[e] = best / n_samples
