"""Compare two methods on the tasks of one data set, or on several data sets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd

from .cells import CELL, cell_values
from .statistics import Counts, SignedRankTest, ZeroMethod, count_signs, holm, signed_rank_test


@dataclass(frozen=True)
class Pair:
    """The method that a paper proposes, and the baseline that it is compared with."""

    proposed: str
    baseline: str

    @property
    def methods(self) -> tuple[str, str]:
        """Names of both methods, the proposed method first."""
        return (self.proposed, self.baseline)


ComparisonKey = tuple[str, str, Pair]
"""Data set, measure and pair of methods of a comparison."""


@dataclass(frozen=True)
class Comparison:
    """Values of two methods for one measure on the tasks (classes against the rest) of a data set.

    `zero_method` says how the signed-rank test treats ties, as in SciPy.
    """

    data_set: str
    measure: str
    pair: Pair
    # One row per task on which both methods succeeded, one column per method.
    values: pd.DataFrame
    # The measurements of failed fits, whose tasks are left out.
    excluded: pd.DataFrame
    zero_method: ZeroMethod = "wilcox"

    @property
    def key(self) -> ComparisonKey:
        """Data set, measure and pair of methods."""
        return (self.data_set, self.measure, self.pair)

    @property
    def n_tasks(self) -> int:
        """Number of tasks (one class against the rest) on which both methods succeeded."""
        return len(self.values)

    @property
    def n_excluded(self) -> int:
        """Number of tasks (one class against the rest) on which a method failed."""
        return len(set(self.excluded["task"].dropna()) - {""})

    @property
    def available(self) -> bool:
        """Whether both methods succeeded on at least one task (one class against the rest)."""
        return self.n_tasks > 0

    @property
    def reason(self) -> str:
        """Reasons why methods failed on tasks, separated by semicolons."""
        return "; ".join(text for text in self.excluded["reason"].dropna().unique() if text)

    def average(self, method: str) -> float:
        """Return the mean of a method's values over the classes; NaN if there are no values."""
        return float(self.values[method].mean()) if self.available else float("nan")

    @cached_property
    def difference(self) -> float:
        """Macro-average of the proposed method minus the macro-average of the baseline."""
        return self.average(self.pair.proposed) - self.average(self.pair.baseline)

    @cached_property
    def task_differences(self) -> pd.Series:
        """Value of the proposed method minus value of the baseline, indexed by class."""
        return self.values[self.pair.proposed] - self.values[self.pair.baseline]

    @cached_property
    def counts(self) -> Counts:
        """Numbers of classes on which the proposed method wins, loses and ties."""
        return count_signs(*(self.values[method] for method in self.pair.methods))

    @property
    def n_same_sign(self) -> int:
        """Number of classes on which the method with the larger average has the larger value.

        If the averages are equal, it is the number of classes with equal values.
        """
        wins, losses, ties = self.counts
        return wins if self.difference > 0 else losses if self.difference < 0 else ties

    def of_tasks(self, tasks: Sequence[str]) -> "Comparison":
        """Return the comparison on some tasks only, given the names of their positive classes."""
        chosen = self.values.index.isin(tasks)
        return self if chosen.all() else replace(self, values=self.values[chosen])

    def without(self, task: str) -> "Comparison":
        """Return the comparison without one task, given the name of its positive class."""
        return self.of_tasks(self.values.index.difference([task], sort=False))

    @cached_property
    def test(self) -> SignedRankTest:
        """Wilcoxon's signed-rank test of the two methods' values per class."""
        sides = (self.values[method] for method in self.pair.methods)
        return signed_rank_test(*sides, zero_method=self.zero_method)


