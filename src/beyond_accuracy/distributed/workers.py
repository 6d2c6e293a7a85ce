"""Apply functions to blocks of rows on the workers that hold the blocks, and join the results."""

from collections.abc import Callable, Sequence

import numpy as np

# Number of results that one task joins, so that neither a worker nor the client receives all.
_JOINED = 16


def _join(parts, function):
    return function(parts)


def _same(value):
    return value


def n_bytes(value) -> int:
    """Return the size in bytes of an array, a number or a nested tuple of these."""
    if isinstance(value, tuple):
        return sum(n_bytes(part) for part in value)
    return np.asarray(value).nbytes


class LocalBlocks:
    """Blocks of rows in this process, with the methods of `DaskWorkers`, for tests."""

    received = 0

    def map(self, function: Callable, *columns: Sequence, shared=()):
        return [function(*row, *shared) for row in zip(*columns, strict=True)]

    def join(self, function: Callable, parts):
        while len(parts) > 1:
            starts = range(0, len(parts), _JOINED)
            parts = [function(parts[start : start + _JOINED]) for start in starts]
        return parts[0]

    def send(self, value):
        return value

    def fetch(self, joined):
        self.received += n_bytes(joined)
        return joined


class DaskWorkers:
    """Methods that apply functions to blocks of data on the workers of a Dask cluster.

    `send` and `join` create tasks. So if a worker dies, the scheduler lets other workers compute
    the lost data again, including blocks. `join` combines results in groups of fixed order, so sums
    are equal, bit by bit, for any number of workers. `received` is the number of bytes that the
    client received by `fetch`.
    """

    def __init__(self, client):
        self._client = client
        self.received = 0

    def map(self, function: Callable, *columns: Sequence, shared=()):
        """Return futures of function(block, ..., *shared), one per block.

        `columns` are sequences with one entry per block. The first sequence holds the blocks.
        `shared` are further arguments, equal for all blocks.
        """
        repeated = [[value] * len(columns[0]) for value in shared]
        return self._client.map(function, *columns, *repeated, pure=False)

    def join(self, function: Callable, parts):
        """Return a future of the combined results of `map`.

        `function` combines a list of results, for example by adding them up. It is called on groups
        of 16 results until one result is left.
        """
        while len(parts) > 1:
            starts = range(0, len(parts), _JOINED)
            groups = [list(parts[start : start + _JOINED]) for start in starts]
            parts = [self._client.submit(_join, g, function=function, pure=False) for g in groups]
        return parts[0]

    def send(self, value):
        """Return a future of the value on the workers, for the argument `shared` of `map`.

        If a worker that holds the value dies, Dask creates the value again on another worker.
        """
        return self._client.submit(_same, value, pure=False)

    def fetch(self, joined):
        """Return the value of a future from `join`, and add its number of bytes to `received`."""
        value = joined.result()
        self.received += n_bytes(value)
        return value
