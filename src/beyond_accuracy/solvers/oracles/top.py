"""Most violated labelling with k predicted positives, for precision and recall at k.

The precision-recall break-even point is recall at k for k = P positives. The loss falls by the same
amount for every true positive. So let the worth of a positive be its score minus a constant shift,
and the worth of a negative its score. The best labelling predicts the k examples of highest worth
as positive. Only the bucket of scores that holds the k-th value is sorted.
"""

import numpy as np

from beyond_accuracy.compilation import compiled, compiled_part
from beyond_accuracy.measures.losses import TopLoss
from beyond_accuracy.solvers.oracles.labelling import (
    Labelling,
    LabellingOracle,
    bucket_factor,
    bucket_number,
    bucket_of,
    sort_descending,
    top_threshold,
    value_range,
)


@compiled_part
def _count(values, shift, high, factor, counts):
    n_buckets = len(counts)
    for value in values:
        counts[bucket_of(value - shift, high, factor, n_buckets)] += 1


@compiled_part
def _split(values, shift, high, factor, n_buckets, last, inside):
    """Copy the values in the bucket `last` into `inside`, and add up the values before this bucket.

    Return (number of values before, their sum, number of values inside). The bucket of a value is
    the bucket of the value minus `shift`.
    """
    n_before, n_inside, total = 0, 0, 0.0
    for value in values:
        bucket = bucket_of(value - shift, high, factor, n_buckets)
        if bucket < last:
            n_before += 1
            total += value
        elif bucket == last:
            inside[n_inside] = value
            n_inside += 1
    return n_before, total, n_inside


@compiled_part
def _take(values, shift, threshold, most_ties):
    """Take the values above the threshold, and at most `most_ties` values equal to the threshold.

    Return (number of values taken, their sum, number of them equal to the threshold). Values are
    compared with the threshold after subtraction of `shift`.
    """
    n_taken, total, ties = 0, 0.0, 0
    for value in values:
        worth = value - shift
        if worth == threshold and ties < most_ties:
            ties += 1
        elif not worth > threshold:
            continue
        n_taken += 1
        total += value
    return n_taken, total, ties


@compiled
def _search(scores, n_positives, size, at_most, scale, gain, counts, inside):
    n_buckets = len(counts)
    shift = gain / scale
    positives, negatives = scores[:n_positives], scores[n_positives:]
    sum_of_positives = 0.0
    for score in positives:
        sum_of_positives += score
    if at_most:
        worthwhile = 0
        for score in positives:
            worthwhile += score - shift > 0.0
        for score in negatives:
            worthwhile += score > 0.0
        size = min(size, worthwhile)
        if size == 0:
            return Labelling(100.0 - scale * sum_of_positives, 100.0, shift, np.inf, 0, np.inf, 0)
    low_p, high_p = value_range(positives)
    low, high = value_range(negatives)
    low, high = min(low, low_p - shift), max(high, high_p - shift)
    factor = bucket_factor(low, high, n_buckets)
    for bucket in range(n_buckets):
        counts[bucket] = 0
    _count(positives, shift, high, factor, counts)
    _count(negatives, 0.0, high, factor, counts)
    rest = size
    last = 0
    while rest > counts[last]:
        rest -= counts[last]
        last += 1

    inside_p, inside_n = inside[:n_positives], inside[n_positives:]
    true_positives, kept, n_p = _split(positives, shift, high, factor, n_buckets, last, inside_p)
    _, flipped, n_n = _split(negatives, 0.0, high, factor, n_buckets, last, inside_n)
    merged = np.empty(n_p + n_n)
    for i in range(n_p):
        merged[i] = inside_p[i] - shift
    for i in range(n_n):
        merged[n_p + i] = inside_n[i]
    sort_descending(merged)
    threshold, ties = top_threshold(merged, rest)

    # Ties go to the negatives first; the choice among them does not change the value.
    _, more_flipped, negative_ties = _take(inside_n[:n_n], 0.0, threshold, ties)
    more_kept, kept_inside, positive_ties = _take(
        inside_p[:n_p], shift, threshold, ties - negative_ties
    )
    loss = 100.0 - gain * (true_positives + more_kept)
    total = kept + kept_inside - sum_of_positives + flipped + more_flipped
    return Labelling(
        loss + scale * total, loss, shift, threshold, positive_ties, threshold, negative_ties
    )


class TopOracle(LabellingOracle):
    """Oracle that finds the most violated label vector, for precision and recall at k.

    Only vectors with exactly k predicted positives, or at most k if `loss.at_most`, are considered.
    Raises ValueError if k exceeds the number of examples.
    """

    def __init__(self, loss: TopLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, n_negatives)
        n_samples = n_positives + n_negatives
        self.size = loss.size.count(n_positives, n_samples)
        self.at_most = loss.at_most
        self.gain = 100.0 / (self.size if loss.relative_to == "predicted" else n_positives)
        self._counts = np.zeros(bucket_number(n_samples), dtype=np.int64)

    def search(self, scores) -> Labelling:
        return _search(
            scores, self.n_positives, self.size, self.at_most, self.scale, self.gain,
            self._counts, np.empty(len(scores)),
        )  # fmt: skip
