"""Training losses of multivariate SVMs, as descriptions without algorithms.

Every loss Δ is in percent of a table with P positives and N negatives, n = P + N. The solver
chooses the search for the most violated labelling by the type of the loss.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from beyond_accuracy.measures.bounds import LARGEST_BETA
from beyond_accuracy.measures.contingency import TableFunction


@dataclass(frozen=True)
class RatioLoss:
    """Δ = 100·(1 − gain·TP / (offset·P + slope·TP + FP)).

    F_β has gain 1 + β², offset β², slope 1; the Jaccard index has gain 1, offset 1, slope 0.
    """

    gain: float
    offset: float
    slope: float

    @classmethod
    def f_beta(cls, beta: float) -> "RatioLoss":
        """Make the loss of F_β. Raises ValueError for β above 1e100, whose square may overflow."""
        if beta > LARGEST_BETA:
            raise ValueError(f"beta must be at most {LARGEST_BETA:g}, found {beta:g}")
        return cls(gain=1 + beta**2, offset=beta**2, slope=1.0)

    @classmethod
    def jaccard(cls) -> "RatioLoss":
        """Make the loss of the Jaccard index."""
        return cls(gain=1.0, offset=1.0, slope=0.0)


@dataclass(frozen=True)
class SizeAtTop:
    """Number of predicted positives: a count, or a multiple of the number of true positives."""

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
        """Return the number of predicted positives for given data.

        A multiple of the positives is rounded to the nearest count from 1 to `n_samples`. A
        plain count beyond `n_samples` raises ValueError.
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
    """Loss over labellings with exactly k predicted positives.

    Δ = 100·(1 − TP/P) with `relative_to="positives"` (recall at k; PRBEP with k = P),
    Δ = 100·(1 − TP/k) with `relative_to="predicted"` (precision at k). The labelling `y` itself
    is admissible only if k = P, or with `at_most=True`, which admits fewer than k as well.
    """

    size: SizeAtTop
    relative_to: str = "positives"
    at_most: bool = False


@dataclass(frozen=True)
class SeparableLoss:
    """Δ = 100·(false_negative·FN + false_positive·FP), the two costs depending on (P, N).

    `costs(P, N)` returns (false_negative, false_positive): (1/n, 1/n) is the error rate,
    (1/(2P), 1/(2N)) the balanced error.
    """

    costs: Callable[[int, int], tuple[float, float]]


@dataclass(frozen=True)
class ConstrainedLoss:
    """Δ = 100·(1 − recall) where the precision is `bound` or more, and 100 elsewhere.

    With `of="precision"` recall and precision change roles.
    """

    of: Literal["recall", "precision"]
    bound: float


@dataclass(frozen=True)
class RocAreaLoss:
    """Δ is the percentage of (positive, negative) pairs that are swapped."""


@dataclass(frozen=True)
class PartialRocAreaLoss:
    """Δ = 100·(1 − the mean true positive rate at false positive rates from lowest to highest)."""

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
    """Δ = 100·(1 − average precision) of the ranking."""


@dataclass(frozen=True)
class ContingencyLoss:
    """Δ = 100·(1 − function(TP, FP, FN, TN)) for any function; a search takes O(P·N).

    The function must take arrays that broadcast and return values of at most 1, with value 1
    for the true labelling.
    """

    function: TableFunction


Loss = (
    RatioLoss
    | TopLoss
    | SeparableLoss
    | ConstrainedLoss
    | RocAreaLoss
    | PartialRocAreaLoss
    | AveragePrecisionLoss
    | ContingencyLoss
)
