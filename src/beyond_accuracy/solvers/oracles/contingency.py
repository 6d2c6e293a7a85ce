"""Most violated labelling for any function of the contingency table, and for sums over examples."""

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.measures.losses import ContingencyLoss, SeparableLoss
from beyond_accuracy.solvers.oracles.labelling import Labelling, LabellingOracle, top_threshold

_CACHED_TABLES = 4_000_000
_ROUNDING = 1e-9


class ContingencyOracle(LabellingOracle):
    """Oracle that finds the most violated label vector, for any function of the contingency table.

    `loss.function` computes a measure from (TP, FP, FN, TN). The search tries all tables (Joachims
    2005, Algorithm 2). Their losses are stored if there are at most four million (32 MB), or else
    recomputed. Raises ValueError if the function is not finite, exceeds 1, or is not 1 for the true
    labels.
    """

    def __init__(self, loss: ContingencyLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, n_negatives)
        self.n_negatives = n_negatives
        self._function = loss.function
        self._name = getattr(loss.function, "__name__", repr(loss.function))
        self._flipped = np.arange(n_negatives + 1, dtype=np.float64)
        # A function that changes its arguments would change the arguments of the next call.
        self._flipped.setflags(write=False)
        perfect = float(self._evaluate(float(n_positives), 0.0))
        if not abs(perfect - 1.0) < _ROUNDING:
            raise self._error("1 for a perfect prediction", perfect, n_positives, 0)
        self._table = None
        if (n_positives + 1) * (n_negatives + 1) <= _CACHED_TABLES:
            self._table = np.stack([self._loss_row(a) for a in range(n_positives + 1)])

    def _evaluate(self, kept, flipped):
        table = (kept, flipped, self.n_positives - kept, self.n_negatives - flipped)
        try:
            return self._function(*table)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"the measure {self._name} must be a function of (TP, FP, FN, TN) that takes "
                "numbers and arrays and leaves them as they are (np.where in place of if): "
                f"{type(error).__name__}: {error}"
            ) from error

    def _loss_row(self, kept):
        value = np.asarray(self._evaluate(float(kept), self._flipped), dtype=np.float64)
        value = np.broadcast_to(value, self._flipped.shape)
        for wanted, bad in (
            ("finite", ~np.isfinite(value)),
            ("at most 1, its value for a perfect prediction", value > 1.0 + _ROUNDING),
        ):
            if bad.any():
                flipped = int(np.argmax(bad))
                raise self._error(wanted, value[flipped], kept, flipped)
        return 100.0 * (1.0 - value)

    def _error(self, wanted, value, kept, flipped):
        return ValueError(
            f"the measure {self._name} must be {wanted}, it is {value:.12g} for TP = {kept}, "
            f"FP = {flipped}, FN = {self.n_positives - kept}, TN = {self.n_negatives - flipped}"
        )

    def search(self, scores) -> Labelling:
        positives = -np.sort(-scores[: self.n_positives])
        negatives = -np.sort(-scores[self.n_positives :])
        kept_total = np.concatenate(([0.0], np.cumsum(positives)))
        flipped_total = np.concatenate(([0.0], np.cumsum(negatives)))
        best, best_kept, best_flipped, best_loss = -np.inf, 0, 0, 0.0
        for kept in range(self.n_positives + 1):
            row = self._loss_row(kept) if self._table is None else self._table[kept]
            value = row + self.scale * flipped_total
            flipped = int(np.argmax(value))
            total = value[flipped] + self.scale * (kept_total[kept] - kept_total[-1])
            if total > best:
                best, best_kept, best_flipped = total, kept, flipped
                best_loss = row[flipped]
        kept, flipped = top_threshold(positives, best_kept), top_threshold(negatives, best_flipped)
        return Labelling(float(best), float(best_loss), 0.0, *kept, *flipped)


@compiled(fastmath={"reassoc", "contract", "nsz"})
def _search_separable(scores, n_positives, scale, false_negative, false_positive):
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
    """Oracle that finds the most violated label vector if the loss is a sum over examples.

    Each label is decided independently, by comparing the score with a threshold per class.
    """

    def __init__(self, loss: SeparableLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, n_negatives)
        false_negative, false_positive = loss.costs(n_positives, n_negatives)
        self.costs = (100.0 * false_negative, 100.0 * false_positive)

    def search(self, scores) -> Labelling:
        return _search_separable(scores, self.n_positives, self.scale, *self.costs)
