"""GFM-T: the best threshold on the marginals, judged by the joint distribution."""

import numpy as np
from numba import njit

from beyond_accuracy.inference.checks import check_beta, check_joint, check_samples
from beyond_accuracy.inference.gfm import count_by_size


def gfm_threshold(joint, p_empty, beta=1.0):
    """Of the m + 1 predictions of the k largest marginals, the one of largest expected F_β.

    O(m²), where GFM needs O(m³) at worst. Not exact: by Proposition 2.3 of the paper thresholding
    may lose 1/6 − 2/(m + 4).

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
        Among equal marginals, labels of smaller index come first.
    expected_f : float or array of float64, shape (n,)

    Raises
    ------
    ValueError
        See `beyond_accuracy.inference.checks.check_joint`.
    """
    beta = check_beta(beta)
    joint, p_empty, single = check_joint(joint, p_empty)
    order = np.argsort(-joint.sum(axis=2), axis=1, kind="stable")
    prediction = np.zeros(joint.shape[:2], dtype=np.uint8)
    expected = np.empty(joint.shape[0])
    _thresholds_joint(joint, p_empty, order, beta * beta, prediction, expected)
    return (prediction[0], float(expected[0])) if single else (prediction, expected)


def gfm_threshold_from_samples(samples, beta=1.0):
    """As `gfm_threshold`, under the distribution of samples of shape (n_samples, m) or (n, …)."""
    beta = check_beta(beta)
    samples, single = check_samples(samples)
    n_examples, _, n_labels = samples.shape
    order = np.argsort(-samples.sum(axis=1, dtype=np.int64), axis=1, kind="stable")
    prediction = np.zeros((n_examples, n_labels), dtype=np.uint8)
    expected = np.empty(n_examples)
    _thresholds_samples(samples, order, beta * beta, prediction, expected)
    return (prediction[0], float(expected[0])) if single else (prediction, expected)


@njit(cache=True, nogil=True)
def _best_size(table, order, p_empty, square, in_size):
    """Number of labels to predict and its expected F_β; table[i, s - 1]."""
    n_labels = table.shape[0]
    in_size[:] = 0.0
    best, best_size = p_empty, 0
    for k in range(1, n_labels + 1):
        value = 0.0
        for s in range(n_labels):
            in_size[s] += table[order[k - 1], s]
            value += in_size[s] * (1.0 + square) / (square * (s + 1.0) + k)
        if value > best:
            best, best_size = value, k
    return best_size, best


@njit(cache=True, nogil=True)
def _thresholds_joint(joint, p_empty, order, square, prediction, expected):
    in_size = np.empty(joint.shape[1])
    for e in range(joint.shape[0]):
        size, expected[e] = _best_size(joint[e], order[e], p_empty[e], square, in_size)
        for k in range(size):
            prediction[e, order[e, k]] = 1


@njit(cache=True, nogil=True)
def _thresholds_samples(samples, order, square, prediction, expected):
    n_examples, n_samples, n_labels = samples.shape
    counts = np.empty((n_labels, n_labels + 1))
    n_of_size = np.empty(n_labels + 1)
    in_size = np.empty(n_labels)
    for e in range(n_examples):
        count_by_size(samples[e], counts, n_of_size)
        size, best = _best_size(counts[:, 1:], order[e], n_of_size[0], square, in_size)
        expected[e] = best / n_samples
        for k in range(size):
            prediction[e, order[e, k]] = 1
