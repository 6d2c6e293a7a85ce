"""Most violated labelling for F_β and the Jaccard index, exact and without a full sort.

If a positives are kept and b negatives are flipped, the value is Δ(a, b) + scale·(T⁺(a) − T⁺(P) +
T⁻(b)). Here P is the number of positives, T⁺(m) and T⁻(m) are the sums of the m highest scores per
class, and the loss is Δ = 100·(1 − gain·a / (offset·P + slope·a + b)). Δ is concave in b and convex
in a; T is concave. So the best b for each a is found by a hill climb that starts from the b of the
previous a, and H(a) = max_b Δ(a, b) + scale·T⁻(b) is convex.

One pass adds up the scores in buckets, which gives T exactly at the borders of buckets. Between
borders, tangents of the concave parts and chords of the convex H are upper bounds on the value.
Only the buckets whose bound reaches the best value found are sorted and searched score by score.
"""

from typing import NamedTuple

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.measures.losses import RatioLoss
from beyond_accuracy.solvers.oracles.buckets import (
    bucket_factor,
    bucket_number,
    bucket_of,
    sort_descending,
    value_range,
)
from beyond_accuracy.solvers.oracles.labelling import Labelling, LabellingOracle, top_threshold

_ROUNDING = 1e-9


class _Delta(NamedTuple):
    """Parameters of the loss Δ(a, b) = 100·(1 − gain·a/(offset + slope·a + b)).

    a positives are kept and b negatives are flipped. `scale` is the factor of scores in the value.
    """

    gain: float
    offset: float
    slope: float
    scale: float


class _Segments(NamedTuple):
    """Scores of a class, summarized by buckets in descending order.

    Segment j is a bucket of scores within [bottom, top]. `border` is the number and `total` the sum
    of the scores before it. The last border is behind all segments.
    """

    bucket: np.ndarray
    top: np.ndarray
    bottom: np.ndarray
    border: np.ndarray
    total: np.ndarray
    high: float
    factor: float


class _Bounds(NamedTuple):
    """Bounds on H at each border of the positives, and the best border of the negatives there."""

    best_border: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


class _Opening(NamedTuple):
    """Descending scores of the open segments, which are searched score by score.

    `size` is the number of scores. The start of each bucket's scores is −1 if the bucket is closed.
    """

    scores: np.ndarray
    starts: np.ndarray
    size: int


class _Peak(NamedTuple):
    """Best (a, b) of a search in open segments, and the sums of scores there.

    b counts from the first open negative. `at_low` and `at_high` are whether the search reached the
    first or the last open negative.
    """

    kept: int
    flipped: int
    kept_total: float
    flipped_total: float
    at_low: bool
    at_high: bool


@compiled
def _loss(kept, flipped, delta):
    return 100.0 * (1.0 - delta.gain * kept / (delta.offset + delta.slope * kept + flipped))


@compiled
def _loss_derivative(kept, flipped, delta):
    denominator = delta.offset + delta.slope * kept + flipped
    return 100.0 * delta.gain * kept / (denominator * denominator)


@compiled
def _highest_of_two_lines(left, left_slope, right, right_slope, length):
    """Return the maximum over [0, length] of the minimum of two lines.

    `left` and `right` are the values of the first line at 0 and of the second line at `length`. The
    other two parameters are the slopes.
    """
    if left_slope <= 0.0:
        return left
    if right_slope >= 0.0:
        return right
    x = (right - right_slope * length - left) / (left_slope - right_slope)
    return left + left_slope * min(max(x, 0.0), length)


@compiled
def _divide(scores, n_buckets):
    """Return the segments of the scores of a class."""
    low, high = value_range(scores)
    factor = bucket_factor(low, high, n_buckets)
    counts, sums = np.zeros(n_buckets, dtype=np.int64), np.zeros(n_buckets)
    for score in scores:
        bucket = bucket_of(score, high, factor, n_buckets)
        counts[bucket] += 1
        sums[bucket] += score
    width = 1.0 / factor if factor > 0.0 else high - low
    slack = _ROUNDING * max(abs(low), abs(high))
    bucket_of_segment = np.empty(n_buckets, dtype=np.int64)
    top, bottom = np.empty(n_buckets), np.empty(n_buckets)
    border, total = np.zeros(n_buckets + 1), np.zeros(n_buckets + 1)
    n_segments = 0
    for i in range(n_buckets):
        if counts[i] > 0:
            top[n_segments] = min(high, high - i * width + slack)
            bottom[n_segments] = max(low, high - (i + 1) * width - slack)
            bucket_of_segment[n_segments] = i
            n_segments += 1
            border[n_segments] = border[n_segments - 1] + counts[i]
            total[n_segments] = total[n_segments - 1] + sums[i]
    return _Segments(bucket_of_segment[:n_segments], top, bottom, border, total, high, factor)


