"""How far CAPO* is from the published values, and why where it is below them."""

from collections.abc import Sequence

import pandas as pd

from beyond_accuracy.published import published_table
from beyond_accuracy.reporting.claims import Evidence, Verdict, VerdictName
from beyond_accuracy.reporting.li2013.methods import (
    CROSS_FITTED,
    ENSEMBLE,
    IDENTIFIED,
    NEAR,
    PAPER,
    measure_label,
)
from beyond_accuracy.reporting.li2013.table_core_vector_machine import near_published
from beyond_accuracy.reporting.li2013.table_differences import METHOD, is_near
from beyond_accuracy.reporting.li2013.values import Intervals, Task, at, published_values
from beyond_accuracy.reporting.li2013.verdicts import (
    HALF,
    not_testable,
    task_name,
    task_values,
    verdict,
)

# Of 20 cells 16; set before any run.
MOST = 0.8
# How the numbers call what may be the cause, and what is said of the tasks on which it is.
CAUSES = {
    CROSS_FITTED: "cross-fitted",
    IDENTIFIED: "identified core vector machine",
}
HELPS = {
    CROSS_FITTED: (
        "Cross-fitted, CAPO* is near the published value: the outputs of the auxiliaries on their "
        "own training data, above all C4.5's, are what misleads it on"
    ),
    IDENTIFIED: (
        "With the identified core vector machine CAPO* is near the published value: the "
        "parameters of the one as stated are the cause on"
    ),
}
NEAR_ALREADY = f"Below the published value, but by at most {NEAR:g}, on"
OUTPUTS_TELL_TOO_LITTLE = (
    "The published accuracy and F1 of the core vector machine fix how many positives its outputs "
    "±1 find, and so their ROC area. Where the published ROC area of the weighted ensemble of five "
    "is far above it, the paper's auxiliaries can hardly have entered as ±1, as they do here and "
    "in its text."
)
# More than what five outputs of the like can add to one.
FAR_ABOVE = 0.2


def values_of_capo_star(evidence: Evidence) -> Verdict:
    """The values of CAPO* are near the published ones or above them."""
    values, published = task_values(evidence), published_values()
    intervals = Intervals(evidence.results)
    values = values[values[METHOD].notna()]
    tasks = [task for task in values.index if pd.notna(at(published, task, METHOD))]
    if not tasks:
        return not_testable(evidence)
    near = [is_near(at(values, task, METHOD), at(published, task, METHOD)) for task in tasks]
    share = sum(near) / len(tasks)
    name: VerdictName = (
        "reproduced" if share >= MOST else "partly" if share > HALF else "not reproduced"
    )
    numbers: dict[str, float | int | str] = {"near or above": f"{sum(near)} of {len(tasks)}"}
    identified = near_published(values, published, IDENTIFIED)
    if len(identified):
        found = f"{identified.sum()} of {len(identified)}"
        numbers[f"near or above, {CAUSES[IDENTIFIED]}"] = found
    below = [t for t in tasks if intervals(t, METHOD)[1] < at(published, t, METHOD)]
    for task in below:
        known = at(published, task, METHOD)
        difference = at(values, task, METHOD) - known
        numbers[f"{task_name(task)}: less the published"] = difference
        for method, name_of_cause in CAUSES.items():
            if pd.notna(other := at(values, task, method) - known):
                numbers[f"{task_name(task)}: the same, {name_of_cause}"] = other
    remarks = remarks_on_causes(values, published, below)
    for data_set in dict.fromkeys(data_set for data_set, _ in below):
        area = area_of_signs(evidence, data_set)
        ensemble = at(published_values("table5"), (data_set, "roc_area"), ENSEMBLE)
        if pd.notna(area) and ensemble - area > FAR_ABOVE:
            numbers[f"{data_set}: ROC area of the published CVM's outputs ±1"] = area
            numbers[f"{data_set}: published ROC area of the ensemble"] = ensemble
            if OUTPUTS_TELL_TOO_LITTLE not in remarks:
                remarks.append(OUTPUTS_TELL_TOO_LITTLE)
    how = "CAPO* less the published value; below where the bootstrap interval is below it"
    data_sets = [data_set for data_set, _ in tasks]
    return verdict(evidence, name, numbers, how, data_sets, " ".join(remarks))


def remarks_on_causes(
    values: pd.DataFrame, published: pd.DataFrame, below: Sequence[Task]
) -> list[str]:
    """What is known of the causes on the tasks whose values are below the published ones.

    What may be a cause is one where CAPO* without it is near the published value. A task that is
    near anyway has none to find; one may have several.
    """

    def near(method: str, task: Task) -> bool:
        return is_near(at(values, task, method), at(published, task, METHOD))

    near_already = [task for task in below if near(METHOD, task)]
    far = [task for task in below if task not in near_already]
    helped = {method: [task for task in far if near(method, task)] for method in HELPS}
    remarks = [f"{HELPS[method]} {_names(tasks)}." for method, tasks in helped.items() if tasks]
    unexplained: dict[str, list[Task]] = {}
    for task in far:
        if not any(task in tasks for tasks in helped.values()):
            tried = [name for method, name in CAUSES.items() if pd.notna(at(values, task, method))]
            unexplained.setdefault(", ".join(tried), []).append(task)
    for tried, tasks in unexplained.items():
        why = f"by what was tried ({tried})" if tried else "as nothing else was run"
        remarks.append(f"Not explained {why}: {_names(tasks)}.")
    if near_already:
        remarks.append(f"{NEAR_ALREADY} {_names(near_already)}.")
    return remarks


def _names(tasks: Sequence[Task]) -> str:
    return ", ".join(f"{data_set} ({measure_label(measure)})" for data_set, measure in tasks)


def area_of_signs(evidence: Evidence, data_set: str) -> float:
    """ROC area of the outputs ±1 that have the published accuracy and F1 of the CVM.

    With e errors and the value F of F1, TP = F·e / (2·(1 − F)). NaN where a number is missing.
    """
    fits = evidence.results.fits
    positives = fits.loc[fits["data_set"] == data_set, "n_test_positives"].max()
    table = published_table(PAPER, "table1") or []
    sizes = [row["value"] for row in table
             if (row["data_set"], row["quantity"]) == (data_set, "n_test")]  # fmt: skip
    accuracy, f1 = (_published_cvm((data_set, measure)) for measure in ("accuracy", "f1"))
    if not sizes or pd.isna(positives) or pd.isna(accuracy) or pd.isna(f1) or f1 == 1:
        return float("nan")
    n = int(sizes[0])
    errors = (1 - accuracy) * n
    found = f1 * errors / (2 * (1 - f1))
    false_alarms = errors - (positives - found)
    return float((1 + found / positives - false_alarms / (n - positives)) / 2)


def _published_cvm(task: Task) -> float:
    return at(published_values(), task, "core_vector_machine")
