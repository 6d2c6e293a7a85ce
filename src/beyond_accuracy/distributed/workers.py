"""Functions of blocks, computed where the blocks are, and their sums."""

from collections.abc import Callable, Sequence

import numpy as np

# Results that are joined at a time, so that no worker and not the client has to take all of them.
_JOINED = 16


def _join(parts, function):
    return function(parts)


def _same(value):
    return value


def n_bytes(value) -> int:
    """Bytes of the arrays and numbers in a value, tuples of them included."""
    if isinstance(value, tuple):
        return sum(n_bytes(part) for part in value)
    return np.asarray(value).nbytes


class Here:
    """Blocks in this process: the reference of what workers do."""

    received = 0

    def map(self, function: Callable, *columns: Sequence, shared=()):
        """function(block, ..., *shared) of every block and what belongs to it."""
        return [function(*row, *shared) for row in zip(*columns, strict=True)]

    def join(self, function: Callable, parts):
        """The parts joined by a function of a list, as something that can be `shared`."""
        while len(parts) > 1:
            starts = range(0, len(parts), _JOINED)
            parts = [function(parts[start : start + _JOINED]) for start in starts]
        return parts[0]

    def send(self, value):
        """A value that can be `shared`."""
        return value

    def fetch(self, joined):
        """What `join` returned, as a value."""
        self.received += n_bytes(joined)
        return joined


class DaskWorkers:
    """Blocks on the workers of a Dask cluster, as futures.

    What is sent and joined are tasks as well: should a worker die, the scheduler lets others
    compute what it held, blocks included. Joined in groups whose order is fixed, sums have the same
    bits on any number of workers. `received` counts the bytes of the results that came to the
    client.
    """

    def __init__(self, client):
        self._client = client
        self.received = 0

    def map(self, function: Callable, *columns: Sequence, shared=()):
        """Futures of function(block, ..., *shared) of every block and what belongs to it."""
        repeated = [[value] * len(columns[0]) for value in shared]
        return self._client.map(function, *columns, *repeated, pure=False)

    def join(self, function: Callable, parts):
        """A future of the parts joined by a function of a list."""
        while len(parts) > 1:
            starts = range(0, len(parts), _JOINED)
            groups = [list(parts[start : start + _JOINED]) for start in starts]
            parts = [self._client.submit(_join, g, function=function, pure=False) for g in groups]
        return parts[0]

    def send(self, value):
        """A future of a value: unlike scattered data, it can be had again."""
        return self._client.submit(_same, value, pure=False)

    def fetch(self, joined):
        """The value of what `join` returned."""
        value = joined.result()
        self.received += n_bytes(value)
        return value
