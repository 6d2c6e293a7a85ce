"""Most violated labellings: their form, buckets of scores, and the search for F_β and Jaccard.

If a positives are kept and b negatives are flipped, the value is Δ(a, b) + scale·(T⁺(a) − T⁺(P) +
T⁻(b)). Here P is the number of positives, T⁺(m) and T⁻(m) are the sums of the m highest scores per
class, and the loss is Δ = 100·(1 − gain·a / (offset·P + slope·a + b)). Δ is concave in b and convex
in a; T is concave. So a hill climb from the b of the previous a finds the best b for each a, and
H(a) = max_b Δ(a, b) + scale·T⁻(b) is convex.

One pass adds up the scores in buckets, which gives T exactly at the borders of buckets. Between
borders, tangents of the concave parts and chords of H are upper bounds on the value. Only buckets
whose bound reaches the best value found are sorted and searched score by score.
"""

from typing import NamedTuple

import numpy as np

from beyond_accuracy.compilation import compiled, compiled_part
from beyond_accuracy.measures.losses import RatioLoss

_ROUNDING = 1e-9
# Sums may be reassociated, which lets them run in vector registers; no value is NaN or infinite.
_REASSOCIATE = {"reassoc", "contract", "nsz"}


class Labelling(NamedTuple):
    """Vector of predicted labels, given by one threshold on the scores per true class.

    An example is predicted positive if its score exceeds the threshold of its true class. `shift`
    is first subtracted from the scores of positives. Of the examples exactly on the threshold, the
    first `positive_ties` or `negative_ties` are predicted positive too. `loss` is the loss of the
    predicted labels in percent. `value` is `loss` plus a linear function of the scores (see
    `LabellingOracle`).
    """

    value: float
    loss: float
    shift: float
    positive_threshold: float
    positive_ties: int
    negative_threshold: float
    negative_ties: int


@compiled_part(fastmath=_REASSOCIATE)
def _sum_above(scores, direction, shift, threshold, ties):
    total = 0.0
    for i in range(len(scores)):
        total += direction[i] if scores[i] - shift > threshold else 0.0
    i = 0
    while ties > 0:
        if scores[i] - shift == threshold:
            total += direction[i]
            ties -= 1
        i += 1
    return total


# The two classes are slices: counting from n_positives on, the compiler could not rule out negative
# indices, which would keep the loops out of vector registers.
@compiled(fastmath=_REASSOCIATE)
def _slope(labelling, scores, direction, n_positives, scale):
    total = 0.0
    for value in direction[:n_positives]:
        total -= value
    _, _, shift, threshold, ties, negative_threshold, negative_ties = labelling
    positives, negatives = scores[:n_positives], scores[n_positives:]
    total += _sum_above(positives, direction[:n_positives], shift, threshold, ties)
    total += _sum_above(negatives, direction[n_positives:], 0.0, negative_threshold, negative_ties)
    return scale * total


@compiled_part
def _set_above(scores, shift, threshold, ties, above, below, out):
    for i in range(len(scores)):
        out[i] = above if scores[i] - shift > threshold else below
    i = 0
    while ties > 0:
        if scores[i] - shift == threshold:
            out[i] = above
            ties -= 1
        i += 1


@compiled
def _weights(labelling, scores, n_positives, scale, out):
    _, _, shift, threshold, ties, negative_threshold, negative_ties = labelling
    positives, negatives = scores[:n_positives], scores[n_positives:]
    _set_above(positives, shift, threshold, ties, 0.0, -scale, out[:n_positives])
    _set_above(negatives, 0.0, negative_threshold, negative_ties, scale, 0.0, out[n_positives:])


@compiled
def top_threshold(descending, count):
    """Return (threshold, n_ties) such that they select the first `count` entries of `descending`.

    `descending` is a sorted array. All values above the threshold are selected, and n_ties of the
    values equal to it.
    """
    if count == 0:
        return np.inf, 0
    threshold = descending[count - 1]
    ties = 0
    while ties < count and descending[count - 1 - ties] == threshold:
        ties += 1
    return threshold, ties


