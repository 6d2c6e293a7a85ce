"""Draw samples of label vectors from a chain of logistic regressions.

P(Y_j = 1 | y_1..y_{j-1}) = σ(z_j + Σ_l w_jl·y_l), where z_j is the score from the features and w_jl
the weight of the earlier label l. Given the labels so far, the probability that none of the next
labels up to j is positive is 1/D_j with D_j = Π (1 + odds_l). So a uniform u in (0, 1] gives the
next positive label at once: the first j with D_j > 1/u. Samples that agree so far share their odds.
Every positive label multiplies the later odds by constants exp(w_jl).

Systematic sampling takes evenly spaced quantiles of the whole distribution as u, where label
vectors are ordered by their first positive label. Every vector y is drawn ⌊n·p(y)⌋ or ⌈n·p(y)⌉
times. The part of u that the choice of one positive label leaves over chooses the next one.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.compilation import compiled
from beyond_accuracy.inference.random_numbers import streams, uniform, uniforms

# Products of odds within exp(±700) neither overflow nor lose digits.
_LARGEST_LOG_ODDS = 700.0
_BLOCK = 8
SMALLEST_POSITION = 2.0**-53


def systematic_positions(
    keys: ArrayLike, n_samples: int, lowest: ArrayLike = 0.0
) -> NDArray[np.float64]:
    """Return evenly spaced probabilities in (lowest, 1] for systematic sampling, (n, n_samples).

    Each row has a random offset that depends only on the example's integer seed in `keys`.
    """
    offset = uniforms(streams(keys, 1), 0)
    lowest = np.broadcast_to(lowest, len(offset))[:, None]
    return lowest + (1.0 - lowest) * (np.arange(n_samples) + offset) / n_samples


def spacing(positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distance of neighbours per row of `positions`, shape (n,); 1 for single ones."""
    if positions.shape[1] == 1:
        return np.ones(len(positions))
    return np.diff(positions[:, :2], axis=1)[:, 0]


def sample_logistic_chain(
    log_odds: ArrayLike,
    weights: ArrayLike,
    keys: ArrayLike,
    n_samples: int,
    positions: NDArray[np.float64] | None = None,
) -> NDArray[np.uint8]:
    """Draw 0/1 label vectors from a chain of logistic regressions, shape (n, n_samples, m).

    `log_odds`, shape (n, m), is the part of the log-odds that depends on the features; −inf or inf
    for labels that are never or always positive. `weights`, shape (m, m), has the weight of label l
    in the regression of a later label j at [j, l]. `keys`, shape (n,), are integer seeds. More
    samples do not change the first ones. Without `positions` from `systematic_positions`, samples
    are independent.
    """
    log_odds = np.asarray(log_odds, dtype=np.float64)
    n_examples, n_labels = log_odds.shape
    effects = np.tril(np.asarray(weights, dtype=np.float64), -1).T
    samples = np.zeros((n_examples, n_samples, n_labels), dtype=np.uint8)
    if n_examples:
        multiplicative = _multiplicative(log_odds, effects)
        log_odds, effects = _padded(log_odds, effects)
        state = streams(keys, n_samples)
        # A part with less probability than this distance holds at most one position, which is
        # uniformly distributed. A fresh random number serves as well, and has all its digits.
        least = np.full(n_examples, np.inf) if positions is None else spacing(positions)
        left = np.empty((1, 1)) if positions is None else positions.copy()
        _sample(log_odds, effects, multiplicative, state, left, least, samples)
    return samples


def _multiplicative(log_odds, effects):
    """Return whether multiplication can update odds, because no sum of weights overflows exp."""
    finite = np.where(np.isfinite(log_odds), log_odds, 0.0)
    highest = finite.max(axis=0) + np.maximum(effects, 0).sum(axis=0)
    lowest = finite.min(axis=0) + np.minimum(effects, 0).sum(axis=0)
    return bool(highest.max() < _LARGEST_LOG_ODDS and lowest.min() > -_LARGEST_LOG_ODDS)


def _padded(log_odds, effects):
    """Return `log_odds` and `effects`, padded to whole blocks by labels that are never positive."""
    n_labels = len(effects)
    padding = ((0, 0), (0, -n_labels % _BLOCK))
    later = np.triu(np.ones((n_labels, n_labels), dtype=bool), 1)
    # Beyond ±700 probabilities are 0 and 1 to 300 digits; infinities would make NaN.
    clipped = np.clip(log_odds, -_LARGEST_LOG_ODDS, _LARGEST_LOG_ODDS)
    return [
        np.pad(each, padding, constant_values=-np.inf)
        for each in (clipped, np.where(later, effects, -np.inf))
    ]


@compiled
def _block_product(odds, row, b):
    c = 8 * b
    return (
        ((1.0 + odds[row, c]) * (1.0 + odds[row, c + 1]))
        * ((1.0 + odds[row, c + 2]) * (1.0 + odds[row, c + 3]))
    ) * (
        ((1.0 + odds[row, c + 4]) * (1.0 + odds[row, c + 5]))
        * ((1.0 + odds[row, c + 6]) * (1.0 + odds[row, c + 7]))
    )


