"""Judge claims of Li et al. (2013) by rules, with notes on missing methods and data sets."""

from collections.abc import Callable, Collection, Sequence

import pandas as pd

from beyond_accuracy_pipeline.papers.li2013.names import (
    COLLECTIONS,
    MEASURES,
    METHODS,
)
from beyond_accuracy_pipeline.papers.li2013.values import Task
from beyond_accuracy_pipeline.reporting.judge import with_data_notes
from beyond_accuracy_pipeline.reporting.names import measure_name
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.verdict import Claims, Verdict

TENTH, QUARTER, HALF, THREE_QUARTERS = 0.1, 0.25, 0.5, 0.75

CLAIMS = Claims()
# The verdict, with a remark in its note, and its data sets; None if there are no data sets.
Ruling = tuple[Verdict, Collection[str]] | None


def judge(
    rule: Callable[[Report], Ruling],
    report: Report,
    methods: Sequence[str] = (),
    expected: Sequence[str] = COLLECTIONS,
) -> Verdict:
    """Judge a claim by a rule.

    The note names missing methods, missing data sets and substitutes.
    """
    ruling = rule(report)
    if ruling is None:
        selected = report.configuration["methods_selected"]
        absent = [METHODS[method] for method in methods if method not in selected]
        note = f"Not selected: {', '.join(absent)}." if absent else ""
        return Verdict("not testable", note=note or report.reasons(expected, METHODS))
    verdict, data_sets = ruling
    return with_data_notes(verdict, report, expected, data_sets, METHODS)


def task_name(task: Task) -> str:
    """Return "data set, measure" with the measure's label, for the numbers of a verdict."""
    data_set, measure = task
    return f"{data_set}, {measure_name(measure)}"


def of_the_paper(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of results for the measures and methods that Li et al. (2013) report."""
    return rows[rows["measure"].isin(MEASURES) & rows["method"].isin(METHODS)]
