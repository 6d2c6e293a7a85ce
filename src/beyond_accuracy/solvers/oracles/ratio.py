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

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.measures.losses import RatioLoss
from beyond_accuracy.solvers.oracles.buckets import bucket_factor, bucket_number, bucket_of
from beyond_accuracy.solvers.oracles.labelling import Labelling, LabellingOracle, top_threshold

_ROUNDING = 1e-9


@compiled
def _loss(kept, flipped, gain, offset, slope):
    return 100.0 * (1.0 - gain * kept / (offset + slope * kept + flipped))


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
    x = x if x > 0.0 else 0.0
    return left + left_slope * (x if x < length else length)


@compiled
def _add_up(scores, high, factor, counts, sums):
    n_buckets = len(counts)
    for score in scores:
        bucket = bucket_of(score, high, factor, n_buckets)
        counts[bucket] += 1.0
        sums[bucket] += score


@compiled
def _gather(scores, high, factor, is_open, out):
    """Gather the scores in open buckets; return their number."""
    n_buckets, size = len(is_open), 0
    for score in scores:
        if is_open[bucket_of(score, high, factor, n_buckets)]:
            out[size] = score
            size += 1
    return size


class _Segments:
    """Scores of a class, summarized by buckets.

    Segment j is a bucket of values within [`bottom`, `top`]. Before it there are `border` scores,
    which sum to `total`. The last border is behind all segments.
    """

    def __init__(self, scores, n_buckets):
        self._scores, self._n_buckets = scores, n_buckets
        low, high = float(scores.min()), float(scores.max())
        factor = bucket_factor(low, high, n_buckets)
        self._high, self._factor = high, factor
        counts, sums = np.zeros(n_buckets), np.zeros(n_buckets)
        _add_up(scores, high, factor, counts, sums)
        self._bucket = bucket = np.flatnonzero(counts)
        width = 1.0 / factor if factor > 0.0 else high - low
        slack = _ROUNDING * max(abs(low), abs(high))
        self.top = np.minimum(high, high - bucket * width + slack)
        self.bottom = np.maximum(low, high - (bucket + 1) * width - slack)
        self.border, self.total = np.zeros((2, len(bucket) + 1))
        np.cumsum(counts[bucket], out=self.border[1:])
        np.cumsum(sums[bucket], out=self.total[1:])
        self.shape = self.border, self.total, self.top, self.bottom

    def open(self, chosen):
        """Return the scores of the chosen segments, in descending order."""
        is_open = np.zeros(self._n_buckets, dtype=bool)
        is_open[self._bucket[chosen]] = True
        out = np.empty(len(self._scores))
        size = _gather(self._scores, self._high, self._factor, is_open, out)
        return np.sort(out[:size])[::-1].copy()


@compiled
def _bound_between(kept, j, border, total, top, bottom, gain, offset, slope, scale):
    """Bound Δ(a, b) + scale·T⁻(b) from above for b between the borders j and j + 1."""
    left, right = border[j], border[j + 1]
    at_left, at_right = offset + slope * kept + left, offset + slope * kept + right
    return _highest_of_two_lines(
        100.0 * (1.0 - gain * kept / at_left) + scale * total[j],
        100.0 * gain * kept / (at_left * at_left) + scale * top[j],
        100.0 * (1.0 - gain * kept / at_right) + scale * total[j + 1],
        100.0 * gain * kept / (at_right * at_right) + scale * bottom[j],
        right - left,
    )


@compiled
def _bound_borders(
    borders, border, total, top, bottom, gain, offset, slope, scale, best_border, lower, upper
):
    """Compute H at the borders of the positives, by a hill climb over borders of the negatives.

    Writes the best border of the negatives for each border of the positives, and bounds of H.
    """
    n_flipped = len(top)
    j = 0
    for i in range(len(borders)):
        kept = borders[i]
        value = _loss(kept, border[j], gain, offset, slope) + scale * total[j]
        step, n_failed = 1, 0
        while n_failed < 2:
            neighbour = -np.inf
            if 0 <= j + step <= n_flipped:
                neighbour = _loss(kept, border[j + step], gain, offset, slope)
                neighbour += scale * total[j + step]
            if neighbour > value:
                j += step
                value = neighbour
                n_failed = 0
            else:
                step = -step
                n_failed += 1
        best_border[i] = j
        lower[i] = value
        upper[i] = value
        for segment in range(j - 1, j + 1):
            if 0 <= segment < n_flipped:
                bound = _bound_between(
                    kept, segment, border, total, top, bottom, gain, offset, slope, scale
                )
                if bound > upper[i]:
                    upper[i] = bound


@compiled
def _find_promising(border, total, top, bottom, upper, best, scale, promising):
    """Mark the segments of positives whose bound reaches the value `best`."""
    for i in range(len(promising)):
        length = border[i + 1] - border[i]
        chord = (upper[i + 1] - upper[i]) / length
        bound = _highest_of_two_lines(
            upper[i] + scale * total[i],
            chord + scale * top[i],
            upper[i + 1] + scale * total[i + 1],
            chord + scale * bottom[i],
            length,
        )
        promising[i] = bound >= best


