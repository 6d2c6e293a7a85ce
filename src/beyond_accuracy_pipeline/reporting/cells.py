"""Average the values of each method on a data set over its tasks.

A fit that failed has no value. The argument `missing` says how an average treats failed fits:

- "drop": the average is over the other tasks.
- "nan": the average is missing.
- "worst": the fit counts with the worst value of the measure.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import pandas as pd

from beyond_accuracy.measures.multiclass import MULTICLASS_MEASURES
from beyond_accuracy_pipeline.results.variants import headline_states

if TYPE_CHECKING:
    from beyond_accuracy_pipeline.reporting.report import Report

Missing = Literal["drop", "nan", "worst"]

ALL = "all"
"""The group of a bootstrap interval of an average over all tasks."""

CELL = ["data_set", "measure", "method"]

LOSSES = {"hamming_loss": 1.0, "subset_zero_one_loss": 1.0} | {
    name: float("nan") if "cost" in name else 1.0 for name in MULTICLASS_MEASURES
}
"""Worst value of each measure for which smaller values are better; NaN if it is unbounded."""


def apply_missing(measurements: pd.DataFrame, missing: Missing) -> pd.DataFrame:
    """Drop the rows of failed fits, or set their values to NaN or to the worst possible value.

    `measurements` has one row per fit and measure. `missing` is "drop", "nan" or "worst". The worst
    value is 0, or for losses 1. Costs have no worst value; they get NaN.
    """
    succeeded = (measurements["status"] == "ok") & measurements["value"].notna()
    if missing == "drop":
        return measurements[succeeded]
    measure = measurements["measure"]
    worst = measure.map(LOSSES).where(measure.isin(list(LOSSES)), 0.0)
    other = worst if missing == "worst" else float("nan")
    return measurements.assign(value=measurements["value"].where(succeeded, other))


def cells_table(
    measurements: pd.DataFrame, missing: Missing, by: Sequence[str] = CELL
) -> pd.DataFrame:
    """Average the values of `measurements` over all rows with equal entries in the columns `by`.

    The result has the columns `value` (the average), `n_tasks` (successful fits) and `n_missing`
    (failed fits). `missing` says how failed fits count: "drop" leaves them out, "nan" makes the
    average NaN, and "worst" gives them the worst value of the measure.
    """
    keys = [measurements[name] for name in by]
    known = apply_missing(measurements, "nan")["value"].groupby(keys, sort=False)
    values = known
    if missing == "worst":
        values = apply_missing(measurements, "worst")["value"].groupby(keys, sort=False)
    n_tasks = known.count()
    n_missing = known.size() - n_tasks
    value = values.mean()
    if missing == "nan":
        value = value.where(n_missing == 0)
    return pd.DataFrame({"value": value, "n_tasks": n_tasks, "n_missing": n_missing})


def with_intervals(cells: pd.DataFrame, intervals: pd.DataFrame) -> pd.DataFrame:
    """Add the columns `low` and `high`, the ends of bootstrap intervals, to a table of averages.

    `cells` has one average per row, and the pandas index levels data_set, method, decision and
    measure. A decision is a multi-label method's rule that turns probabilities into labels, or "".
    `intervals` has one row per interval.
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

    A task is one class against the rest. There is one row per data set, method, decision rule and
    measure. The decision rule turns a multi-label method's probabilities into labels; it is "" for
    other methods. `low` and `high` are the ends of the bootstrap interval, or NaN if none is
    stored.
    """
    of_decisions = report.configuration["protocol"] == "multilabel"
    by = ["data_set", "method", "decision", "measure"]
    averages = []
    for state in headline_states(report.results.whole):
        frame = report.under(state).results.measurements
        frame = frame.assign(decision=frame["task"] if of_decisions else "")
        averages.append(cells_table(frame, "drop", by)["value"])
    over_states = pd.concat(averages).groupby(by, sort=False).agg(report.paper.over_states)
    cells = over_states.to_frame()
    try:
        intervals = report.results.intervals
    except FileNotFoundError:
        return cells.assign(low=float("nan"), high=float("nan")).reset_index()
    return with_intervals(cells, intervals).reset_index()


def ranked_cells(report: "Report") -> pd.DataFrame:
    """Return each method's average per data set and measure, with its rank among all methods.

    The averages are over classes and seeds. In the column `rank`, 1 is the best; the column `of`
    has the number of ranked averages. Missing averages are left out.
    """
    return with_ranks(report.once(cells_over_states).dropna(subset=["value"]))


def with_ranks(values: pd.DataFrame) -> pd.DataFrame:
    """Rank the values of all methods on the same data set by the same measure.

    The added column `rank` has 1 for the best method. The added column `of` has the number of
    ranked methods. Smaller losses, and larger values of other measures, rank first.
    """
    cell = ["data_set", "measure"]
    sign = values["measure"].isin(list(LOSSES)).map({True: 1.0, False: -1.0})
    ranked = (values["value"] * sign).groupby([values[name] for name in cell], sort=False)
    return values.assign(rank=ranked.rank(method="min"), of=ranked.transform("size"))


def describe_cells(report: "Report") -> str:
    """Return a phrase for captions, such as "Averages over tasks, medians over 10 seeds".

    A task is one class of a data set against the rest.
    """
    n_states = report.results.whole.get("states") or 1
    of_states = f", {report.paper.over_states}s over {n_states} seeds"
    return "Averages over tasks" + (of_states if n_states > 1 else "")
