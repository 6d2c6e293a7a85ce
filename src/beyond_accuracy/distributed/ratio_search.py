"""Bounds on the most violated labelling for F_β and the Jaccard index, from interval sums.

The notation is that of `beyond_accuracy.solvers.oracles.labelling`. T is known exactly at the
borders of intervals. In between, the chord is a lower bound, which mixtures of labellings attain.
The tangents at the borders, with the highest and lowest score as slopes, are upper bounds.
"""

import numpy as np

from beyond_accuracy.compilation import compiled, compiled_part
from beyond_accuracy.solvers.oracles.labelling import loss_at, loss_derivative


@compiled_part
def _highest_of_two_lines(left, left_slope, right, right_slope, length):
    """Return an upper bound on the minimum of two lines at the whole numbers from 0 to `length`.

    `left` is the first line's value at 0, and `right` the second line's value at `length`.
    """
    if length <= 1.0 or left_slope <= 0.0 or right_slope >= 0.0:
        return max(left, right)
    x = (right - right_slope * length - left) / (left_slope - right_slope)
    return max(left + left_slope * min(max(x, 0.0), length), left, right)


@compiled_part
def _best_on_chord(kept, left, right, chord, delta):
    """Return the whole number b from `left` to `right` that maximizes Δ(kept, b) + chord·b."""
    if chord >= 0.0:
        return right
    b = np.sqrt(100.0 * delta.gain * kept / -chord) - delta.offset - delta.slope * kept
    if not b > left:
        return left
    if b >= right:
        return right
    low, high = np.floor(b), np.ceil(b)
    of_low = loss_at(kept, low, delta) + chord * low
    of_high = loss_at(kept, high, delta) + chord * high
    return low if of_low >= of_high else high


@compiled_part
def _best_flipped(kept, j, negatives, delta):
    """Climb from border j of intervals to the best number b of flipped negatives.

    Return (best border, best b, its value, an upper bound on the value of any b).
    """
    highest, lowest, border, total = negatives
    n, scale = len(highest), delta.scale
    value = loss_at(kept, border[j], delta) + scale * total[j]
    for step in (1, -1):
        while 0 <= j + step <= n:
            neighbour = loss_at(kept, border[j + step], delta) + scale * total[j + step]
            if neighbour <= value:
                break
            j += step
            value = neighbour
    b, upper = border[j], value
    for i in range(max(j - 1, 0), min(j + 1, n)):
        left, right = border[i], border[i + 1]
        chord = scale * (total[i + 1] - total[i]) / (right - left)
        inside = _best_on_chord(kept, left, right, chord, delta)
        attained = loss_at(kept, inside, delta)
        attained += scale * total[i] + chord * (inside - left)
        if attained > value:
            value, b = attained, inside
        bound = attained
        if highest[i] > lowest[i]:
            bound = _highest_of_two_lines(
                loss_at(kept, left, delta) + scale * total[i],
                loss_derivative(kept, left, delta) + scale * highest[i],
                loss_at(kept, right, delta) + scale * total[i + 1],
                loss_derivative(kept, right, delta) + scale * lowest[i],
                right - left,
            )
        upper = max(upper, bound)
    return j, b, value, max(upper, value)


@compiled
def bound_ratio(positives, negatives, delta, negligible):
    """Find the most violated label vector for F_β or the Jaccard index, up to a small error.

    The vector maximizes loss + s·Σ score of false positives − s·Σ score of false negatives. With a
    true positives and b false positives, the loss is 100·(1 − gain·a/(offset + slope·a + b)).
    `delta` holds gain, offset, slope, and s as `scale`.

    The scores of each class are divided into intervals, highest first. `positives` and `negatives`
    are tuples of four arrays: the highest score of each interval, the lowest score, and the number
    and the sum of the scores in the first k intervals for k = 0, 1, ….

    Return (a, b, loss, slack, open_positives, open_negatives). No label vector is better than the
    returned one by more than `slack`. The last two are boolean arrays, one per class. They mark the
    intervals that may still hide a better label vector. Improvements up to the relative size
    `negligible` are ignored.
    """
    highest, lowest, border, total = positives
    n, all_kept, scale = len(highest), total[-1], delta.scale
    at, flipped = np.empty(n + 1, dtype=np.int64), np.empty(n + 1)
    lower, upper = np.empty(n + 1), np.empty(n + 1)
    j = 0
    for i in range(n + 1):
        j, flipped[i], lower[i], upper[i] = _best_flipped(border[i], j, negatives, delta)
        at[i] = j
        lower[i] += scale * (total[i] - all_kept)
        upper[i] += scale * (total[i] - all_kept)
    best = np.argmax(lower)
    magnitude = abs(lower[best]) + 100.0 + scale * abs(all_kept)
    enough = lower[best] + negligible * magnitude
    most = np.max(upper)
    wide = upper > enough
    open_positives = np.zeros(n, dtype=np.bool_)
    for i in range(n):
        length = border[i + 1] - border[i]
        # H is convex, so it lies below its chord. Only T⁺ exceeds its chord between the ends.
        rise = (upper[i + 1] - upper[i] - scale * (total[i + 1] - total[i])) / length
        bound = _highest_of_two_lines(
            upper[i], rise + scale * highest[i], upper[i + 1], rise + scale * lowest[i], length
        )
        most = max(most, bound)
        if bound > enough:
            open_positives[i] = True
            wide[i] = wide[i] or upper[i] > lower[i]
            wide[i + 1] = wide[i + 1] or upper[i + 1] > lower[i + 1]
    open_negatives = np.zeros(len(negatives[0]), dtype=np.bool_)
    for i in range(n + 1):
        if wide[i]:
            open_negatives[max(at[i] - 1, 0) : at[i] + 1] = True
    loss = loss_at(border[best], flipped[best], delta)
    slack = most - lower[best]
    return border[best], flipped[best], loss, slack, open_positives, open_negatives
