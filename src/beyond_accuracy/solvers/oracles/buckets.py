"""Buckets of scores: totals in one pass, so that only a few elements ever need sorting.

Bucket 0 holds the highest values. The mapping from value to bucket is monotone, so every element of
a lower-numbered bucket is at least as large as any of a higher-numbered one.
"""

import numpy as np

from beyond_accuracy.compilation import compiled


def bucket_factor(low, high, n_buckets):
    """Compute buckets per unit of value; 0 (everything in bucket 0) if the range is degenerate."""
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
    """Choose a number of buckets that keeps both the table and its elements small."""
    return int(np.clip(n_samples // 16, 16, 2048))
