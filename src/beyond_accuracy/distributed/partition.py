"""Partition of values on workers into intervals, with sums of the values in each interval.

A value is a score of an example. The scores of positives are shifted, as described in `block_sums`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from beyond_accuracy.distributed.block_sums import Sums

# Number of parts into which one round divides the open intervals in total; number of rounds.
_PARTS = 2048
_MOST_ROUNDS = 60


class Partition(NamedTuple):
    """Scores of two classes in n successive intervals, highest first; no interval is empty.

    Attributes
    ----------
    counts, sums, highest, lowest : arrays, shape (2, n)
        Number, sum, largest and smallest of the values in each interval. Row 0 is for the positive
        class and row 1 for the negative class.
    """

    counts: np.ndarray
    sums: np.ndarray
    highest: np.ndarray
    lowest: np.ndarray

    @classmethod
    def of(cls, sums: Sums) -> "Partition":
        """Return the partition of the nonempty intervals among `sums`."""
        used = sums.counts.any(axis=0)
        return cls(*(part[:, used] for part in sums))

    @property
    def tops(self):
        """Largest value of each interval over both classes, shape (n,)."""
        return self.highest.max(axis=0)

    @property
    def bottoms(self):
        """Smallest value of each interval over both classes, shape (n,)."""
        return self.lowest.min(axis=0)

    @property
    def divisible(self):
        """Whether each interval holds more than one distinct value, bool, shape (n,)."""
        return self.tops > self.bottoms


def refine(partition: Partition, chosen, sums_of: Callable) -> Partition | None:
    """Return the partition in which the chosen intervals are divided into parts of equal width.

    `chosen` is a boolean array, shape (n,). `sums_of(tops, bottoms, n_parts)` returns the `Sums` of
    the parts of intervals. The result is None if the counts of the parts do not add up to the
    counts of the intervals. This happens if a block was computed again on another machine, which
    rounds differently.
    """
    opened = np.flatnonzero(chosen)
    n_parts = max(_PARTS // len(opened), 2)
    sums = sums_of(partition.tops[opened], partition.bottoms[opened], n_parts)
    found = sums.counts.reshape(2, len(opened), n_parts).sum(axis=2)
    if (found != partition.counts[:, opened]).any():
        return None
    parts = []
    for whole, divided in zip(partition, sums, strict=True):
        pieces = np.split(whole, opened, axis=1)
        divided = divided.reshape(2, len(opened), n_parts)
        joined = [pieces[0]]
        for i in range(len(opened)):
            joined += [divided[:, i], pieces[i + 1][:, 1:]]
        parts.append(np.concatenate(joined, axis=1))
    return Partition.of(Sums(*parts))


def partition_until(start: Callable, sums_of: Callable, find_labelling: Callable, n_values: int):
    """Refine a partition of `n_values` values until a labelling needs no further division.

    `start()` returns the extent of the values and the `Sums` of its parts.
    `find_labelling(partition, extent)` returns a labelling and a boolean array of the intervals to
    divide. When none of these can be divided, the pair (partition, labelling) is returned.
    """
    partition = None
    for _ in range(_MOST_ROUNDS):
        if partition is None:
            extent, sums = start()
            if sums.counts.sum() != n_values:
                continue
            partition = Partition.of(sums)
        labelling, chosen = find_labelling(partition, extent)
        chosen = chosen & partition.divisible
        if not chosen.any():
            return partition, labelling
        partition = refine(partition, chosen, sums_of)
    raise RuntimeError(
        f"the sums of scores did not settle in {_MOST_ROUNDS} rounds: the workers compute "
        "different scores of the same rows; use workers of one kind"
    )
