"""Searches for the most violated labelling, one file per family of losses.

A search object ("oracle") takes scores with the positives first. It has three methods:

- `search(scores)` returns a labelling with `value` and `loss`.
- `slope(labelling, scores, direction)` returns the derivative of the value along a direction.
- `weights(labelling, scores, out)` returns weights such that value = loss + weights @ scores. All
  weights are integer multiples of `scale`, and the integers fit `weight_type`.
"""

from beyond_accuracy.measures.losses import (
    AveragePrecisionLoss,
    ContingencyLoss,
    Loss,
    PartialRocAreaLoss,
    RatioLoss,
    RocAreaLoss,
    SeparableLoss,
    TopLoss,
)
from beyond_accuracy.solvers.oracles.average_precision import AveragePrecisionOracle
from beyond_accuracy.solvers.oracles.contingency import ContingencyOracle
from beyond_accuracy.solvers.oracles.partial_roc_area import PartialRocAreaOracle
from beyond_accuracy.solvers.oracles.ratio import RatioOracle
from beyond_accuracy.solvers.oracles.roc_area import RocAreaOracle
from beyond_accuracy.solvers.oracles.separable import SeparableOracle
from beyond_accuracy.solvers.oracles.top import TopOracle

_ORACLES = {
    AveragePrecisionLoss: AveragePrecisionOracle,
    ContingencyLoss: ContingencyOracle,
    PartialRocAreaLoss: PartialRocAreaOracle,
    RatioLoss: RatioOracle,
    RocAreaLoss: RocAreaOracle,
    SeparableLoss: SeparableOracle,
    TopLoss: TopOracle,
}


def make_oracle(loss: Loss, n_positives: int, n_negatives: int):
    """Return the search object for a loss and data with the given numbers of examples per class."""
    return _ORACLES[type(loss)](loss, n_positives, n_negatives)


__all__ = ["make_oracle"]
