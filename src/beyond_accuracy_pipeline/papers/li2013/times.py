"""CPU seconds and oracle calls of Li et al. (2013), ours and published.

An oracle call is a search for the most violated labelling.
"""

import pandas as pd

from beyond_accuracy_pipeline.papers.li2013.names import RBF
from beyond_accuracy_pipeline.papers.li2013.values import not_adapted
from beyond_accuracy_pipeline.reporting.comparison import CELL
from beyond_accuracy_pipeline.reporting.published import PRINTED
from beyond_accuracy_pipeline.reporting.report import Report

ALL_MEASURES = "all_four"
ALGORITHM_1, ALGORITHM_1_BY_B = "oracle_calls_by_C", "oracle_calls_by_B"


def sweep_seconds(report: Report, name: str) -> pd.DataFrame:
    """Return the fits of a sweep, one per row, with the column `cpu_seconds` added."""
    keys = [*CELL, "C", "B", "train_fraction"]
    seconds = report.results.study(name, "seconds")[[*keys, "cpu_seconds"]]
    return report.results.study(name).merge(seconds, on=keys, validate="one_to_one")


def with_rbf_machine(report: Report) -> pd.DataFrame:
    """Return the fits of Algorithm 1 along C, and of SVM-perf with RBF kernel, with their seconds.

    The latter is fitted with line search instead, which only makes it faster.
    """
    linear, kernel = (sweep_seconds(report, name) for name in (ALGORITHM_1, "by_C"))
    return pd.concat([linear, kernel[kernel["method"] == RBF]], ignore_index=True)


def grid_seconds(report: Report) -> pd.Series:
    """Return CPU seconds of Algorithm 1, summed over C, by (data_set, measure, method).

    Sums with a failed fit, and methods in `not_adapted`, are left out. For a report of the
    published values, the seconds are those of Table 3.
    """
    rows = report.results.seconds
    seconds = rows[(rows["stage"] == PRINTED) & rows["measure"].notna()].set_index(CELL)
    seconds = seconds["cpu_seconds"]
    if seconds.empty:
        seconds = _over_grid(report, sweep_seconds(report, ALGORITHM_1), "cpu_seconds")
    return seconds.drop(index=seconds.index.intersection(list(not_adapted(report)) or []))


def grid_calls(report: Report) -> pd.Series:
    """Return oracle calls of Algorithm 1, summed over C, by (data_set, measure, method)."""
    return _over_grid(report, report.results.study(ALGORITHM_1), "oracle_calls")


def _over_grid(report: Report, rows: pd.DataFrame, column: str) -> pd.Series:
    """Return the sum of `column` over C by cell, without sums that lack a value."""
    every = report.results.study(ALGORITHM_1).groupby(CELL, sort=False).size()
    grouped = rows.dropna(subset=column).groupby(CELL, sort=False)[column]
    sums = grouped.sum().astype("float64")
    return sums[grouped.size().eq(every.reindex(sums.index))]


def selection_seconds(report: Report) -> pd.Series:
    """Return CPU seconds of the cross-validation, by (data_set, measure, method).

    If fits do not depend on the measure, one selection serves all measures: `ALL_MEASURES`.
    """
    rows = report.results.seconds
    rows = rows[rows["stage"] == "select"]
    measure = rows["measure"].where(rows["measure"].isin(report.measures), ALL_MEASURES)
    keys = [rows["data_set"], measure.astype(str), rows["method"]]
    return rows.groupby(keys, sort=False)["cpu_seconds"].sum()


def training_seconds(report: Report) -> pd.Series:
    """Return CPU seconds of one fit to the whole training part, by (data_set, method).

    For a report of the published values, the seconds are those of Table 4.
    """
    rows = report.results.seconds
    printed = rows[(rows["stage"] == PRINTED) & rows["measure"].isna()]
    keys = ["data_set", "method"]
    if len(printed):
        return printed.set_index(keys)["cpu_seconds"]
    repeated = rows[rows["stage"] == "fit"].groupby([*CELL, "repetition"])["cpu_seconds"].sum()
    return repeated.groupby(CELL).median().groupby(keys).max()
