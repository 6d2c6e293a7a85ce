"""Training losses of multivariate SVMs, as descriptions without algorithms.

A loss Δ is in percent. It is a function of the contingency table of a labelling of P positives and
N negatives, n = P + N, or of the ranking of the examples. The type of the loss determines how the
solver searches for the most violated labelling.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from beyond_accuracy.measures.contingency import TableFunction


@dataclass(frozen=True)
class RatioLoss:
    """Training loss of a multivariate SVM: 100·(1 − gain·TP / (offset·P + slope·TP + FP)).

    P is the number of positives. The ratio is F_β for gain 1 + β², offset β² and slope 1, and the
    Jaccard index for gain 1, offset 1 and slope 0.
    """

    gain: float
    offset: float
    slope: float

    @classmethod
    def f_beta(cls, beta: float) -> "RatioLoss":
        """Return the training loss 100·(1 − F_β)."""
        return cls(gain=1 + beta**2, offset=beta**2, slope=1.0)

    @classmethod
    def jaccard(cls) -> "RatioLoss":
        """Return the training loss 100·(1 − Jaccard index)."""
        return cls(gain=1.0, offset=1.0, slope=0.0)


@dataclass(frozen=True)
class SizeAtTop:
    """The number k of predicted positives in measures such as recall at k.

    k is `value`, or `value` times the number of positives in the data if `of_positives` is True.
    """

    value: float
    of_positives: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.value < math.inf or (
            not self.of_positives and self.value != int(self.value)
        ):
            raise ValueError(
                f"k must be a positive integer or a positive multiple of the positives "
                f"such as '2p', found {self}"
            )

    def __str__(self) -> str:
        return f"{self.value:g}p" if self.of_positives else f"{self.value:g}"

    def count(self, n_positives: float, n_samples: float) -> int:
        """Return the number k of predicted positives for data of the given size.

        If `of_positives`, k is rounded to an integer from 1 to `n_samples`. Raises ValueError if k
        exceeds `n_samples`.
        """
        if self.of_positives:
            asked = min(self.value * float(n_positives), n_samples)
            return int(min(max(round(asked), 1), n_samples))
        if self.value > n_samples:
            raise ValueError(
                f"k = {self} predicted positives were asked for, but there are only "
                f"{n_samples:g} samples; choose k of at most that many"
            )
        return int(self.value)


@dataclass(frozen=True)
class TopLoss:
    """Training loss of a multivariate SVM for measures of k predicted positives; `size` gives k.

    With `relative_to="positives"`, the loss is 100·(1 − TP/P) for P positives. This is for recall
    at k and, if k = P, for the precision-recall break-even point. With `relative_to="predicted"`,
    the loss is 100·(1 − TP/k), for precision at k.

    Training compares the true labels with label vectors that have exactly k positives or, with
    `at_most=True`, at most k.
    """

    size: SizeAtTop
    relative_to: str = "positives"
    at_most: bool = False


@dataclass(frozen=True)
class SeparableLoss:
    """Training loss that is a sum over errors: 100·(false_negative·FN + false_positive·FP).

    `costs(P, N)` returns the pair (false_negative, false_positive) for P positives and N negatives.
    The pair (1/n, 1/n) with n = P + N gives the error rate, and (1/(2P), 1/(2N)) the balanced error
    rate.
    """

    costs: Callable[[int, int], tuple[float, float]]


@dataclass(frozen=True)
class RocAreaLoss:
    """Training loss for the ROC area: the percentage of misranked (positive, negative) pairs."""


@dataclass(frozen=True)
class PartialRocAreaLoss:
    """Training loss for the ROC area between two false positive rates.

    The loss is 100·(1 − t), where t is the mean true positive rate at false positive rates from
    `lowest_rate` to `highest_rate`.
    """

    lowest_rate: float
    highest_rate: float

    def __post_init__(self) -> None:
        if not 0 <= self.lowest_rate < self.highest_rate <= 1:
            raise ValueError(
                "the false positive rates of a partial ROC area must rise and lie in [0, 1], found "
                f"{self.lowest_rate:g} and {self.highest_rate:g}"
            )


@dataclass(frozen=True)
class AveragePrecisionLoss:
    """Training loss for average precision: 100·(1 − average precision of the ranking)."""


@dataclass(frozen=True)
class ContingencyLoss:
    """Training loss for any measure of the contingency table: 100·(1 − function(TP, FP, FN, TN)).

    The function must take arrays that broadcast and return values of at most 1. If all predictions
    are correct, the value must be 1.
    """

    function: TableFunction


Loss = (
    RatioLoss
    | TopLoss
    | SeparableLoss
    | RocAreaLoss
    | PartialRocAreaLoss
    | AveragePrecisionLoss
    | ContingencyLoss
)
