"""Values by task (a data set with a measure), ours and the published ones, and their comparison."""

from collections.abc import Sequence
from dataclasses import asdict

import pandas as pd

from beyond_accuracy.papers.li2013.names import MEASURES, METHODS, NEAR, STAR
from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.reporting.interval_lookup import ALL
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.statistics import (
    ZeroMethod,
    count_signs,
    holm,
    signed_rank_test,
)

TASK = ["data_set", "measure"]
CELL = [*TASK, "method"]
Task = tuple[str, str]

ABOVE, WITHIN, BELOW = "above", "within", "below"


def task_values(report: Report) -> pd.DataFrame:
    """Return values by (data_set, measure), one column a method; NaN where not all is ok.

    Of a data set with several classes it is their mean. There is a column for each method of the
    paper, selected or not, and for each that was added.
    """
    frame = report.results.measurements
    value = frame["value"].where(frame["status"] == "ok")
    grouped = value.groupby([frame[name] for name in CELL], sort=False)
    means = grouped.mean().where(grouped.count() == grouped.size())
    tasks = pd.MultiIndex.from_product([report.data_sets, report.measures], names=TASK)
    methods = list(dict.fromkeys([*METHODS, *report.methods()]))
    return means.unstack("method").reindex(index=tasks, columns=methods)


def paper_values(report: Report) -> pd.DataFrame:
    """Return `task_values` on the paper's own tasks: its data sets with its measures."""
    values = task_values(report.of_the_paper())
    return values[values.index.get_level_values("measure").isin(MEASURES)]


def published_values(report: Report) -> pd.DataFrame:
    """Return the values of the paper's Tables 2 and 5 like `task_values`; NaN for N/A."""
    rows = pd.concat([report.published("table2"), report.published("table5")])
    return rows.pivot(index=TASK, columns="method", values="value")


def paired(values: pd.DataFrame, pair: Pair) -> pd.DataFrame:
    """Return the rows on which both methods have a value, the proposed one first."""
    return values.reindex(columns=list(pair.methods)).dropna()


def with_intervals(report: Report, values: pd.DataFrame) -> pd.DataFrame:
    """Return `value`, `low` and `high` by (data_set, measure, method)."""
    ends = report.results.intervals
    ends = ends[(ends["baseline"] == "") & (ends["group"] == ALL)].set_index(CELL)
    cells = values.stack(future_stack=True).to_frame("value").join(ends[["low", "high"]])
    return cells.where(cells["value"].notna()).astype("float64")


def method_columns(report: Report, values: pd.DataFrame, method: str) -> pd.DataFrame:
    """Return a method's values by task, with `_low` and `_high` in columns of their own."""
    columns = with_intervals(report, values[[method]]).droplevel("method")
    return columns.set_axis([method, f"{method}_low", f"{method}_high"], axis=1)


def difference_columns(report: Report, values: pd.DataFrame, pair: Pair) -> pd.DataFrame:
    """Return the difference of two methods by task, with `_low` and `_high`."""
    ends = [report.intervals.difference(*task, pair) for task in values.index]
    columns = pd.DataFrame(
        ends, columns=["difference_low", "difference_high"], index=values.index, dtype="float64"
    )
    columns.insert(0, "difference", values[pair.proposed] - values[pair.baseline])
    return columns.where(columns["difference"].notna())


def compare_pairs(
    values: pd.DataFrame, pairs: Sequence[Pair], zero_method: ZeroMethod
) -> pd.DataFrame:
    """Test each pair over the tasks on which both have values; Holm's correction is over all.

    Returns one row a pair: `proposed`, `baseline`, `n_tasks`, `wins`, `losses`, `ties`, `p_value`,
    `least_p` (the least two-tailed one attainable) and `p_holm`.
    """
    rows = []
    for pair in pairs:
        both = paired(values, pair)
        first, second = both[pair.proposed], both[pair.baseline]
        test = signed_rank_test(first, second, zero_method=zero_method)
        # Only the signs of pairs that differ can vary: dropped ones do not lower it.
        least_p = min(1.0, 2.0 ** (1 - test.n_nonzero)) if len(both) else float("nan")
        counts = {"n_tasks": len(both), **count_signs(first, second)._asdict()}
        rows.append(asdict(pair) | counts | {"p_value": test.p_value, "least_p": least_p})
    frame = pd.DataFrame(rows)
    return frame.assign(p_holm=holm(frame["p_value"]))


def standing(value: float, published: float) -> str:
    """Return "above", "within" or "below" the tolerance of the published value, as printed.

    Empty if either is missing.
    """
    if pd.isna(value) or pd.isna(published):
        return ""
    # As printed: four decimals.
    difference = round(round(value, 4) - published, 4)
    return ABOVE if difference >= 0 else WITHIN if difference >= -NEAR else BELOW


def near_published(values: pd.DataFrame, published: pd.DataFrame, method: str) -> pd.Series:
    """Whether a CAPO* is near the published one or above it, by task that has both values."""
    both = pd.concat([values[method], published[STAR].reindex(values.index)], axis=1).dropna()
    near = [standing(*cells) != BELOW for cells in both.itertuples(index=False)]
    return pd.Series(near, index=both.index, dtype=bool)
