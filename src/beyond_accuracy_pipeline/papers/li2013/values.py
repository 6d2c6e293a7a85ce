"""Values by task (data set and measure), ours and published, and the values of Figure 2.

CAPO (classifier adaptation) is a multivariate SVM on the features and the outputs of auxiliary
classifiers. It leaves out an auxiliary that predicts only one class.
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
from beyond_accuracy_pipeline.results.scores import TRUE_LABELS
from beyond_accuracy_pipeline.results.variants import Variant, headline_states

from .names import AUXILIARY_OF, COLLECTIONS, FIVE, MEASURES, METHODS

TASK = ["data_set", "measure"]


def task_values(report: Report) -> pd.DataFrame:
    """Return test values by (data_set, measure), one column per method; NaN if a fit failed."""
    tasks = pd.MultiIndex.from_product([report.data_sets, report.measures], names=TASK)
    methods = list(dict.fromkeys([*METHODS, *report.methods()]))
    return method_values(report.results.measurements).reindex(index=tasks, columns=methods)


def not_adapted(report: Report) -> set[tuple[str, str, str]]:
    """Return each (data set, measure, method) for which CAPO has no usable auxiliary classifier.

    CAPO is an SVM with the outputs of auxiliary classifiers as additional features. A classifier is
    not usable if it predicts only one class.
    """
    methods, fits = report.configuration["methods"], report.results.fits
    cells = set()
    for row in fits[fits["left_out"].fillna("") != ""].itertuples():
        left_out = set(row.left_out.split(", "))
        if left_out >= set(methods[row.method].get("auxiliaries") or ()):
            cells.add((row.data_set, row.measure, row.method))
    return cells


def values_of(report: Report, methods: Sequence[str]) -> pd.DataFrame:
    """Return test values by (data_set, measure), one column for each of `methods`.

    Rows are the paper's data sets and measures for which all `methods` were fitted successfully.
    For the method CAPO, a value is NaN if each of its auxiliary classifiers predicts only one
    class.
    """
    values, finished = paper_values(report), task_values(report)[list(methods)].dropna()
    return values.loc[values.index.isin(finished.index), list(methods)]


def gain_in_any_order(report: Report, methods: Sequence[str]) -> pd.DataFrame:
    """Return how much PRBEP gains if examples with equal scores are put in random order.

    By default, negatives come before positives with the same score. The gain is the expected PRBEP
    over all random orders minus the default PRBEP, and 0 for other measures. There is one row per
    (data_set, measure) and one column per method.
    """
    tasks = pd.MultiIndex.from_product([report.data_sets, report.measures], names=TASK)
    gains = pd.DataFrame(0.0, index=tasks, columns=list(methods))
    fits = report.results.fits
    fits = fits[(fits["measure"] == "prbep") & (fits["status"] == "ok")]
    for (data_set, method), rows in fits.groupby(["data_set", "method"], sort=False):
        if method in gains and data_set in report.data_sets:
            scores, of_tasks = report.results.scores(data_set, method), []
            for task in rows["task"].unique():
                positive = scores.row(TRUE_LABELS, task).astype(bool)
                arguments = positive, scores.row("prbep", task), np.ones(len(positive))
                expected = expected_precision_recall_break_even_point(*arguments)
                of_tasks.append(expected - precision_recall_break_even_point(*arguments))
            gains.loc[(data_set, "prbep"), method] = float(np.mean(of_tasks))
    return gains


def in_any_order(report: Report, values: pd.DataFrame) -> pd.DataFrame:
    """Return test values with PRBEP averaged over all orders of examples with equal scores.

    `values` has one row per (data_set, measure) and one column per method; `report` has the
    methods' scores. Measures other than PRBEP (precision/recall break-even point) are unchanged.
    The result has the columns of methods with one auxiliary classifier, and of these classifiers.
    """
    methods = (*AUXILIARY_OF, *AUXILIARY_OF.values())
    gains = report.once(gain_in_any_order, methods)
    return values[list(methods)] + gains.reindex(values.index)


def paper_values(report: Report) -> pd.DataFrame:
    """Return our test values for the data sets and measures of Li et al. (2013).

    There is one row per (data_set, measure) and one column per method. A value is NaN if the fit
    failed or, for the method CAPO, if each of its auxiliary classifiers predicts only one class.
    """
    values = task_values(report)
    for data_set, measure, method in not_adapted(report):
        if (data_set, measure) in values.index:
            values.loc[(data_set, measure), method] = float("nan")
    index = values.index
    return values[index.isin(COLLECTIONS, "data_set") & index.isin(MEASURES, "measure")]


def published_values(report: Report) -> pd.DataFrame:
    """Return the test values printed in Tables 2 and 5 of Li et al. (2013).

    There is one row per (data_set, measure) and one column per method; missing values are NaN.
    """
    rows = pd.concat([report.published("table2"), report.published("table5")])
    return rows.pivot(index=TASK, columns="method", values="value")


def sizes_of_test(report: Report, data_set: str) -> tuple[float, float]:
    """Return (number of test examples, number of positives) of a data set; NaN if unknown."""
    record = report.results.record(data_set)
    counts = json.loads(str(record.get("positives_found") or "{}"))
    return float(record.get("n_test_found") or "nan"), float(counts.get("test", "nan"))


def with_intervals(report: Report, values: pd.DataFrame) -> pd.DataFrame:
    """Return test values by (data_set, measure, method), with confidence limits `low` and `high`.

    The argument `values` has one row per (data_set, measure) and one column per method.
    """
    ends = report.results.intervals
    ends = ends[(ends["baseline"] == "") & (ends["group"] == ALL)].set_index(CELL)
    cells = values.stack(future_stack=True).to_frame("value").join(ends[["low", "high"]])
    return cells.where(cells["value"].notna()).astype("float64")


def relative_changes(report: Report) -> pd.DataFrame:
    """Return how much test values change if CAPO's five auxiliary classifiers are selected.

    CAPO is an SVM with the classifiers' outputs as additional features. A change is the value with
    classifiers selected by cross-validation, divided by the value with default ones, minus 1. There
    is one row per (data_set, measure). Columns have the changes of the classifiers' mean value
    (`auxiliary_value`) and of CAPO's value (`capo_value`).
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
    """Return for each seed (index level `state`) the table returned by `relative_changes`."""
    states = headline_states(report.results.whole)
    frames = {each.state: relative_changes(report.under(each)) for each in states}
    return pd.concat(frames, names=["state"])
