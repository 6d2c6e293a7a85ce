"""Maximum expected utility F-measure (MEUF): the best prediction if labels are independent."""

from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.compilation import compiled
from beyond_accuracy.inference.checks import check_beta, check_marginals
from beyond_accuracy.inference.exponential_sum import exponential_sum, maximize_by_exponential_sum

METHODS = ("quadratic", "cubic", "jansche", "exponential_sum")
_MOST_TABLE_BYTES = 2**30
_LARGEST_GRID = 64


def meuf(
    marginals: ArrayLike,
    beta: float = 1.0,
    method: Literal["quadratic", "cubic", "jansche", "exponential_sum"] = "quadratic",
    *,
    tolerance: float = 1e-13,
    max_labels: int | None = None,
) -> tuple[NDArray[np.uint8], float | NDArray[np.float64]]:
    """Maximize the expected F_β of labels that are independent given the example.

    The prediction contains the most probable labels. To maximize F_β over the test set of a binary
    problem, pass the probabilities of its m examples as one vector.

    Parameters
    ----------
    marginals : array of float, shape (m,) or (n, m)
        P(Y_i = 1) of each label.
    beta : float, default 1.0
    method : {"quadratic", "cubic", "jansche", "exponential_sum"}, default "quadratic"
        The algorithm:

        - "quadratic": O(m²) time (Ye et al. 2012). If β² is not a fraction of small integers,
          "exponential_sum" is used instead.
        - "cubic": O(m³) time (Chai 2005).
        - "jansche": O(m⁴) time (Jansche 2007).
        - "exponential_sum": O(m) time, for very many labels. It approximates the denominators of
          F_β by a sum of exponentials.
    tolerance : float, default 1e-13
        Only for "exponential_sum": bound on the relative error of every expected F_β, apart from
        rounding. The prediction loses at most twice this.
    max_labels : int or None, default None
        Largest number of labels to predict, at least 1. Only for "quadratic" and
        "exponential_sum".

    Returns
    -------
    prediction : array of uint8, shape (m,) or (n, m)
        The prediction of highest expected F_β. Ties go to labels of smaller index.
    expected_f : float or array of float64, shape (n,)
        Expected F_β of the prediction.

    References
    ----------
    N. Ye et al., Optimizing F-Measures: A Tale of Two Approaches, ICML 2012. K. M. A. Chai,
    Expectation of F-Measures, SIGIR 2005. M. Jansche, ACL 2007.
    https://arxiv.org/abs/1206.4625, https://aclanthology.org/P07-1093/

    Examples
    --------
    >>> from beyond_accuracy.inference import meuf
    >>> prediction, expected_f = meuf([0.9, 0.4, 0.1])
    >>> prediction, round(expected_f, 4)
    (array([1, 0, 0], dtype=uint8), 0.756)
    """
    beta = check_beta(beta)
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, found {method!r}")
    if max_labels is not None and (max_labels < 1 or method in ("cubic", "jansche")):
        raise ValueError(
            'max_labels must be at least 1, with method="quadratic" or "exponential_sum"; found '
            f"{max_labels!r} with {method!r}"
        )
    ordered, order, is_single = _sorted(marginals)
    sizes, expected = np.zeros(len(ordered), dtype=np.int64), np.empty(len(ordered))
    square = beta * beta
    if method == "cubic":
        _maximize_chai(ordered, square, -1.0, sizes, expected)
    elif method == "jansche":
        _maximize_jansche(ordered, square, sizes, expected)
    else:
        largest = _largest_sizes(ordered, square)
        if max_labels is not None:
            largest = np.minimum(largest, max_labels)
        fraction = Fraction(square).limit_denominator(_LARGEST_GRID)
        p, q = fraction.numerator, fraction.denominator
        on_grid = p + q <= _LARGEST_GRID and abs(p / q - square) <= 4e-16 * square
        if method == "quadratic" and on_grid:
            most = int(largest.max(initial=0))
            n_bytes = 8 * (most + 1) ** 2
            if n_bytes > _MOST_TABLE_BYTES:
                raise ValueError(
                    f'method="quadratic" would need {n_bytes / 2**30:.1f} GiB, as predictions of '
                    f'up to {most} labels can be the best; use method="exponential_sum", which '
                    "needs little"
                )
            _maximize_quadratic(ordered, p, q, largest, sizes, expected)
        else:
            # For 1/r with r from 1 + β² (one label, rightly predicted) to m times it.
            series = exponential_sum(float(ordered.shape[1]), tolerance)
            terms = [each / (1.0 + square) for each in series]
            maximize_by_exponential_sum(ordered, *terms, square, largest, sizes, expected)
    return _predict(sizes, expected, order, is_single)


def meuf_approx(
    marginals: ArrayLike, beta: float = 1.0, *, tail_mass: float = 1e-3
) -> tuple[NDArray[np.uint8], float | NDArray[np.float64]]:
    """Maximize the expected F_β of independent labels approximately, faster than `meuf`.

    The exact algorithm of Chai (2005) needs the distributions of two counts: the positives among
    the predicted labels, and among the other labels. This function drops the tails of both.

    Parameters
    ----------
    marginals : array of float, shape (m,) or (n, m)
        P(Y_i = 1) of each label.
    beta : float, default 1.0
    tail_mass : float in [0, 1), default 1e-3
        Largest probability dropped from each distribution. The prediction loses at most
        2·tail_mass of the expected F_β.

    Returns
    -------
    prediction : array of uint8, shape (m,) or (n, m)
    expected_f : float or array of float64, shape (n,)
        Lower bound on the expected F_β of the prediction, too small by at most 2·tail_mass.

    References
    ----------
    K. M. A. Chai, Expectation of F-Measures, SIGIR 2005.
    https://doi.org/10.1145/1076034.1076144

    Examples
    --------
    >>> from beyond_accuracy.inference import meuf_approx
    >>> prediction, expected_f = meuf_approx([0.9, 0.4, 0.1])
    >>> prediction, round(expected_f, 2)
    (array([1, 0, 0], dtype=uint8), 0.76)
    """
    beta = check_beta(beta)
    if not 0 <= tail_mass < 1:
        raise ValueError(f"tail_mass must be in [0, 1), found {tail_mass!r}")
    ordered, order, is_single = _sorted(marginals)
    sizes, expected = np.zeros(len(ordered), dtype=np.int64), np.empty(len(ordered))
    _maximize_chai(ordered, beta * beta, tail_mass, sizes, expected)
    return _predict(sizes, expected, order, is_single)


