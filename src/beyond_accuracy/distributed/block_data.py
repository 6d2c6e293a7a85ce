"""Data and search on distributed blocks of rows, for the solver in `beyond_accuracy.solvers`.

Scores are computed and stay on the workers. The client, which is the process that runs the solver,
represents scores X·w by w, and weights of the examples by the sum Σ weight_i·(x_i, 1).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from beyond_accuracy.distributed import block_sums
from beyond_accuracy.distributed.searches import make_search, partition_until
from beyond_accuracy.distributed.workers import DaskWorkers, LocalBlocks, n_bytes
from beyond_accuracy.measures.losses import Loss
from beyond_accuracy.solvers.multivariate_svm import unit_of_means
from beyond_accuracy.solvers.plane_model import ScaleError

# Number of intervals in the first pass over the scores.
_PARTS = 2048


@dataclass
class _Scores:
    """Scores X·w on the workers; the attribute `blocks` is computed on first access."""

    data: "BlockData"
    w: np.ndarray

    @cached_property
    def blocks(self):
        shared = (self.data.send(self.w),)
        return self.data.workers.map(block_sums.scores_of, self.data.blocks, shared=shared)


@dataclass
class _Labelling:
    """Most violated vector of labels, or ranking, with the cutting plane loss + plane·w.

    `value` is an upper bound on the values of all labellings at the current w. `plane`, shape (d +
    1,), is computed on the workers on first access.
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

    The cutting-plane solver uses this class for distributed data as it uses `DataMatrix` for data
    in memory. Each block is a `DataMatrix`, or a Dask future of a `DataMatrix`. `n_positives` and
    `n_negatives` are numbers over all blocks. `bytes_sent` is the number of bytes of all vectors
    and tables sent to each worker so far.
    """

    holds_scores = False

    def __init__(
        self, workers: DaskWorkers | LocalBlocks, blocks, n_positives, n_negatives, n_features,
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
        """Send a value to all workers, and add its size to `bytes_sent`.

        Return the value, or a future of the value, for the argument `shared` of `workers.map`.
        """
        self.bytes_sent += n_bytes(value)
        return self.workers.send(value)

    def total(self, function, scores, *shared, join):
        """Call a function on all blocks, combine the results, and fetch the combined result.

        The call is function(block, scores of the block, *shared). `join` is a function that
        combines a list of results, for example by adding them up.
        """
        parts = self.workers.map(
            function, self.blocks, scores.blocks, shared=[self.send(value) for value in shared]
        )
        return self.workers.fetch(self.workers.join(join, parts))

    @cached_property
    def magnitudes(self):
        shares = 1 / self.n_positives, 1 / self.n_negatives
        parts = self.workers.map(block_sums.magnitudes, self.blocks, shared=shares)
        out = self.workers.fetch(self.workers.join(block_sums.join_vectors, parts))
        return np.append(out, 2.0 if self.fit_intercept else 0.0)

    def moments(self) -> block_sums.Moments:
        parts = self.workers.map(block_sums.moments, self.blocks)
        return self.workers.fetch(self.workers.join(block_sums.join_moments, parts))

    def room(self):
        """Return None, where `DataMatrix.room` returns memory for scores.

        The workers allocate the scores of distributed data.
        """

    def release(self, scores):
        """Do nothing, where `DataMatrix.release` keeps an array of scores for reuse.

        The workers free scores of distributed data that are no longer used.
        """

    def zero_scores(self):
        return _Scores(self, np.zeros(self.n_features + 1))

    def in_range(self, scores) -> bool:
        """Return True, because `BlockOracle.search` itself checks the range of the scores."""
        return True

    def scores(self, w, out):
        return _Scores(self, w.copy())

    def move(self, scores, direction, k, out):
        return _Scores(self, scores.w + k * direction.w)

    def difference(self, scores, others, out):
        return _Scores(self, scores.w - others.w)

    def product(self, weights, scores) -> float:
        """Return the sum of weight_i·score_i over all rows of all blocks.

        `weights` is the vector Σ weight_i·(x_i, 1), shape (d + 1,). The scores are X·w, so the
        result is the inner product of `weights` and w.
        """
        return float(weights @ scores.w)

    def combination(self, weights, out):
        """Copy `weights` into `out`, both of shape (d + 1,).

        For distributed data, the weights of the examples are given as Σ weight_i·(x_i, 1). This is
        already the result that `DataMatrix.combination` computes from one weight per example.
        """
        out[:] = weights


def scaled_unit_of_blocks(data: BlockData, measure) -> float:
    """Return a value of C that suits the distributed data, for an SVM trained on `measure`.

    `scaled_unit` defines the value for data in memory. This function computes the same value from
    sums over blocks. `C_convention="scaled"` takes it as the unit of C.
    """
    moments = data.moments()
    difference = moments.negatives / data.n_negatives - moments.positives / data.n_positives
    variance = float(moments.squares.sum()) / data.n_samples
    return unit_of_means(difference, variance, data.n_positives, data.n_negatives, measure)


class BlockOracle:
    """Search for the most violated labelling of examples whose scores are on Dask workers.

    A labelling is a vector of predicted labels, or a ranking. The most violated one maximizes its
    loss plus a linear function of the scores. This maximum is the training loss R(w) of a
    multivariate SVM. The labelling found gives a cutting plane, that is a linear lower bound on R.
    The `value` of the labelling is an upper bound on R(w). It exceeds the lower bound at w by at
    most 1e-9 of the summed terms (ROC area: 1e-6 of the value). Raises ValueError for losses
    without a search on distributed data.
    """

    weight_type = np.float64

    def __init__(self, data: BlockData, loss: Loss):
        self._search = make_search(loss, data.n_positives, data.n_negatives)
        self.scale = self._search.scale

    def search(self, scores: _Scores) -> _Labelling:
        data, workers, shift = scores.data, scores.data.workers, self._search.shift

        def start():
            shared = [data.send(shift)]
            parts = workers.map(block_sums.extent, data.blocks, scores.blocks, shared=shared)
            # The workers need the extent first, so the client fetches it later.
            whole = workers.join(block_sums.join_extents, parts)
            shared += [whole, data.send(_PARTS)]
            parts = workers.map(block_sums.extent_sums, data.blocks, scores.blocks, shared=shared)
            sums = workers.fetch(workers.join(block_sums.join_sums, parts))
            extent = workers.fetch(whole)
            bound = max(abs(extent.low), abs(extent.high))
            with np.errstate(over="ignore"):
                if not np.isfinite(data.n_samples * bound * bound):
                    raise ScaleError
            return extent, sums

        def sums_of(*intervals):
            return data.total(
                block_sums.interval_sums, scores, shift, *intervals, join=block_sums.join_sums
            )

        partition, labelling = partition_until(
            start, sums_of, self._search.find_labelling, data.n_samples
        )
        steps = block_sums.Steps.of(shift, partition.bottoms, labelling.heights)
        original = partition.sums + np.array([[shift], [0.0]]) * partition.counts
        value = labelling.loss + float((labelling.heights * original).sum()) + labelling.slack
        return _Labelling(value, labelling.loss, steps, scores)

    def slope(self, labelling, scores, direction) -> float:
        return float(labelling.plane @ direction.w)

    def weights(self, labelling, scores, out):
        """Return Σ weight_i·(x_i, 1) over all examples of all blocks, shape (d + 1,).

        weight_i is the derivative of the labelling's value in the score of example i. `DataMatrix`
        data has one weight per example instead. `scores` and `out` are not used.
        """
        return labelling.plane
