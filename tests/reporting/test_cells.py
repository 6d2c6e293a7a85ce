"""The table of cells, and failed fits in it."""

import numpy as np
import pandas as pd
import pytest

from beyond_accuracy.measures.multiclass import MULTICLASS_MEASURES
from beyond_accuracy.measures.multilabel import MULTILABEL_MEASURES
from beyond_accuracy_pipeline.reporting.cells import (
    CELL,
    LOSSES,
    apply_missing,
    cell_values,
    with_intervals,
)


@pytest.fixture
def measurements():
    rows = [
        ("reuters", "f1", "svm", "earn", 0.8, "ok"),
        ("reuters", "f1", "svm", "crude", 0.4, "ok"),
        ("reuters", "f1", "tree", "earn", 0.6, "ok"),
        ("reuters", "f1", "tree", "crude", np.nan, "failed"),
        ("reuters", "hamming_loss", "tree", "earn", 0.2, "ok"),
        ("reuters", "hamming_loss", "tree", "crude", np.nan, "failed"),
        ("yeast", "f1", "tree", "", np.nan, "failed"),
    ]
    return pd.DataFrame(rows, columns=[*CELL, "task", "value", "status"])


@pytest.mark.parametrize(
    ("missing", "tree", "loss", "none_succeeded"),
    [("drop", 0.6, 0.2, np.nan), ("nan", np.nan, np.nan, np.nan), ("worst", 0.3, 0.6, 0.0)],
)
def test_each_policy_averages_failed_fits_in_its_way(
    measurements, missing, tree, loss, none_succeeded
):
    if missing == "worst":
        measurements = apply_missing(measurements, "worst").assign(status="ok")
    cells = cell_values(measurements, "nan" if missing == "worst" else missing)
    assert cells.to_dict() == pytest.approx(
        {
            ("reuters", "f1", "svm"): 0.6,
            ("reuters", "f1", "tree"): tree,
            ("reuters", "hamming_loss", "tree"): loss,
            ("yeast", "f1", "tree"): none_succeeded,
        },
        nan_ok=True,
    )


def test_a_cell_has_the_interval_over_all_tasks_or_over_its_decision():
    keys = [("yeast", "f1", "br", ""), ("yeast", "f1", "pcc", "gfm"), ("yeast", "f1", "lr", "")]
    cells = pd.DataFrame(
        {"value": [0.5, 0.6, 0.7]}, pd.MultiIndex.from_tuples(keys, names=[*CELL, "decision"])
    )
    intervals = pd.DataFrame(
        [
            ("yeast", "f1", "br", "", "1–2", 0.1, 0.2),
            ("yeast", "f1", "br", "", "all", 0.4, 0.6),
            ("yeast", "f1", "br", "pcc", "all", -0.2, 0.0),
            ("yeast", "f1", "pcc", "", "gfm", 0.55, 0.65),
        ],
        columns=[*CELL, "baseline", "group", "low", "high"],
    )
    found = with_intervals(cells, intervals)
    assert found["low"].tolist() == pytest.approx([0.4, 0.55, np.nan], nan_ok=True)
    assert found["high"].tolist() == pytest.approx([0.6, 0.65, np.nan], nan_ok=True)


def test_measures_say_themselves_whether_lower_is_better():
    minimized = {name for name, measure in MULTILABEL_MEASURES.items() if measure.minimized}
    assert minimized == {"hamming_loss", "subset_zero_one_loss"}
    assert set(LOSSES) == minimized | {*MULTICLASS_MEASURES}
    unbounded = {name for name, worst in LOSSES.items() if np.isnan(worst)}
    assert unbounded == {"average_cost", "average_cost_out_of_fold"}
