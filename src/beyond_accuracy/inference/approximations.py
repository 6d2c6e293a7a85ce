"""Maximizers that are cheap, approximate, or exact for a special distribution only."""

import numpy as np
from numba import njit

from beyond_accuracy.inference.checks import check_beta, check_marginals
from beyond_accuracy.inference.meuf import top_labels


def meuf_approx(marginals, beta=1.0, *, tail_mass=1e-3):
    """MEUF with counts of negligible probability left out, after Jansche 2007.

    Jansche describes exact and faster inexact calculations; the parameters of the inexact one in
    Dembczyński et al. 2011 are not known, so that this rule is ours: from the distributions of the
    positives among the k predicted labels and among the rest, tails of at most `tail_mass` in all
    are dropped from each. O(m·w²) for w counts that remain, where Chai's exact algorithm is O(m³).

    Parameters
    ----------
    marginals : array of float, shape (m,) or (n, m)
    beta : float, default 1.0
    tail_mass : float in [0, 1), default 1e-3
        The expected F_β is at most twice this too small, and the prediction loses at most that.

    Returns
    -------
    prediction : array of uint8, shape (m,) or (n, m)
    expected_f : float or array of float64, shape (n,)
        A lower bound on its expected F_β under independence.

    Raises
    ------
    ValueError
        As `meuf`, and for a tail mass outside [0, 1).
    """
    beta = check_beta(beta)
    if not 0 <= tail_mass < 1:
        raise ValueError(f"tail_mass must be in [0, 1), found {tail_mass!r}")
    marginals, single = check_marginals(marginals)
    order = np.argsort(-marginals, axis=1, kind="stable")
    ordered = np.take_along_axis(marginals, order, axis=1)
    sizes = np.zeros(len(ordered), dtype=np.int64)
    expected = np.empty(len(ordered))
    _maximize_approx(ordered, beta * beta, tail_mass, sizes, expected)
    prediction = top_labels(order, sizes)
    return (prediction[0], float(expected[0])) if single else (prediction, expected)


def lewis_threshold(marginals, beta=1.0):
    """Maximizer of (1 + β²)·Σ p_i·h_i / (β²·Σ p_i + |h|), the expected F_β of Lewis (1995).

    The ratio of expectations in place of the expectation of the ratio. Its maximizer predicts the
    labels with p_i > F/(1 + β²), F the maximum: O(m log m), and close to MEUF for many labels.

    Parameters
    ----------
    marginals : array of float, shape (m,) or (n, m)
    beta : float, default 1.0

    Returns
    -------
    prediction : array of uint8, shape (m,) or (n, m)
        Nothing is predicted if all marginals are 0.
    approximate_f : float or array of float64, shape (n,)
        The maximum of the ratio; not the expected F_β.

    Raises
    ------
    ValueError
        As `meuf`.

    References
    ----------
    D. D. Lewis, Evaluating and Optimizing Autonomous Text Classification Systems, SIGIR 1995;
    Dembczyński et al. 2011, Section 2.1.
    """
    square = check_beta(beta) ** 2
    marginals, single = check_marginals(marginals)
    order = np.argsort(-marginals, axis=1, kind="stable")
    positives = np.cumsum(np.take_along_axis(marginals, order, axis=1), axis=1)
    k = np.arange(1, marginals.shape[1] + 1)
    ratio = (1.0 + square) * positives / (square * positives[:, -1:] + k)
    impossible = positives[:, -1] == 0
    sizes = np.where(impossible, 0, ratio.argmax(axis=1) + 1)
    value = np.where(impossible, 1.0, ratio.max(axis=1))
    prediction = top_labels(order, sizes)
    return (prediction[0], float(value[0])) if single else (prediction, value)


def meuf_multinomial(probabilities, beta=1.0):
    """Predictions of largest expected F_β if exactly one label is right (del Coz et al. 2009).

    With probabilities in descending order, E[F_k] = (1 + β²)·Σ_{i≤k} p_i / (β² + k), and the first
    k with p_{k+1} ≤ Σ_{i≤k} p_i / (β² + k) is the best.

    Parameters
    ----------
    probabilities : array of float, shape (m,) or (n, m)
        Each row adds up to 1.
    beta : float, default 1.0

    Returns
    -------
    prediction : array of uint8, shape (m,) or (n, m)
        Never empty.
    expected_f : float or array of float64, shape (n,)

    Raises
    ------
    ValueError
        As `meuf`, and if a row does not add up to 1 within 1e-6.

    References
    ----------
    J. J. del Coz, J. Díez, A. Bahamonde, Learning Nondeterministic Classifiers, JMLR 10, 2009.
    """
    square = check_beta(beta) ** 2
    probabilities, single = check_marginals(probabilities)
    total = probabilities.sum(axis=1)
    if (abs(total - 1) > 1e-6).any():
        row = int(np.argmax(abs(total - 1)))
        raise ValueError(
            f"exactly one label is right, so that its probabilities add up to 1; those of example "
            f"{row} add up to {total[row]:.9g}"
        )
    order = np.argsort(-probabilities, axis=1, kind="stable")
    ordered = np.take_along_axis(probabilities, order, axis=1)
    positives = np.cumsum(ordered, axis=1)
    share = positives / (square + np.arange(1, ordered.shape[1] + 1))
    stop = np.ones(ordered.shape, dtype=bool)
    stop[:, :-1] = ordered[:, 1:] <= share[:, :-1]
    sizes = stop.argmax(axis=1) + 1
    expected = (1.0 + square) * share[np.arange(len(share)), sizes - 1]
    prediction = top_labels(order, sizes)
    return (prediction[0], float(expected[0])) if single else (prediction, expected)


@njit(cache=True, nogil=True)
def _add_label(p, distribution, low, high, allowance):
    """Add a label in place and drop tails of at most `allowance`; returns the new ends."""
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


@njit(cache=True, nogil=True)
def _maximize_approx(ordered, square, tail_mass, sizes, expected):
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
