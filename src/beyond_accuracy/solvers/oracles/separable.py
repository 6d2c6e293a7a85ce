"""Most violated labelling for losses that are sums over examples: each flips independently."""

from beyond_accuracy.compilation import compiled
from beyond_accuracy.measures.losses import SeparableLoss
from beyond_accuracy.solvers.oracles.labelling import Labelling, LabellingOracle


@compiled(fastmath={"reassoc", "contract", "nsz"})
def _search(scores, n_positives, scale, false_negative, false_positive):
    positive_threshold = false_negative / scale
    negative_threshold = -false_positive / scale
    total = 0.0
    missed = 0
    for score in scores[:n_positives]:
        flips = score <= positive_threshold
        total -= score * flips
        missed += flips
    wrong = 0
    for score in scores[n_positives:]:
        flips = score > negative_threshold
        total += score * flips
        wrong += flips
    loss = false_negative * missed + false_positive * wrong
    return Labelling(loss + scale * total, loss, 0.0, positive_threshold, 0, negative_threshold, 0)


class SeparableOracle(LabellingOracle):
    """Search for the most violated labelling of a SeparableLoss.

    It maximizes the loss minus scale·Σ y_i·f_i over the examples whose label is flipped, for scores
    f.
    """

    def __init__(self, loss: SeparableLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, n_negatives)
        false_negative, false_positive = loss.costs(n_positives, n_negatives)
        self._costs = (100.0 * false_negative, 100.0 * false_positive)

    def search(self, scores) -> Labelling:
        """Return the most violated labelling at the given scores, float64, shape (n,)."""
        return _search(scores, self.n_positives, self.scale, *self._costs)