@compiled
def _bound_between(kept, j, negatives, delta):
    """Return an upper bound on Δ(a, b) + scale·T⁻(b) for b between the borders j and j + 1.

    `kept` is a.
    """
    left, right = negatives.border[j], negatives.border[j + 1]
    return _highest_of_two_lines(
        _loss(kept, left, delta) + delta.scale * negatives.total[j],
        _loss_derivative(kept, left, delta) + delta.scale * negatives.top[j],
        _loss(kept, right, delta) + delta.scale * negatives.total[j + 1],
        _loss_derivative(kept, right, delta) + delta.scale * negatives.bottom[j],
        right - left,
    )


@compiled
def _bound_borders(positives, negatives, delta):
    """Return bounds on H at the borders of the positives.

    For each of them, a hill climb over the borders of the negatives finds the best one.
    """
    n_kept, n_flipped = len(positives.bucket), len(negatives.bucket)
    best_border = np.empty(n_kept + 1, dtype=np.int64)
    lower, upper = np.empty(n_kept + 1), np.empty(n_kept + 1)
    j = 0
    for i in range(n_kept + 1):
        kept = positives.border[i]
        value = _loss(kept, negatives.border[j], delta) + delta.scale * negatives.total[j]
        climbing = True
        while climbing:
            climbing = False
            for step in (1, -1):
                while 0 <= j + step <= n_flipped:
                    neighbour = _loss(kept, negatives.border[j + step], delta)
                    neighbour += delta.scale * negatives.total[j + step]
                    if neighbour <= value:
                        break
                    j += step
                    value = neighbour
        best_border[i] = j
        lower[i] = value
        upper[i] = value
        for segment in range(max(j - 1, 0), min(j + 1, n_flipped)):
            upper[i] = max(upper[i], _bound_between(kept, segment, negatives, delta))
    return _Bounds(best_border, lower, upper)


@compiled
def _promising(positives, n_flipped, bounds, scale):
    """Return (mask of segments of positives, first, last best border of the negatives there).

    The mask selects the segments that may hold a better value than the best border. `n_flipped` is
    the number of segments of the negatives.
    """
    n_kept, total = len(positives.bucket), positives.total
    best = -np.inf
    for i in range(n_kept + 1):
        best = max(best, bounds.lower[i] + scale * total[i])
    best -= _ROUNDING * abs(best)
    promising = np.zeros(n_kept, dtype=np.bool_)
    first, last = n_flipped, 0
    for i in range(n_kept):
        length = positives.border[i + 1] - positives.border[i]
        chord = (bounds.upper[i + 1] - bounds.upper[i]) / length
        bound = _highest_of_two_lines(
            bounds.upper[i] + scale * total[i],
            chord + scale * positives.top[i],
            bounds.upper[i + 1] + scale * total[i + 1],
            chord + scale * positives.bottom[i],
            length,
        )
        if bound >= best:
            promising[i] = True
            for j in bounds.best_border[i : i + 2]:
                first, last = min(first, j), max(last, j)
    return promising, first, last


@compiled
def _open(scores, segments, n_buckets, chosen, out):
    """Write the scores of the chosen segments into `out`, descending; return the `_Opening`."""
    starts = np.empty(n_buckets, dtype=np.int64)
    for bucket in range(n_buckets):
        starts[bucket] = -1
    size = 0
    for j in range(len(chosen)):
        if chosen[j]:
            starts[segments.bucket[j]] = size
            size += int(segments.border[j + 1] - segments.border[j])
    for score in scores:
        bucket = bucket_of(score, segments.high, segments.factor, n_buckets)
        if starts[bucket] >= 0:
            out[starts[bucket]] = score
            starts[bucket] += 1
    for j in range(len(chosen)):
        if chosen[j]:
            stop = starts[segments.bucket[j]]
            start = stop - int(segments.border[j + 1] - segments.border[j])
            sort_descending(out[start:stop])
            starts[segments.bucket[j]] = start
    return _Opening(out, starts, size)