class LabellingOracle:
    """Base class of objects that evaluate the loss of a multivariate SVM for predicted labels.

    The training loss is the largest value of any vector of predicted labels. The value is the loss
    of the labels in percent − 100/n·Σ y_i·f_i. The sum is over the wrongly predicted examples i,
    with scores f_i and true labels y_i, −1 or 1. `search` finds the labels with the largest value.
    It takes the scores of all n examples, positives first.
    """

    weight_type = np.int8

    def __init__(self, n_positives: int, n_negatives: int):
        self.n_positives = n_positives
        self.scale = 100.0 / (n_positives + n_negatives)

    def slope(self, labelling, scores, direction) -> float:
        """Return the derivative of a label vector's value when the scores change along `direction`.

        The label vector, `labelling`, does not change. `search` found it for `scores`. Both arrays
        have shape (n,).
        """
        return _slope(labelling, scores, direction, self.n_positives, self.scale)

    def weights(self, labelling, scores, out):
        """Write weights such that value = loss + weights @ scores into the output array `out`.

        `labelling` is a label vector with this value and loss, which `search` found for `scores`.
        All arrays have shape (n,). Return `out`.
        """
        _weights(labelling, scores, self.n_positives, self.scale, out)
        return out


# Without the promise that no value is NaN, minima would not be taken in vector registers.
@compiled(fastmath={"reassoc", "nnan", "nsz"})
def value_range(values):
    """Return (smallest value, largest value)."""
    low, high = np.inf, -np.inf
    for value in values:
        low = min(low, value)
        high = max(high, value)
    return low, high


@compiled_part
def bucket_factor(low, high, n_buckets):
    """Return `n_buckets`/(high − low), or 0 if `low` and `high` are too close."""
    spread = high - low
    if not spread > 0.0:
        return 0.0
    factor = n_buckets / spread
    return factor if np.isfinite(factor) else 0.0


@compiled_part
def bucket_of(value, high, factor, n_buckets):
    """Return the index of the bucket of `value`, in buckets that are counted from `high` downwards.

    There are `n_buckets` buckets of width 1/`factor`. Values below the last bucket get its index.
    If `factor` is 0, the index is 0.
    """
    return min(int((high - value) * factor), n_buckets - 1)


@compiled_part
def _partition(values, threshold):
    """Move the values above the threshold to the front, without branches; return their number."""
    n_above = 0
    for i in range(len(values)):
        value = values[i]
        values[i], values[n_above] = values[n_above], value
        n_above += value > threshold
    return n_above


@compiled_part
def _sort_by_gaps(values):
    # Shell's method with the gaps of Gonnet and Baeza-Yates.
    gap = len(values)
    while gap > 1:
        gap = 1 if gap < 5 else (5 * gap - 1) // 11
        for i in range(gap, len(values)):
            value = values[i]
            j = i
            while j >= gap and values[j - gap] < value:
                values[j] = values[j - gap]
                j -= gap
            values[j] = value


