"""Average the values of each method on a data set over its tasks. Failed fits have no value."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import pandas as pd

from beyond_accuracy.measures.multiclass import MULTICLASS_MEASURES
from beyond_accuracy.measures.multilabel import MULTILABEL_MEASURES
from beyond_accuracy_pipeline.results.variants import headline_states

if TYPE_CHECKING:
    from .report import Report

ALL = "all"
"""The group of a bootstrap interval of an average over all tasks."""

CELL = ["data_set", "measure", "method"]

LOSSES = {name: 1.0 for name, measure in MULTILABEL_MEASURES.items() if measure.minimized} | {
    name: float("nan") if measure.under_costs else 1.0
    for name, measure in MULTICLASS_MEASURES.items()
}
"""Worst value of each measure for which smaller values are better; NaN if it is unbounded."""


def apply_missing(
    measurements: pd.DataFrame, missing: Literal["drop", "nan", "worst"]
) -> pd.DataFrame:
    """Drop the rows of failed fits, or set their values to NaN or to the worst possible value.

    `measurements` has one row per fit and measure. `missing` is "drop", "nan" or "worst". The worst
    value is 1 for losses, NaN for costs, and 0 for other measures.
    """
    succeeded = (measurements["status"] == "ok") & measurements["value"].notna()
    if missing == "drop":
        return measurements[succeeded]
    measure, other = measurements["measure"], float("nan")
    if missing == "worst":
        other = measure.map(LOSSES).where(measure.isin(list(LOSSES)), 0.0)
    return measurements.assign(value=measurements["value"].where(succeeded, other))


def cell_values(
    measurements: pd.DataFrame, missing: Literal["drop", "nan"], by: Sequence[str] = CELL
) -> pd.Series:
    """Average the column `value` of `measurements` over rows with equal entries in columns `by`.

    If `missing` is "drop", failed fits are left out; if it is "nan", they make the average NaN.
    """
    keys = [measurements[name] for name in by]
    values = apply_missing(measurements, "nan")["value"].groupby(keys, sort=False)
    means = values.mean()
    return means if missing == "drop" else means.where(values.count() == values.size())


def with_intervals(cells: pd.DataFrame, intervals: pd.DataFrame) -> pd.DataFrame:
    """Add the columns `low` and `high`, the ends of bootstrap intervals, to a table of averages.

    The index of `cells` has the levels data_set, method, decision and measure. A decision is a
    multi-label method's rule that turns probabilities into labels, or "".
    """
    decisions = cells.index.get_level_values("decision")
    groups = decisions.where(decisions != "", ALL)
    own = intervals[intervals["baseline"] == ""]
    ends = own.set_index(["data_set", "measure", "method", "group"])[["low", "high"]]
    places = [cells.index.get_level_values(name) for name in CELL]
    found = ends.reindex(pd.MultiIndex.from_arrays([*places, groups]))
    return cells.assign(**{name: found[name].to_numpy() for name in found})


def cells_over_states(report: "Report") -> pd.DataFrame:
    """Return each method's average over tasks and seeds on each data set, with its interval.

    There is one row per data set, method, decision rule and measure. The decision rule turns a
    multi-label method's probabilities into labels; it is "" for other methods. `low` and `high` are
    the ends of the bootstrap interval, or NaN.
    """
    of_decisions = report.configuration["protocol"] == "multilabel"
    by = ["data_set", "method", "decision", "measure"]
    averages = []
    for state in headline_states(report.results.whole):
        frame = report.under(state).results.measurements
        frame = frame.assign(decision=frame["task"] if of_decisions else "")
        averages.append(cell_values(frame, "drop", by))
    over_states = pd.concat(averages).groupby(by, sort=False).agg(report.paper.over_states)
    cells = over_states.to_frame("value")
    try:
        intervals = report.results.intervals
    except FileNotFoundError:
        return cells.assign(low=float("nan"), high=float("nan")).reset_index()
    return with_intervals(cells, intervals).reset_index()


def ranked_cells(report: "Report") -> pd.DataFrame:
    """Return each method's average per data set and measure, with its rank among all methods.

    The averages are over classes and seeds; missing ones are left out. The column `rank` is 1 for
    the best method, and `of` has the number of methods.
    """
    return with_ranks(report.once(cells_over_states).dropna(subset=["value"]))


def with_ranks(values: pd.DataFrame) -> pd.DataFrame:
    """Rank the methods in a table of values, for each data set and measure.

    The column `rank` is added, which is 1 for the best method, and the column `of`, the number of
    ranked methods.
    """
    sign = values["measure"].isin(list(LOSSES)).map({True: 1.0, False: -1.0})
    cell = [values["data_set"], values["measure"]]
    ranked = (values["value"] * sign).groupby(cell, sort=False)
    return values.assign(rank=ranked.rank(method="min"), of=ranked.transform("size"))


def describe_cells(report: "Report") -> str:
    """Return a phrase for captions, such as "Averages over tasks, medians over 10 seeds"."""
    n_states = report.results.whole.get("states") or 1
    of_states = f", {report.paper.over_states}s over {n_states} seeds"
    return "Averages over tasks" + (of_states if n_states > 1 else "")
