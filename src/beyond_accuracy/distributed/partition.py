"""What is known of the distribution of the scores: intervals of values, with the sums of each."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from beyond_accuracy.distributed.block_sums import Sums

# Parts into which the open intervals are divided, all together; and how often that can be done.
_PARTS = 2048
_MOST_ROUNDS = 60


class Partition(NamedTuple):
    """Disjoint intervals in descending order that hold all values, none of them empty.

    `counts`, `sums`, `highest` and `lowest` have the shape (2, n), the positives first, `tops` and
    `bottoms` (n,): the largest and the smallest value of either class. An interval whose values are
    all equal is thus known exactly: its value and counts.
    """

    counts: np.ndarray
    sums: np.ndarray
    highest: np.ndarray
    lowest: np.ndarray

    @classmethod
    def of(cls, sums: Sums) -> "Partition":
        """The intervals that hold values."""
        used = sums.counts.any(axis=0)
        return cls(*(part[:, used] for part in sums))

    @property
    def tops(self):
        """Largest value of each interval."""
        return self.highest.max(axis=0)

    @property
    def bottoms(self):
        """Smallest value of each interval."""
        return self.lowest.min(axis=0)

    @property
    def divisible(self):
        """Which intervals hold different values."""
        return self.tops > self.bottoms


def refine(partition: Partition, chosen, sums_of: Callable) -> Partition | None:
    """Divide the chosen intervals, of a boolean array; None if the sums do not fit the old ones.

    `sums_of(tops, bottoms, n_parts)` returns the Sums of the parts of intervals. They do not fit
    where a block was computed anew on another machine that rounds otherwise.
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


def partition_until(start: Callable, sums_of: Callable, judge: Callable, n_values: int):
    """Refine a partition of `n_values` values until `judge` is content.

    `start()` returns the extent of the values and the Sums of its parts. `judge(partition, extent)`
    returns its verdict and the intervals to divide, a boolean array; where none of them is
    divisible, partition and verdict are returned.
    """
    partition = None
    for _ in range(_MOST_ROUNDS):
        if partition is None:
            extent, sums = start()
            if sums.counts.sum() != n_values:
                continue
            partition = Partition.of(sums)
        verdict, chosen = judge(partition, extent)
        chosen = chosen & partition.divisible
        if not chosen.any():
            return partition, verdict
        partition = refine(partition, chosen, sums_of)
    raise RuntimeError(
        f"the sums of scores did not settle in {_MOST_ROUNDS} rounds: the workers compute "
        "different scores of the same rows; use workers of one kind"
    )
