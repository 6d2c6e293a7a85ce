"""The cells table: the value of each method on a data set, averaged over the tasks.

A fit that failed has no value. Each average names what becomes of it:

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
"""The group of an interval over all tasks."""

CELL = ["data_set", "measure", "method"]

LOSSES = {"hamming_loss": 1.0, "subset_zero_one_loss": 1.0} | {
    name: float("nan") if "cost" in name else 1.0 for name in MULTICLASS_MEASURES
}
"""Worst value of each measure of which less is better; NaN if there is none."""


def apply_missing(measurements: pd.DataFrame, missing: Missing) -> pd.DataFrame:
    """Return measurements in which fits that failed are left out, NaN or the worst value."""
    succeeded = (measurements["status"] == "ok") & measurements["value"].notna()
    if missing == "drop":
        return measurements[succeeded]
    measure = measurements["measure"]
    worst = measure.map(LOSSES).where(measure.isin(list(LOSSES)), 0.0)
    other = worst if missing == "worst" else float("nan")
    return measurements.assign(value=measurements["value"].where(succeeded, other))


def cells_table(
    measurements: pd.DataFrame,
    missing: Missing,
    by: Sequence[str] = CELL,
) -> pd.DataFrame:
    """Return the average of each cell over its tasks and folds.

    Parameters
    ----------
    measurements : DataFrame
        One row per fit.
    missing : {"drop", "nan", "worst"}
        What becomes of fits that failed.
    by : sequence of str
        The columns that identify a cell.

    Returns
    -------
    DataFrame
        Indexed by `by`, with the columns `value`, `n_tasks` (that succeeded) and `n_missing`. A
        task counts once per fold.
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
    """Return cells with the ends `low` and `high` of their intervals.

    A cell has the interval over all tasks, or over its own `decision` if it has one.
    """
    decisions = cells.index.get_level_values("decision")
    groups = decisions.where(decisions != "", ALL)
    own = intervals[intervals["baseline"] == ""]
    ends = own.set_index(["data_set", "measure", "method", "group"])[["low", "high"]]
    places = [cells.index.get_level_values(name) for name in CELL]
    found = ends.reindex(pd.MultiIndex.from_arrays([*places, groups]))
    return cells.assign(**{name: found[name].to_numpy() for name in found})


def cells_over_states(report: "Report") -> pd.DataFrame:
    """Return the cells of a report's pages over its random states, with bootstrap intervals.

    The value is the median over the states, or the mean if the paper's tables show means. Each
    decision of a multi-label method is a cell; `decision` is "" for other methods.
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


def describe_cells(report: "Report") -> str:
    """Say in a caption how the values of `cells_over_states` are averaged."""
    n_states = report.results.whole.get("states") or 1
    of_states = f", {report.paper.over_states}s over {n_states} random states"
    return "Averages over tasks" + (of_states if n_states > 1 else "")
