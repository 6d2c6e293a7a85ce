"""Find most violated labellings from sums over intervals of scores, with certified bounds.

A labelling is a vector of predicted labels or a ranking. The most violated labelling has the
highest value (see `BoundedLabelling`). A labelling is given by one share per interval: the share of
positives that keep their label, of negatives whose label is flipped, or of pairs that are swapped.
A share between 0 and 1 is a mean of many labellings, whose mean cutting plane is valid too.
Intervals are divided until no other labelling can be much better.

Each search class has the method `find_labelling(partition, extent)`. The arguments are the `Sums`
over nonempty intervals, highest first, and the `Extent` of all scores. The method returns the best
`BoundedLabelling`, and a boolean array of the intervals that are too wide to rule out a better one.
"""

from typing import NamedTuple

import numpy as np

from beyond_accuracy.distributed.block_sums import Sums
from beyond_accuracy.distributed.ratio_search import bound_ratio
from beyond_accuracy.measures.losses import Loss
from beyond_accuracy.solvers.multivariate_svm import make_oracle
from beyond_accuracy.solvers.oracles.contingency import SeparableOracle
from beyond_accuracy.solvers.oracles.labelling import RatioOracle
from beyond_accuracy.solvers.oracles.rankings import RocAreaOracle
from beyond_accuracy.solvers.oracles.top import TopOracle

# Largest loss of a search compared with the best labelling, relative to the value.
_NEGLIGIBLE = 1e-9
_NEGLIGIBLE_OF_PAIRS = 1e-6


class BoundedLabelling(NamedTuple):
    """Vector of labels, or ranking, with a bound on how much better the best one can be.

    The scores of the examples are divided into r intervals. `heights`, shape (2, r), holds the
    weight of all examples in an interval, with the positive class in row 0. The value of the
    labelling is `loss`, in percent, plus Σ weight_i·score_i over all examples i. No labelling
    exceeds this value by more than `slack`.
    """

    heights: np.ndarray
    loss: float
    slack: float


class RatioSearch:
    """Object that finds the most violated label vector, for F_β and the Jaccard index.

    The most violated label vector has the highest value (see `BoundedLabelling`).
    """

    shift = 0.0

    def __init__(self, oracle: RatioOracle):
        self.scale, self._delta = oracle.scale, oracle.delta

    def find_labelling(self, partition: Sums, extent):
        used = partition.counts > 0
        classes = [
            (
                partition.highest[row, used[row]],
                partition.lowest[row, used[row]],
                np.concatenate([[0.0], np.cumsum(partition.counts[row, used[row]])]),
                np.concatenate([[0.0], np.cumsum(partition.sums[row, used[row]])]),
            )
            for row in (0, 1)
        ]
        kept, flipped, loss, slack, *opened = bound_ratio(*classes, self._delta, _NEGLIGIBLE)
        chosen, shares = np.zeros(used.shape, dtype=bool), np.zeros(used.shape)
        for row, end in enumerate((kept, flipped)):
            borders = classes[row][2]
            chosen[row, used[row]] = opened[row]
            lengths = np.diff(borders)
            shares[row, used[row]] = np.clip((end - borders[:-1]) / lengths, 0.0, 1.0)
        heights = self.scale * (shares - [[1.0], [0.0]])
        return BoundedLabelling(heights, loss, slack), chosen.any(axis=0)


class TopSearch:
    """Object that finds the most violated label vector, for precision and recall at k.

    This vector predicts the k highest-scoring examples as positive, after `shift` is subtracted
    from the scores of positives. If the loss admits fewer than k predicted positives, examples
    below 0 are left out. `shift` is the loss of one missed positive, divided by `scale`.
    """

    def __init__(self, oracle: TopOracle):
        self.scale, self._oracle = oracle.scale, oracle
        self.shift = oracle.gain / oracle.scale

    def find_labelling(self, partition: Sums, extent):
        size = self._oracle.size
        if self._oracle.at_most:
            size = min(size, extent.n_above_zero)
        counts = partition.counts.sum(axis=0)
        before = np.cumsum(counts) - counts
        shares = np.clip((size - before) / counts, 0.0, 1.0)
        kept = float(shares @ partition.counts[0])
        loss = 100.0 - self._oracle.gain * kept
        # Only one interval has a share between 0 and 1. Its values differ by at most its width.
        inside = np.minimum(shares, 1.0 - shares) * counts
        slack = self.scale * float(inside @ (partition.tops - partition.bottoms))
        reference = abs(loss) + self.scale * float(abs(partition.sums).sum())
        heights = self.scale * (shares - [[1.0], [0.0]])
        coarse = (inside > 0) & (slack > _NEGLIGIBLE * reference)
        return BoundedLabelling(heights, loss, slack), coarse


class SeparableSearch:
    """Object that finds the most violated label vector, if each wrong label adds a cost.

    Each label is decided independently, by comparing the score with a threshold per class.
    """

    def __init__(self, oracle: SeparableOracle):
        self.scale, self._costs = oracle.scale, np.array(oracle.costs)[:, None]
        # The shift makes one threshold valid for both classes: a positive flips if its value is
        # below the threshold, a negative if its value is above.
        self._threshold = -self._costs[1, 0] / self.scale
        self.shift = self._costs[0, 0] / self.scale - self._threshold

    def find_labelling(self, partition: Sums, extent):
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
    """Object that finds the most violated ranking, for the ROC area.

    The ranking puts a negative above a positive if the score of the positive is less than 1 higher.
    """

    shift = 1.0

    def __init__(self, oracle: RocAreaOracle):
        self.scale = oracle.scale

    def find_labelling(self, partition: Sums, extent):
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
        original = partition.sums + [[self.shift], [0]] * partition.counts
        allowed = _NEGLIGIBLE_OF_PAIRS * max(loss + float((heights * original).sum()), 0.0)
        coarse = (slack > allowed) & (slacks > allowed / len(slacks))
        return BoundedLabelling(heights, loss, slack), coarse


_SEARCHES = {
    RatioOracle: RatioSearch,
    RocAreaOracle: RocAreaSearch,
    SeparableOracle: SeparableSearch,
    TopOracle: TopSearch,
}


def make_search(loss: Loss, n_positives: int, n_negatives: int):
    """Return an object that finds the most violated labelling of distributed data, for a loss.

    A labelling is a vector of predicted labels or, for the ROC area, a ranking. Call the object's
    method `find_labelling`, described at the top of this module. Raises ValueError if `loss` is not
    supported on distributed data.
    """
    oracle = make_oracle(loss, n_positives, n_negatives)
    if type(oracle) not in _SEARCHES:
        raise ValueError(
            "this measure cannot be trained on distributed data; f<beta>, jaccard, prbep, "
            "precision_at_<k>, recall_at_<k>, roc_area, accuracy and balanced_accuracy can"
        )
    return _SEARCHES[type(oracle)](oracle)
