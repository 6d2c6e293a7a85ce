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
def bucket_totals(values, high, factor, counts, sums):
    """Count and sum of the values of every bucket."""
    n_buckets = len(counts)
    counts[:] = 0
    sums[:] = 0.0
    for value in values:
        bucket = bucket_of(value, high, factor, n_buckets)
        counts[bucket] += 1
        sums[bucket] += value


@njit(cache=True, nogil=True)
def sort_buckets(values, high, factor, counts, wanted, starts, out):
    """Gather the values of the wanted buckets, bucket after bucket, each in descending order.

    `starts[b]` becomes the first position of bucket b in `out`; returns the number gathered.
    """
    n_buckets = len(counts)
    total = 0
    for bucket in range(n_buckets):
        starts[bucket] = total
        if wanted[bucket]:
            total += counts[bucket]
    for value in values:
        bucket = bucket_of(value, high, factor, n_buckets)
        if wanted[bucket]:
            out[starts[bucket]] = -value
            starts[bucket] += 1
    for bucket in range(n_buckets):
        if wanted[bucket]:
            stop = starts[bucket]
            starts[bucket] = stop - counts[bucket]
            out[starts[bucket] : stop].sort()
    for i in range(total):
        out[i] = -out[i]
    return total


def bucket_number(n_samples):
    """A number of buckets that keeps both the table and its elements small."""
    return int(np.clip(n_samples // 16, 16, 2048))
