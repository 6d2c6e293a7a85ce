"""The best threshold on a line, by sorting: what all one-dimensional searches share."""

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.compilation import compiled

# Positions closer than this, in logarithms, are one: rounding could not tell them apart.
GAP_TOLERANCE = 1e-11


def log_ratio(
    numerator: NDArray[np.float64], denominator: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Differences of logarithms; where both are −inf, −inf stands."""
    known = ~(np.isneginf(numerator) & np.isneginf(denominator))
    return np.subtract(numerator, denominator, where=known, out=np.full(len(known), -np.inf))


def best_threshold(
    positions: NDArray[np.float64],
    changes: NDArray[np.float64],
    *,
    average_ratios: bool = False,
    nearest_to_zero: bool = False,
) -> tuple[float, float]:
    """Threshold t that minimizes the sum of `changes` over the examples with position < t.

    Parameters
    ----------
    positions : ndarray, shape (n,), float64
        −inf is below and +inf above every threshold; no NaN.
    changes : ndarray, shape (n,), float64
    average_ratios : bool, default False
        Whether positions are logarithms of ratios, of which the average of neighbours is taken.
    nearest_to_zero : bool, default False
        Of several best thresholds, take the one nearest to 0 instead of that in the widest gap.

    Returns
    -------
    threshold : float
        Midway between neighbours, or 1 outside the outermost position; 0 if none is finite. Of
        several best thresholds that in the widest gap, a gap outside counting as 2 wide; of
        equally wide ones the lowest.
    change : float
        The sum at the threshold.
    """
    positions, changes = _worth_sorting(positions, changes)
    order, rising = stable_order(positions)
    threshold, change, width = _best_threshold(rising, changes, order, nearest_to_zero)
    if average_ratios:
        # log((e^a + e^b)/2) for the neighbours a and b = a + width.
        threshold += 0.5 * width + np.log1p(np.exp(-width)) - np.log(2.0)
    return threshold, change


def stable_order(
    positions: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """What puts positions, shape (n,), into rising order, equal ones in their own; and these.

    As `np.argsort(positions, kind="stable")`. NumPy sorts several times as fast without that, and
    where no two are equal there is one order only. (Sorting compiled by Numba takes longer to
    compile than all the rest.)
    """
    order = np.argsort(positions)
    rising, has_equal = _taken(positions, order)
    if has_equal:
        order = np.argsort(positions, kind="stable")
    return order, rising


@compiled
def _taken(positions, order):
    n = len(order)
    rising, has_equal = np.empty(n), False
    for k in range(n):
        rising[k] = positions[order[k]]
        has_equal |= k > 0 and rising[k] == rising[k - 1]
    return rising, has_equal


def _worth_sorting(positions, changes):
    """The examples up to a position below which the rises alone outweigh all falls, in their order.

    From there on the sum is larger than where nothing has turned yet: no best threshold is there.
    Most examples are of other classes, so that few are left to be sorted.
    """
    n_rises, total, falls = _sums(positions, changes)
    falls *= 1.0 + 1e-6
    # Those with low positions rise about as all others do; if less, twice as many are tried.
    n_enough = int(1.2 * n_rises * falls / total) + 1 if falls < total else n_rises
    if n_enough >= n_rises // 2:
        return positions, changes
    rising = (changes > 0.0) & (np.abs(positions) < np.inf)
    where, rises = positions[rising], changes[rising]
    while n_enough < len(rises) // 2:
        limit = np.partition(where, n_enough)[n_enough]
        if rises[where <= limit].sum() > falls:
            kept = positions <= limit
            return positions[kept], changes[kept]
        n_enough *= 2
    return positions, changes


@compiled
def _sums(positions, changes):
    """How many changes are rises of finite position, their sum, and less that of all falls."""
    n_rises, rises, falls = 0, 0.0, 0.0
    for i in range(len(positions)):
        if changes[i] < 0.0:
            falls -= changes[i]
        elif changes[i] > 0.0 and abs(positions[i]) < np.inf:
            rises += changes[i]
            n_rises += 1
    return n_rises, rises, falls


@compiled
def _best_threshold(positions, changes, order, nearest_to_zero):
    """As `best_threshold`, for rising positions, to which the changes in an order belong.

    And the width of the gap, 0 if there is none.
    """
    n = len(positions)
    k = 0
    total = 0.0
    while k < n and positions[k] == -np.inf:
        total += changes[order[k]]
        k += 1
    if k == n or positions[k] == np.inf:
        return 0.0, total, 0.0
    threshold, least, gap = positions[k] - 1.0, total, 0.0
    # The larger, the better: the width of a gap, or how near to 0 the threshold in it lies.
    merit = -abs(threshold) if nearest_to_zero else 2.0
    while k < n and positions[k] < np.inf:
        here = positions[k]
        total += changes[order[k]]
        k += 1
        last = k == n or positions[k] == np.inf
        width = 2.0 if last else positions[k] - here
        own_merit = -abs(here + 0.5 * width) if nearest_to_zero else width
        if width > GAP_TOLERANCE and (total < least or (total == least and own_merit > merit)):
            threshold, least, merit = here + 0.5 * width, total, own_merit
            gap = 0.0 if last else width
    return threshold, least, gap


@compiled
def find_two_lowest(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows of the lowest and the second lowest of each column, and these; the first of equals.

    Of a column of infinities row 0 stands for both.
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
def update_two_lowest(
    values: NDArray[np.float64], rows: NDArray[np.int64], lowest: NDArray[np.float64], j: int
) -> None:
    """Change what `find_two_lowest` returned, in place, after row j of `values` has changed.

    O(n), and m more in a column whose second lowest row j no longer is for sure.
    """
    m, n = values.shape
    for i in range(n):
        value = values[j, i]
        was_among = rows[0, i] == j or rows[1, i] == j
        # Equal values and infinities have an order of their own.
        if not was_among and value > lowest[1, i]:
            continue
        if not was_among and value < lowest[0, i]:
            rows[1, i], lowest[1, i] = rows[0, i], lowest[0, i]
            rows[0, i], lowest[0, i] = j, value
            continue
        if not was_among and value > lowest[0, i] and value < lowest[1, i]:
            rows[1, i], lowest[1, i] = j, value
            continue
        first, second = 0, 0
        least, next_least = np.inf, np.inf
        for k in range(m):
            value = values[k, i]
            if value < least:
                second, next_least = first, least
                first, least = k, value
            elif value < next_least:
                second, next_least = k, value
        rows[0, i], rows[1, i] = first, second
        lowest[0, i], lowest[1, i] = least, next_least
