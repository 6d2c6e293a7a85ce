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
    """Return test values with one row per (data_set, measure) and one column per method.

    Values of failed fits are NaN.
    """
    tasks = pd.MultiIndex.from_product([report.data_sets, report.measures], names=TASK)
    methods = list(dict.fromkeys([*METHODS, *report.methods()]))
    return method_values(report.results.measurements).reindex(index=tasks, columns=methods)


def not_adapted(report: Report) -> set[tuple[str, str, str]]:
    """Return each (data set, measure, method) for which CAPO leaves out all auxiliary classifiers.

    CAPO (classifier adaptation) is an SVM that gets the outputs of other, auxiliary classifiers as
    extra features. CAPO leaves out an auxiliary classifier that predicts only one class. Without
    any of them, CAPO is an ordinary linear SVM for the measure (SVM-perf).
    """
    methods, fits = report.configuration["methods"], report.results.fits
    cells = set()
    for row in fits[fits["left_out"].fillna("") != ""].itertuples():
        left_out = set(row.left_out.split(", "))
        if left_out >= set(methods[row.method].get("auxiliaries") or ()):
            cells.add((row.data_set, row.measure, row.method))
    return cells


def values_of(report: Report, methods: Sequence[str]) -> pd.DataFrame:
    """Return test values with one row per (data_set, measure) and one column per method.

    The rows are limited to data sets and measures of Li et al. (2013) for which all `methods` were
    fitted successfully. CAPO is an SVM that gets the outputs of auxiliary classifiers as features.
    A value of CAPO is NaN if CAPO had to leave out all of these classifiers.
    """
    values, finished = paper_values(report), task_values(report)[list(methods)].dropna()
    return values.loc[values.index.isin(finished.index), list(methods)]


def gain_in_any_order(report: Report, methods: Sequence[str]) -> pd.DataFrame:
    """Return by how much PRBEP grows if examples with equal scores are put in random order.

    PRBEP is the precision/recall break-even point. By default, negatives come before positives with
    the same score. The gain is the expected PRBEP over all random orders minus the default PRBEP.
    There is one row per (data_set, measure) and one column per method. For measures other than
    PRBEP, the gain is 0.
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
    """Return test values in which PRBEP is its expected value over random orders of equal scores.

    PRBEP is the precision/recall break-even point. `values` has one row per (data_set, measure) and
    one column per method. The result is limited to the columns of three auxiliary classifiers, and
    of CAPO with each of them. CAPO (classifier adaptation) is an SVM that gets the outputs of
    other, auxiliary classifiers as extra features.
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
    """Return test values for the data sets and measures of Li et al. (2013).

    There is one row per (data_set, measure) and one column per method. A value is NaN if the fit
    failed. CAPO is an SVM that gets the outputs of auxiliary classifiers as features. A value of
    CAPO is also NaN if CAPO had to leave out all of these classifiers.
    """
    values = task_values(report)
    for data_set, measure, method in not_adapted(report):
        if (data_set, measure) in values.index:
            values.loc[(data_set, measure), method] = float("nan")
    index = values.index
    return values[index.isin(COLLECTIONS, "data_set") & index.isin(MEASURES, "measure")]


def published_values(report: Report) -> pd.DataFrame:
    """Return the values that are printed in Tables 2 and 5 of Li et al. (2013).

    There is one row per (data_set, measure) and one column per method. Values that are not printed
    are NaN.
    """
    rows = pd.concat([report.published("table2"), report.published("table5")])
    return rows.pivot(index=TASK, columns="method", values="value")


def sizes_of_test(report: Report, data_set: str) -> tuple[float, float]:
    """Return (number of test examples, number of positives) of a data set; NaN if unknown."""
    record = report.results.record(data_set)
    counts = json.loads(str(record.get("positives_found") or "{}"))
    return float(record.get("n_test_found") or "nan"), float(counts.get("test", "nan"))


def with_intervals(report: Report, values: pd.DataFrame) -> pd.DataFrame:
    """Return test values with the ends of their confidence intervals.

    `values` has one row per (data_set, measure) and one column per method. The result has one row
    per (data_set, measure, method) and the columns `value`, `low` and `high`.
    """
    ends = report.results.intervals
    ends = ends[(ends["baseline"] == "") & (ends["group"] == ALL)].set_index(CELL)
    cells = values.stack(future_stack=True).to_frame("value").join(ends[["low", "high"]])
    return cells.where(cells["value"].notna()).astype("float64")


def relative_changes(report: Report) -> pd.DataFrame:
    """Return how much test values change if CAPO's auxiliary classifiers are selected.

    CAPO (classifier adaptation) is an SVM that gets the outputs of five other, auxiliary
    classifiers as extra features. By default, these are fixed. Selected ones are the best five by
    cross-validation. A change is (selected − default) / default. There is one row per (data_set,
    measure). The column `auxiliary_value` has the change of the five classifiers' mean value, and
    `capo_value` the change of CAPO's value.
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
    """Return how much test values change if CAPO's auxiliary classifiers are selected, by seed.

    CAPO (classifier adaptation) is an SVM that gets the outputs of five other, auxiliary
    classifiers as extra features. By default, these are fixed. Selected ones are the best five by
    cross-validation. The index is (seed number, data_set, measure). The column `auxiliary_value`
    has the relative change of the five classifiers' mean value, and `capo_value` the relative
    change of CAPO's value.
    """
    states = headline_states(report.results.whole)
    frames = {each.state: relative_changes(report.under(each)) for each in states}
    return pd.concat(frames, names=["state"])
