"""Values by task (data set and measure), ours and published, and the values of Figure 2.

CAPO (classifier adaptation) is a multivariate SVM on the features and the outputs of auxiliary
classifiers. PRBEP is the precision/recall break-even point.
"""

import json
from collections.abc import Sequence

import numpy as np
import pandas as pd

from beyond_accuracy.measures.ranking import (
    expected_precision_recall_break_even_point,
    precision_recall_break_even_point,
)
from beyond_accuracy_pipeline.reporting.cells import ALL
from beyond_accuracy_pipeline.reporting.comparison import CELL, method_values
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.results.scores import TRUE_LABELS, Scores
from beyond_accuracy_pipeline.results.variants import Variant, headline_states

from .names import AUXILIARY_OF, COLLECTIONS, FIVE, MEASURES, METHODS

TASK = ["data_set", "measure"]


def task_values(report: Report) -> pd.DataFrame:
    """Return test values by (data_set, measure), one column per method; NaN for failed fits."""
    tasks = pd.MultiIndex.from_product([report.data_sets, report.measures], names=TASK)
    methods = list(dict.fromkeys([*METHODS, *report.methods()]))
    return method_values(report.results.measurements).reindex(index=tasks, columns=methods)


def not_adapted(report: Report) -> set[tuple[str, str, str]]:
    """Return the (data set, measure, method) in which CAPO leaves out all auxiliary classifiers.

    There, CAPO is the linear SVM-perf.
    """
    methods, fits = report.configuration["methods"], report.results.fits
    cells = set()
    for row in fits[fits["left_out"].fillna("") != ""].itertuples():
        left_out = set(row.left_out.split(", "))
        if left_out >= set(methods[row.method].get("auxiliaries") or ()):
            cells.add((row.data_set, row.measure, row.method))
    return cells


def values_of(report: Report, methods: Sequence[str]) -> pd.DataFrame:
    """Return values of some methods on the paper's tasks, where all of these methods succeeded."""
    values, finished = paper_values(report), task_values(report)[list(methods)].dropna()
    return values.loc[values.index.isin(finished.index), list(methods)]


def gain_in_any_order(report: Report, methods: Sequence[str]) -> pd.DataFrame:
    """Return by task how much larger PRBEP is, expected over random orders of equal scores.

    PRBEP itself puts negatives before positives with equal scores. The gain of other measures is 0.
    """
    tasks = pd.MultiIndex.from_product([report.data_sets, report.measures], names=TASK)
    gains = pd.DataFrame(0.0, index=tasks, columns=list(methods))
    fits = report.results.fits
    fits = fits[(fits["measure"] == "prbep") & (fits["status"] == "ok")]
    for (data_set, method), rows in fits.groupby(["data_set", "method"], sort=False):
        if method in gains and data_set in report.data_sets:
            scores = report.results.scores(data_set, method)
            of_tasks = [_gain(scores, task) for task in rows["task"].unique()]
            gains.loc[(data_set, "prbep"), method] = float(np.mean(of_tasks))
    return gains


def in_any_order(report: Report, values: pd.DataFrame) -> pd.DataFrame:
    """Return values of auxiliary classifiers, and of CAPO with one of them.

    PRBEP is the expected value over random orders of equal scores.
    """
    methods = (*AUXILIARY_OF, *AUXILIARY_OF.values())
    gains = report.once(gain_in_any_order, methods)
    return values[list(methods)] + gains.reindex(values.index)


def _gain(scores: Scores, task: str) -> float:
    """Return the expected PRBEP over random orders of equal scores, minus PRBEP, for one task."""
    positive, decision = scores.row(TRUE_LABELS, task).astype(bool), scores.row("prbep", task)
    weight = np.ones(len(positive))
    return expected_precision_recall_break_even_point(
        positive, decision, weight
    ) - precision_recall_break_even_point(positive, decision, weight)


def paper_values(report: Report) -> pd.DataFrame:
    """Return values on the paper's tasks by method; NaN where CAPO leaves out all auxiliaries."""
    values = task_values(report)
    for data_set, measure, method in not_adapted(report):
        if (data_set, measure) in values.index:
            values.loc[(data_set, measure), method] = float("nan")
    index = values.index
    return values[index.isin(COLLECTIONS, "data_set") & index.isin(MEASURES, "measure")]


def published_values(report: Report) -> pd.DataFrame:
    """Return the values printed in Tables 2 and 5, by task and method; NaN if not available."""
    rows = pd.concat([report.published("table2"), report.published("table5")])
    return rows.pivot(index=TASK, columns="method", values="value")


def sizes_of_test(report: Report, data_set: str) -> tuple[float, float]:
    """Return (number of test examples, number of positives) of a data set; NaN if unknown."""
    record = report.results.record(data_set)
    counts = json.loads(str(record.get("positives_found") or "{}"))
    return float(record.get("n_test_found") or "nan"), float(counts.get("test", "nan"))


def with_intervals(report: Report, values: pd.DataFrame) -> pd.DataFrame:
    """Return one row per task and method: `value`, and its interval from `low` to `high`."""
    ends = report.results.intervals
    ends = ends[(ends["baseline"] == "") & (ends["group"] == ALL)].set_index(CELL)
    cells = values.stack(future_stack=True).to_frame("value").join(ends[["low", "high"]])
    return cells.where(cells["value"].notna()).astype("float64")


def relative_changes(report: Report) -> pd.DataFrame:
    """Return by task how selecting the five auxiliary classifiers changes test values.

    The changes are relative: (selected − default) / default. `auxiliary_value` is the mean of the
    five, and `capo_value` is CAPO's.
    """
    report = report.under(Variant(state=report.results.variant.state))
    rows = report.results.study("auxiliary_selection")
    rows = rows[rows["status"] == "ok"].set_index(TASK)
    values = rows[["auxiliary_value", "capo_value"]]
    default, selected = (values[rows["which"] == which] for which in ("default", "selected"))
    measured = task_values(report)[FIVE].reindex(default.index)
    default = default.assign(capo_value=measured).dropna()
    common = default.index.intersection(selected.index, sort=False)
    # A relative change needs a positive base.
    positive = default.loc[common].where(lambda value: value > 0)
    return (selected.loc[common] / positive - 1.0).dropna()


def changes_by_state(report: Report) -> pd.DataFrame:
    """Return the relative changes by selecting auxiliaries, by (seed, data set, measure)."""
    states = headline_states(report.results.whole)
    frames = {each.state: relative_changes(report.under(each)) for each in states}
    return pd.concat(frames, names=["state"])
