"""Find most violated labellings from sums over intervals of scores, with certified bounds.

A labelling is given by one share per interval. The share is of positives that keep their label, of
negatives whose label is flipped, or of pairs that are swapped. A share between 0 and 1 represents
the mean of many labellings; the mean of their cutting planes is a valid cutting plane too. Bounds
limit how much better another labelling can be, and intervals are divided until this is negligible.
An interval of equal scores needs no division.

A search has `find_labelling(partition, extent)`. From the `Sums` of successive nonempty intervals
and the extent of all values, it returns the best `BoundedLabelling`, and a boolean array of the
intervals that are too coarse to rule out a better one.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from beyond_accuracy.distributed.block_sums import Sums
from beyond_accuracy.distributed.ratio_search import RatioBounds, bound_ratio
from beyond_accuracy.measures.losses import Loss
from beyond_accuracy.solvers.oracles import make_oracle
from beyond_accuracy.solvers.oracles.labelling import SeparableOracle
from beyond_accuracy.solvers.oracles.pairs import RocAreaOracle
from beyond_accuracy.solvers.oracles.ratio import RatioOracle
from beyond_accuracy.solvers.oracles.top import TopOracle

# Number of parts into which one round divides the open intervals in total; number of rounds.
_PARTS = 2048
_MOST_ROUNDS = 60
# Largest loss of a search compared with the best labelling, relative to the value.
_NEGLIGIBLE = 1e-9
_NEGLIGIBLE_OF_PAIRS = 1e-6


class BoundedLabelling(NamedTuple):
    """Vector of labels, or ranking, with a bound on how much better the best one can be.

    The vector or ranking is given by one weight per class and interval of scores, in `heights`,
    shape (2, n) for n intervals, with the positive class in row 0. Its value is `loss`, in percent,
    plus Σ weight_i·score_i over all examples i. Here weight_i is the entry of `heights` for the
    example's class and interval. The largest value of any labelling exceeds this value by at most
    `slack`.
    """

    heights: np.ndarray
    loss: float
    slack: float


class RatioSearch:
    """Search for the most violated label vector from sums of scores, for F_β and the Jaccard index.

    The most violated label vector maximizes its loss plus a linear function of the scores. Dask
    workers divide the range of scores into intervals, and return only the sum of the scores in
    each.
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
        bounds: RatioBounds = bound_ratio(*classes, self._delta, _NEGLIGIBLE)
        chosen, shares = np.zeros(used.shape, dtype=bool), np.zeros(used.shape)
        for row, (opened, end) in enumerate(
            [(bounds.open_positives, bounds.kept), (bounds.open_negatives, bounds.flipped)]
        ):
            borders = classes[row][2]
            chosen[row, used[row]] = opened
            lengths = np.diff(borders)
            shares[row, used[row]] = np.clip((end - borders[:-1]) / lengths, 0.0, 1.0)
        heights = self.scale * (shares - [[1.0], [0.0]])
        return BoundedLabelling(heights, bounds.loss, bounds.slack), chosen.any(axis=0)


