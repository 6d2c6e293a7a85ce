"""Most violated labelling for F_β and the Jaccard index, exact and without a full sort.

With a kept positives and b flipped negatives the value is Δ(a, b) + scale·(T⁺(a) − T⁺(P) + T⁻(b)),
where T(m) is the sum of the m highest scores. Δ = 100·(1 − gain·a / (offset·P + slope·a + b)) is
concave in b and convex in a; T is concave. So the best b for each a is found by a hill climb that
starts from the b of the previous a, and H(a) = max_b Δ(a, b) + scale·T⁻(b) is convex.

One pass adds the scores up in buckets, which gives T exactly at the bucket borders. Between
borders, tangents of the concave parts and chords of the convex H bound the value from above; only
the buckets whose bound reaches the best value found are sorted and swept element by element.
"""

import numpy as np
from numba import njit

from beyond_accuracy.measures.losses import RatioLoss
from beyond_accuracy.solvers.oracles.buckets import (
    bucket_factor,
    bucket_number,
    bucket_totals,
    sort_buckets,
    value_range,
)
from beyond_accuracy.solvers.oracles.labelling import Labelling, LabellingOracle

_ROUNDING = 1e-9


@njit(cache=True, nogil=True, inline="always")
def _loss(kept, flipped, gain, offset, slope):
    return 100.0 * (1.0 - gain * kept / (offset + slope * kept + flipped))


@njit(cache=True, nogil=True, inline="always")
def _loss_derivative(kept, flipped, gain, offset, slope):
    denominator = offset + slope * kept + flipped
    return 100.0 * gain * kept / (denominator * denominator)


@njit(cache=True, nogil=True, inline="always")
def _highest_of_two_lines(left, left_slope, right, right_slope, length):
    """Maximum over [0, length] of the lower of a line from the left and one from the right."""
    if left_slope <= 0.0:
        return left
    if right_slope >= 0.0:
        return right
    x = (right - right_slope * length - left) / (left_slope - right_slope)
    return left + left_slope * min(max(x, 0.0), length)


@njit(cache=True, nogil=True)
def _borders(counts, sums, low, high, factor, border, total, top, bottom, bucket):
    """Drop empty buckets: cumulative counts and sums at the borders of the others.

    `top` and `bottom` bound the values of the segment that ends at the next border.
    """
    width = 1.0 / factor if factor > 0.0 else high - low
    slack = _ROUNDING * max(abs(low), abs(high))
    border[0] = 0.0
    total[0] = 0.0
    n_segments = 0
    for i in range(len(counts)):
        if counts[i] > 0:
            top[n_segments] = min(high, high - i * width + slack)
            bottom[n_segments] = max(low, high - (i + 1) * width - slack)
            bucket[n_segments] = i
            n_segments += 1
            border[n_segments] = border[n_segments - 1] + counts[i]
            total[n_segments] = total[n_segments - 1] + sums[i]
    return n_segments


@njit(cache=True, nogil=True)
def _upper_bound_between(kept, j, border, total, top, bottom, scale, gain, offset, slope):
    """Upper bound of Δ(a, b) + scale·T⁻(b) for b between the borders j and j + 1."""
    left, right = border[j], border[j + 1]
    return _highest_of_two_lines(
        _loss(kept, left, gain, offset, slope) + scale * total[j],
        _loss_derivative(kept, left, gain, offset, slope) + scale * top[j],
        _loss(kept, right, gain, offset, slope) + scale * total[j + 1],
        _loss_derivative(kept, right, gain, offset, slope) + scale * bottom[j],
        right - left,
    )


