"""Most violated labelling for recall at a precision, and for precision at a recall.

If a positives are kept, the loss as a function of the number b of flipped negatives has two pieces.
It is 100 where the constraint is violated, and the loss of the contingency table, which is concave
in b, elsewhere. The sum of the b highest scores is concave, too. So the best b of each piece lies
where gains end, or at the border between the pieces. For P positives and N negatives, this takes
O(P·log N) after sorting, instead of O(P·N) for a search through all tables.
"""

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.measures.losses import ConstrainedLoss
from beyond_accuracy.solvers.oracles.buckets import sort_descending
from beyond_accuracy.solvers.oracles.labelling import Labelling, LabellingOracle, top_threshold

_ROUNDING = 1e-9


@compiled
def _sums(descending):
    """Return (sums of the first 0, 1, 2, … values, number of values above 0)."""
    sums, n_above = np.zeros(len(descending) + 1), 0
    for i in range(len(descending)):
        sums[i + 1] = sums[i] + descending[i]
        n_above += descending[i] > 0.0
    return sums, n_above


@compiled
def _recall_at_precision(positives, negatives, bound, scale):
    """Return (number of kept positives, of flipped negatives, value, loss) of the best table.

    `positives` and `negatives` are descending scores; `bound` is the least precision.
    """
    kept, _ = _sums(positives)
    flipped, n_above = _sums(negatives)
    n_positives, n_negatives = len(positives), len(negatives)
    best, best_a, best_b, best_loss = -np.inf, 0, 0, 0.0
    for a in range(n_positives + 1):
        # The most false positives that keep the precision. Without a true positive the recall is 0.
        most = -1 if a == 0 else min(int(a * (1.0 - bound) / bound + _ROUNDING), n_negatives)
        for b, loss in (
            (min(n_above, most), 100.0 * (n_positives - a) / n_positives),
            (max(n_above, most + 1), 100.0),
        ):
            if 0 <= b <= n_negatives:
                value = loss + scale * (flipped[b] + kept[a] - kept[n_positives])
                if value > best:
                    best, best_a, best_b, best_loss = value, a, b, loss
    return best_a, best_b, best, best_loss


@compiled
def _precision_at_recall(positives, negatives, bound, scale):
    """Return (number of kept positives, of flipped negatives, value, loss) of the best table.

    `positives` and `negatives` are descending scores; `bound` is the least recall.
    """
    kept, _ = _sums(positives)
    flipped, n_above = _sums(negatives)
    n_positives, n_negatives = len(positives), len(negatives)
    least = int(np.ceil(bound * n_positives - _ROUNDING))
    best, best_a, best_b, best_loss = -np.inf, 0, 0, 0.0
    for a in range(n_positives + 1):
        b, loss = n_above, 100.0
        if a >= least:
            # The gain of a further flip falls with their number: find the first that gains nothing.
            b, above = 0, n_negatives
            while b < above:
                middle = (b + above) // 2
                gain = 100.0 * a / ((a + middle) * (a + middle + 1.0)) + scale * negatives[middle]
                if gain > 0.0:
                    b = middle + 1
                else:
                    above = middle
            loss = 100.0 * b / (a + b)
        value = loss + scale * (flipped[b] + kept[a] - kept[n_positives])
        if value > best:
            best, best_a, best_b, best_loss = value, a, b, loss
    return best_a, best_b, best, best_loss


class ConstrainedOracle(LabellingOracle):
    """Search for the most violated labelling of a ConstrainedLoss.

    It maximizes the loss minus scale·Σ y_i·f_i over the examples whose label is flipped, for scores
    f.
    """

    def __init__(self, loss: ConstrainedLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, n_negatives)
        self._bound = loss.bound
        self._search = _recall_at_precision if loss.of == "recall" else _precision_at_recall

    def search(self, scores) -> Labelling:
        """Return the most violated labelling at the given scores, float64, shape (n,)."""
        positives, negatives = scores[: self.n_positives].copy(), scores[self.n_positives :].copy()
        sort_descending(positives)
        sort_descending(negatives)
        kept, flipped, value, loss = self._search(positives, negatives, self._bound, self.scale)
        return Labelling(
            value,
            loss,
            0.0,
            *top_threshold(positives, kept),
            *top_threshold(negatives, flipped),
        )
