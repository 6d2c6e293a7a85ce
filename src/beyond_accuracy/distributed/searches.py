"""Find most violated labellings from sums over intervals of scores, with certified bounds.

A labelling is given by one share per interval. The share is of positives that keep their label, of
negatives whose label is flipped, or of pairs that are swapped. A share between 0 and 1 represents
the mean of many labellings; the mean of their cutting planes is a valid cutting plane too. Bounds
limit how much better another labelling can be, and intervals are divided until this is negligible.
An interval of equal scores needs no division.
"""

from typing import NamedTuple

import numpy as np

from beyond_accuracy.distributed.partition import Partition
from beyond_accuracy.distributed.ratio_search import RatioBounds, bound_ratio
from beyond_accuracy.measures.losses import (
    Loss,
    RatioLoss,
    RocAreaLoss,
    SeparableLoss,
    TopLoss,
)

# Largest loss of a search compared with the best labelling, relative to the value.
_NEGLIGIBLE = 1e-9
_NEGLIGIBLE_OF_PAIRS = 1e-6


class BoundedLabelling(NamedTuple):
    """A labelling of examples on workers, with a bound on how much better another one can be.

    The scores are grouped into n intervals. All examples of a class in an interval have the same
    weight. The value of the labelling is loss + Σ weight_i·score_i over all examples, and the
    search maximizes it.

    Attributes
    ----------
    heights : array, shape (2, n)
        Weight of the scores in each interval. Row 0 is for the positive class and row 1 for the
        negative class. As a function of the score, the weight is a step function, and these are its
        heights.
    loss : float
        Loss of the labelling, in percent.
    slack : float
        Upper bound on how much larger the value of another labelling can be.
    """

    heights: np.ndarray
    loss: float
    slack: float


class RatioSearch:
    """Search for the most violated labelling for F_β and the Jaccard index."""

    shift = 0.0

    def __init__(self, loss: RatioLoss, n_positives: int, n_negatives: int):
        self.scale = 100.0 / (n_positives + n_negatives)
        self._delta = float(loss.gain), float(loss.offset) * n_positives, float(loss.slope)

    def find_labelling(self, partition: Partition, extent):
        """Return the best labelling found, and the intervals that must be divided.

        `partition` has sums over n intervals of scores. `extent` has the range of all scores. The
        result is (`BoundedLabelling`, bool array of shape (n,)). Intervals are divided where the
        sums are too coarse to rule out a better labelling.
        """
        held = partition.counts > 0
        classes = [
            (
                partition.highest[row, held[row]],
                partition.lowest[row, held[row]],
                np.concatenate([[0.0], np.cumsum(partition.counts[row, held[row]])]),
                np.concatenate([[0.0], np.cumsum(partition.sums[row, held[row]])]),
            )
            for row in (0, 1)
        ]
        bounds: RatioBounds = bound_ratio(*classes, *self._delta, self.scale, _NEGLIGIBLE)
        chosen, shares = np.zeros(held.shape, dtype=bool), np.zeros(held.shape)
        for row, (opened, end) in enumerate(
            [(bounds.open_positives, bounds.kept), (bounds.open_negatives, bounds.flipped)]
        ):
            borders = classes[row][2]
            chosen[row, held[row]] = opened
            lengths = np.diff(borders)
            shares[row, held[row]] = np.clip((end - borders[:-1]) / lengths, 0.0, 1.0)
        heights = self.scale * (shares - [[1.0], [0.0]])
        return BoundedLabelling(heights, bounds.loss, bounds.slack), chosen.any(axis=0)


class TopSearch:
    """Search for precision and recall at k and the precision-recall break-even point.

    The most violated labelling predicts the k highest values as positive.
    """

    def __init__(self, loss: TopLoss, n_positives: int, n_negatives: int):
        self.scale = 100.0 / (n_positives + n_negatives)
        self._size = loss.size.count(n_positives, n_positives + n_negatives)
        self._at_most = loss.at_most
        self._gain = 100.0 / (self._size if loss.relative_to == "predicted" else n_positives)
        self.shift = self._gain / self.scale

    def find_labelling(self, partition: Partition, extent):
        """Return the best labelling found, and the intervals that must be divided.

        `partition` has sums over n intervals of scores. `extent` has the range of all scores. The
        result is (`BoundedLabelling`, bool array of shape (n,)). Intervals are divided where the
        sums are too coarse to rule out a better labelling.
        """
        size = min(self._size, extent.n_above_zero) if self._at_most else self._size
        counts = partition.counts.sum(axis=0)
        before = np.cumsum(counts) - counts
        shares = np.clip((size - before) / counts, 0.0, 1.0)
        kept = float(shares @ partition.counts[0])
        loss = 100.0 - self._gain * kept
        # Only one interval has a share between 0 and 1. Its values differ by at most its width.
        inside = np.minimum(shares, 1.0 - shares) * counts
        slack = self.scale * float(inside @ (partition.tops - partition.bottoms))
        reference = abs(loss) + self.scale * float(abs(partition.sums).sum())
        heights = self.scale * (shares - [[1.0], [0.0]])
        return BoundedLabelling(heights, loss, slack), (inside > 0) & (
            slack > _NEGLIGIBLE * reference
        )


