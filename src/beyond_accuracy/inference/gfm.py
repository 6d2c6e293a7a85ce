"""General F-measure maximizer (GFM): the best prediction under any joint distribution of labels.

F_β(y, h) = (1 + β²)·Σ y_i·h_i / (β²·|y| + |h|) for true labels y and predicted labels h, and 0/0
counts as 1. If |h| = k, the expected F_β is the sum over the predicted labels of f_ik = Σ_s P(Y_i =
1, |Y| = s)·(1 + β²)/(β²·s + k). So the best h has the k largest f_ik (Dembczyński et al. 2011,
Algorithm 1).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.compilation import compiled
from beyond_accuracy.inference.checks import check_beta, check_joint, check_samples


def gfm(
    joint: ArrayLike, p_empty: ArrayLike, beta: float = 1.0
) -> tuple[NDArray[np.uint8], float | NDArray[np.float64]]:
    """Maximize the expected F_β exactly, for any joint distribution of the labels (GFM).

    This takes O(m³) for m labels at worst, and less if few labels or label counts have positive
    probability.

    Parameters
    ----------
    joint : array of float, shape (m, m) or (n, m, m)
        Entry [i, s - 1] is P(Y_i = 1, |Y| = s), where |Y| is the number of positive labels.
    p_empty : float or array of float, shape (n,)
        P(Y = 0), the probability that no label is positive.
    beta : float, default 1.0

    Returns
    -------
    prediction : array of uint8, shape (m,) or (n, m)
        The prediction of highest expected F_β; if tied, the one with fewest labels.
    expected_f : float or array of float64, shape (n,)
        Expected F_β of the prediction.

    References
    ----------
    K. Dembczyński et al., An Exact Algorithm for F-Measure Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy.inference import gfm, joint_from_distribution
    >>> gfm(*joint_from_distribution([[1, 1, 1], [0, 0, 0]], [0.6, 0.4]))
    (array([1, 1, 1], dtype=uint8), 0.6)
    """
    return _from_joint(joint, p_empty, beta)


def gfm_from_samples(
    samples: ArrayLike, beta: float = 1.0
) -> tuple[NDArray[np.uint8], float | NDArray[np.float64]]:
    """Maximize the mean F_β over samples of the label vector, exactly.

    Parameters
    ----------
    samples : array of 0/1, shape (n_samples, m) or (n, n_samples, m)
        Label vectors drawn for one example, or for each of n examples.
    beta : float, default 1.0

    Returns
    -------
    prediction : array of uint8, shape (m,) or (n, m)
        The prediction of highest mean F_β; if tied, the one with fewest labels.
    expected_f : float or array of float64, shape (n,)
        Mean F_β of the prediction over the samples.

    References
    ----------
    K. Dembczyński et al., An Exact Algorithm for F-Measure Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy.inference import gfm_from_samples
    >>> gfm_from_samples([[1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 0]])
    (array([1, 1, 0], dtype=uint8), 0.6666666666666666)
    """
    return _from_samples(samples, beta)


def gfm_threshold(
    joint: ArrayLike, p_empty: ArrayLike, beta: float = 1.0
) -> tuple[NDArray[np.uint8], float | NDArray[np.float64]]:
    """Maximize the expected F_β by a threshold on the marginal probabilities of labels (GFM-T).

    The candidates predict the k most probable labels, for k = 0, …, m. This takes O(m²), instead of
    O(m³) for `gfm`. It is not exact: it can lose 1/6 − 2/(m + 4) or more of the expected F_1
    (Dembczyński et al. 2011, Proposition 2.3). Parameters and results are those of `gfm`.

    References
    ----------
    K. Dembczyński et al., An Exact Algorithm for F-Measure Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy.inference import gfm_threshold, joint_from_distribution
    >>> gfm_threshold(*joint_from_distribution([[1, 1, 1], [0, 0, 0]], [0.6, 0.4]))
    (array([1, 1, 1], dtype=uint8), 0.6)
    """
    return _from_joint(joint, p_empty, beta, thresholds=True)


def gfm_threshold_from_samples(
    samples: ArrayLike, beta: float = 1.0
) -> tuple[NDArray[np.uint8], float | NDArray[np.float64]]:
    """Maximize the mean F_β over samples, by a threshold on the frequencies of labels (GFM-T).

    Parameters and results are those of `gfm_from_samples`. The candidates predict the k labels that
    are most frequent in the samples, for k = 0, …, m. If tied, the smallest is returned.

    References
    ----------
    K. Dembczyński et al., An Exact Algorithm for F-Measure Maximization, NIPS 2011.
    https://proceedings.neurips.cc/paper/2011/hash/71ad16ad2c4d81f348082ff6c4b20768-Abstract.html

    Examples
    --------
    >>> from beyond_accuracy.inference import gfm_threshold_from_samples
    >>> gfm_threshold_from_samples([[1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 0]])
    (array([1, 1, 0], dtype=uint8), 0.6666666666666666)
    """
    return _from_samples(samples, beta, thresholds=True)


def _from_joint(joint, p_empty, beta, thresholds=False):
    square = check_beta(beta) ** 2
    joint, p_empty, single = check_joint(joint, p_empty)
    order = np.argsort(-joint.sum(axis=2), axis=1, kind="stable") if thresholds else None
    prediction, expected = np.zeros(joint.shape[:2], dtype=np.uint8), np.empty(len(joint))
    _maximize_all(None, joint, p_empty, order, square, prediction, expected)
    return (prediction[0], float(expected[0])) if single else (prediction, expected)


def _from_samples(samples, beta, thresholds=False):
    square = check_beta(beta) ** 2
    samples, single = check_samples(samples)
    order = None
    if thresholds:
        order = np.argsort(-samples.sum(axis=1, dtype=np.int64), axis=1, kind="stable")
    prediction, expected = np.zeros(samples.shape[::2], dtype=np.uint8), np.empty(len(samples))
    _maximize_all(samples, np.empty((0, 0, 0)), np.empty(0), order, square, prediction, expected)
    return (prediction[0], float(expected[0])) if single else (prediction, expected)


@compiled
def _count_by_size(samples, table):
    """Fill table[i, s - 1] with the number of one example's samples of s labels, i among them.

    Return the number of samples without labels.
    """
    n_samples, n_labels = samples.shape
    chosen = np.empty(n_labels + 1, dtype=np.int64)
    table[:] = 0.0
    n_empty = 0.0
    for r in range(n_samples):
        size = 0
        for i in range(n_labels):
            # Without a branch: a wrong prediction at each rare 1 costs more than the store.
            chosen[size] = i
            size += samples[r, i]
        n_empty += size == 0
        for c in range(size):
            table[chosen[c], size - 1] += 1.0
    return n_empty


@compiled
def _maximize(joint, p_empty, square, prediction, table, scratch, numbers):
    """Write the best prediction into `prediction`, and return its expected F_β.

    `joint` and `p_empty` may have a common factor. The last three arguments are work space.
    """
    weight, total, f, sizes = scratch[0], scratch[1], scratch[2], scratch[3]
    labels, columns, order = numbers[0], numbers[1], numbers[2]
    n_sizes, n_labels = 0, 0
    for s in range(joint.shape[1]):
        for i in range(joint.shape[0]):
            if joint[i, s] > 0.0:
                columns[n_sizes], sizes[n_sizes] = s, s + 1.0
                n_sizes += 1
                break
    for i in range(joint.shape[0]):
        positive = False
        for c in range(n_sizes):
            table[n_labels, c] = joint[i, columns[c]]
            positive |= table[n_labels, c] > 0.0
        if positive:
            labels[n_labels] = i
            n_labels += 1
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
        # The bound of all labels together falls with k: no larger prediction can be better.
        if bound <= best:
            break
        for i in range(n_labels):
            value = 0.0
            for c in range(n_sizes):
                value += table[i, c] * weight[c]
            f[i] = value
        # The order changes little from k to k + 1, which suits insertion sort.
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


@compiled
def _maximize_threshold(table, p_empty, square, prediction, order, in_size):
    """Predict the first k labels in `order` for the best k, and return the expected F_β."""
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
    for k in range(best_size):
        prediction[order[k]] = 1
    return best


@compiled
def _maximize_all(samples, joint, p_empty, order, square, prediction, expected):
    """Write the best prediction of each example, and its expected F_β, into the last arguments.

    If `samples` are given, `joint` and `p_empty` are not used. Without `order`, all label sets are
    tried.
    """
    n_examples, n_labels = prediction.shape
    counts = np.empty((n_labels, n_labels))
    table, scratch = np.empty((n_labels, n_labels)), np.empty((4, n_labels))
    numbers = np.empty((3, n_labels), dtype=np.int64)
    for e in range(n_examples):
        # Counts are exact numbers until the end.
        if samples is None:
            of_example, empty, total = joint[e], p_empty[e], 1.0
        else:
            empty = _count_by_size(samples[e], counts)
            of_example, total = counts, float(samples.shape[1])
        given = (of_example, empty, square, prediction[e])
        if order is None:
            best = _maximize(*given, table, scratch, numbers)
        else:
            best = _maximize_threshold(*given, order[e], scratch[0])
        expected[e] = best / total
