"""Buckets of scores: totals in one pass, so that only a few elements ever need sorting.

Bucket 0 holds the highest values. The mapping from value to bucket is monotone, hence every
element of a lower-numbered bucket is at least as large as any of a higher-numbered one.
"""

import numpy as np
from numba import njit


# Without the promise that no value is NaN, minima would not be taken in vector registers.
@njit(cache=True, nogil=True, fastmath={"reassoc", "nnan", "nsz"})
def value_range(values):
    """Smallest and largest value."""
    low = np.inf
    high = -np.inf
    for value in values:
        low = min(low, value)
        high = max(high, value)
    return low, high


@njit(cache=True, nogil=True)
def bucket_factor(low, high, n_buckets):
    """Buckets per unit of value; 0 (everything in bucket 0) where the range is degenerate."""
    spread = high - low
    if not spread > 0.0:
        return 0.0
    factor = n_buckets / spread
    return factor if np.isfinite(factor) else 0.0


@njit(cache=True, nogil=True, inline="always")
def bucket_of(value, high, factor, n_buckets):
    """Bucket of a value not above `high`."""
    return min(int((high - value) * factor), n_buckets - 1)


@njit(cache=True, nogil=True)
def sort_descending(values):
    """Sort in place by Shell's method: NumPy's sort takes a second and more to compile."""
    gap = len(values)
    while gap > 1:
        # The gaps of Gonnet and Baeza-Yates.
        gap = 1 if gap < 5 else (5 * gap - 1) // 11
        for i in range(gap, len(values)):
            value = values[i]
            j = i
            while j >= gap and values[j - gap] < value:
                values[j] = values[j - gap]
                j -= gap
            values[j] = value


def bucket_number(n_samples):
    """A number of buckets that keeps both the table and its elements small."""
    return int(np.clip(n_samples // 16, 16, 2048))
