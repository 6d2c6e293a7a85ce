"""Values by task, ours and the published ones."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from beyond_accuracy.published import published_table
from beyond_accuracy.reporting.comparison import Pair
from beyond_accuracy.reporting.data_set_names import data_set_notes
from beyond_accuracy.reporting.intervals_table import IntervalLookup, joint_difference_name
from beyond_accuracy.reporting.li2013.methods import AUXILIARY_OF, COLLECTIONS, NOT_THE_PAPER, PAPER
from beyond_accuracy.results import PaperResults

Task = tuple[str, str]


def values_by_task(results: PaperResults, configuration: Mapping[str, Any]) -> pd.DataFrame:
    """Values by (data_set, measure), one column a method; NaN where not all is ok.

    Of a data set with several classes it is their mean.
    """
    frame = results.measurements
    value = frame["value"].where(frame["status"] == "ok")
    keys = [frame["data_set"], frame["measure"], frame["method"]]
    grouped = value.groupby(keys, sort=False)
    means = grouped.mean().where(grouped.count() == grouped.size())
    wanted = pd.MultiIndex.from_product(
        [results.data_set_names(configuration["data_sets"]), configuration["measures"]],
        names=["data_set", "measure"],
    )
    return means.unstack("method").reindex(
        index=wanted, columns=list(configuration["methods_selected"])
    )


def of_the_paper(values: pd.DataFrame) -> pd.DataFrame:
    """The rows of the paper's own data sets, in its order."""
    known = values.index.get_level_values("data_set")
    chosen = [place for name in COLLECTIONS for place in (known == name).nonzero()[0]]
    return values.iloc[chosen]


def status_of(results: PaperResults, data_set: str, measure: str, method: str) -> tuple[str, str]:
    """Status and reason of a cell; several are joined, "not selected" if it was not run."""
    frame = results.measurements
    rows = frame[
        (frame["data_set"] == data_set)
        & (frame["measure"] == measure)
        & (frame["method"] == method)
    ]
    if rows.empty:
        return "not selected", ""
    status = "; ".join(sorted(set(rows["status"])))
    return status, "; ".join(text for text in rows["reason"].dropna().unique() if text)


def published_values(table: str = "table2") -> pd.DataFrame:
    """The paper's values, indexed like `values_by_task`; auxiliaries have columns of their own.

    A cell that the paper marks N/A is NaN.
    """
    cells: dict[Task, dict[str, float]] = {}
    for row in published_table(PAPER, table) or []:
        task = cells.setdefault((row["data_set"], row["measure"]), {})
        task[row["method"]] = _number(row["value"])
        if row.get("auxiliary_value"):
            task[AUXILIARY_OF[row["method"]]] = _number(row["auxiliary_value"])
    frame = pd.DataFrame.from_dict(cells, orient="index")
    frame.index = pd.MultiIndex.from_tuples(list(cells), names=["data_set", "measure"])
    return frame


def at(values: pd.DataFrame, task: Task, method: str) -> float:
    """One value, NaN where there is none."""
    if task not in values.index or method not in values.columns:
        return float("nan")
    return float(values.at[task, method])


def paired(values: pd.DataFrame, pair: Pair) -> pd.DataFrame:
    """The rows on which both methods have a value, the proposed one first."""
    return values.reindex(columns=list(pair.methods)).dropna()


class Intervals:
    """Bootstrap intervals of values and of differences, by data set and measure."""

    def __init__(self, results: PaperResults) -> None:
        self._lookup = IntervalLookup(results.intervals)

    def __call__(self, task: Task, method: str) -> tuple[float, float]:
        """Return (low, high) of a method's value."""
        return self._lookup(*task, method)

    def difference(self, task: Task, pair: Pair) -> tuple[float, float]:
        """Return (low, high) of the difference of a pair."""
        return self._lookup(*task, joint_difference_name(pair))


def data_notes(results: PaperResults, data_sets: Sequence[str]) -> tuple[str, ...]:
    """What readers must know of the data sets: not the paper's, substitutes, missing ones."""
    notes = [NOT_THE_PAPER] if set(data_sets) - set(COLLECTIONS) else []
    absent = [name for name in COLLECTIONS if name not in data_sets]
    if absent:
        notes.append(f"Not selected in this run: {', '.join(absent)}.")
    return (*notes, *data_set_notes(results, data_sets))


def interval_note(configuration: Mapping[str, Any]) -> str:
    """Say what the brackets are."""
    bootstrap = configuration["bootstrap"]
    return (
        f"Brackets: {bootstrap['level']:.0%} percentile intervals of "
        f"{bootstrap['n_resamples']:,} bootstrap resamples of the test examples, the same for all "
        "methods. They are about the test examples: the fits are the same in all resamples."
    )


def _number(text: str) -> float:
    return float(text) if text else float("nan")
