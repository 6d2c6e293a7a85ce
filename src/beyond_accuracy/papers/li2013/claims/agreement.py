"""The claim that CAPO* has the published values, and why it is below them where it is."""

from collections.abc import Sequence

import pandas as pd

from beyond_accuracy.papers.li2013.claims.judging import CLAIMS, HALF, Ruling, judge, task_name
from beyond_accuracy.papers.li2013.names import (
    CROSS_FITTED,
    ENSEMBLE,
    NEAR,
    STAR,
    measure_label,
)
from beyond_accuracy.papers.li2013.values import (
    Task,
    near_published,
    paper_values,
    published_values,
)
from beyond_accuracy.reporting.report import Report
from beyond_accuracy.reporting.verdict import Verdict, grade

# Of 20 cells 16; set before any run.
MOST = 0.8
# How the numbers call what may be the cause, and what is said of the tasks on which it is.
CAUSES = {
    CROSS_FITTED: "cross-fitted",
}
HELPS = {
    CROSS_FITTED: (
        "Cross-fitted, CAPO* is near the published value: the outputs of the auxiliaries on their "
        "own training data, above all C4.5's, are what misleads it on"
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


@CLAIMS.add(judge, methods=[STAR])
def values_of_capo_star(report: Report) -> Ruling:
    """The values of CAPO* are near the published ones or above them."""
    values, published = paper_values(report), published_values(report)
    near = near_published(values, published, STAR)
    if near.empty:
        return None
    name = grade(near.mean() >= MOST, near.mean() > HALF)
    numbers = {"near or above": f"{near.sum()} of {len(near)}"}
    below = [
        task for task in near.index if report.intervals(*task, STAR)[1] < published.at[task, STAR]
    ]
    for task in below:
        differences = values.loc[task] - published.at[task, STAR]
        numbers[f"{task_name(task)}: less the published"] = float(differences[STAR])
        for method, cause in CAUSES.items():
            if pd.notna(differences[method]):
                numbers[f"{task_name(task)}: the same, {cause}"] = float(differences[method])
    remarks = remarks_on_causes(values, published, below)
    sizes = report.published("table1").set_index(["data_set", "quantity"])["value"]
    for data_set in dict.fromkeys(data_set for data_set, _ in below):
        printed = published.xs(data_set)
        accuracy, f1 = printed.loc[["accuracy", "f1"], "core_vector_machine"]
        ensemble = printed.at["roc_area", ENSEMBLE]
        fits = report.results.fits
        positives = fits.loc[fits["data_set"] == data_set, "n_test_positives"].max()
        n_test = sizes.get((data_set, "n_test"), float("nan"))
        area = area_of_signs(accuracy, f1, n_test, positives)
        if ensemble - area > FAR_ABOVE:
            numbers[f"{data_set}: ROC area of the published CVM's outputs ±1"] = area
            numbers[f"{data_set}: published ROC area of the ensemble"] = ensemble
            if OUTPUTS_TELL_TOO_LITTLE not in remarks:
                remarks.append(OUTPUTS_TELL_TOO_LITTLE)
    how = "CAPO* less the published value; below where the bootstrap interval is below it"
    return Verdict(name, numbers, how, " ".join(remarks)), near.index.unique("data_set")


def remarks_on_causes(
    values: pd.DataFrame, published: pd.DataFrame, below: Sequence[Task]
) -> list[str]:
    """Say what is known of the causes on the tasks whose values are below the published ones.

    What may be a cause is one where CAPO* without it is near the published value. A task that is
    near anyway has none to find; one may have several.
    """
    near = {name: near_published(values, published, name) for name in (STAR, *CAUSES)}
    near_already = [task for task in below if near[STAR][task]]
    far = [task for task in below if not near[STAR][task]]
    helped = {name: [task for task in far if near[name].get(task, False)] for name in CAUSES}
    remarks = [f"{HELPS[method]} {_names(tasks)}." for method, tasks in helped.items() if tasks]
    unexplained: dict[str, list[Task]] = {}
    for task in far:
        if not any(task in tasks for tasks in helped.values()):
            tried = [name for method, name in CAUSES.items() if task in near[method]]
            unexplained.setdefault(", ".join(tried), []).append(task)
    for tried, tasks in unexplained.items():
        why = f"by what was tried ({tried})" if tried else "as nothing else was run"
        remarks.append(f"Not explained {why}: {_names(tasks)}.")
    if near_already:
        remarks.append(f"{NEAR_ALREADY} {_names(near_already)}.")
    return remarks


def _names(tasks: Sequence[Task]) -> str:
    return ", ".join(f"{data_set} ({measure_label(measure)})" for data_set, measure in tasks)


def area_of_signs(accuracy: float, f1: float, n: float, positives: float) -> float:
    """Return the ROC area of outputs ±1 on `n` examples with that accuracy and F1.

    With e errors and the value F of F1, TP = F·e / (2·(1 − F)). NaN where a number is missing, and
    where F1 is 1, which fixes nothing.
    """
    if f1 == 1:
        return float("nan")
    errors = (1 - accuracy) * n
    hits = f1 * errors / (2 * (1 - f1))
    false_alarms = errors - (positives - hits)
    return float((1 + hits / positives - false_alarms / (n - positives)) / 2)
