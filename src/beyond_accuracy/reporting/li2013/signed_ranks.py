"""Signed-rank tests of pairs of methods over tasks, for ours and for the published values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.reporting.li2013.values import paired
from beyond_accuracy.reporting.statistics import (
    Counts,
    SignedRankTest,
    ZeroMethod,
    count_signs,
    holm,
    signed_rank_test,
)


@dataclass(frozen=True)
class PairTest:
    """One pair over some tasks: how many, signs, p-value, the least one attainable, Holm's."""

    pair: Pair
    n_tasks: int
    counts: Counts
    p_value: float
    least_p: float
    p_holm: float

    def row(self) -> dict[str, Any]:
        """The same as a row of a tidy table."""
        return {
            "proposed": self.pair.proposed,
            "baseline": self.pair.baseline,
            "n_tasks": self.n_tasks,
            "wins": self.counts.wins,
            "losses": self.counts.losses,
            "ties": self.counts.ties,
            "p_value": self.p_value,
            "least_p": self.least_p,
            "p_holm": self.p_holm,
        }


def compare_pairs(
    values: pd.DataFrame, pairs: Sequence[Pair], zero_method: ZeroMethod
) -> list[PairTest]:
    """Test each pair over the rows on which both have values; Holm's correction is over all."""
    both = [paired(values, pair) for pair in pairs]
    tests = [
        signed_rank_test(rows[pair.proposed], rows[pair.baseline], zero_method=zero_method)
        for rows, pair in zip(both, pairs, strict=True)
    ]
    corrected = holm([test.p_value for test in tests])
    return [
        PairTest(
            pair,
            len(rows),
            count_signs(rows[pair.proposed], rows[pair.baseline]),
            test.p_value,
            least_p(test),
            float(p_holm),
        )
        for pair, rows, test, p_holm in zip(pairs, both, tests, corrected, strict=True)
    ]


def least_p(test: SignedRankTest) -> float:
    """The least two-tailed p-value of an exact signed-rank test of as many pairs that differ.

    Only their signs can vary: pairs without a difference, which the test drops, do not lower it.
    1.0 when no pair differs, NaN without pairs.
    """
    return float("nan") if math.isnan(test.p_value) else min(1.0, 2.0 ** (1 - test.n_nonzero))
