"""Two methods side by side on the tasks of one data set, or on several data sets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import sub

import numpy as np
import pandas as pd

from beyond_accuracy_pipeline.reporting.cells import CELL, cells_table
from beyond_accuracy_pipeline.reporting.statistics import (
    Counts,
    SignedRankTest,
    ZeroMethod,
    count_signs,
    holm,
    signed_rank_test,
)


@dataclass(frozen=True)
class Pair:
    """The method that a paper proposes and the one that it is compared with."""

    proposed: str
    baseline: str

    @property
    def methods(self) -> tuple[str, str]:
        """Both names, the proposed method first."""
        return (self.proposed, self.baseline)


@dataclass(frozen=True)
class Comparison:
    """Macro-averages of two methods by one measure over the tasks where both succeeded.

    Attributes
    ----------
    values : DataFrame, shape (n_tasks, 2)
        The values behind the averages, indexed by task; columns are the two methods.
    excluded : DataFrame
        Rows of `measurements` that are not "ok": their tasks do not enter the averages.
    """

    data_set: str
    measure: str
    pair: Pair
    values: pd.DataFrame
    excluded: pd.DataFrame
    zero_method: ZeroMethod = "wilcox"

    @property
    def n_tasks(self) -> int:
        """Tasks that enter the averages."""
        return len(self.values)

    @property
    def n_excluded(self) -> int:
        """Tasks left out because a method did not succeed there."""
        return len(set(self.excluded["task"].dropna()) - {""})

    @property
    def available(self) -> bool:
        """Whether there is any task to average over."""
        return self.n_tasks > 0

    @property
    def reason(self) -> str:
        """Why tasks are missing, each reason once."""
        return "; ".join(text for text in self.excluded["reason"].dropna().unique() if text)

    def average(self, method: str) -> float:
        """Return the macro-average of one method, NaN without tasks."""
        return float(self.values[method].mean()) if self.available else float("nan")

    @cached_property
    def difference(self) -> float:
        """Improvement of the macro-average by the proposed method."""
        return self.average(self.pair.proposed) - self.average(self.pair.baseline)

    @property
    def sides(self) -> tuple[pd.Series, pd.Series]:
        """Values of the proposed method and of the baseline, by task."""
        return self.values[self.pair.proposed], self.values[self.pair.baseline]

    @cached_property
    def task_differences(self) -> pd.Series:
        """Proposed minus baseline, by task."""
        return sub(*self.sides)

    @cached_property
    def counts(self) -> Counts:
        """Wins, losses and ties of the proposed method over the tasks."""
        return count_signs(*self.sides)

    @property
    def n_same_sign(self) -> int:
        """Number of tasks whose difference has the sign of the difference of the averages."""
        wins, losses, ties = self.counts
        return wins if self.difference > 0 else losses if self.difference < 0 else ties

    def of_tasks(self, tasks: Sequence[str]) -> "Comparison":
        """Return the comparison over some of its tasks."""
        chosen = self.values.index.isin(tasks)
        return self if chosen.all() else replace(self, values=self.values[chosen])

    def without(self, task: str) -> "Comparison":
        """Return the comparison over all tasks except one."""
        return self.of_tasks(self.values.index.difference([task], sort=False))

    @cached_property
    def test(self) -> SignedRankTest:
        """Wilcoxon's signed-rank test over the tasks."""
        return signed_rank_test(*self.sides, zero_method=self.zero_method)


def compare(
    measurements: pd.DataFrame,
    data_set: str,
    measure: str,
    pair: Pair,
    *,
    zero_method: ZeroMethod = "wilcox",
) -> Comparison:
    """Pair the values of two methods on one data set by one measure.

    The value of a task is the mean over its folds. If a fold of either method failed, the task is
    left out of both averages and counted in `n_excluded`. If a method was not measured at all, no
    task is left: its single row, without a task, says why.
    """
    chosen = measurements[
        (measurements["data_set"] == data_set)
        & (measurements["measure"] == measure)
        & measurements["method"].isin(pair.methods)
    ]
    failed = chosen[(chosen["status"] != "ok") | chosen["value"].isna()]
    values = cells_table(chosen, "nan", ["task", "method"])["value"].unstack("method")
    tasks = [task for task in pd.unique(chosen["task"]) if task not in set(failed["task"])]
    if chosen["method"].nunique() < 2 or "" in set(failed["task"]):
        tasks = []
    values = values.reindex(index=pd.Index(tasks, name="task"), columns=list(pair.methods))
    incomplete = values.index[values.isna().any(axis=1)]
    if len(incomplete):
        raise ValueError(
            f"measurements of {data_set}, {measure}: task {incomplete[0]!r} has a row of only one "
            f"of the methods {pair.proposed} and {pair.baseline}; expected one of each."
        )
    return Comparison(data_set, measure, pair, values, failed, zero_method)


def training_positives(fits: pd.DataFrame, data_set: str) -> pd.Series:
    """Return the number of positive training examples of each task, indexed by task."""
    chosen = fits[(fits["data_set"] == data_set) & fits["n_train_positives"].notna()]
    counts = chosen.groupby("task", sort=False)["n_train_positives"].max()
    return counts.astype(np.int64)


def method_values(measurements: pd.DataFrame) -> pd.DataFrame:
    """Return averages over tasks by (data_set, measure), one column per method.

    An average is NaN if one of its fits failed.
    """
    return cells_table(measurements, "nan", CELL)["value"].unstack("method")


def paired(values: pd.DataFrame, pair: Pair) -> pd.DataFrame:
    """Return the rows on which both methods have a value, the proposed one first."""
    return values.reindex(columns=list(pair.methods)).dropna()


def compare_pairs(
    values: pd.DataFrame, pairs: Sequence[Pair], zero_method: ZeroMethod
) -> pd.DataFrame:
    """Test each pair over the rows on which both have values; Holm's correction is over all.

    Returns one row per pair. `least_p` is the smallest p-value that the pair could have.
    """
    rows = []
    for pair in pairs:
        both = paired(values, pair)
        sides = (both[pair.proposed], both[pair.baseline])
        test, counts = signed_rank_test(*sides, zero_method=zero_method), count_signs(*sides)
        # Only the signs of pairs that differ can vary: dropped ones do not lower it.
        least_p = min(1.0, 2.0 ** (1 - test.n_nonzero)) if len(both) else float("nan")
        signs = (counts.wins, counts.losses, counts.ties)
        rows.append((*pair.methods, len(both), *signs, test.p_value, least_p))
    columns = ["proposed", "baseline", "n_tasks", "wins", "losses", "ties", "p_value", "least_p"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.assign(p_holm=holm(frame["p_value"]))
