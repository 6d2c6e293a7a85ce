"""Most violated labelling for losses that are a sum over examples: each flips on its own."""

import numpy as np
from numba import njit

from beyond_accuracy.measures.losses import SeparableLoss
from beyond_accuracy.solvers.oracles import labelling as labellings
from beyond_accuracy.solvers.oracles.labelling import Labelling


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def _search(scores, n_positives, scale, false_negative, false_positive):
    positive_threshold = false_negative / scale
    negative_threshold = -false_positive / scale
    total = 0.0
    missed = 0
    for i in range(n_positives):
        flips = scores[i] <= positive_threshold
        total -= scores[i] * flips
        missed += flips
    wrong = 0
    for i in range(n_positives, len(scores)):
        flips = scores[i] > negative_threshold
        total += scores[i] * flips
        wrong += flips
    loss = false_negative * missed + false_positive * wrong
    return Labelling(loss + scale * total, loss, 0.0, positive_threshold, 0, negative_threshold, 0)


class SeparableOracle:
    """Search for the most violated labelling of a SeparableLoss.

    Parameters
    ----------
    loss : SeparableLoss
    n_positives, n_negatives : int
        Both at least 1. Scores are given positives first.
    """

    weight_type = np.int8
    nearly_smooth = False

    def __init__(self, loss: SeparableLoss, n_positives: int, n_negatives: int):
        self.n_positives = n_positives
        self.scale = 100.0 / (n_positives + n_negatives)
        false_negative, false_positive = loss.costs(n_positives, n_negatives)
        self._costs = (100.0 * false_negative, 100.0 * false_positive)

    def search(self, scores) -> Labelling:
        """The most violated labelling at the given scores, shape (n,), float64."""
        return _search(scores, self.n_positives, self.scale, *self._costs)

    def slope(self, labelling, scores, direction) -> float:
        """Derivative of the labelling's value along a direction of the scores."""
        return labellings.slope(labelling, scores, direction, self.n_positives, self.scale)

    def weights(self, labelling, scores, out):
        """Write each example's coefficient in the labelling's value into `out`."""
        labellings.weights(labelling, scores, self.n_positives, self.scale, out)
