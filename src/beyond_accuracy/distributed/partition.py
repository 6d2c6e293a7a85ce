"""Partition of the scores into intervals, with the sums of the values in each interval."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from beyond_accuracy.distributed.block_sums import Sums

# Number of parts into which one round divides the open intervals in total; number of rounds.
_PARTS = 2048
_MOST_ROUNDS = 60


class Partition(NamedTuple):
    """Disjoint, nonempty intervals in descending order that together hold all values.

    `counts`, `sums`, `highest` and `lowest` have shape (2, n), the positives first. `tops` and
    `bottoms` have shape (n,) and are over both classes. If all values of an interval are equal, the
    interval is known exactly.
    """

    counts: np.ndarray
    sums: np.ndarray
    highest: np.ndarray
    lowest: np.ndarray

    @classmethod
    def of(cls, sums: Sums) -> "Partition":
        """Build a partition from the nonempty intervals."""
        used = sums.counts.any(axis=0)
        return cls(*(part[:, used] for part in sums))

    @property
    def tops(self):
        """Return the largest value of each interval."""
        return self.highest.max(axis=0)

    @property
    def bottoms(self):
        """Return the smallest value of each interval."""
        return self.lowest.min(axis=0)

    @property
    def divisible(self):
        """Return which intervals hold more than one distinct value."""
        return self.tops > self.bottoms


def refine(partition: Partition, chosen, sums_of: Callable) -> Partition | None:
    """Divide the chosen intervals (boolean, shape (n,)); None if old and new counts differ.

    `sums_of(tops, bottoms, n_parts)` returns the `Sums` of the parts of intervals. Counts differ if
    a block was computed again on another machine that rounds differently.
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
    """Refine a partition of `n_values` values until `judge` needs no further division.

    `start()` returns the extent of the values and the `Sums` of its parts.
    `judge(partition, extent)` returns a verdict and a boolean array of the intervals to divide. If
    none of these is divisible, the partition and the verdict are returned.
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
