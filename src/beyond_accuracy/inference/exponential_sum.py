"""Approximate 1/r by a sum of few exponentials, with a bound on the error.

The sum is the trapezoidal rule for 1/r = ∫ exp(v − r·eᵛ) dv. By Poisson's summation formula its
relative error is at most 2·Σ_{n≥1} |Γ(1 + 2πin/h)| for the step h and every r > 0, where |Γ(1 +
iy)|² = πy / sinh(πy). Leaving out the nodes above the last one, v, adds at most exp(−eᵛ). The nodes
below the first one are merged into one node with the same zeroth and first moment.
"""

from functools import lru_cache

import numpy as np

from beyond_accuracy.compilation import Floats, Integers, compiled

_STEP_SHRINKAGE = 0.98


@lru_cache(maxsize=64)
def exponential_sum(ratio: float, tolerance: float) -> tuple[Floats, Floats]:
    """Approximate 1/r by a sum of exponentials, Σ_q weights[q]·exp(−exponents[q]·r).

    Return (exponents, weights). For r from 1 to `ratio`, the relative error is at most `tolerance`.
    """
    if not 1e-15 <= tolerance <= 0.1:
        raise ValueError(f"tolerance must be in [1e-15, 0.1], found {tolerance!r}")
    share = tolerance / 3
    h = 1.0
    while _discretization_error(h) > share:
        h *= _STEP_SHRINKAGE
    above = int(np.ceil(np.log(-np.log(share)) / h))
    below = 0
    while _merging_error(h, -below * h, ratio) > share:
        below += 1
    v = h * np.arange(-below, above + 1)
    zeroth, first, _ = _tail_moments(h, v[0])
    exponents = np.concatenate([[first / zeroth], np.exp(v)])
    weights = np.concatenate([[zeroth], h * np.exp(v)])
    exponents.flags.writeable = weights.flags.writeable = False
    return exponents, weights


def _discretization_error(h):
    # sinh overflows for small h, where the term vanishes anyway, so its logarithm is used.
    y = 2 * np.pi**2 * np.arange(1, 5) / h
    log_sinh = y + np.log1p(-np.exp(-2 * y)) - np.log(2.0)
    return float(2 * np.exp((np.log(y) - log_sinh) / 2).sum())


def _tail_moments(h, v):
    """Return Σ h·exp(j·u) over u = v − h, v − 2h, … for j = 1, 2 and 3."""
    return [h * np.exp(j * (v - h)) / -np.expm1(-j * h) for j in (1, 2, 3)]


def _merging_error(h, v, ratio):
    zeroth, first, second = _tail_moments(h, v)
    return ratio**3 / 2 * (second - first * first / zeroth)


# With weights w, exponents x and marginals p, the expected F_β of the k most probable labels is
# E_k = (1 + β²)·Σ_q w_q·exp(−x_q·k)·G_q·Σ_{i≤k} p_i·u_q / (1 − p_i + p_i·u_q). Here u = exp(−β²·x)
# and G = Π_j (1 − p_j + p_j·u), as the expectation of exp(−x·(k + β²·s)) factorizes over labels.
# The form 1 − p·(1 − u) of the denominator would be rounded to 0 for p = 1 and large β²·x.
@compiled(fastmath={"reassoc", "contract"})
def maximize_by_exponential_sum(
    sorted_marginals: Floats, exponents: Floats, weights: Floats, square: float,
    largest: Integers, sizes: Integers, expected: Floats,
) -> None:  # fmt: skip
    """Maximize the expected F_β of independent labels, approximately, by a sum of exponentials.

    `sorted_marginals`, shape (n, m), are the label probabilities of each example, descending.
    `exponents` and `weights` are a result of `exponential_sum`. `square` is β². `largest`, shape
    (n,), bounds the number of predicted labels. The best number is written into the output array
    `sizes`, and the expected F_β into `expected`, both of shape (n,).
    """
    n_examples, n_labels = sorted_marginals.shape
    n_terms = len(exponents)
    u, decay = np.empty(n_terms), np.empty(n_terms)
    for q in range(n_terms):
        u[q] = np.exp(-square * exponents[q])
        decay[q] = np.exp(-exponents[q])
    product, odds, power = np.empty(n_terms), np.empty(n_terms), np.empty(n_terms)
    for e in range(n_examples):
        for q in range(n_terms):
            product[q] = 1.0
            odds[q] = 0.0
        for j in range(n_labels):
            p = sorted_marginals[e, j]
            if p == 0.0:
                break
            for q in range(n_terms):
                product[q] *= (1.0 - p) + p * u[q]
        empty = 1.0
        for j in range(n_labels):
            empty *= 1.0 - sorted_marginals[e, j]
        for q in range(n_terms):
            product[q] *= (1.0 + square) * weights[q]
        best, best_size = empty, 0
        for k in range(1, largest[e] + 1):
            p = sorted_marginals[e, k - 1]
            value = 0.0
            if k % 64 == 1:
                # Repeated multiplication alone would lose a digit in a thousand steps.
                for q in range(n_terms):
                    power[q] = np.exp(-exponents[q] * k)
            else:
                for q in range(n_terms):
                    power[q] *= decay[q]
            for q in range(n_terms):
                # If exp(−β²·x) vanishes for p = 1, so does the product, and any share will do.
                share = (1.0 - p) + p * u[q]
                odds[q] += p * u[q] / (share if share > 0.0 else 1.0)
                value += product[q] * power[q] * odds[q]
            if value > best:
                best, best_size = value, k
        sizes[e], expected[e] = best_size, best
