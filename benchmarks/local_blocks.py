"""Blocks of rows in one process, for benchmarks and tests of distributed fits."""

from collections.abc import Callable, Sequence

from beyond_accuracy.distributed.block_data import JOINED, n_bytes


class LocalBlocks:
    """Blocks of rows in this process, with the methods of `DaskWorkers`."""

    received = 0

    def map(self, function: Callable, *columns: Sequence, shared=()):
        return [function(*row, *shared) for row in zip(*columns, strict=True)]

    def join(self, function: Callable, parts):
        while len(parts) > 1:
            starts = range(0, len(parts), JOINED)
            parts = [function(parts[start : start + JOINED]) for start in starts]
        return parts[0]

    def send(self, value):
        return value

    def fetch(self, joined):
        self.received += n_bytes(joined)
        return joined
