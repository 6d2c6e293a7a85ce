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
from beyond_accuracy.solvers.oracles.labelling import SeparableOracle
from beyond_accuracy.solvers.oracles.pairs import RocAreaOracle
from beyond_accuracy.solvers.oracles.partial_roc_area import PartialRocAreaOracle
from beyond_accuracy.solvers.oracles.ratio import RatioOracle
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
    """Return the oracle, an object that evaluates the training loss of a multivariate SVM.

    From the scores, the oracle finds the labelling, a vector of predicted labels or a ranking, that
    maximizes the loss of the performance measure plus a linear function of the scores. The maximum
    is the training loss. The type of `loss` determines the class of the oracle.
    """
    return _ORACLES[type(loss)](loss, n_positives, n_negatives)


class OffsetOracle:
    """Search for the most violated labelling at the scores plus a constant vector `offset`.

    A labelling is a vector of predicted labels, or a ranking. `oracle` finds the labelling that
    maximizes Δ + weights·(scores + offset). Here Δ is its loss, and the weights depend on the
    labelling. The labellings returned by `OffsetOracle.search` have `loss` = Δ + weights·offset, so
    that their value is loss + weights·scores. `offset` and scores list the positive examples first.
    """

    def __init__(self, oracle, offset):
        self.oracle = oracle
        self.offset = offset
        self.scale = oracle.scale
        self.weight_type = oracle.weight_type

    def search(self, scores):
        shifted = scores + self.offset
        labelling = self.oracle.search(shifted)
        constant = self.oracle.slope(labelling, shifted, self.offset)
        return labelling._replace(loss=labelling.loss + constant)

    def slope(self, labelling, scores, direction) -> float:
        return self.oracle.slope(labelling, scores + self.offset, direction)

    def weights(self, labelling, scores, out):
        return self.oracle.weights(labelling, scores + self.offset, out)


__all__ = ["OffsetOracle", "make_oracle"]
