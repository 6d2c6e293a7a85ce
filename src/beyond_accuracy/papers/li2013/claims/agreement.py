"""The claim that CAPO* has the published values, and where it is below them."""

from collections.abc import Sequence

import pandas as pd

from beyond_accuracy.papers.li2013.claims.judging import CLAIMS, HALF, Ruling, judge, task_name
from beyond_accuracy.papers.li2013.names import (
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
FAR = f"Below the published value by more than {NEAR:g} on"
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
        difference = values.at[task, STAR] - published.at[task, STAR]
        numbers[f"{task_name(task)}: less the published"] = float(difference)
    remarks = _remarks(near, below)
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


def _remarks(near: pd.Series, below: Sequence[Task]) -> list[str]:
    """Say which of the tasks whose values are below the published ones are far from them."""
    parts = {
        FAR: [task for task in below if not near[task]],
        NEAR_ALREADY: [task for task in below if near[task]],
    }
    return [f"{text} {_names(tasks)}." for text, tasks in parts.items() if tasks]


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
