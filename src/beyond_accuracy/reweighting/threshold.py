"""Find the best threshold for sorted positions, for all one-dimensional searches."""

import numpy as np

from beyond_accuracy.compilation import Floats, Integers, compiled

# Positions closer than this, in logarithms, count as equal, because of rounding.
GAP_TOLERANCE = 1e-11
_EXAMPLES_A_BIN = 8
_MOST_BINS = 2048
# Sums of whole numbers up to here are exact.
_LARGEST_WHOLE = 2.0**53
# Sums of other numbers differ by less than this share of their terms' sizes.
_ROUNDING = 1e-9


def log_ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Return the logarithm of a ratio, from the logarithms of its numerator and denominator.

    0/0 counts as 0, so the result is −inf where both logarithms are −inf.
    """
    known = ~(np.isneginf(numerator) & np.isneginf(denominator))
    return np.subtract(numerator, denominator, where=known, out=np.full(len(known), -np.inf))


def best_threshold(
    positions: Floats, changes: Floats, nearest_to_zero: bool = False
) -> tuple[float, float, float]:
    """Find the threshold t for which the sum of `changes` at positions below t is smallest.

    Return t, this sum, and the width of the gap between the positions on both sides of t.
    `changes[i]` is, for example, the change of cost if example i, at `positions[i]`, falls below
    the threshold. Positions of −inf are below every threshold. If no position is finite, t is 0.

    The sum is constant in each gap. Among several best gaps, the widest is chosen or, if
    `nearest_to_zero`, the gap nearest to 0. A further tie goes to the lowest gap. The threshold is
    the midpoint of the gap, or 0 if `nearest_to_zero` and the gap contains 0. Below the lowest or
    above the highest position, the threshold is at distance 1. These gaps compete as if 2 wide, but
    the returned width is 0.
    """
    kept, limit, is_whole = _worth_sorting(positions, changes)
    best = _sorted_best(*kept, is_whole, nearest_to_zero)
    if best[1] > limit:
        # Neighbours nearer than the tolerance: the expected minimum is in no gap.
        best = _sorted_best(positions, changes, is_whole, nearest_to_zero)
    return best


def _sorted_best(positions, changes, is_whole, nearest_to_zero):
    # Sums of whole numbers are the same in any order.
    order = np.argsort(positions) if is_whole else stable_order(positions)
    return _best_threshold(positions[order], changes, order, nearest_to_zero)


def stable_order(positions: Floats) -> Integers:
    """Return the order that sorts `positions`, shape (n,), stably: twice as fast as NumPy."""
    order = np.argsort(positions)
    rising = positions[order]
    if (rising[1:] == rising[:-1]).any():
        order = np.argsort(positions, kind="stable")
    return order


@compiled
def _worth_sorting(positions, changes):
    """Return ((positions, changes) near the best threshold, limit, whether changes are whole).

    If the least sum among the returned examples is above the limit, other examples may have a lower
    sum.

    Finite positions are put into bins. The sum at the end of a bin is an upper bound on the least
    sum, and within a bin the sum falls by at most the total of its falls. So most bins contain no
    best threshold. If changes are whole numbers, whose sums are exact, the examples below all
    candidate bins are merged into one example at −inf; otherwise they are kept.
    """
    n = len(positions)
    n_finite, lowest, highest = 0, np.inf, -np.inf
    always, size, is_whole = 0.0, 0.0, True
    for i in range(n):
        position, change = positions[i], changes[i]
        size += abs(change)
        is_whole &= change == np.floor(change)
        if abs(position) < np.inf:
            n_finite += 1
            lowest, highest = min(lowest, position), max(highest, position)
        elif position < 0.0:
            always += change
    is_whole &= size < _LARGEST_WHOLE
    n_bins = min(n_finite // _EXAMPLES_A_BIN, _MOST_BINS)
    scale = n_bins / (highest - lowest) if highest > lowest else 0.0
    if n_bins < 2 or not 0.0 < scale < np.inf:
        return (positions, changes), np.inf, is_whole
    # Per bin: the falls, the sum at its end, and the number of examples.
    falls, sums, counts = np.zeros(n_bins), np.zeros(n_bins), np.zeros(n_bins, dtype=np.int64)
    bins = np.empty(n, dtype=np.int16)
    for i in range(n):
        bins[i] = -1 if positions[i] < 0.0 else n_bins
        if abs(positions[i]) < np.inf:
            k = min(int((positions[i] - lowest) * scale), n_bins - 1)
            bins[i] = k
            counts[k] += 1
            sums[k] += changes[i]
            falls[k] += max(-changes[i], 0.0)
    total = least = always
    for k in range(n_bins):
        total += sums[k]
        sums[k] = total
        least = min(least, total)
    slack = 0.0 if is_whole else _ROUNDING * size
    first, last = n_bins, 0
    before = always
    for k in range(n_bins):
        if min(before - falls[k], sums[k]) <= least + slack:
            first, last = min(first, k), k
        before = sums[k]
    # Neighbouring bins are kept as well, since gaps end there.
    first -= 1
    while first > 0 and counts[first] == 0:
        first -= 1
    first = max(first, 0) if is_whole else -1
    last += 1
    while last < n_bins - 1 and counts[last] == 0:
        last += 1
    n_kept = 0
    near, moved = np.empty(n + 1), np.empty(n + 1)
    if first > 0:
        near[0], moved[0] = -np.inf, sums[first - 1]
        n_kept = 1
    elif is_whole:
        near[0], moved[0] = -np.inf, always
        n_kept = 1
    for i in range(n):
        if first <= bins[i] <= last and bins[i] < n_bins:
            near[n_kept], moved[n_kept] = positions[i], changes[i]
            n_kept += 1
    return (near[:n_kept], moved[:n_kept]), least + 0.5 * slack, is_whole


@compiled
def _best_threshold(positions, changes, order, nearest_to_zero):
    """Return (threshold, sum of changes below it, width of the gap or 0) for sorted positions."""
    n = len(positions)
    k = 0
    total = 0.0
    while k < n and positions[k] == -np.inf:
        total += changes[order[k]]
        k += 1
    if k == n or positions[k] == np.inf:
        return 0.0, total, 0.0
    threshold, least, gap = positions[k] - 1.0, total, 0.0
    # Merit of a gap: its width, or its nearness to 0; larger is better.
    merit = 2.0
    if nearest_to_zero:
        merit, threshold = _nearness(-np.inf, positions[k], threshold)
    while k < n and positions[k] < np.inf:
        here = positions[k]
        total += changes[order[k]]
        k += 1
        last = k == n or positions[k] == np.inf
        width = 2.0 if last else positions[k] - here
        own_merit, inside = width, here + 0.5 * width
        if nearest_to_zero:
            own_merit, inside = _nearness(here, np.inf if last else positions[k], inside)
        if width > GAP_TOLERANCE and (total < least or (total == least and own_merit > merit)):
            threshold, least, merit = inside, total, own_merit
            gap = 0.0 if last else width
    return threshold, least, gap


@compiled
def _nearness(low, high, middle):
    """Return (minus the distance of the gap from 0, threshold in the gap: 0 or `middle`)."""
    if low + GAP_TOLERANCE < 0.0 < high - GAP_TOLERANCE:
        return 0.0, 0.0
    return -max(low, -high, 0.0), middle


@compiled
def find_two_lowest(values: Floats) -> tuple[Integers, Floats]:
    """Find the two lowest values in each column of a matrix of shape (m, n).

    Return their row indices and their values, both of shape (2, n), with the lowest first. Among
    equal values the first row is taken. For a column of infinities both indices are 0.
    """
    m, n = values.shape
    rows = np.zeros((2, n), dtype=np.int64)
    lowest = np.full((2, n), np.inf)
    for j in range(m):
        for i in range(n):
            value = values[j, i]
            if value < lowest[0, i]:
                rows[1, i], lowest[1, i] = rows[0, i], lowest[0, i]
                rows[0, i], lowest[0, i] = j, value
            elif value < lowest[1, i]:
                rows[1, i], lowest[1, i] = j, value
    return rows, lowest


@compiled
def update_two_lowest(values: Floats, rows: Integers, lowest: Floats, j: int) -> None:
    """Update the results `rows` and `lowest` of `find_two_lowest` after a change of `values[j]`."""
    m, n = values.shape
    for i in range(n):
        value, next_least = values[j, i], lowest[1, i]
        if rows[0, i] == j:
            if value < next_least:
                lowest[0, i] = value
                continue
        elif rows[1, i] != j and value > next_least:
            continue
        # Columns with changed places, equal values or infinities are searched again.
        first, second, least, next_least = 0, 0, np.inf, np.inf
        for k in range(m):
            value = values[k, i]
            if value < least:
                second, next_least = first, least
                first, least = k, value
            elif value < next_least:
                second, next_least = k, value
        rows[0, i], rows[1, i] = first, second
        lowest[0, i], lowest[1, i] = least, next_least