def compare(
    measurements: pd.DataFrame,
    data_set: str,
    measure: str,
    pair: Pair,
    *,
    zero_method: ZeroMethod = "wilcox",
) -> Comparison:
    """Compare a proposed method with a baseline on one data set by one measure.

    `measurements` has one row per fit and measure, and `pair` names the two methods. The result has
    each method's value per task (one class against the rest), averaged over folds. Tasks on which a
    method failed are left out. `zero_method` says how the signed-rank test treats ties, as in
    SciPy.
    """
    chosen = measurements[
        (measurements["data_set"] == data_set)
        & (measurements["measure"] == measure)
        & measurements["method"].isin(pair.methods)
    ]
    failed = chosen[(chosen["status"] != "ok") | chosen["value"].isna()]
    tasks = pd.unique(chosen["task"])
    values = cell_values(chosen, "nan", ["task", "method"]).unstack("method")
    values = values.reindex(index=tasks, columns=list(pair.methods)).dropna()
    return Comparison(data_set, measure, pair, values, failed, zero_method)


def training_positives(fits: pd.DataFrame, data_set: str) -> pd.Series:
    """Return the number of positive training examples per class of a data set.

    `fits` has one row per fit, with the columns data_set, task (the class) and n_train_positives.
    If fits of a class differ in this number, the largest is returned.
    """
    chosen = fits[(fits["data_set"] == data_set) & fits["n_train_positives"].notna()]
    return chosen.groupby("task", sort=False)["n_train_positives"].max().astype(np.int64)


def bin_labels(edges: Sequence[int]) -> tuple[str, ...]:
    """Return the labels of bins, such as ("1–2", "3–9", "≥10") for the lower edges (1, 3, 10)."""
    names = [str(low) if high - low == 1 else f"{low}–{high - 1}" for low, high in pairwise(edges)]
    return (*names, f"≥{edges[-1]}")


def frequency_bins(positives: pd.Series, edges: Sequence[int]) -> pd.Series:
    """Return for each class a label of its number of positive training examples, such as "3–9".

    `positives` has the numbers, indexed by class. `edges` are the ascending lower edges of the
    bins. A number below all edges has the label "".
    """
    labels = ("", *bin_labels(edges))
    places = np.searchsorted(edges, positives.to_numpy(), side="right")
    return pd.Series([labels[place] for place in places], index=positives.index, dtype=object)


def method_values(measurements: pd.DataFrame) -> pd.DataFrame:
    """Return each method's average over classes, one column per method.

    `measurements` has one row per fit and measure. The result has one row per data set and measure.
    If one of a method's fits failed, the average is NaN.
    """
    return cell_values(measurements, "nan", CELL).unstack("method")


def paired(values: pd.DataFrame, pair: Pair) -> pd.DataFrame:
    """Return the columns of the two methods in `pair`, without rows that have NaNs.

    `values` has one column per method. In the result, the proposed method comes first.
    """
    return values.reindex(columns=list(pair.methods)).dropna()


def compare_pairs(
    values: pd.DataFrame, pairs: Sequence[Pair], zero_method: ZeroMethod
) -> pd.DataFrame:
    """Test each pair of methods by Wilcoxon's signed-rank test; return one row per pair.

    `values` has one column per method. Rows in which a method of the pair has NaN are left out.
    `zero_method` says how ties are treated, as in SciPy. The columns of the result include:

    - `n_tasks`, the number of rows, and `wins`, `losses` and `ties` of the proposed method
    - `p_value`, and `p_holm`, the p-value after Holm's correction over all pairs
    - `least_p`, the smallest p-value that is possible with the same number of unequal values
    """
    rows = []
    for pair in pairs:
        both = paired(values, pair)
        sides = (both[pair.proposed], both[pair.baseline])
        test, counts = signed_rank_test(*sides, zero_method=zero_method), count_signs(*sides)
        # Only the signs of pairs that differ can vary: dropped ones do not lower it.
        least_p = min(1.0, 2.0 ** (1 - test.n_nonzero)) if len(both) else float("nan")
        rows.append((*pair.methods, len(both), *counts, test.p_value, least_p))
    columns = ["proposed", "baseline", "n_tasks", "wins", "losses", "ties", "p_value", "least_p"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.assign(p_holm=holm(frame["p_value"]))
