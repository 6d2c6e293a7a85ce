"""The binary protocol: seeds, tasks, holdout, growing grids, failures and files."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.dotted_paths import load_estimator
from beyond_accuracy_pipeline.experiments.experiment import result_frames
from beyond_accuracy_pipeline.experiments.grid import Grid
from beyond_accuracy_pipeline.experiments.seeds import derive_seed
from beyond_accuracy_pipeline.experiments.tasks import (
    binary_tasks,
    describe_nonfinite,
    split_holdout,
)

from .binary_runs import run_binary

PAPER = {"measures": ["f1", "roc_area"], "selection": {"holdout": 1 / 3}}
MULTIVARIATE = {
    "estimator": "beyond_accuracy.estimators.MultivariateSVC",
    "grid": {"C": [0.01, 0.1]},
}
LOGISTIC = {
    "estimator": "sklearn.linear_model.LogisticRegression",
    "parameters": {"max_iter": 500},
    "grid": {"C": [0.01, 1.0]},
}


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    X, y = X / 16, np.where(y < 3, y, 3)
    parts = X[:600], y[:600], X[600:900], y[600:900]
    return PreparedDataSet("digits", "multiclass", *parts, ("zero", "one", "two", "rest"))


def run(data, method, **paper):
    return run_binary(data, method, {**PAPER, **paper})


def test_tasks_of_the_three_kinds(digits):
    assert [task.name for task in binary_tasks(digits)] == list(digits.class_names)
    labels = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.uint8)
    X = np.eye(3)
    several = PreparedDataSet("m", "multilabel", X, labels, X, labels[::-1], ("a", "b"))
    assert [list(task.train) for task in binary_tasks(several)] == labels.T.tolist()
    y = np.array([-1, 1, 1], dtype=np.int8)
    binary = PreparedDataSet("b", "binary", X, y, X, y, ("no", "yes"))
    assert [task.name for task in binary_tasks(binary)] == ["yes"]


def test_grid_grows_at_the_border_chosen_most_often():
    grid = Grid({"C": [1, 2, 4], "j": [1, 3]}, {"C": "both", "j": "upper"}, max_extensions=1)
    assert len(grid.candidates()) == 6

    def grow(*chosen):
        return grid.grow([{"C": C, "j": j} for C, j in chosen])

    messages = grow((1.0, 1.0), (1.0, 1.0), (4.0, 3.0))
    assert grid.values == {"C": [0.5, 1, 2, 4], "j": [1, 3]}
    assert messages == ["C = 1, chosen most often, is the lower end of the grid: 0.5 added"]
    assert grow((0.5, 3.0)) == ["j = 3, chosen most often, is the upper end of the grid: 9 added"]
    assert grow((0.5, 9.0), (0.5, 9.0)) == []
    assert grid.limits == ["C = 0.5, lower end", "j = 9, upper end"]
    assert grow() == []
    larger, smaller = {"C": 2, "j": 3}, {"C": 1, "j": 9}
    assert grid.most_frequent([larger, smaller, larger, smaller]) == smaller


def test_fits_say_where_the_grid_ended_at_its_limit(digits, caplog):
    # With both C, nothing is predicted positive. Among equal candidates the first is chosen.
    growth = {"extend_grid": {"C": "lower"}, "max_extensions": 0}
    method = {**LOGISTIC, "grid": {"C": [1e-4, 1e-3]}, **growth}
    result = run(digits, method, measures=["f1"])
    assert {json.loads(row["selected"])["C"] for row in result.fits} == {1e-4}
    fits, _ = result_frames(result, method="m")
    assert fits["grid_limit"].tolist() == ["C = 0.0001, lower end"] * 4
    assert (
        "C = 0.0001, lower end of a grid that has grown as often as max_extensions" in caplog.text
    )
    without = run(digits, {**method, "extend_grid": {}}, measures=["f1"])
    assert result_frames(without, method="m")[0]["grid_limit"].tolist() == [""] * 4


def test_grid_keeps_values_as_they_are_written():
    grid = Grid({"depth": [4, 2], "features": [None, "sqrt", 0.5]}, {"depth": "both"}, 2)
    smallest = [{"depth": 2, "features": features} for features in (None, "sqrt", 0.5)]
    assert grid.candidates()[:3] == smallest
    assert grid.most_frequent(smallest[1::-1]) == smallest[0]
    for depth in (4, 2, 1):
        grid.grow([{"depth": depth, "features": "sqrt"}])
    assert [repr(value) for value in grid.values["depth"]] == ["0.5", "1", "2", "4", "8"]
    assert grid.values["features"] == [None, "sqrt", 0.5]


def test_equals_the_protocol_by_hand(digits):
    """Repeat holdout, choice by the measure and refit on everything with scikit-learn alone."""
    result = run(digits, LOGISTIC, measures=["f1"])
    task = binary_tasks(digits)[0]
    seed = derive_seed(1, "p", "digits", "zero", "holdout")
    [(fit, validation)] = split_holdout(task.train, 1 / 3, seed)
    values = []
    for C in LOGISTIC["grid"]["C"]:
        model = LogisticRegression(C=C, max_iter=500).fit(digits.X_train[fit], task.train[fit])
        decision = model.decision_function(digits.X_train[validation])
        values.append(get_measure("f1").score(task.train[validation], decision))
    C = LOGISTIC["grid"]["C"][int(np.argmax(values))]
    assert json.loads(result.fits[0]["selected"]) == {"C": C}
    model = LogisticRegression(C=C, max_iter=500).fit(digits.X_train, task.train)
    assert result.arrays["f1"][0] == pytest.approx(model.decision_function(digits.X_test))


def test_the_test_part_never_decides(digits):
    other = dataclasses.replace(digits, X_test=-digits.X_test, y_test=digits.y_test[::-1])
    chosen = [[row["selected"] for row in run(data, MULTIVARIATE).fits] for data in (digits, other)]
    assert chosen[0] == chosen[1]


def test_rare_absent_and_failing_classes_are_rows(digits):
    """One positive borrows parameters. Without positives in training or test, the row fails."""
    y_train = np.zeros(600, dtype=np.int64)
    y_train[:200] = 1
    y_train[200] = 2
    y_test = np.zeros(300, dtype=np.int64)
    y_test[:100], y_test[100], y_test[101] = 1, 2, 3
    y_train[201:210] = 4
    names = ("rest", "common", "single", "unseen", "untested")
    changed = {"name": "rare", "y_train": y_train, "y_test": y_test, "class_names": names}
    data = dataclasses.replace(digits, **changed)
    rows = pd.DataFrame(run(data, MULTIVARIATE, measures=["f1"]).fits).set_index("task")
    assert rows.loc["single", "fallback"]
    assert rows.loc["single", "status"] == "ok"
    assert not rows.loc["common", "fallback"]
    assert rows.loc["unseen", "status"] == "failed"
    assert "no positive example in the training part" in rows.loc["unseen", "reason"]
    assert "no positive example in the test part" in rows.loc["untested", "reason"]


def test_a_failing_fit_is_a_row(digits):
    method = {**LOGISTIC, "parameters": {"penalty": "no such penalty"}}
    result = run(digits, method, measures=["f1"])
    assert {row["status"] for row in result.fits} == {"failed"}
    assert all("penalty" in row["reason"] for row in result.fits)
    assert np.isnan(result.arrays["f1"]).all()


def test_a_measure_that_fails_in_selection_leaves_the_others_alone(digits):
    """The holdout has 200 examples."""
    alone = run(digits, LOGISTIC, measures=["f1"])
    result = run(digits, LOGISTIC, measures=["precision_at_250", "f1"])
    rows = pd.DataFrame(result.fits).set_index("measure")
    assert set(rows.loc["precision_at_250", "status"]) == {"failed"}
    assert set(rows.loc["f1", "status"]) == {"ok"}
    assert list(rows.loc["f1", "selected"]) == [row["selected"] for row in alone.fits]
    assert (result.arrays["f1"] == alone.arrays["f1"]).all()


def test_looking_for_missing_features_keeps_a_sparse_matrix_sparse(digits):
    """As a dense matrix, X would take 8 TB."""
    cells = (np.array([1.0, np.inf, np.nan]), ([5, 900_000, 70], [3, 2, 999_999]))
    X = scipy.sparse.csr_matrix(cells, shape=(1_000_000, 1_000_000))
    data = dataclasses.replace(digits, X_train=X)
    assert "feature 999999 of training row 70 " in describe_nonfinite(data)


def test_missing_features_are_failed_rows_that_name_the_cell(digits):
    X = digits.X_train.copy()
    X[7, 3] = np.nan
    rows = run(dataclasses.replace(digits, X_train=X), LOGISTIC, measures=["f1"]).fits
    assert {row["status"] for row in rows} == {"failed"}
    assert all("feature 3 of training row 7" in row["reason"] for row in rows)


def test_candidates_that_do_not_converge_are_logged(digits, caplog):
    run(digits, {**LOGISTIC, "selection_parameters": {"max_iter": 1}}, measures=["f1"])
    assert "2 of 2 candidates did not converge" in caplog.text


@pytest.mark.parametrize("path", ["sklearn.svm.NoSuch", "nowhere.Class", "json.dumps", "plain"])
def test_estimators_that_do_not_exist_are_named(path):
    with pytest.raises(ValueError, match="classifier"):
        load_estimator(path)
