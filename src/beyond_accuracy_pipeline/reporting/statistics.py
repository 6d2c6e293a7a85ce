"""Paired comparisons: Wilcoxon's signed-rank test, wins and losses, and Holm's correction."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
import scipy

ZeroMethod = Literal["wilcox", "pratt", "zsplit"]

# Further decimals are rounding errors, which would turn ties into ranks.
DECIMALS = 12
_MOST_WITH_TIES = 13


class SignedRankTest(NamedTuple):
    """Two-tailed p-value of a signed-rank test, and the number of pairs that differ.

    If no pair differs, the p-value is 1; without pairs, it is NaN.
    """

    p_value: float
    n_nonzero: int


class Counts(NamedTuple):
    """Numbers of pairs in which the first method wins, loses and ties."""

    wins: int
    losses: int
    ties: int


def differences(first: Sequence[float], second: Sequence[float]) -> np.ndarray:
    """Return first - second, rounded to 12 decimals so that equal differences stay equal."""
    difference = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    return np.round(difference, DECIMALS)


def signed_rank_test(
    first: Sequence[float], second: Sequence[float], *, zero_method: ZeroMethod = "wilcox"
) -> SignedRankTest:
    """Test by Wilcoxon's two-tailed signed-rank test whether paired values differ.

    `zero_method` says how pairs of equal values are treated, as in `scipy.stats.wilcoxon`. The test
    is exact for at most 50 pairs without ties or 13 with ties.
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


# Claims, tables and pages need the same tests.
@lru_cache(maxsize=10_000)
def _p_value(difference: tuple[float, ...], zero_method: ZeroMethod) -> float:
    sizes = np.abs(difference)
    has_ties = len(np.unique(sizes)) < len(sizes)
    if has_ties and np.all(sizes > 0) and len(sizes) <= _MOST_WITH_TIES:
        # This is what `wilcoxon` does, a hundred times as fast because `sum` takes many rows.
        ranks = np.sign(difference) * scipy.stats.rankdata(sizes)
        result = scipy.stats.permutation_test(
            (ranks,), np.sum, permutation_type="samples", vectorized=True, n_resamples=np.inf
        )
    else:
        result = scipy.stats.wilcoxon(difference, zero_method=zero_method, alternative="two-sided")
    return float(result.pvalue)


def count_signs(first: Sequence[float], second: Sequence[float]) -> Counts:
    """Return how often the first value of a pair is larger, smaller and equal."""
    signs = np.sign(differences(first, second))
    return Counts(*(int((signs == sign).sum()) for sign in (1, -1, 0)))


def holm(p_values: Sequence[float]) -> np.ndarray:
    """Return p-values after Holm's step-down correction (Holm 1979); NaNs stay NaN."""
    p_values = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p_values.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    factors = np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1.0)
    return adjusted