@compiled
def _sweep(border, total, is_open, positives, start, before, negatives, gain, offset, slope, scale):
    """Find the best labelling within the open segments.

    `positives` and `negatives` are the descending scores in open segments. Before the first open
    negative there are `start` negatives, which sum to `before`.

    Returns the best a, and b from the first open negative; the sums of their scores; the number of
    open positives that are kept, and how many of them are in the segment of the last one; whether
    the sweep ran into the first or the last open negative.
    """
    best = -np.inf
    best_kept = best_kept_total = best_flipped_total = 0.0
    best_flipped = best_position = best_inside = flipped = base = 0
    at_low = at_high = False
    flipped_total = before
    for i in range(len(is_open)):
        if not is_open[i]:
            continue
        kept_total = total[i]
        length = int(border[i + 1] - border[i])
        for inside in range(length + 1):
            kept = border[i] + inside
            if inside > 0:
                kept_total += positives[base + inside - 1]
            loss = _loss(kept, start + flipped, gain, offset, slope)
            while flipped < len(negatives):
                next_loss = _loss(kept, start + (flipped + 1), gain, offset, slope)
                if next_loss - loss + scale * negatives[flipped] <= 0.0:
                    break
                flipped_total += negatives[flipped]
                flipped += 1
                loss = next_loss
            while flipped > 0:
                next_loss = _loss(kept, start + (flipped - 1), gain, offset, slope)
                if next_loss - loss - scale * negatives[flipped - 1] <= 0.0:
                    break
                flipped -= 1
                flipped_total -= negatives[flipped]
                loss = next_loss
            at_low |= flipped == 0
            at_high |= flipped == len(negatives)
            value = loss + scale * (kept_total + flipped_total)
            if value > best:
                best = value
                best_kept, best_flipped = kept, flipped
                best_kept_total, best_flipped_total = kept_total, flipped_total
                best_position, best_inside = base + inside, inside
        base += length
    return (
        best_kept, best_flipped, best_kept_total, best_flipped_total, best_position, best_inside,
        at_low, at_high,
    )  # fmt: skip


class RatioOracle(LabellingOracle):
    """Search for the most violated labelling of a RatioLoss.

    It maximizes the loss minus scale·Σ y_i·f_i over the examples whose label is flipped, for scores
    f.
    """

    def __init__(self, loss: RatioLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, n_negatives)
        n_samples = n_positives + n_negatives
        self._gain, self._slope = float(loss.gain), float(loss.slope)
        self._offset = float(loss.offset) * n_positives
        self._n_buckets = bucket_number(n_samples)

    def search(self, scores) -> Labelling:
        """Find the most violated labelling at the given scores, shape (n,), float64."""
        scale = self.scale
        # Δ(a, b) = 100·(1 − gain·a / (offset + slope·a + b)), and a score counts `scale` times.
        delta = self._gain, self._offset, self._slope, scale
        positives = _Segments(scores[: self.n_positives], self._n_buckets)
        negatives = _Segments(scores[self.n_positives :], self._n_buckets)
        n_flipped = len(negatives.top)
        best_border = np.empty(len(positives.border), dtype=np.int64)
        lower, upper = np.empty((2, len(best_border)))
        _bound_borders(positives.border, *negatives.shape, *delta, best_border, lower, upper)
        best = (lower + scale * positives.total).max()
        best -= _ROUNDING * abs(best)
        is_open = np.empty(len(positives.top), dtype=bool)
        _find_promising(*positives.shape, upper, best, scale, is_open)
        open_positives = positives.open(is_open)
        # The best b of the open segments lies between the borders next to their best borders,
        # except for β < 1, where it may rise beyond them in between. If it runs into an end, widen
        # and repeat.
        near = best_border[np.append(is_open, False) | np.append(False, is_open)]
        first, last = max(int(near.min()) - 1, 0), min(int(near.max()) + 1, n_flipped)
        while True:
            start, before = float(negatives.border[first]), float(negatives.total[first])
            open_negatives = negatives.open(slice(first, last))
            kept, flipped, kept_total, flipped_total, position, inside, at_low, at_high = _sweep(
                positives.border, positives.total, is_open, open_positives, start, before,
                open_negatives, *delta,
            )  # fmt: skip
            widen_low, widen_high = at_low and first > 0, at_high and last < n_flipped
            if not (widen_low or widen_high):
                break
            width = last - first + 1
            if widen_low:
                first = max(first - width, 0)
            if widen_high:
                last = min(last + width, n_flipped)
        loss = 100.0 * (
            1.0 - self._gain * kept / (self._offset + self._slope * kept + (start + flipped))
        )
        value = loss + scale * (kept_total - float(positives.total[-1]) + flipped_total)
        if inside == 0 < kept:
            # The positives kept end where an open segment starts.
            positive_threshold, positive_ties = float(open_positives[position]), 0
        else:
            positive_threshold, positive_ties = top_threshold(open_positives, position)
        return Labelling(
            value, loss, 0.0, positive_threshold, positive_ties,
            *top_threshold(open_negatives, flipped),
        )  # fmt: skip
