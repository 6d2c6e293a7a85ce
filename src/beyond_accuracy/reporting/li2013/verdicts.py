"""What the claims of the paper share: the paper's tasks, and what their notes say."""

from collections.abc import Mapping, Sequence

import pandas as pd

from beyond_accuracy.reporting.claims import Evidence, Verdict, VerdictName
from beyond_accuracy.reporting.li2013.methods import COLLECTIONS, METHOD_LABELS, measure_label
from beyond_accuracy.reporting.li2013.values import of_the_paper, values_by_task

HALF = 0.5


def task_values(evidence: Evidence) -> pd.DataFrame:
    """Values on the paper's own tasks, a column for each of its methods."""
    values = values_by_task(evidence.results, evidence.configuration)
    return of_the_paper(values).reindex(columns=list(METHOD_LABELS))


def task_name(task: tuple[str, str]) -> str:
    """How the numbers of a verdict call a task."""
    data_set, measure = task
    return f"{data_set}, {measure_label(measure)}"


def verdict(
    evidence: Evidence,
    name: VerdictName,
    numbers: Mapping[str, float | int | str],
    test: str,
    data_sets: Sequence[str],
    remark: str = "",
    expected: Sequence[str] = COLLECTIONS,
) -> Verdict:
    """A verdict whose note names missing data sets and substitutes."""
    used = [data_set for data_set in expected if data_set in set(data_sets)]
    notes = (remark, missing(evidence, used, expected), evidence.substitutes(used))
    return Verdict(name, dict(numbers), test, "; ".join(filter(None, notes)))


def not_testable(evidence: Evidence, expected: Sequence[str] = COLLECTIONS) -> Verdict:
    """The verdict without results."""
    return Verdict("not testable", note=missing(evidence, [], expected))


def missing(evidence: Evidence, data_sets: Sequence[str], expected: Sequence[str]) -> str:
    """Say which of the expected data sets the verdict does not rest on, and why."""
    frame = evidence.results.measurements
    reasons = []
    for name in expected:
        if name in data_sets:
            continue
        rows = frame[frame["data_set"] == name]
        found = "; ".join(text for text in rows["reason"].dropna().unique() if text)
        reasons.append(f"{name}: {found or 'not measured in this run'}")
    return "; ".join(reasons)


def all_or_most(true: Sequence[bool]) -> VerdictName:
    """Reproduced if all are true, partly if more than half, otherwise not."""
    share = sum(map(bool, true)) / len(true)
    return "reproduced" if share == 1.0 else "partly" if share > HALF else "not reproduced"
