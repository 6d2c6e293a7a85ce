"""Functions that workers apply to a block of rows: sums over intervals of scores, and of rows.

In a block, the positives come first. The *value* of a positive is its score minus a shift, and the
value of a negative is its score. Intervals are in descending order.
"""

from typing import NamedTuple

import numpy as np

from beyond_accuracy.compilation import compiled, compiled_part
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.multivariate_svm import some_variances
from beyond_accuracy.solvers.oracles.labelling import bucket_factor, bucket_of, value_range
from beyond_accuracy.solvers.oracles.rankings import write_ranks
from beyond_accuracy.solvers.plane_model import ScaleError


class Extent(NamedTuple):
    """Lowest score, highest score and number of scores above 0, in one or more blocks of examples.

    A constant is first subtracted from the scores of positives (see `extent`).
    """

    low: float
    high: float
    n_above_zero: int


class Sums(NamedTuple):
    """Count, sum, highest and lowest of the scores in each of n intervals of scores, highest first.

    Each array has shape (2, n), with the positives in row 0 and the negatives in row 1. Empty
    intervals have `highest` −inf and `lowest` inf.
    """

    counts: np.ndarray
    sums: np.ndarray
    highest: np.ndarray
    lowest: np.ndarray

    @property
    def tops(self):
        """Highest score of any example in each of n intervals of scores, shape (n,)."""
        return self.highest.max(axis=0)

    @property
    def bottoms(self):
        """Lowest score of any example in each of n intervals of scores, shape (n,)."""
        return self.lowest.min(axis=0)

    def nonempty(self) -> "Sums":
        """Return a copy without the intervals of scores that hold no example."""
        used = self.counts.any(axis=0)
        return Sums(*(part[:, used] for part in self))


class Moments(NamedTuple):
    """Number of rows of X, and three sums per feature, each of shape (d,).

    `positives` and `negatives` are the sums of the features over the rows of each class. `squares`
    is the sum of squared deviations from the mean over all rows, estimated from some of them.
    """

    n_samples: int
    positives: np.ndarray
    negatives: np.ndarray
    squares: np.ndarray


class Steps(NamedTuple):
    """Weights of the examples, given by two step functions of the score, one per class.

    Scores are divided into n intervals. `bottoms` are the lower ends, descending; the last interval
    extends to −∞. `heights`, shape (2, n), holds the weight of all examples in an interval, with
    the positives in row 0. `shift` is first subtracted from the scores of positives.
    """

    shift: float
    bottoms: np.ndarray
    heights: np.ndarray


def scores_of(block: DataMatrix, w):
    """Return the scores of the rows of a block, including the intercept, positives first."""
    return block.scores(w, np.empty(block.n_samples))


