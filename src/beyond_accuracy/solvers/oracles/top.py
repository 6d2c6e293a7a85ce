"""Most violated labelling with k predicted positives: PRBEP, precision and recall at k.

Δ falls by the same amount for every true positive, so a positive is worth its score less a
constant shift, a negative its score, and the best labelling takes the k highest of these: one
selection, found by adding up buckets and sorting only the bucket that holds the k-th value. If
fewer than k may be taken, those worth nothing are left out.
"""

import numpy as np
from numba import njit

from beyond_accuracy.measures.losses import TopLoss
from beyond_accuracy.solvers.oracles.buckets import (
    bucket_factor,
    bucket_number,
    bucket_of,
    value_range,
)
from beyond_accuracy.solvers.oracles.labelling import Labelling, LabellingOracle


@njit(cache=True, nogil=True)
def _count_worthwhile(scores, n_positives, shift):
    total = 0
    for i in range(n_positives):
        total += scores[i] - shift > 0.0
    for i in range(n_positives, len(scores)):
        total += scores[i] > 0.0
    return total


@njit(cache=True, nogil=True)
def _search(scores, n_positives, size, at_most, scale, gain, counts, inside):
    n_buckets = len(counts)
    shift = gain / scale
    if at_most:
        size = min(size, _count_worthwhile(scores, n_positives, shift))
        if size == 0:
            total = 0.0
            for i in range(n_positives):
                total -= scores[i]
            return Labelling(100.0 + scale * total, 100.0, shift, np.inf, 0, np.inf, 0)
    low_p, high_p = value_range(scores[:n_positives])
    low, high = value_range(scores[n_positives:])
    low, high = min(low, low_p - shift), max(high, high_p - shift)
    factor = bucket_factor(low, high, n_buckets)
    counts[:] = 0
    for i in range(n_positives):
        counts[bucket_of(scores[i] - shift, high, factor, n_buckets)] += 1
    for i in range(n_positives, len(scores)):
        counts[bucket_of(scores[i], high, factor, n_buckets)] += 1
    rest = size
    last = 0
    while rest > counts[last]:
        rest -= counts[last]
        last += 1

    n_inside = 0
    true_positives = 0
    total = 0.0
    for i in range(n_positives):
        worth = scores[i] - shift
        bucket = bucket_of(worth, high, factor, n_buckets)
        if bucket < last:
            true_positives += 1
        else:
            total -= scores[i]
            if bucket == last:
                inside[n_inside] = worth
                n_inside += 1
    for i in range(n_positives, len(scores)):
        bucket = bucket_of(scores[i], high, factor, n_buckets)
        if bucket < last:
            total += scores[i]
        elif bucket == last:
            inside[n_inside] = scores[i]
            n_inside += 1
    inside[:n_inside].sort()
    threshold = inside[n_inside - rest]
    ties = 0
    for i in range(n_inside - rest, n_inside):
        ties += inside[i] == threshold

    # Ties go to the negatives first; which of them is taken does not change the value.
    negative_ties = 0
    for i in range(n_positives, len(scores)):
        if bucket_of(scores[i], high, factor, n_buckets) == last:
            if scores[i] > threshold:
                total += scores[i]
            elif scores[i] == threshold and negative_ties < ties:
                total += scores[i]
                negative_ties += 1
    positive_ties = 0
    for i in range(n_positives):
        worth = scores[i] - shift
        if bucket_of(worth, high, factor, n_buckets) == last and worth >= threshold:
            if worth == threshold:
                if positive_ties == ties - negative_ties:
                    continue
                positive_ties += 1
            total += scores[i]
            true_positives += 1
    loss = 100.0 - gain * true_positives
    return Labelling(
        loss + scale * total, loss, shift, threshold, positive_ties, threshold, negative_ties
    )


class TopOracle(LabellingOracle):
    """Search for the most violated labelling of a TopLoss.

    Parameters
    ----------
    loss : TopLoss
    n_positives, n_negatives : int
        Both at least 1. Scores are given positives first.

    Raises
    ------
    ValueError
        If k exceeds the number of samples.
    """

    def __init__(self, loss: TopLoss, n_positives: int, n_negatives: int):
        n_samples = n_positives + n_negatives
        self.n_positives = n_positives
        self.scale = 100.0 / n_samples
        self.size = loss.size.count(n_positives, n_samples)
        self._at_most = loss.at_most
        self._gain = 100.0 / (self.size if loss.relative_to == "predicted" else n_positives)
        self._counts = np.zeros(bucket_number(n_samples), dtype=np.int64)
        self._inside = np.zeros(n_samples)

    def search(self, scores) -> Labelling:
        """The most violated labelling at the given scores, shape (n,), float64."""
        return _search(
            scores,
            self.n_positives,
            self.size,
            self._at_most,
            self.scale,
            self._gain,
            self._counts,
            self._inside,
        )
