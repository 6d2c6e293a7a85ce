"""Judge claims of Li et al. (2013) by rules on tables, with notes on missing methods and data."""

from collections.abc import Callable, Iterable, Sequence

import pandas as pd

from beyond_accuracy_pipeline.reporting.judge import with_data_notes
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.verdict import Claims, Numbers, Verdict

from ..names import COLLECTIONS, MEASURES, METHODS
from ..values import values_of

CLAIMS = Claims()


def judge(
    rule: Callable[[Report, pd.DataFrame], Verdict | None],
    frame_of: Callable[[Report], pd.DataFrame],
    report: Report,
    *,
    methods: Sequence[str] = (),
    expected: Sequence[str] = COLLECTIONS,
    complete: Sequence[str] = (),
) -> Verdict:
    """Judge a claim by applying `rule` to the report and the table that `frame_of(report)` returns.

    The table is indexed by data set. If it is empty or the rule returns None, the verdict is "not
    testable", and a note names `methods` that were not selected. Otherwise, notes name data sets
    that replace the paper's, and `expected` data sets without results for all methods in
    `complete`.
    """
    frame = frame_of(report)
    verdict = None if frame.empty else rule(report, frame)
    if verdict is None:
        selected = report.configuration["methods_selected"]
        absent = [METHODS[method] for method in methods if method not in selected]
        note = f"Not selected: {', '.join(absent)}." if absent else ""
        return Verdict("not testable", note=note or report.reasons(expected, METHODS))
    used = (values_of(report, complete) if complete else frame).index.unique("data_set")
    return with_data_notes(verdict, report, expected, used, METHODS)


def task_name(task: tuple[str, str]) -> str:
    """Return a text such as "splice, F1" for a pair (data set, measure)."""
    data_set, measure = task
    return f"{data_set}, {measure_name(measure)}"


def by_task(values: pd.Series, label: str) -> Numbers:
    """Convert a column of values to a dict from text to number.

    `values` is indexed by (data_set, measure). If `label` is ": gain", a key is, for example,
    "splice, F1: gain".
    """
    return {f"{task_name(task)}{label}": float(value) for task, value in values.items()}


def by_method(values: pd.DataFrame, before: str = ": ", after: str = "") -> Numbers:
    """Convert a table of values to a dict from text to number.

    `values` is indexed by (data_set, measure), and has one column per method. The method stands
    between `before` and `after`: if `after` is ", seconds", a key is "splice, F1: CAPO*, seconds".
    """
    return {
        f"{task_name(task)}{before}{METHODS[method]}{after}": float(value)
        for (*task, method), value in values.stack().items()
    }


def how_many(answers: Iterable[bool]) -> str:
    """Return how many answers are true, such as "3 of 4"."""
    answers = list(answers)
    return f"{sum(map(bool, answers))} of {len(answers)}"


def of_the_paper(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of results for the measures and methods that Li et al. (2013) report."""
    return rows[rows["measure"].isin(MEASURES) & rows["method"].isin(METHODS)]


def on(values: pd.DataFrame, *data_sets: str) -> pd.DataFrame:
    """Return the rows of `values` for some data sets (level `data_set` of the index)."""
    return values[values.index.isin(data_sets, level="data_set")]