def extent(block: DataMatrix, scores, shift) -> Extent:
    """Return the lowest score, the highest score, and the number of scores above 0 of a block.

    `shift` is first subtracted from the scores of positives. Raises ScaleError if squared scores
    overflow.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        if not np.isfinite(scores @ scores):
            raise ScaleError
    positives, negatives = scores[: block.n_positives] - shift, scores[block.n_positives :]
    ranges = [value_range(values) for values in (positives, negatives)]
    n_above = np.count_nonzero(positives > 0.0) + np.count_nonzero(negatives > 0.0)
    return Extent(min(r[0] for r in ranges), max(r[1] for r in ranges), int(n_above))


def join_extents(extents) -> Extent:
    lows, highs, counts = zip(*extents, strict=True)
    return Extent(min(lows), max(highs), sum(counts))


@compiled_part
def _first_reached(values, shift, bottoms):
    """Return the first of the descending lower ends that each value minus `shift` reaches."""
    reached, counts = np.empty(len(values), np.int64), np.zeros(len(bottoms) + 1, np.int64)
    write_ranks(-bottoms, shift - values, reached, counts)
    return reached


@compiled
def _add_up(values, shift, tops, bottoms, n_parts, counts, sums, highest, lowest):
    n_intervals = len(tops)
    factors = np.empty(n_intervals)
    for j in range(n_intervals):
        factors[j] = bucket_factor(bottoms[j], tops[j], n_parts)
    intervals = _first_reached(values, shift, bottoms)
    for i in range(len(values)):
        j, value = intervals[i], values[i] - shift
        if not bottoms[-1] <= value <= tops[0] or value > tops[j]:
            continue
        k = j * n_parts + bucket_of(value, tops[j], factors[j], n_parts)
        counts[k] += 1
        sums[k] += value
        highest[k] = max(highest[k], value)
        lowest[k] = min(lowest[k], value)


def interval_sums(block: DataMatrix, scores, shift, tops, bottoms, n_parts) -> Sums:
    """Divide intervals of scores into `n_parts` equal parts, and sum up a block's scores per part.

    `tops` and `bottoms` are the upper and lower ends of the intervals, descending. `shift` is first
    subtracted from the scores of positives. Return the `Sums` of the parts.
    """
    shape = (2, len(tops) * n_parts)
    counts, sums = np.zeros(shape, dtype=np.int64), np.zeros(shape)
    highest, lowest = np.full(shape, -np.inf), np.full(shape, np.inf)
    n = block.n_positives
    for row, (values, off) in enumerate([(scores[:n], shift), (scores[n:], 0.0)]):
        out = counts[row], sums[row], highest[row], lowest[row]
        _add_up(values, off, tops, bottoms, n_parts, *out)
    return Sums(counts, sums, highest, lowest)


def extent_sums(block: DataMatrix, scores, shift, whole: Extent, n_parts) -> Sums:
    """Divide the range of all scores into `n_parts` equal parts; sum up a block's scores per part.

    `whole` is the range of the scores of all blocks. `shift` is first subtracted from the scores of
    positives. Return the `Sums` of the parts.
    """
    ends = np.array([whole.high]), np.array([whole.low])
    return interval_sums(block, scores, shift, *ends, n_parts)


def join_sums(parts) -> Sums:
    """Combine the `Sums` of several blocks, which have the same intervals of scores, into one."""
    counts, sums, highest, lowest = zip(*parts, strict=True)
    return Sums(sum(counts), sum(sums), np.maximum.reduce(highest), np.minimum.reduce(lowest))


@compiled
def _fill(values, shift, bottoms, heights, out):
    intervals = _first_reached(values, shift, bottoms)
    for i in range(len(values)):
        out[i] = heights[min(intervals[i], len(bottoms) - 1)]


def combination(block: DataMatrix, scores, steps: Steps):
    """Return Σ weight_i·(x_i, 1) over a block's rows x_i, shape (d + 1,).

    `steps` maps the score of each row to its weight.
    """
    weights, n = np.empty(len(scores)), block.n_positives
    _fill(scores[:n], steps.shift, steps.bottoms, steps.heights[0], weights[:n])
    _fill(scores[n:], 0.0, steps.bottoms, steps.heights[1], weights[n:])
    out = np.empty(block.n_features + 1)
    block.combination(weights, out)
    return out


def moments(block: DataMatrix) -> Moments:
    weights, sums = np.zeros(block.n_samples), np.empty((2, block.n_features + 1))
    weights[: block.n_positives] = 1.0
    block.combination(weights, sums[0])
    block.combination(1.0 - weights, sums[1])
    squares = block.n_samples * some_variances(block.matrix)
    return Moments(block.n_samples, *sums[:, :-1], squares)


def join_moments(parts) -> Moments:
    whole = parts[0]
    for part in parts[1:]:
        n_samples = whole.n_samples + part.n_samples
        means = [(m.positives + m.negatives) / m.n_samples for m in (whole, part)]
        between = whole.n_samples * part.n_samples / n_samples * (means[1] - means[0]) ** 2
        whole = Moments(
            n_samples,
            whole.positives + part.positives,
            whole.negatives + part.negatives,
            whole.squares + part.squares + between,
        )
    return whole


def join_vectors(parts):
    """Return the sum of the arrays in `parts`, added in their order."""
    return sum(parts[1:], parts[0].copy())
