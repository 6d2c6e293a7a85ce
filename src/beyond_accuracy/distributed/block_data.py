"""Blocks of rows on workers, with the data and the search that the cutting-plane solver needs.

Scores stay on the workers. The client, which is the process that runs the solver, represents scores
X·w by w, and weights of the examples by the sum Σ weight_i·(x_i, 1).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from beyond_accuracy.distributed import block_sums
from beyond_accuracy.distributed.searches import make_search
from beyond_accuracy.measures.losses import Loss
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.multivariate_svm import unit_of_means

# Number of parts into which one round divides the open intervals in total; number of rounds.
_PARTS = 2048
_MOST_ROUNDS = 60
# Number of results that one task joins, so that neither a worker nor the client receives all.
JOINED = 16


def _same(value):
    return value


def n_bytes(value) -> int:
    """Return the size in bytes of an array, a number or a nested tuple of these."""
    if isinstance(value, tuple):
        return sum(n_bytes(part) for part in value)
    return np.asarray(value).nbytes


class DaskWorkers:
    """Methods that apply functions to blocks of data on the workers of a Dask cluster.

    If a worker dies, other workers compute its data again. Results do not depend on the number of
    workers. The attribute `received` is the number of bytes that `fetch` received.
    """

    def __init__(self, client):
        self._client = client
        self.received = 0

    def map(self, function: Callable, *columns: Sequence, shared=()):
        """Return Dask futures of function(*entries of columns, *shared), one per block of data.

        `columns` are sequences with one entry per block. `shared` are arguments that all calls get.
        """
        repeated = [[value] * len(columns[0]) for value in shared]
        return self._client.map(function, *columns, *repeated, pure=False)

    def join(self, function: Callable, parts):
        """Return a future of one value: the values of the futures `parts`, combined by `function`.

        `function` combines a list of at most 16 values into one. Its results are combined again
        until one value is left.
        """
        while len(parts) > 1:
            starts = range(0, len(parts), JOINED)
            groups = [list(parts[start : start + JOINED]) for start in starts]
            parts = [self._client.submit(function, group, pure=False) for group in groups]
        return parts[0]

    def send(self, value):
        """Send a value to the workers, and return its future for the argument `shared` of `map`."""
        return self._client.submit(_same, value, pure=False)

    def fetch(self, joined):
        """Return the value of the future `joined`, and add its number of bytes to `received`."""
        value = joined.result()
        self.received += n_bytes(value)
        return value


@dataclass
class _Scores:
    """Scores X·w of all examples, represented by w.

    `blocks` holds one Dask future of scores per block of rows. It is computed on first access.
    """

    data: "BlockData"
    w: np.ndarray

    @cached_property
    def blocks(self):
        shared = (self.data.send(self.w),)
        return self.data.workers.map(block_sums.scores_of, self.data.blocks, shared=shared)


@dataclass
class _Labelling:
    """Most violated labelling (vector of predicted labels, or ranking), as a cutting plane.

    The cutting plane loss + plane·w is a lower bound on the training loss R. `value` is an upper
    bound on R at the w of the scores. The workers compute `plane`, shape (d + 1,), on first access.
    """

    value: float
    loss: float
    steps: block_sums.Steps
    scores: Any

    @cached_property
    def plane(self):
        data = self.scores.data
        plane = data.total(
            block_sums.combination, self.scores, self.steps, join=block_sums.join_vectors
        )
        if not data.fit_intercept:
            plane[-1] = 0.0
        # Let the workers free the scores.
        self.scores = None
        return plane


class BlockData:
    """Features and classes in blocks of rows on Dask workers, with the methods of `DataMatrix`.

    `blocks` are `DataMatrix` objects, or Dask futures of them. `n_positives` and `n_negatives` are
    numbers over all blocks. The attribute `bytes_sent` is the number of bytes sent to each worker.

    Scores stay on the workers, in `_Scores` objects. Instead of one weight per example, methods
    take the sum Σ weight_i·(x_i, 1) over the examples, shape (d + 1,).
    """

    holds_scores = False

    def __init__(
        self, workers: DaskWorkers, blocks, n_positives, n_negatives, n_features,
        fit_intercept=True,
    ):  # fmt: skip
        self.workers = workers
        self.blocks = blocks
        self.n_positives, self.n_negatives = n_positives, n_negatives
        self.n_samples = n_positives + n_negatives
        self.n_features = n_features
        self.fit_intercept = fit_intercept
        self.bytes_sent = 0

    def send(self, value):
        """Send a value to all workers, and return its Dask future.

        The size of the value is added to `bytes_sent`.
        """
        self.bytes_sent += n_bytes(value)
        return self.workers.send(value)

    def total(self, function, scores, *shared, join):
        """Call function(block, scores of the block, *shared) for all blocks; combine the results.

        `join` is a function that combines a list of results into one, for example by adding them
        up.
        """
        parts = self.workers.map(
            function, self.blocks, scores.blocks, shared=[self.send(value) for value in shared]
        )
        return self.workers.fetch(self.workers.join(join, parts))

    @cached_property
    def magnitudes(self):
        shares = 1 / self.n_positives, 1 / self.n_negatives
        parts = self.workers.map(DataMatrix.absolute_sums, self.blocks, shared=shares)
        out = self.workers.fetch(self.workers.join(block_sums.join_vectors, parts))
        return np.append(out, 2.0 if self.fit_intercept else 0.0)

    def moments(self) -> block_sums.Moments:
        parts = self.workers.map(block_sums.moments, self.blocks)
        return self.workers.fetch(self.workers.join(block_sums.join_moments, parts))

    def empty_scores(self):
        """Return None, since the workers store all scores."""

    def release(self, scores):
        """Do nothing; the workers free scores that are no longer used."""

    def zero_scores(self):
        return _Scores(self, np.zeros(self.n_features + 1))

    def in_range(self, scores) -> bool:
        """Return True, because workers check the range of the scores (see `extent`)."""
        return True

    def scores(self, w, out):
        return _Scores(self, w.copy())

    def move(self, scores, direction, k, out):
        return _Scores(self, scores.w + k * direction.w)

    def difference(self, scores, others, out):
        return _Scores(self, scores.w - others.w)

    def product(self, weights, scores) -> float:
        return float(weights @ scores.w)

    def combination(self, weights, out):
        out[:] = weights


def scaled_unit_of_blocks(data: BlockData, measure) -> float:
    """Return the unit of C for `C_convention="scaled"`, for distributed data.

    `scaled_unit` returns the same for data in memory. `measure` is a performance measure, such as
    "f1".
    """
    moments = data.moments()
    difference = moments.negatives / data.n_negatives - moments.positives / data.n_positives
    variance = float(moments.squares.sum()) / data.n_samples
    return unit_of_means(difference, variance, data.n_positives, data.n_negatives, measure)


class BlockOracle:
    """Oracle that finds the most violated labelling of examples on Dask workers.

    A labelling is a vector of predicted labels or a ranking. `search(scores)` takes the scores X·w,
    and returns the labelling that maximizes loss + Σ weight_i·score_i, up to a small error. This
    maximum is the training loss R(w), and the attribute `value` of the labelling is an upper bound
    on it. The attributes `loss` and `plane` give a lower bound on R at any w, loss + plane·w.
    Raises ValueError if the argument `loss` is not supported on distributed data.
    """

    weight_type = np.float64

    def __init__(self, data: BlockData, loss: Loss):
        self._search = make_search(loss, data.n_positives, data.n_negatives)
        self.scale = self._search.scale

    def search(self, scores: _Scores) -> _Labelling:
        shift = self._search.shift
        partition, (heights, loss, slack) = self._partition(scores)
        # Neighbouring intervals with equal weights are merged.
        ends = np.append((heights[:, 1:] != heights[:, :-1]).any(axis=0), True)
        steps = block_sums.Steps(shift, partition.bottoms[ends], heights[:, ends])
        original = partition.sums + np.array([[shift], [0.0]]) * partition.counts
        value = loss + float((heights * original).sum()) + slack
        return _Labelling(value, loss, steps, scores)

    def _partition(self, scores):
        """Divide the scores into intervals until the best labelling is certain.

        Return the `Sums` over the final intervals, and the `BoundedLabelling`. Raises RuntimeError
        if repeated computations of the scores differ.
        """
        partition = None
        for _ in range(_MOST_ROUNDS):
            if partition is None:
                extent, sums = self._first_sums(scores)
                if sums.counts.sum() != scores.data.n_samples:
                    continue
                partition = sums.nonempty()
            labelling, chosen = self._search.find_labelling(partition, extent)
            chosen = chosen & (partition.tops > partition.bottoms)
            if not chosen.any():
                return partition, labelling
            partition = self._refine(scores, partition, np.flatnonzero(chosen))
        raise RuntimeError(
            f"the sums of scores did not settle in {_MOST_ROUNDS} rounds: the workers compute "
            "different scores of the same rows; use workers of one kind"
        )

    def _first_sums(self, scores):
        data, workers = scores.data, scores.data.workers
        shared = [data.send(self._search.shift)]
        parts = workers.map(block_sums.extent, data.blocks, scores.blocks, shared=shared)
        # The workers need the extent first, so the client fetches it later.
        whole = workers.join(block_sums.join_extents, parts)
        shared += [whole, data.send(_PARTS)]
        parts = workers.map(block_sums.extent_sums, data.blocks, scores.blocks, shared=shared)
        sums = workers.fetch(workers.join(block_sums.join_sums, parts))
        return workers.fetch(whole), sums

    def _refine(self, scores, partition, opened):
        """Divide the intervals of a partition with the indices `opened` into equal parts.

        Return None if the counts of the parts do not add up to the counts of the intervals. This
        happens if another machine, which rounds differently, computed a block again.
        """
        n_parts = max(_PARTS // len(opened), 2)
        shared = self._search.shift, partition.tops[opened], partition.bottoms[opened], n_parts
        sums = scores.data.total(
            block_sums.interval_sums, scores, *shared, join=block_sums.join_sums
        )
        counts = sums.counts.reshape(2, len(opened), n_parts).sum(axis=2)
        if (counts != partition.counts[:, opened]).any():
            return None
        # The parts take the place of their interval.
        places = np.repeat(opened - np.arange(len(opened)), n_parts)
        parts = [
            np.insert(np.delete(whole, opened, axis=1), places, divided, axis=1)
            for whole, divided in zip(partition, sums, strict=True)
        ]
        return block_sums.Sums(*parts).nonempty()

    def slope(self, labelling, scores, direction) -> float:
        return float(labelling.plane @ direction.w)

    def weights(self, labelling, scores, out):
        return labelling.plane