@compiled
def _sweep(positives, open_positives, negatives, open_negatives, first, delta):
    """Return the best labelling within the open segments.

    The open segments of the negatives begin with the segment `first`. `open_positives` and
    `open_negatives` are their scores, as `_Opening`.
    """
    start, scores, scale = int(negatives.border[first]), open_negatives.scores, delta.scale
    best = -np.inf
    best_kept = best_flipped = 0
    best_kept_total = best_flipped_total = 0.0
    at_low = at_high = False
    flipped = 0
    flipped_total = negatives.total[first]
    for i in range(len(positives.bucket)):
        base = open_positives.starts[positives.bucket[i]]
        if base < 0:
            continue
        kept_total = positives.total[i]
        for step in range(int(positives.border[i + 1] - positives.border[i]) + 1):
            kept = positives.border[i] + step
            if step > 0:
                kept_total += open_positives.scores[base + step - 1]
            loss = _loss(kept, start + flipped, delta)
            while flipped < open_negatives.size:
                next_loss = _loss(kept, start + flipped + 1, delta)
                if next_loss - loss + scale * scores[flipped] <= 0.0:
                    break
                flipped_total += scores[flipped]
                flipped += 1
                loss = next_loss
            while flipped > 0:
                next_loss = _loss(kept, start + flipped - 1, delta)
                if next_loss - loss - scale * scores[flipped - 1] <= 0.0:
                    break
                flipped -= 1
                flipped_total -= scores[flipped]
                loss = next_loss
            at_low |= flipped == 0
            at_high |= flipped == open_negatives.size
            value = loss + scale * (kept_total + flipped_total)
            if value > best:
                best = value
                best_kept, best_flipped = int(kept), flipped
                best_kept_total, best_flipped_total = kept_total, flipped_total
    return _Peak(best_kept, best_flipped, best_kept_total, best_flipped_total, at_low, at_high)


@compiled
def _threshold_of_kept(positives, opening, kept):
    """Return (threshold, ties) that select the `kept` highest positives.

    The last selected positive is in an open segment.
    """
    i = 0
    while opening.starts[positives.bucket[i]] < 0 or positives.border[i + 1] < kept:
        i += 1
    inside = kept - int(positives.border[i])
    descending = opening.scores[opening.starts[positives.bucket[i]] :]
    if inside == 0 < kept:
        return descending[0], 0
    return top_threshold(descending, inside)


@compiled
def _search(scores, n_positives, n_buckets, delta, room):
    positive_scores, negative_scores = scores[:n_positives], scores[n_positives:]
    positives, negatives = (
        _divide(positive_scores, n_buckets),
        _divide(negative_scores, n_buckets),
    )
    n_flipped = len(negatives.bucket)
    bounds = _bound_borders(positives, negatives, delta)
    promising, first, last = _promising(positives, n_flipped, bounds, delta.scale)
    open_positives = _open(positive_scores, positives, n_buckets, promising, room[:n_positives])
    # The best b of the open segments lies between the borders next to their best borders, except
    # for β < 1, where it may rise beyond them in between. If it runs into an end, widen and repeat.
    first, last = max(first - 1, 0), min(last + 1, n_flipped)
    while True:
        near = np.zeros(n_flipped, dtype=np.bool_)
        for j in range(first, last):
            near[j] = True
        open_negatives = _open(negative_scores, negatives, n_buckets, near, room[n_positives:])
        peak = _sweep(positives, open_positives, negatives, open_negatives, first, delta)
        widen_low, widen_high = peak.at_low and first > 0, peak.at_high and last < n_flipped
        if not (widen_low or widen_high):
            break
        width = last - first + 1
        if widen_low:
            first = max(first - width, 0)
        if widen_high:
            last = min(last + width, n_flipped)
    loss = _loss(peak.kept, int(negatives.border[first]) + peak.flipped, delta)
    total = peak.kept_total - positives.total[len(positives.bucket)] + peak.flipped_total
    positive_threshold, positive_ties = _threshold_of_kept(positives, open_positives, peak.kept)
    negative_threshold, negative_ties = top_threshold(open_negatives.scores, peak.flipped)
    return Labelling(
        loss + delta.scale * total,
        loss,
        0.0,
        positive_threshold,
        positive_ties,
        negative_threshold,
        negative_ties,
    )


class RatioOracle(LabellingOracle):
    """Search for the most violated labelling of a RatioLoss.

    It maximizes the loss minus scale·Σ y_i·f_i over the examples whose label is flipped, for scores
    f.
    """

    def __init__(self, loss: RatioLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, n_negatives)
        n_samples = n_positives + n_negatives
        offset = float(loss.offset) * n_positives
        self._delta = _Delta(float(loss.gain), offset, float(loss.slope), self.scale)
        self._n_buckets = bucket_number(n_samples)

    def search(self, scores) -> Labelling:
        """Return the most violated labelling at the given scores, float64, shape (n,)."""
        # Only the part that the open segments fill takes memory.
        room = np.empty(len(scores))
        return _search(scores, self.n_positives, self._n_buckets, self._delta, room)
