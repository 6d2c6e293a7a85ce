"""Judge by distance whether CAPO* has the published values.

CAPO* (classifier adaptation) is a multivariate SVM on the features and the outputs of three
classifiers: CVM (core vector machine), C4.5 and RBF network. A trivial predictor ignores the
features.
"""

import pandas as pd

from beyond_accuracy_pipeline.reporting.agreement import DISTANCES
from beyond_accuracy_pipeline.reporting.report import Report
from beyond_accuracy_pipeline.reporting.verdict import Numbers, Verdict, grade

from ..distances import ROUNDING
from ..names import ENSEMBLE, NEAR, STAR
from ..values import TASK, paper_values, published_values, sizes_of_test
from .judging import CLAIMS, HALF, how_many, judge, task_name

# This is 16 of 20 cells. It was fixed before any run.
MOST = 0.8
OUTPUTS_TELL_TOO_LITTLE = (
    "The published accuracy and F1 of the core vector machine fix how many positives its outputs "
    "±1 find, and so their ROC area. Where the published ROC area of the weighted ensemble of five "
    "is far above it, the paper's auxiliaries can hardly have entered as ±1, as they do here and "
    "in its text."
)
# The distance of a near value is at most this share of the distance of a trivial predictor.
OF_TRIVIAL = 0.5
# Larger than any gain in ROC area by combining five such outputs.
FAR_ABOVE = 0.2


def trivial_ranges(report: Report) -> pd.DataFrame:
    """Return the range of test values that classifiers without features can reach.

    Such a classifier predicts positives at random at some rate. There is one row per (data_set,
    measure). The columns `low` and `high` are the ends of the range. For PRBEP (the
    precision/recall break-even point), `low` is 0 and `high` is the share of positives.
    """
    rows = {}
    for data_set in report.data_sets:
        n, positives = sizes_of_test(report, data_set)
        share = positives / n
        rows[data_set, "accuracy"] = sorted([share, 1 - share])
        rows[data_set, "f1"] = [0 * share, 2 * share / (1 + share)]
        rows[data_set, "prbep"] = [0 * share, share]
        rows[data_set, "roc_area"] = [0.5 + 0 * share] * 2
    index = pd.MultiIndex.from_tuples(rows, names=TASK)
    return pd.DataFrame([*rows.values()], index=index, columns=["low", "high"])


def distances_of_star(report: Report) -> pd.DataFrame:
    """Return the distance of our CAPO* from the printed test value, by (data_set, measure).

    CAPO* is an SVM that gets the outputs of three other classifiers as extra features. The columns
    are `value` (ours), `published`, `distance`, `trivial` and `near`. `trivial` is the distance
    from the printed value to the nearest value that a classifier without features can reach. `near`
    says whether `distance` is at most 0.03 and at most half of `trivial`.
    """
    published = published_values(report)[STAR]
    both = pd.concat([paper_values(report)[STAR], published], axis=1, keys=["value", "published"])
    both = both.dropna()
    both["distance"] = (both["value"] - both["published"]).abs()
    ranges = trivial_ranges(report).reindex(both.index)
    nearest = both["published"].clip(ranges["low"], ranges["high"])
    both["trivial"] = (both["published"] - nearest).abs()
    return both.assign(near=is_near(both["distance"], both["trivial"]))


def is_near(distance: pd.Series, trivial: pd.Series) -> pd.Series:
    """Return for each distance whether it is at most 0.03 and at most half of `trivial`.

    `distance` has distances of our test values from the published values. `trivial` has the
    distances of the same published values from the nearest values that a classifier without
    features can reach. If a distance in `trivial` is NaN, only the limit 0.03 applies.
    """
    limit = (OF_TRIVIAL * trivial).clip(upper=NEAR).fillna(NEAR)
    return distance <= limit + ROUNDING


@CLAIMS.add(judge, distances_of_star, methods=[STAR])
def values_of_capo_star(report: Report, cells: pd.DataFrame) -> Verdict:
    near = cells["near"]
    name = grade(near.mean() >= MOST, near.mean() > HALF)
    trivial = is_near(cells["trivial"], cells["trivial"])
    numbers: Numbers = {"near": how_many(near), "near, trivial predictor": how_many(trivial)}
    for limit in DISTANCES:
        numbers[f"within {limit:g}"] = how_many(cells["distance"] <= limit + ROUNDING)
    numbers["mean distance"] = float(cells["distance"].mean())
    numbers["mean distance, trivial predictor"] = float(cells["trivial"].mean())
    for task, cell in cells[~near].iterrows():
        numbers[f"{task_name(task)}: distance"] = float(cell["distance"])
        numbers[f"{task_name(task)}: distance, trivial predictor"] = float(cell["trivial"])
    areas = _areas_of_signs(report, cells.index[~near].unique("data_set"))
    numbers |= areas
    note = OUTPUTS_TELL_TOO_LITTLE if areas else ""
    how = "distance of CAPO* from the published value, and of the nearest trivial predictor"
    return Verdict(name, numbers, how, note)


def _areas_of_signs(report: Report, data_sets: pd.Index) -> Numbers:
    """Return ROC areas that show that the paper's CAPO did not use auxiliary outputs ±1."""
    published = published_values(report)
    sizes = report.published("table1").set_index(["data_set", "quantity"])["value"]
    fits = report.results.fits
    numbers: Numbers = {}
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
    """Return the ROC area of a classifier with outputs +1 and −1 from its accuracy and F1.

    `n` is the number of examples, and `positives` the number of positive examples. F1 and the
    number of errors e determine the number of true positives, F1·e / (2·(1 − F1)). If F1 is 1, the
    result is NaN.
    """
    if f1 == 1:
        return float("nan")
    errors = (1 - accuracy) * n
    hits = f1 * errors / (2 * (1 - f1))
    false_alarms = errors - (positives - hits)
    return float((1 + hits / positives - false_alarms / (n - positives)) / 2)