class TopSearch:
    """Search for the most violated label vector from sums of scores, for precision and recall at k.

    The search also serves the precision-recall break-even point. The most violated label vector
    predicts as positive the k highest values. The value of a positive is its score minus `shift`,
    and the value of a negative is its score. The sums are over intervals of values of data on Dask
    workers.
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
        return BoundedLabelling(heights, loss, slack), (inside > 0) & (
            slack > _NEGLIGIBLE * reference
        )


class SeparableSearch:
    """Search for the most violated label vector from sums of scores, for sums over examples.

    The loss, such as the error rate, is a sum over the examples. So each label is decided
    independently, by comparing the score with a threshold per class. Dask workers divide the range
    of scores into intervals, and return only the sum of the scores in each.
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
    """Search for the most violated ranking from sums of scores, for the ROC area.

    The sums are over intervals of scores of data on Dask workers. The ranking swaps a positive and
    a negative, that is puts them in the wrong order, if the score of the positive is less than 1
    above the score of the negative. For pairs in different intervals, the intervals tell the order.
    For pairs in the same interval, the search bounds the sum of their pairwise hinge losses.
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
        value = loss + float(
            (heights * (partition.sums + [[self.shift], [0]] * partition.counts)).sum()
        )
        allowed = _NEGLIGIBLE_OF_PAIRS * max(value, 0.0)
        return BoundedLabelling(heights, loss, slack), (slack > allowed) & (
            slacks > allowed / len(slacks)
        )


_SEARCHES = {
    RatioOracle: RatioSearch,
    RocAreaOracle: RocAreaSearch,
    SeparableOracle: SeparableSearch,
    TopOracle: TopSearch,
}


def make_search(loss: Loss, n_positives: int, n_negatives: int):
    """Return the object that searches for the most violated labelling of distributed data.

    The type of `loss` determines the class of the object. Raises ValueError if the loss cannot be
    trained on distributed data.
    """
    oracle = make_oracle(loss, n_positives, n_negatives)
    if type(oracle) not in _SEARCHES:
        raise ValueError(
            "this measure cannot be trained on distributed data; f<beta>, jaccard, prbep, "
            "precision_at_<k>, recall_at_<k>, roc_area, accuracy and balanced_accuracy can"
        )
    return _SEARCHES[type(oracle)](oracle)


def _refine(partition: Sums, chosen, sums_of: Callable) -> Sums | None:
    """Divide the chosen intervals of a partition into parts of equal width.

    `sums_of(tops, bottoms, n_parts)` returns the `Sums` of the parts of intervals. The result is
    None if the counts of the parts do not add up to the counts of the intervals. This happens if a
    block was computed again on another machine, which rounds differently.
    """
    opened = np.flatnonzero(chosen)
    n_parts = max(_PARTS // len(opened), 2)
    sums = sums_of(partition.tops[opened], partition.bottoms[opened], n_parts)
    counts = sums.counts.reshape(2, len(opened), n_parts).sum(axis=2)
    if (counts != partition.counts[:, opened]).any():
        return None
    parts = []
    for whole, divided in zip(partition, sums, strict=True):
        pieces = np.split(whole, opened, axis=1)
        divided = divided.reshape(2, len(opened), n_parts)
        joined = [pieces[0]]
        for i in range(len(opened)):
            joined += [divided[:, i], pieces[i + 1][:, 1:]]
        parts.append(np.concatenate(joined, axis=1))
    return Sums(*parts).nonempty()


def partition_until(start: Callable, sums_of: Callable, find_labelling: Callable, n_values: int):
    """Divide the scores of distributed data into intervals until the best labelling is certain.

    The best labelling is a vector of labels, or a ranking, that maximizes its loss plus a linear
    function of the scores. Return the `Sums` over the final intervals, and the labelling, given by
    one weight per class and interval. Three functions do the work:

    - `start()` returns the range of the `n_values` values (scores), and `Sums` over a first
      division.
    - `sums_of(tops, bottoms, n_parts)` returns the `Sums` over parts of some intervals.
    - `find_labelling(partition, extent)` returns the best labelling, and which intervals to divide.

    Raises RuntimeError if repeated computations of the scores differ.
    """
    partition = None
    for _ in range(_MOST_ROUNDS):
        if partition is None:
            extent, sums = start()
            if sums.counts.sum() != n_values:
                continue
            partition = sums.nonempty()
        labelling, chosen = find_labelling(partition, extent)
        chosen = chosen & (partition.tops > partition.bottoms)
        if not chosen.any():
            return partition, labelling
        partition = _refine(partition, chosen, sums_of)
    raise RuntimeError(
        f"the sums of scores did not settle in {_MOST_ROUNDS} rounds: the workers compute "
        "different scores of the same rows; use workers of one kind"
    )
