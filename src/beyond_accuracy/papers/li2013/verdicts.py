"""What the claims of the paper share: what their notes say, and a common rule."""

from collections.abc import Collection, Sequence

from beyond_accuracy.papers.li2013.names import COLLECTIONS, METHODS, measure_label
from beyond_accuracy.papers.li2013.values import Task
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.verdict import Verdict, VerdictName, grade

HALF = 0.5
Numbers = dict[str, float | int | str]


def task_name(task: Task) -> str:
    """How the numbers of a verdict call a task."""
    data_set, measure = task
    return f"{data_set}, {measure_label(measure)}"


def verdict(
    report: Report,
    name: VerdictName,
    numbers: Numbers,
    test: str,
    data_sets: Collection[str],
    remark: str = "",
    expected: Sequence[str] = COLLECTIONS,
) -> Verdict:
    """Return a verdict whose note names missing data sets and substitutes."""
    used = [data_set for data_set in expected if data_set in data_sets]
    absent = [data_set for data_set in expected if data_set not in used]
    notes = (remark, _reasons(report, absent), report.substitutes(used))
    return Verdict(name, numbers, test, "; ".join(filter(None, notes)))


def not_testable(
    report: Report, methods: Sequence[str] = (), expected: Sequence[str] = COLLECTIONS
) -> Verdict:
    """Return the verdict without results, which names what of methods or data sets is missing."""
    selected = report.configuration["methods_selected"]
    absent = [METHODS[method] for method in methods if method not in selected]
    note = f"Not selected: {', '.join(absent)}." if absent else _reasons(report, expected)
    return Verdict("not testable", note=note)


def _reasons(report: Report, data_sets: Sequence[str]) -> str:
    """Say why a verdict does not rest on data sets."""
    frame = report.results.measurements
    reasons = []
    for name in data_sets:
        texts = frame.loc[frame["data_set"] == name, "reason"].dropna().unique()
        reasons.append(f"{name}: {'; '.join(filter(None, texts)) or 'not measured in this run'}")
    return "; ".join(reasons)


def all_or_most(true: Sequence[bool]) -> VerdictName:
    """Reproduced if all are true, partly if more than half, otherwise not."""
    return grade(all(true), sum(map(bool, true)) > HALF * len(true))