@compiled
def _within_block(odds, row, b, product, threshold):
    """Return (label, product before it) for the first label whose product exceeds the threshold.

    `product` is Π (1 + odds) over the labels before block `b`, which is searched.
    """
    label = 8 * b
    while label < 8 * b + 7:
        after = product * (1.0 + odds[row, label])
        if after > threshold:
            break
        product = after
        label += 1
    return label, product


@compiled
def _share(odds):
    return 1.0 if np.isinf(odds) else odds / (1.0 + odds)


@compiled
def _rest(u, product, odds):
    """Return the position of the quantile `u` among quantiles with the same next positive label.

    The position is in (0, 1] and is used as the quantile for the label after that.
    """
    rest = u * product if np.isinf(odds) else u * product * ((1.0 + odds) / odds) - 1.0 / odds
    return min(max(rest, SMALLEST_POSITION), 1.0)


@compiled
def _sample(log_odds, effects, multiplicative, state, left, least, samples):
    # No views of arrays inside the loops: counting their references costs more than the work.
    n_examples, n_samples, n_labels = samples.shape
    n_columns = log_odds.shape[1]
    n_blocks = n_columns // 8
    # Numba would name an expression of arrays by its address, which differs between builds.
    factors = np.empty(effects.shape)
    for i in range(effects.shape[0]):
        for j in range(effects.shape[1]):
            factors[i, j] = np.exp(effects[i, j])
    # One row per number of positive labels so far.
    odds = np.empty((n_labels + 1, n_columns))
    logarithms = np.empty((n_labels + 1, n_columns))
    product_at = np.empty(n_blocks + 1)
    members = np.empty(n_samples, dtype=np.int64)
    sorted_members = np.empty(n_samples, dtype=np.int64)
    following = np.empty(n_samples, dtype=np.int64)
    start_of = np.empty(n_labels + 2, dtype=np.int64)
    # Nodes to visit: number of positives, last positive label, first and last member.
    stack = np.empty((n_samples + 1, 4), dtype=np.int64)
    # Probabilities of nodes, and the product before each label.
    mass_at = np.empty(n_samples + 1)
    before = np.empty(n_columns)
    for e in range(n_examples):
        for r in range(n_samples):
            members[r] = r
        for j in range(n_columns):
            logarithms[0, j] = log_odds[e, j]
            odds[0, j] = np.exp(log_odds[e, j])
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, -1, 0, n_samples
        mass_at[0] = 1.0
        height = 1
        while height > 0:
            height -= 1
            depth, label = stack[height, 0], stack[height, 1]
            start, end = stack[height, 2], stack[height, 3]
            mass = mass_at[height]
            systematic = mass >= least[e]
            first_block = (label + 1) // 8
            if depth > 0:
                for g in range(start, end):
                    samples[e, members[g], label] = 1
                if multiplicative:
                    for j in range(8 * first_block, n_columns):
                        odds[depth, j] = odds[depth - 1, j] * factors[label, j]
                else:
                    for j in range(8 * first_block, n_columns):
                        logarithms[depth, j] = logarithms[depth - 1, j] + effects[label, j]
                        odds[depth, j] = np.exp(logarithms[depth, j])
            product = 1.0
            if end - start == 1:
                r = members[start]
                u = left[e, r] if systematic else uniform(state[e, r], depth)
                threshold = 1.0 / u
                for b in range(first_block, n_blocks):
                    after = product * _block_product(odds, depth, b)
                    if after > threshold:
                        j, product = _within_block(odds, depth, b, product, threshold)
                        stack[height, 0], stack[height, 1] = depth + 1, j
                        stack[height, 2], stack[height, 3] = start, end
                        if systematic:
                            left[e, r] = _rest(u, product, odds[depth, j])
                        mass_at[height] = mass / product * _share(odds[depth, j])
                        height += 1
                        break
                    product = after
                continue
            for b in range(first_block, n_blocks):
                product_at[b] = product
                product *= _block_product(odds, depth, b)
            product_at[n_blocks] = product
            # Counting sort by the next positive label. Samples without one come last.
            for j in range(label + 1, n_labels + 2):
                start_of[j] = 0
            for g in range(start, end):
                r = members[g]
                u = left[e, r] if systematic else uniform(state[e, r], depth)
                threshold = 1.0 / u
                j = n_labels
                if product > threshold:
                    b = first_block
                    while not product_at[b + 1] > threshold:
                        b += 1
                    j, product_before = _within_block(odds, depth, b, product_at[b], threshold)
                    before[j] = product_before
                    if systematic:
                        left[e, r] = _rest(u, before[j], odds[depth, j])
                following[g] = j
                start_of[j + 1] += 1
            start_of[label + 1] = start
            for j in range(label + 1, n_labels + 1):
                start_of[j + 1] += start_of[j]
            for j in range(label + 1, n_labels):
                if start_of[j + 1] > start_of[j]:
                    stack[height, 0], stack[height, 1] = depth + 1, j
                    stack[height, 2], stack[height, 3] = start_of[j], start_of[j + 1]
                    mass_at[height] = mass / before[j] * _share(odds[depth, j])
                    height += 1
            for g in range(start, end):
                j = following[g]
                sorted_members[start_of[j]] = members[g]
                start_of[j] += 1
            for g in range(start, end):
                members[g] = sorted_members[g]
