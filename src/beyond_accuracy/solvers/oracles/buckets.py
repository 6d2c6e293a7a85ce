"""Buckets of scores: totals in one pass, so that only a few scores need sorting.

Bucket 0 holds the highest values. The bucket number does not rise with the value: every value in a
bucket is at least as large as any value in a bucket with a higher number.
"""

import numpy as np

from beyond_accuracy.compilation import compiled


def bucket_factor(low, high, n_buckets):
    """Return the number of buckets per unit of value.

    It is 0, so that all values are in bucket 0, if low and high are equal or too close.
    """
    spread = high - low
    if not spread > 0.0:
        return 0.0
    factor = n_buckets / spread
    return factor if np.isfinite(factor) else 0.0


@compiled
def bucket_of(value, high, factor, n_buckets):
    """Return the bucket of a value not above `high`."""
    bucket = int((high - value) * factor)
    return bucket if bucket < n_buckets else n_buckets - 1


def bucket_number(n_samples):
    """Return a number of buckets for which both the table and the buckets are small."""
    return int(np.clip(n_samples // 16, 16, 2048))