@compiled
def sort_descending(values):
    """Sort `values` in place, in descending order, in half the time of NumPy's sort."""
    # Everything before `start` is sorted; the parts behind it end at `stops`, the last one first.
    stops = np.empty(64, dtype=np.int64)
    start, stops[0], n_parts = 0, len(values), 1
    budget = 32 * len(values)
    while n_parts > 0:
        part = values[start : stops[n_parts - 1]]
        size = len(part)
        if size <= 12 or budget < 0 or n_parts == len(stops):
            _sort_by_gaps(part)
            start += size
            n_parts -= 1
            continue
        budget -= size
        first, middle, last = part[0], part[size // 2], part[size - 1]
        pivot = max(min(first, middle), min(max(first, middle), last))
        n_above = _partition(part, pivot)
        if n_above > 0:
            stops[n_parts] = start + n_above
            n_parts += 1
        else:
            # The pivot is the highest value, and all equal values are in order.
            start += _partition(part, np.nextafter(pivot, -np.inf))


def bucket_number(n_samples):
    """Return the number of buckets for n scores: n/16, clipped to [16, 2048]."""
    return int(np.clip(n_samples // 16, 16, 2048))


class _Delta(NamedTuple):
    """Parameters of the loss Δ (`offset` includes the factor P), and the factor of the scores."""

    gain: float
    offset: float
    slope: float
    scale: float


class _Segments(NamedTuple):
    """Scores of a class in `n` buckets, with scores within [bottom, top], in descending order.

    `border` is the number and `total` the sum of the scores before each bucket, and of all scores.
    """

    n: int
    bucket: np.ndarray
    top: np.ndarray
    bottom: np.ndarray
    border: np.ndarray
    total: np.ndarray
    high: float
    factor: float


@compiled_part
def loss_at(kept, flipped, delta):
    return 100.0 * (1.0 - delta.gain * kept / (delta.offset + delta.slope * kept + flipped))


@compiled_part
def loss_derivative(kept, flipped, delta):
    denominator = delta.offset + delta.slope * kept + flipped
    return 100.0 * delta.gain * kept / (denominator * denominator)


@compiled_part
def _highest_of_two_lines(left, left_slope, right, right_slope, length):
    """Return the maximum of the minimum of two lines, given at 0 and at `length`."""
    if left_slope <= 0.0:
        return left
    if right_slope >= 0.0:
        return right
    x = (right - right_slope * length - left) / (left_slope - right_slope)
    return left + left_slope * min(max(x, 0.0), length)


@compiled_part
def _divide(scores, n_buckets):
    low, high = value_range(scores)
    factor = bucket_factor(low, high, n_buckets)
    counts, sums = np.zeros(n_buckets), np.zeros(n_buckets)
    for score in scores:
        bucket = bucket_of(score, high, factor, n_buckets)
        counts[bucket] += 1.0
        sums[bucket] += score
    width = 1.0 / factor if factor > 0.0 else high - low
    slack = _ROUNDING * max(abs(low), abs(high))
    top, bottom = np.zeros(n_buckets), np.zeros(n_buckets)
    border, total = np.zeros(n_buckets + 1), np.zeros(n_buckets + 1)
    buckets = np.zeros(n_buckets, np.int64)
    n = 0
    for i in range(n_buckets):
        if counts[i] > 0.0:
            top[n] = min(high, high - i * width + slack)
            bottom[n] = max(low, high - (i + 1) * width - slack)
            buckets[n] = i
            border[n + 1] = border[n] + counts[i]
            total[n + 1] = total[n] + sums[i]
            n += 1
    return _Segments(n, buckets, top, bottom, border, total, high, factor)


@compiled_part
def _bound_between(kept, j, negatives, delta):
    """Return an upper bound on Δ(a, b) + scale·T⁻(b) for b between the borders j and j + 1."""
    left, right = negatives.border[j], negatives.border[j + 1]
    return _highest_of_two_lines(
        loss_at(kept, left, delta) + delta.scale * negatives.total[j],
        loss_derivative(kept, left, delta) + delta.scale * negatives.top[j],
        loss_at(kept, right, delta) + delta.scale * negatives.total[j + 1],
        loss_derivative(kept, right, delta) + delta.scale * negatives.bottom[j],
        right - left,
    )


@compiled_part
def _open_promising(positives, negatives, delta, starts):
    """Mark the segments of positives that may hold a better value than the best border.

    The buckets of these segments get 0 in `starts`, and other buckets −1. Each border of positives
    has a best border of negatives; return the first and the last of these next to marked segments.
    """
    n, scale = positives.n, delta.scale
    at, best, j = np.zeros(n + 1, np.int64), -np.inf, 0
    upper = np.zeros(n + 1)
    border, total = negatives.border, negatives.total
    for i in range(n + 1):
        kept = positives.border[i]
        value = loss_at(kept, border[j], delta) + scale * total[j]
        for step in (1, -1):
            while 0 <= j + step <= negatives.n:
                neighbour = loss_at(kept, border[j + step], delta) + scale * total[j + step]
                if neighbour <= value:
                    break
                j, value = j + step, neighbour
        at[i] = j
        best = max(best, value + scale * positives.total[i])
        for segment in range(max(j - 1, 0), min(j + 1, negatives.n)):
            value = max(value, _bound_between(kept, segment, negatives, delta))
        upper[i] = value
    best -= _ROUNDING * abs(best)
    starts[:] = -1
    first, last = negatives.n, 0
    for i in range(n):
        length = positives.border[i + 1] - positives.border[i]
        chord = (upper[i + 1] - upper[i]) / length
        bound = _highest_of_two_lines(
            upper[i] + scale * positives.total[i],
            chord + scale * positives.top[i],
            upper[i + 1] + scale * positives.total[i + 1],
            chord + scale * positives.bottom[i],
            length,
        )
        if bound >= best:
            starts[positives.bucket[i]] = 0
            for j in at[i : i + 2]:
                first, last = min(first, j), max(last, j)
    return first, last


@compiled_part
def _open(scores, segments, starts, out):
    """Write the scores of the open segments into `out`, descending; return their number.

    `starts` is −1 for closed buckets; for others it becomes the position of their first score.
    """
    size = 0
    for j in range(segments.n):
        bucket = segments.bucket[j]
        if starts[bucket] >= 0:
            starts[bucket] = size
            size += int(segments.border[j + 1] - segments.border[j])
    for score in scores:
        bucket = bucket_of(score, segments.high, segments.factor, len(starts))
        if starts[bucket] >= 0:
            out[starts[bucket]] = score
            starts[bucket] += 1
    stop = 0
    for j in range(segments.n):
        bucket = segments.bucket[j]
        if starts[bucket] >= 0:
            start, stop = stop, starts[bucket]
            sort_descending(out[start:stop])
            starts[bucket] = start
    return size


@compiled_part
def _sweep(positives, starts, kept_scores, negatives, first, size, flipped_scores, delta):
    """Return the best labelling within the open segments, and whether it reached their ends.

    `starts` are the positions of the open positives' segments in `kept_scores`. The open negatives
    are `size` scores from the segment `first` on. Of the kept positives, the last `inside` are in
    an open segment, whose scores begin at `base`. `flipped` counts only open negatives.
    """
    start, scale = negatives.border[first], delta.scale
    best, best_total, best_flipped_total = -np.inf, 0.0, 0.0
    best_kept, best_base, best_inside, best_flipped = -1, 0, 0, 0
    at_low = at_high = False
    flipped, flipped_total = 0, negatives.total[first]
    for i in range(positives.n):
        base = starts[positives.bucket[i]]
        if base < 0:
            continue
        border, kept_total = int(positives.border[i]), positives.total[i]
        for inside in range(int(positives.border[i + 1]) - border + 1):
            kept = border + inside
            if inside > 0:
                kept_total += kept_scores[base + inside - 1]
            loss = loss_at(kept, start + flipped, delta)
            while flipped < size:
                next_loss = loss_at(kept, start + flipped + 1, delta)
                if next_loss - loss + scale * flipped_scores[flipped] <= 0.0:
                    break
                flipped_total += flipped_scores[flipped]
                flipped += 1
                loss = next_loss
            while flipped > 0:
                next_loss = loss_at(kept, start + flipped - 1, delta)
                if next_loss - loss - scale * flipped_scores[flipped - 1] <= 0.0:
                    break
                flipped -= 1
                flipped_total -= flipped_scores[flipped]
                loss = next_loss
            at_low |= flipped == 0
            at_high |= flipped == size
            value = loss + scale * (kept_total + flipped_total)
            if value > best:
                best, best_total, best_flipped_total = value, kept_total, flipped_total
                best_flipped = flipped
                if kept != best_kept:
                    best_kept, best_base, best_inside = kept, base, inside
    return (
        best_kept, best_base, best_inside, best_flipped, best_total, best_flipped_total, at_low,
        at_high,
    )  # fmt: skip


@compiled
def _search(scores, n_positives, n_buckets, delta, room):
    positive_scores, negative_scores = scores[:n_positives], scores[n_positives:]
    open_positives, open_negatives = room[:n_positives], room[n_positives:]
    positives = _divide(positive_scores, n_buckets)
    negatives = _divide(negative_scores, n_buckets)
    starts, near = np.zeros(n_buckets, np.int64), np.zeros(n_buckets, np.int64)
    first, last = _open_promising(positives, negatives, delta, starts)
    _open(positive_scores, positives, starts, open_positives)
    # The best b of the open segments lies between the borders next to their best borders, except
    # for β < 1, where it may rise beyond them in between. If it runs into an end, widen and repeat.
    first, last = max(first - 1, 0), min(last + 1, negatives.n)
    while True:
        near[:] = -1
        for j in range(first, last):
            near[negatives.bucket[j]] = 0
        size = _open(negative_scores, negatives, near, open_negatives)
        kept, base, inside, flipped, kept_total, flipped_total, at_low, at_high = _sweep(
            positives, starts, open_positives, negatives, first, size, open_negatives, delta
        )
        width = last - first + 1
        widens = False
        if at_low and first > 0:
            first, widens = max(first - width, 0), True
        if at_high and last < negatives.n:
            last, widens = min(last + width, negatives.n), True
        if not widens:
            break
    loss = loss_at(kept, negatives.border[first] + flipped, delta)
    total = kept_total - positives.total[positives.n] + flipped_total
    threshold, ties = open_positives[base], 0
    if inside > 0 or kept == 0:
        threshold, ties = top_threshold(open_positives[base:], inside)
    of_negatives = top_threshold(open_negatives, flipped)
    return Labelling(loss + delta.scale * total, loss, 0.0, threshold, ties, *of_negatives)


class RatioOracle(LabellingOracle):
    """Oracle that finds the most violated label vector, for F_β and the Jaccard index.

    This is the vector of predicted labels with the largest value, as defined in `LabellingOracle`.
    """

    def __init__(self, loss: RatioLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, n_negatives)
        n_samples = n_positives + n_negatives
        offset = float(loss.offset) * n_positives
        self.delta = _Delta(float(loss.gain), offset, float(loss.slope), self.scale)
        self._n_buckets = bucket_number(n_samples)

    def search(self, scores) -> Labelling:
        # Only the part that the open segments fill takes memory.
        room = np.empty(len(scores))
        return _search(scores, self.n_positives, self._n_buckets, self.delta, room)