@njit(cache=True, nogil=True)
def _coarse_sweep(
    n_kept,
    kept,
    n_flipped,
    flipped,
    flipped_total,
    top,
    bottom,
    scale,
    gain,
    offset,
    slope,
    best_border,
    lower,
    upper,
):
    """For every border of the positives: the best border of the negatives, and bounds of H."""
    j = 0
    for i in range(n_kept + 1):
        a = kept[i]
        value = _loss(a, flipped[j], gain, offset, slope) + scale * flipped_total[j]
        climbing = True
        while climbing:
            climbing = False
            for step in (1, -1):
                while 0 <= j + step <= n_flipped:
                    other = _loss(a, flipped[j + step], gain, offset, slope)
                    other += scale * flipped_total[j + step]
                    if other <= value:
                        break
                    j += step
                    value = other
        best_border[i] = j
        lower[i] = value
        bound = value
        for segment in (j - 1, j):
            if 0 <= segment < n_flipped:
                bound = max(
                    bound,
                    _upper_bound_between(
                        a, segment, flipped, flipped_total, top, bottom, scale, gain, offset, slope
                    ),
                )
        upper[i] = bound


@njit(cache=True, nogil=True)
def _search(scores, n_positives, scale, gain, offset, slope, work):
    (
        counts,
        sums,
        border,
        total,
        top,
        bottom,
        bucket,
        best_border,
        lower,
        upper,
        wanted,
        starts,
        sorted_scores,
    ) = work
    n_buckets = counts.shape[1]
    positives, negatives = scores[:n_positives], scores[n_positives:]
    offset = offset * n_positives

    low_p, high_p = value_range(positives)
    factor_p = bucket_factor(low_p, high_p, n_buckets)
    bucket_totals(positives, high_p, factor_p, counts[0], sums[0])
    n_kept = _borders(
        counts[0],
        sums[0],
        low_p,
        high_p,
        factor_p,
        border[0],
        total[0],
        top[0],
        bottom[0],
        bucket[0],
    )
    low_n, high_n = value_range(negatives)
    factor_n = bucket_factor(low_n, high_n, n_buckets)
    bucket_totals(negatives, high_n, factor_n, counts[1], sums[1])
    n_flipped = _borders(
        counts[1],
        sums[1],
        low_n,
        high_n,
        factor_n,
        border[1],
        total[1],
        top[1],
        bottom[1],
        bucket[1],
    )
    kept, flipped = border[0], border[1]
    kept_total, flipped_total = total[0], total[1]
    _coarse_sweep(
        n_kept,
        kept,
        n_flipped,
        flipped,
        flipped_total,
        top[1],
        bottom[1],
        scale,
        gain,
        offset,
        slope,
        best_border,
        lower,
        upper,
    )
    best = -np.inf
    for i in range(n_kept + 1):
        best = max(best, lower[i] + scale * kept_total[i])
    best -= _ROUNDING * abs(best)

    # Open every segment of positives that may hold a better value than the best border.
    wanted[:] = False
    first, last = n_flipped, 0
    for i in range(n_kept):
        length = kept[i + 1] - kept[i]
        chord = (upper[i + 1] - upper[i]) / length
        bound = _highest_of_two_lines(
            upper[i] + scale * kept_total[i],
            chord + scale * top[0, i],
            upper[i + 1] + scale * kept_total[i + 1],
            chord + scale * bottom[0, i],
            length,
        )
        if bound >= best:
            wanted[0, bucket[0, i]] = True
            first = min(first, best_border[i], best_border[i + 1])
            last = max(last, best_border[i], best_border[i + 1])
    sorted_p, sorted_n = sorted_scores[:n_positives], sorted_scores[n_positives:]
    sort_buckets(positives, high_p, factor_p, counts[0], wanted[0], starts[0], sorted_p)

    # The best b of the open segments lies between the borders next to their best borders, except
    # for β < 1 where it may rise beyond them in between: widen and repeat if it runs into an end.
    first, last = max(first - 1, 0), min(last + 1, n_flipped)
    while True:
        wanted[1] = False
        for j in range(first, last):
            wanted[1, bucket[1, j]] = True
        n_open = sort_buckets(
            negatives, high_n, factor_n, counts[1], wanted[1], starts[1], sorted_n
        )
        start = int(flipped[first])
        best = -np.inf
        best_a = best_b = 0
        best_value_a = best_value_b = 0.0
        b = 0
        b_total = flipped_total[first]
        hit_low = hit_high = False
        for i in range(n_kept):
            if not wanted[0, bucket[0, i]]:
                continue
            base = starts[0, bucket[0, i]]
            a_total = kept_total[i]
            for step in range(int(kept[i + 1] - kept[i]) + 1):
                a = kept[i] + step
                if step > 0:
                    a_total += sorted_p[base + step - 1]
                here = _loss(a, start + b, gain, offset, slope)
                while b < n_open:
                    there = _loss(a, start + b + 1, gain, offset, slope)
                    if there - here + scale * sorted_n[b] <= 0.0:
                        break
                    b_total += sorted_n[b]
                    b += 1
                    here = there
                while b > 0:
                    there = _loss(a, start + b - 1, gain, offset, slope)
                    if there - here - scale * sorted_n[b - 1] <= 0.0:
                        break
                    b -= 1
                    b_total -= sorted_n[b]
                    here = there
                hit_low |= b == 0
                hit_high |= b == n_open
                value = here + scale * (a_total + b_total)
                if value > best:
                    best = value
                    best_a, best_b = int(a), b
                    best_value_a, best_value_b = a_total, b_total
        hit_low &= first > 0
        hit_high &= last < n_flipped
        if not (hit_low or hit_high):
            break
        width = last - first + 1
        if hit_low:
            first = max(first - width, 0)
        if hit_high:
            last = min(last + width, n_flipped)

    positive_threshold, positive_ties = _threshold(
        sorted_p, kept, n_kept, bucket[0], starts[0], wanted[0], best_a
    )
    negative_threshold, negative_ties = np.inf, 0
    if start + best_b > 0:
        if best_b > 0:
            negative_threshold = sorted_n[best_b - 1]
            while best_b - negative_ties > 0 and (
                sorted_n[best_b - 1 - negative_ties] == negative_threshold
            ):
                negative_ties += 1
        else:
            negative_threshold = sorted_n[0]
    loss = _loss(best_a, start + best_b, gain, offset, slope)
    value = loss + scale * (best_value_a - kept_total[n_kept] + best_value_b)
    return Labelling(
        value,
        loss,
        0.0,
        positive_threshold,
        positive_ties,
        negative_threshold,
        negative_ties,
    )


