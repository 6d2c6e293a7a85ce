"""Rows of the search for a matching B: a point, an interval, none, and a search that fails."""

import numpy as np
import pandas as pd
import pytest

from beyond_accuracy.datasets.prepared import PreparedDataSet, save_prepared
from beyond_accuracy.experiments.matching_penalty import COLUMNS, run_matching_penalty

TREE = {"estimator": "beyond_accuracy.estimators.C45Classifier", "parameters": {}}


@pytest.fixture
def search(tmp_path):
    def run(X, y, *, C, tol=1e-6, measures=("accuracy",)):
        record = {"status": "ok", "name": "d", "task": "binary"}
        y = y.astype(np.int8)
        data = PreparedDataSet("d", "binary", X, y, X, y, ("no", "yes"), record=record)
        save_prepared(tmp_path / "d", data)
        run_matching_penalty(
            tmp_path / "d",
            data_set="d",
            settings={"auxiliaries": ["tree"], "C": C, "tol": tol},
            methods={"tree": TREE},
            measures=list(measures),
            output=tmp_path / "matching.parquet",
        )
        return pd.read_parquet(tmp_path / "matching.parquet")

    return run


def test_an_interval_a_point_and_none_are_told_apart(search):
    # A feature of next to no size leaves all to the tree, which knows every label, so that the
    # weight is min(1, 100·C/B) for the error rate, and at most 1/2 for the area under the curve.
    y = np.tile([1, -1], 20)
    rows = search(1e-4 * y[:, None], y, C=0.02, measures=["accuracy", "roc_area"])
    assert list(rows.columns) == list(COLUMNS)
    assert rows["status"].tolist() == ["ok", "ok"]
    assert rows["matching_B"][0] == pytest.approx(2.0, rel=1e-3)
    assert rows["matches_below"].isna().tolist() == [False, True]
    assert rows["matches_below"][0]
    assert np.isnan(rows["matching_B"][1])
    # Every swap of k cases of each class adds 100·k/20 to the loss and 100·2k/40·a to the margin
    # of break-even: the kink is at 1. Of 3 positives and 4 negatives it is at 7/6.
    y = np.array([1, -1, 1, -1, -1, 1, -1])
    rows = search(1e-4 * y[:, None], y, C=0.02, measures=["prbep"])
    assert rows["matching_B"][0] == pytest.approx(0.02 * 600 / 7, rel=1e-3)
    assert rows["matches_below"].tolist() == [False]


def test_a_fit_that_did_not_converge_fails_the_search(search):
    y = np.tile([1, -1], 20)
    X = np.random.default_rng(0).normal(size=(40, 2)) + 0.5 * y[:, None]
    rows = search(X, y, C=1.0, tol=1e-16)
    assert rows["status"].tolist() == ["failed"]
    assert rows["reason"][0].startswith("RuntimeError: at B=1e-06 the relative duality gap is")
    assert rows["matching_B"].isna().all()
    assert rows["matches_below"].isna().all()