class SeparableSearch:
    """Search for losses that are sums over examples, so that each label flips independently."""

    def __init__(self, loss: SeparableLoss, n_positives: int, n_negatives: int):
        self.scale = 100.0 / (n_positives + n_negatives)
        false_negative, false_positive = loss.costs(n_positives, n_negatives)
        self._costs = np.array([[100.0 * false_negative], [100.0 * false_positive]])
        # The shift makes one threshold valid for both classes: a positive flips if its value is
        # below the threshold, a negative if its value is above.
        self._threshold = -self._costs[1, 0] / self.scale
        self.shift = self._costs[0, 0] / self.scale - self._threshold

    def find_labelling(self, partition: Partition, extent):
        """Return the best labelling found, and the intervals that must be divided.

        `partition` has sums over n intervals of scores. `extent` has the range of all scores. The
        result is (`BoundedLabelling`, bool array of shape (n,)). Intervals are divided where the
        sums are too coarse to rule out a better labelling.
        """
        # A flipped example adds `scale` times the distance of its value from the threshold.
        excess = self.scale * (partition.sums - self._threshold * partition.counts)
        gains = np.array([[-1.0], [1.0]]) * excess
        shares = (gains > 0.0).astype(np.float64)
        loss = float((self._costs * shares * partition.counts).sum())
        across = (partition.bottoms < self._threshold) & (partition.tops > self._threshold)
        ends = np.stack([self._threshold - partition.bottoms, partition.tops - self._threshold])
        inside = np.maximum(ends, 0.0).min(axis=0) * partition.counts.sum(axis=0) * self.scale
        slack = float(inside.sum())
        heights = self.scale * shares * [[-1.0], [1.0]]
        reference = float(np.maximum(gains, 0.0).sum())
        return BoundedLabelling(heights, loss, slack), across & (slack > _NEGLIGIBLE * reference)


class RocAreaSearch:
    """Search for the most violated ranking for ROC area.

    A pair of a positive and a negative in different intervals is in a known order. For pairs within
    an interval there are bounds: the hinge max(0, x) of the difference x of a pair's values lies
    above 0 and x, and below its chord over the possible range of x.
    """

    shift = 1.0

    def __init__(self, loss: RocAreaLoss, n_positives: int, n_negatives: int):
        self.scale = 100.0 / (float(n_positives) * float(n_negatives))

    def find_labelling(self, partition: Partition, extent):
        """Return the best labelling found, and the intervals that must be divided.

        `partition` has sums over n intervals of scores. `extent` has the range of all scores. The
        result is (`BoundedLabelling`, bool array of shape (n,)). Intervals are divided where the
        sums are too coarse to rule out a better labelling.
        """
        (positives, negatives), (sums_p, sums_n) = partition.counts.astype(float), partition.sums
        negatives_above = np.cumsum(negatives) - negatives
        positives_below = positives.sum() - np.cumsum(positives)
        pairs = positives * negatives
        differences = positives * sums_n - negatives * sums_p
        swapped = differences > 0.0
        heights = self.scale * np.stack(
            [-(negatives_above + swapped * negatives), positives_below + swapped * positives]
        )
        loss = self.scale * float(positives @ negatives_above + swapped @ pairs)
        with np.errstate(invalid="ignore", divide="ignore"):
            lowest = partition.lowest[1] - partition.highest[0]
            highest = partition.highest[1] - partition.lowest[0]
            upper = highest * (differences - lowest * pairs) / (highest - lowest)
            certain = ~((pairs > 0) & (lowest < 0.0) & (highest > 0.0))
            slacks = np.where(certain, 0.0, upper - np.maximum(differences, 0.0))
        slacks = self.scale * np.maximum(slacks, 0.0)
        slack = float(slacks.sum())
        value = loss + float(
            (heights * (partition.sums + [[self.shift], [0]] * partition.counts)).sum()
        )
        allowed = _NEGLIGIBLE_OF_PAIRS * max(value, 0.0)
        return BoundedLabelling(heights, loss, slack), (slack > allowed) & (
            slacks > allowed / len(slacks)
        )


_SEARCHES = {
    RatioLoss: RatioSearch,
    RocAreaLoss: RocAreaSearch,
    SeparableLoss: SeparableSearch,
    TopLoss: TopSearch,
}


def make_search(loss: Loss, n_positives: int, n_negatives: int):
    """Return the search object for a loss.

    Raises ValueError if the loss cannot be trained on distributed data.
    """
    if type(loss) not in _SEARCHES:
        raise ValueError(
            "this measure cannot be trained on distributed data; f<beta>, jaccard, prbep, "
            "precision_at_<k>, recall_at_<k>, roc_area, accuracy and balanced_accuracy can"
        )
    return _SEARCHES[type(loss)](loss, n_positives, n_negatives)
