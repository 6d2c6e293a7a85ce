"""Buckets of scores: totals in one pass, so that only a few scores need sorting.

Bucket 0 holds the highest values. The bucket number does not rise with the value: every value in a
bucket is at least as large as any value in a bucket with a higher number.
"""

import numpy as np

from beyond_accuracy.compilation import compiled, compiled_part


# Without the promise that no value is NaN, minima would not be taken in vector registers.
@compiled(fastmath={"reassoc", "nnan", "nsz"})
def value_range(values):
    """Return (smallest value, largest value)."""
    low = np.inf
    high = -np.inf
    for value in values:
        low = min(low, value)
        high = max(high, value)
    return low, high


@compiled_part
def bucket_factor(low, high, n_buckets):
    """Return the number of equal buckets from `low` to `high`, divided by the length of this range.

    The result is 0 if `low` and `high` are equal or too close.
    """
    spread = high - low
    if not spread > 0.0:
        return 0.0
    factor = n_buckets / spread
    return factor if np.isfinite(factor) else 0.0


@compiled_part
def bucket_of(value, high, factor, n_buckets):
    """Return the index of the bucket that holds a value; bucket 0 holds the highest values.

    `high` is the largest possible value. `factor` is the number of buckets per unit of value.
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
    """Sort in place, descending, by Shell's method with the gaps of Gonnet and Baeza-Yates."""
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
    """Sort the array `values` in place, in descending order, by quicksort.

    This is compiled faster than NumPy's sort and takes half the time.
    """
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
    """Return the number of buckets into which n scores are divided, from 16 to 2048."""
    return int(np.clip(n_samples // 16, 16, 2048))
