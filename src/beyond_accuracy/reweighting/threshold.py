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
    # Sorting takes longer to compile than all the rest.
    order = np.argsort(positions, kind="stable")
    sorted_ = positions[order], changes[order]
    threshold, change, width = _best_threshold(*sorted_, nearest_to_zero)
    if average_ratios:
        # log((e^a + e^b)/2) for the neighbours a and b = a + width.
        threshold += 0.5 * width + np.log1p(np.exp(-width)) - np.log(2.0)
    return threshold, change


def _worth_sorting(positions, changes):
    """The examples up to a position below which the rises alone outweigh all falls, in their order.

    From there on the sum is larger than where nothing has turned yet: no best threshold is there.
    Most examples are of other classes, so that few are left to be sorted.
    """
    rising = (changes > 0.0) & (np.abs(positions) < np.inf)
    where, rises = positions[rising], changes[rising]
    falls = -changes[changes < 0.0].sum() * (1.0 + 1e-6)
    total = rises.sum()
    # Those with low positions rise about as all others do; if less, twice as many are tried.
    n_enough = int(1.2 * len(rises) * falls / total) + 1 if falls < total else len(rises)
    while n_enough < len(rises) // 2:
        limit = np.partition(where, n_enough)[n_enough]
        if rises[where <= limit].sum() > falls:
            kept = positions <= limit
            return positions[kept], changes[kept]
        n_enough *= 2
    return positions, changes


@compiled
def _best_threshold(positions, changes, nearest_to_zero):
    """As `best_threshold`, for rising positions; and the width of the gap, 0 if there is none."""
    n = len(positions)
    k = 0
    total = 0.0
    while k < n and positions[k] == -np.inf:
        total += changes[k]
        k += 1
    if k == n or positions[k] == np.inf:
        return 0.0, total, 0.0
    threshold, least, gap = positions[k] - 1.0, total, 0.0
    # The larger, the better: the width of a gap, or how near to 0 the threshold in it lies.
    merit = -abs(threshold) if nearest_to_zero else 2.0
    while k < n and positions[k] < np.inf:
        here = positions[k]
        total += changes[k]
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
