"""Values by task (a data set with a measure), ours and the published ones, and sweeps."""

import pandas as pd

from beyond_accuracy.papers.li2013.names import COLLECTIONS, MEASURES, METHODS, NEAR, STAR
from beyond_accuracy.reporting.comparison import CELL, Pair, method_values
from beyond_accuracy.reporting.interval_lookup import ALL
from beyond_accuracy.reporting.report import Report

TASK = ["data_set", "measure"]
Task = tuple[str, str]

ALL_MEASURES = "all_four"
ABOVE, WITHIN, BELOW = "above", "within", "below"


def task_values(report: Report) -> pd.DataFrame:
    """Return values by (data_set, measure), one column a method; NaN where not all is ok.

    There is a column for each method of the paper, selected or not, and for each that was added.
    """
    tasks = pd.MultiIndex.from_product([report.data_sets, report.measures], names=TASK)
    methods = list(dict.fromkeys([*METHODS, *report.methods()]))
    return method_values(report.results.measurements).reindex(index=tasks, columns=methods)


def paper_values(report: Report) -> pd.DataFrame:
    """Return `task_values` on the paper's own tasks: its data sets with its measures."""
    values = task_values(report)
    index = values.index
    return values[index.isin(COLLECTIONS, "data_set") & index.isin(MEASURES, "measure")]


def published_values(report: Report) -> pd.DataFrame:
    """Return the values of the paper's Tables 2 and 5 like `task_values`; NaN for N/A."""
    rows = pd.concat([report.published("table2"), report.published("table5")])
    return rows.pivot(index=TASK, columns="method", values="value")


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


def sweep_seconds(report: Report, name: str) -> pd.DataFrame:
    """Return one sweep with its CPU seconds, which differ from run to run."""
    keys = [*CELL, "C", "B", "train_fraction"]
    seconds = report.results.study(name, "seconds")[[*keys, "cpu_seconds"]]
    return report.results.study(name).merge(seconds, on=keys, validate="one_to_one")


def relative_changes(report: Report) -> pd.DataFrame:
    """Return (selected − default) / default by data set and measure.

    Columns are `auxiliary_value`, the mean of five auxiliaries, and `capo_value`.
    """
    rows = report.results.study("auxiliary_selection")
    rows = rows[rows["status"] == "ok"].set_index(TASK)
    values = rows[["auxiliary_value", "capo_value"]]
    default, selected = (values[rows["which"] == which] for which in ("default", "selected"))
    common = default.index.intersection(selected.index, sort=False)
    # Nothing is relative to zero.
    positive = default.loc[common].where(lambda value: value > 0)
    return (selected.loc[common] / positive - 1.0).dropna()


def selection_seconds(report: Report) -> pd.Series:
    """Return CPU seconds of the cross-validation, by (data_set, measure, method).

    A method whose fits do not depend on the measure has one selection for all: `ALL_MEASURES`.
    """
    rows = report.results.seconds
    rows = rows[rows["stage"] == "select"]
    measure = rows["measure"].where(rows["measure"].isin(report.measures), ALL_MEASURES)
    keys = [rows["data_set"], measure.astype(str), rows["method"]]
    return rows.groupby(keys, sort=False)["cpu_seconds"].sum()
