"""Paired comparisons over classes: Wilcoxon's signed-rank test, wins and losses."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
import scipy

ZeroMethod = Literal["wilcox", "pratt", "zsplit"]

# Decimals of a difference that are more than rounding; beyond them ties would look like ranks.
DECIMALS = 12


class SignedRankTest(NamedTuple):
    """A two-tailed Wilcoxon signed-rank test of pairs; `n_nonzero` pairs differ.

    The p-value is 1 if all differences are zero, NaN without pairs.
    """

    p_value: float
    n_nonzero: int


class Counts(NamedTuple):
    """Wins, losses and ties of the first method over the pairs."""

    wins: int
    losses: int
    ties: int

    def __str__(self) -> str:
        return f"{self.wins}/{self.losses}/{self.ties}"


def differences(first: Sequence[float], second: Sequence[float]) -> np.ndarray:
    """Return first - second, float64, shape (n,), without the noise of rounding.

    Raises ValueError on unequal lengths and on values that are not finite.
    """
    first, second = (np.asarray(values, dtype=np.float64) for values in (first, second))
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(
            f"Pairs need two lists of the same length; found shapes {first.shape}, {second.shape}."
        )
    difference = first - second
    if not np.isfinite(difference).all():
        raise ValueError("Pairs hold values that are not finite; leave failed tasks out first.")
    return np.round(difference, DECIMALS)


def signed_rank_test(
    first: Sequence[float],
    second: Sequence[float],
    *,
    zero_method: ZeroMethod = "wilcox",
) -> SignedRankTest:
    """Test two-tailed whether paired values differ (Wilcoxon 1945).

    `zero_method` treats pairs without a difference: "wilcox" drops them, "pratt"
    ranks them and drops their ranks, "zsplit" splits their ranks between both signs. SciPy takes
    the exact distribution for at most 50 pairs without ties or 13 with ties, else the normal one.
    """
    difference = differences(first, second)
    n_nonzero = int(np.count_nonzero(difference))
    if difference.size == 0:
        return SignedRankTest(float("nan"), 0)
    if n_nonzero == 0:
        return SignedRankTest(1.0, 0)
    if zero_method == "wilcox":
        # Dropped here, zeros do not keep SciPy from the exact distribution.
        difference = difference[difference != 0]
    return SignedRankTest(_p_value(tuple(difference), zero_method), n_nonzero)


# Claims, tables and pages ask the same of the same values; with ties SciPy tries all signs.
@lru_cache(maxsize=10_000)
def _p_value(difference: tuple[float, ...], zero_method: ZeroMethod) -> float:
    result = scipy.stats.wilcoxon(difference, zero_method=zero_method, alternative="two-sided")
    return float(result.pvalue)


def count_signs(first: Sequence[float], second: Sequence[float]) -> Counts:
    """Count the pairs in which the first value is larger, smaller, and equal."""
    signs = np.sign(differences(first, second))
    return Counts(*(int((signs == sign).sum()) for sign in (1, -1, 0)))


def holm(p_values: Sequence[float]) -> np.ndarray:
    """Adjust p-values for their number by Holm's step-down method (Holm 1979).

    NaN stays NaN and is not counted. Returns float64, shape (n,), in the order given.
    """
    p_values = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p_values.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    factors = np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1.0)
    return adjusted