@njit(cache=True, nogil=True)
def _threshold(descending, border, n_segments, bucket, starts, wanted, count):
    """Threshold and ties of the `count` highest values, which end in or beside an open segment."""
    for i in range(n_segments):
        if wanted[bucket[i]] and border[i] <= count <= border[i + 1]:
            base = starts[bucket[i]]
            inside = count - int(border[i])
            if inside == 0:
                if count == 0:
                    return np.inf, 0
                return descending[base], 0
            threshold = descending[base + inside - 1]
            ties = 0
            while ties < inside and descending[base + inside - 1 - ties] == threshold:
                ties += 1
            return threshold, ties
    return np.inf, 0


class RatioOracle(LabellingOracle):
    """Search for the most violated labelling of a RatioLoss.

    Parameters
    ----------
    loss : RatioLoss
    n_positives, n_negatives : int
        Both at least 1. Scores are given positives first.
    """

    def __init__(self, loss: RatioLoss, n_positives: int, n_negatives: int):
        n_samples = n_positives + n_negatives
        n_buckets = bucket_number(n_samples)
        self.n_positives = n_positives
        self.scale = 100.0 / n_samples
        self._loss = (float(loss.gain), float(loss.offset), float(loss.slope))
        self._work = (
            np.zeros((2, n_buckets), dtype=np.int64),
            np.zeros((2, n_buckets)),
            np.zeros((2, n_buckets + 1)),
            np.zeros((2, n_buckets + 1)),
            np.zeros((2, n_buckets)),
            np.zeros((2, n_buckets)),
            np.zeros((2, n_buckets), dtype=np.int64),
            np.zeros(n_buckets + 1, dtype=np.int64),
            np.zeros(n_buckets + 1),
            np.zeros(n_buckets + 1),
            np.zeros((2, n_buckets), dtype=np.bool_),
            np.zeros((2, n_buckets), dtype=np.int64),
            np.zeros(n_samples),
        )

    def search(self, scores) -> Labelling:
        """The most violated labelling at the given scores, shape (n,), float64."""
        return _search(scores, self.n_positives, self.scale, *self._loss, self._work)
