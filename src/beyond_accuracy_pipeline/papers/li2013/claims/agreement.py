"""Judge by distance whether CAPO* has the published values.

CAPO* (classifier adaptation) is a multivariate SVM on the features and the outputs of three
classifiers.
"""

import pandas as pd

from beyond_accuracy_pipeline.papers.li2013.claims.judging import (
    CLAIMS,
    HALF,
    Ruling,
    judge,
    task_name,
)
from beyond_accuracy_pipeline.papers.li2013.distances import (
    LIMITS,
    ROUNDING,
    distances_of_star,
    is_near,
)
from beyond_accuracy_pipeline.papers.li2013.names import ENSEMBLE, STAR
from beyond_accuracy_pipeline.papers.li2013.values import published_values
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.verdict import Verdict, grade

# This is 16 of 20 cells. It was fixed before any run.
MOST = 0.8
OUTPUTS_TELL_TOO_LITTLE = (
    "The published accuracy and F1 of the core vector machine fix how many positives its outputs "
    "±1 find, and so their ROC area. Where the published ROC area of the weighted ensemble of five "
    "is far above it, the paper's auxiliaries can hardly have entered as ±1, as they do here and "
    "in its text."
)
# Larger than any gain in ROC area by combining five such outputs.
FAR_ABOVE = 0.2


@CLAIMS.add(judge, methods=[STAR])
def values_of_capo_star(report: Report) -> Ruling:
    """Judge whether values of CAPO* are near the published ones, and nearer than trivial values."""
    cells = distances_of_star(report)
    if cells.empty:
        return None
    near = cells["near"]
    name = grade(near.mean() >= MOST, near.mean() > HALF)
    trivial = is_near(cells["trivial"], cells["trivial"])
    numbers: dict[str, float | str] = {
        "near": f"{near.sum()} of {len(near)}",
        "near, trivial predictor": f"{trivial.sum()} of {len(near)}",
    }
    for limit in LIMITS:
        within = (cells["distance"] <= limit + ROUNDING).sum()
        numbers[f"within {limit:g}"] = f"{within} of {len(cells)}"
    numbers["mean distance"] = float(cells["distance"].mean())
    numbers["mean distance, trivial predictor"] = float(cells["trivial"].mean())
    for task, cell in cells[~near].iterrows():
        numbers[f"{task_name(task)}: distance"] = float(cell["distance"])
        numbers[f"{task_name(task)}: distance, trivial predictor"] = float(cell["trivial"])
    areas = _areas_of_signs(report, cells.index[~near].unique("data_set"))
    numbers |= areas
    note = OUTPUTS_TELL_TOO_LITTLE if areas else ""
    how = "distance of CAPO* from the published value, and of the nearest trivial predictor"
    return Verdict(name, numbers, how, note), cells.index.unique("data_set")


def _areas_of_signs(report: Report, data_sets: pd.Index) -> dict[str, float | str]:
    """Return ROC areas which show that the paper's auxiliary classifiers did not enter as ±1."""
    published = published_values(report)
    sizes = report.published("table1").set_index(["data_set", "quantity"])["value"]
    fits = report.results.fits
    numbers: dict[str, float | str] = {}
    for data_set in data_sets:
        printed = published.xs(data_set)
        accuracy, f1 = printed.loc[["accuracy", "f1"], "core_vector_machine"]
        ensemble = printed.at["roc_area", ENSEMBLE]
        positives = fits.loc[fits["data_set"] == data_set, "n_test_positives"].max()
        n_test = sizes.get((data_set, "n_test"), float("nan"))
        area = area_of_signs(accuracy, f1, n_test, positives)
        if ensemble - area > FAR_ABOVE:
            numbers[f"{data_set}: ROC area of the published CVM's outputs ±1"] = area
            numbers[f"{data_set}: published ROC area of the ensemble"] = float(ensemble)
    return numbers


def area_of_signs(accuracy: float, f1: float, n: float, positives: float) -> float:
    """Return the ROC area of outputs ±1 on `n` examples with the given accuracy and F1.

    With e errors, F1 determines the true positives: TP = F1·e / (2·(1 − F1)). If F1 is 1, it does
    not, and the result is NaN.
    """
    if f1 == 1:
        return float("nan")
    errors = (1 - accuracy) * n
    hits = f1 * errors / (2 * (1 - f1))
    false_alarms = errors - (positives - hits)
    return float((1 + hits / positives - false_alarms / (n - positives)) / 2)