def _sorted(marginals):
    """Return sorted marginals, shape (n, m), their order, and whether they are of one example."""
    marginals, single = check_marginals(marginals)
    order = np.argsort(-marginals, axis=1, kind="stable")
    return np.take_along_axis(marginals, order, axis=1), order, single


def _predict(sizes, expected, order, single):
    """Return (prediction of the `sizes[e]` most probable labels for each example e, expected)."""
    chosen = np.arange(order.shape[1])[None, :] < sizes[:, None]
    prediction = np.empty(chosen.shape, dtype=np.uint8)
    np.put_along_axis(prediction, order, chosen.astype(np.uint8), axis=1)
    return (prediction[0], float(expected[0])) if single else (prediction, expected)


# E[F_k] is the expected F_β of the k most probable labels, S the number of positive labels, and µ
# the mean of S. Jensen's inequality for S/(β²·S + k) gives E[F_k] ≤ (1 + β²)·µ/(β²·µ + k), and for
# 1/x E[F_k] ≥ (1 + β²)·Σ_{i≤k} p_i / (k + β²·(1 + µ − p_k)). If a value v is reached, then
# k ≤ (1 + β²)·µ/v − β²·µ. The code avoids this difference, whose terms are large for large β.
def _largest_sizes(ordered, square):
    """Return a bound on the number of labels in each example's best prediction, shape (n,)."""
    n_labels = ordered.shape[1]
    mean = ordered.sum(axis=1)
    k = np.arange(1, n_labels + 1)
    denominator = k + square * (1.0 + mean[:, None] - ordered)
    reached = ((1.0 + square) * np.cumsum(ordered, axis=1) / denominator).max(axis=1)
    reached = np.maximum(reached, np.prod(1.0 - ordered, axis=1))
    excess = square * mean / reached
    # Sums of m numbers, as in 1 − v, err by up to m units in the last place.
    rounding = excess * n_labels * np.finfo(np.float64).eps
    last = mean / reached + excess * (1.0 - reached) + rounding
    # One more, against rounding for small β.
    bound = np.minimum(np.floor(last) + 1, np.count_nonzero(ordered, axis=1))
    return np.maximum(bound, 0).astype(np.int64)


@compiled
def _maximize_quadratic(ordered, numerator, denominator, largest, sizes, expected):
    # With β² = q/r: rest[x] = E[1/((x + q·b)/r)] over the positives b among the labels k + 1..m.
    n_examples, n_labels = ordered.shape
    q, r = numerator, denominator
    most = 0
    for e in range(n_examples):
        most = max(most, largest[e])
    first = np.zeros((most + 1, most + 1))
    rest = np.empty(r * most + q * n_labels + 1)
    factor = 1.0 + q / r
    for e in range(n_examples):
        n_positive = 0
        empty = 1.0
        for j in range(n_labels):
            n_positive += ordered[e, j] > 0.0
            empty *= 1.0 - ordered[e, j]
        last = largest[e]
        first[0, 0] = 1.0
        for k in range(1, last + 1):
            p = ordered[e, k - 1]
            first[k, 0] = (1.0 - p) * first[k - 1, 0]
            for a in range(1, k):
                first[k, a] = p * first[k - 1, a - 1] + (1.0 - p) * first[k - 1, a]
            first[k, k] = p * first[k - 1, k - 1]
        for x in range(1, r * last + q * n_positive + 1):
            rest[x] = r / x
        for j in range(n_positive, last, -1):
            p = ordered[e, j - 1]
            for x in range(r + q, r * last + q * (j - 1) + 1):
                rest[x] = (1.0 - p) * rest[x] + p * rest[x + q]
        best, best_size = empty, 0
        for k in range(last, 0, -1):
            value = 0.0
            for a in range(1, k + 1):
                value += a * first[k, a] * rest[r * k + q * a]
            if factor * value >= best and (factor * value > best or best_size > 0):
                best, best_size = factor * value, k
            p = ordered[e, k - 1]
            for x in range(r + q, r * (k - 1) + q * (k - 1) + 1):
                rest[x] = (1.0 - p) * rest[x] + p * rest[x + q]
        sizes[e], expected[e] = best_size, best


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
def _maximize_chai(ordered, square, tail_mass, sizes, expected):
    """Maximize the expected F_β of independent labels by the O(m³) algorithm of Chai (SIGIR 2005).

    `ordered`, shape (n, m), are label probabilities, descending, and `square` is β². The best
    number of labels is written into `sizes`, and the expected F_β into `expected`, both of shape
    (n,). The tails of each distribution of label counts are dropped, up to a probability of
    `tail_mass`. A negative `tail_mass` drops nothing.
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
def _maximize_jansche(ordered, square, sizes, expected):
    """Maximize the expected F_β of independent labels by the O(m⁴) algorithm of Jansche (ACL 2007).

    The arguments are those of `_maximize_chai`.
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
