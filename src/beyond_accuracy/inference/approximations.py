"""Maximizers of the expected F-measure: approximate ones, and an exact one for a special case."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.inference.checks import check_beta
from beyond_accuracy.inference.meuf import OrderedMarginals
from beyond_accuracy.inference.meuf_trellis import maximize_chai


def meuf_approx(
    marginals: ArrayLike, beta: float = 1.0, *, tail_mass: float = 1e-3
) -> tuple[NDArray[np.uint8], float | NDArray[np.float64]]:
    """Maximize the expected F_β of independent labels approximately, faster than `meuf`.

    The exact algorithm of Chai (2005) needs the distributions of two counts: the positives among
    the k predicted labels, and the positives among the other labels. This function drops the tails
    of both distributions. It takes O(m·w²) if w counts remain, instead of O(m³). Dembczyński et al.
    (2011) use another approximation, by Jansche (2007).

    Parameters
    ----------
    marginals : array of float, shape (m,) or (n, m)
        P(Y_i = 1) of each label.
    beta : float, default 1.0
    tail_mass : float in [0, 1), default 1e-3
        Largest probability dropped from each distribution. The returned expected F_β is too small
        by at most 2·tail_mass, and the prediction loses at most 2·tail_mass.

    Returns
    -------
    prediction : array of uint8, shape (m,) or (n, m)
    expected_f : float or array of float64, shape (n,)
        A lower bound on the expected F_β of the prediction.

    Raises
    ------
    ValueError
        If a marginal is NaN or outside [0, 1], there are no labels or no examples, β is not in (0,
        1e100], or the tail mass is outside [0, 1).

    References
    ----------
    K. M. A. Chai, Expectation of F-Measures, SIGIR 2005.
    https://doi.org/10.1145/1076034.1076144

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.inference import meuf_approx
    >>> prediction, expected_f = meuf_approx(np.array([0.9, 0.4, 0.1]))
    >>> prediction, round(expected_f, 2)
    (array([1, 0, 0], dtype=uint8), 0.76)
    """
    beta = check_beta(beta)
    if not 0 <= tail_mass < 1:
        raise ValueError(f"tail_mass must be in [0, 1), found {tail_mass!r}")
    ordered = OrderedMarginals(marginals)
    sizes, expected = np.zeros(ordered.n, dtype=np.int64), np.empty(ordered.n)
    maximize_chai(ordered.values, beta * beta, tail_mass, sizes, expected)
    return ordered.predict(sizes, expected)


def lewis_threshold(
    marginals: ArrayLike, beta: float = 1.0
) -> tuple[NDArray[np.uint8], float | NDArray[np.float64]]:
    """Maximize an approximation of the expected F_β by a threshold on the marginals (Lewis 1995).

    The approximation (1 + β²)·Σ p_i·h_i / (β²·Σ p_i + |h|) for marginals p and prediction h is a
    ratio of expectations, not the expectation of a ratio. If F is its maximum, the labels with p_i
    > F/(1 + β²) are predicted. This takes O(m log m). For many labels, `meuf` makes nearly the same
    prediction.

    Parameters
    ----------
    marginals : array of float, shape (m,) or (n, m)
        P(Y_i = 1) of each label.
    beta : float, default 1.0

    Returns
    -------
    prediction : array of uint8, shape (m,) or (n, m)
        No label is predicted if all marginals are 0.
    approximate_f : float or array of float64, shape (n,)
        The maximum of the approximation, which is not the expected F_β.

    Raises
    ------
    ValueError
        If a marginal is NaN or outside [0, 1], there are no labels or no examples, or β is not in
        (0, 1e100].

    References
    ----------
    D. D. Lewis, Evaluating and Optimizing Autonomous Text Classification Systems, SIGIR 1995;
    Dembczyński et al. 2011, Section 2.1. https://doi.org/10.1145/215206.215366

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.inference import lewis_threshold
    >>> prediction, value = lewis_threshold(np.array([0.9, 0.4, 0.1]))
    >>> prediction, round(value, 4)
    (array([1, 1, 0], dtype=uint8), 0.7647)
    """
    square = check_beta(beta) ** 2
    ordered = OrderedMarginals(marginals)
    positives = np.cumsum(ordered.values, axis=1)
    k = np.arange(1, positives.shape[1] + 1)
    ratio = (1.0 + square) * positives / (square * positives[:, -1:] + k)
    impossible = positives[:, -1] == 0
    sizes = np.where(impossible, 0, ratio.argmax(axis=1) + 1)
    value = np.where(impossible, 1.0, ratio.max(axis=1))
    return ordered.predict(sizes, value)


def meuf_multinomial(
    probabilities: ArrayLike, beta: float = 1.0
) -> tuple[NDArray[np.uint8], float | NDArray[np.float64]]:
    """Maximize the expected F_β if exactly one of the labels is right (del Coz et al. 2009).

    The k most probable labels are predicted. With probabilities in descending order, their expected
    F_β is (1 + β²)·Σ_{i≤k} p_i / (β² + k). The best k is the first one with p_{k+1} ≤ Σ_{i≤k} p_i /
    (β² + k).

    Parameters
    ----------
    probabilities : array of float, shape (m,) or (n, m)
        Probability that each label is the right one. Each row adds up to 1.
    beta : float, default 1.0

    Returns
    -------
    prediction : array of uint8, shape (m,) or (n, m)
        At least one label is predicted.
    expected_f : float or array of float64, shape (n,)
        Expected F_β of the prediction.

    Raises
    ------
    ValueError
        If a probability is NaN or outside [0, 1], a row does not add up to 1 within 1e-6, there are
        no labels or no examples, or β is not in (0, 1e100].

    References
    ----------
    J. J. del Coz, J. Díez, A. Bahamonde, Learning Nondeterministic Classifiers, JMLR 10, 2009.
    https://www.jmlr.org/papers/v10/delcoz09a.html

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.inference import meuf_multinomial
    >>> prediction, expected_f = meuf_multinomial(np.array([0.5, 0.4, 0.1]))
    >>> prediction, round(expected_f, 4)
    (array([1, 1, 0], dtype=uint8), 0.6)
    """
    square = check_beta(beta) ** 2
    marginals = OrderedMarginals(probabilities)
    total = marginals.values.sum(axis=1)
    if (abs(total - 1) > 1e-6).any():
        row = int(np.argmax(abs(total - 1)))
        raise ValueError(
            f"exactly one label is right, so that its probabilities add up to 1; those of example "
            f"{row} add up to {total[row]:.9g}"
        )
    ordered = marginals.values
    positives = np.cumsum(ordered, axis=1)
    share = positives / (square + np.arange(1, ordered.shape[1] + 1))
    stop = np.ones(ordered.shape, dtype=bool)
    stop[:, :-1] = ordered[:, 1:] <= share[:, :-1]
    sizes = stop.argmax(axis=1) + 1
    expected = (1.0 + square) * share[np.arange(len(share)), sizes - 1]
    return marginals.predict(sizes, expected)
