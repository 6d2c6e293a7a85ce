"""Most violated labelling with k predicted positives, for precision and recall at k.

The precision-recall break-even point is recall at k for k = P positives. The loss falls by the same
amount for every true positive. So let the worth of a positive be its score minus a constant shift,
and the worth of a negative its score. The best labelling predicts the k examples of highest worth
as positive. They are found without a full sort: only the bucket that holds the k-th value is
sorted. If fewer than k positive predictions are admissible, examples of negative worth are left
out.
"""

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.measures.losses import TopLoss
from beyond_accuracy.solvers.oracles.buckets import (
    bucket_factor,
    bucket_number,
    bucket_of,
)
from beyond_accuracy.solvers.oracles.labelling import Labelling, LabellingOracle, top_threshold


@compiled
def _count(values, shift, high, factor, counts):
    """Count the values per bucket, and return their sum."""
    n_buckets, total = len(counts), 0.0
    for value in values:
        counts[bucket_of(value - shift, high, factor, n_buckets)] += 1
        total += value
    return total


@compiled
def _split(values, shift, high, factor, n_buckets, last, inside):
    """Return the number and the sum of the values in buckets before `last`.

    The values in the bucket `last` are written into `inside`. A value is a score minus `shift`.
    `high` and `factor` define the buckets; see `bucket_of`.
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


def _take(values, shift, threshold, most_ties):
    """Count and sum the values above the threshold and at most so many on it; return the ties."""
    worth = values - shift
    is_taken = worth > threshold
    ties = np.flatnonzero(worth == threshold)[:most_ties]
    is_taken[ties] = True
    # A cumulative sum adds in storage order, whatever the processor.
    total = np.cumsum(values[is_taken])
    return len(total), float(total[-1]) if len(total) else 0.0, len(ties)


class TopOracle(LabellingOracle):
    """Search for the most violated labelling of a TopLoss.

    It maximizes the loss minus scale·Σ y_i·f_i over the examples whose label is flipped, for scores
    f. Raises ValueError if k exceeds the number of examples.
    """

    def __init__(self, loss: TopLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, n_negatives)
        n_samples = n_positives + n_negatives
        self.size = loss.size.count(n_positives, n_samples)
        self._at_most = loss.at_most
        self._gain = 100.0 / (self.size if loss.relative_to == "predicted" else n_positives)
        self._counts = np.zeros(bucket_number(n_samples), dtype=np.int64)

    def search(self, scores) -> Labelling:
        """Find the most violated labelling at the given scores, shape (n,), float64."""
        size, gain, scale, counts = self.size, self._gain, self.scale, self._counts
        shift = gain / scale
        positives, negatives = scores[: self.n_positives], scores[self.n_positives :]
        if self._at_most:
            worthwhile = np.count_nonzero(positives > shift) + np.count_nonzero(negatives > 0.0)
            size = min(size, worthwhile)
        low = min(float(negatives.min()), float(positives.min()) - shift)
        high = max(float(negatives.max()), float(positives.max()) - shift)
        factor = bucket_factor(low, high, len(counts))
        counts[:] = 0
        sum_of_positives = _count(positives, shift, high, factor, counts)
        if size == 0:
            return Labelling(100.0 - scale * sum_of_positives, 100.0, shift, np.inf, 0, np.inf, 0)
        _count(negatives, 0.0, high, factor, counts)
        n_taken = np.cumsum(counts)
        last = int(np.searchsorted(n_taken, size))
        rest = size - int(n_taken[last] - counts[last])

        inside_p, inside_n = np.empty(len(positives)), np.empty(len(negatives))
        options = high, factor, len(counts), last
        true_positives, kept, n_inside = _split(positives, shift, *options, inside_p)
        inside_p = inside_p[:n_inside]
        _, flipped, n_inside = _split(negatives, 0.0, *options, inside_n)
        inside_n = inside_n[:n_inside]
        descending = np.sort(np.concatenate([inside_p - shift, inside_n]))[::-1]
        threshold, ties = top_threshold(descending, rest)

        # Ties go to the negatives first; the choice among them does not change the value.
        _, more_flipped, negative_ties = _take(inside_n, 0.0, threshold, ties)
        more_kept, kept_inside, positive_ties = _take(
            inside_p, shift, threshold, ties - negative_ties
        )
        loss = 100.0 - gain * (true_positives + more_kept)
        total = kept + kept_inside - sum_of_positives + flipped + more_flipped
        value = loss + scale * total
        return Labelling(value, loss, shift, threshold, positive_ties, threshold, negative_ties)
