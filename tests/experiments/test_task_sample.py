"""Samples of data sets, oversampling, and methods that are not fitted to sparse features."""

import numpy as np
import pytest
import scipy.sparse
from scipy.spatial.distance import cdist

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.experiments.methods import oversample
from beyond_accuracy_pipeline.experiments.tasks import draw_rows, evenly_ranked, sample_tasks

from .binary_runs import run_binary

SETTINGS = {"train": 120, "test": 60, "tasks": 2, "positives": 5}


@pytest.fixture
def whole():
    """900 rows of four classes without a test part; the first feature numbers the rows."""
    rng = np.random.default_rng(0)
    y = rng.choice(4, 900, p=[0.6, 0.25, 0.14, 0.01])
    X = np.column_stack([np.arange(900.0), rng.normal(5, 3, 900) + y])
    return PreparedDataSet("d", "multiclass", X, y, None, None, ("a", "b", "c", "d"))


def test_a_sample_has_the_shares_of_the_classes_and_parts_that_share_no_row(whole):
    data, tasks = sample_tasks(whole, SETTINGS, 1)
    assert abs(len(data.y_train) - 120) <= 2
    assert abs(len(data.y_test) - 60) <= 2
    np.testing.assert_allclose(
        np.bincount(data.y_train) / len(data.y_train), np.bincount(whole.y_train) / 900, atol=0.01
    )
    # Feature 0 numbers the rows, so even after scaling no value may occur in both parts.
    assert not set(data.X_train[:, 0].round(9)) & set(data.X_test[:, 0].round(9))
    np.testing.assert_allclose(data.X_train.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(data.X_train.std(axis=0), 1)
    # About one row of class "d" is expected, and "a" is the most frequent class.
    assert [task.name for task in tasks] == ["b", "c"]
    assert (tasks[0].train == (data.y_train == 1)).all()


def test_a_sample_follows_the_seed_and_its_tasks_do_not(whole):
    (first, tasks), (second, others) = (sample_tasks(whole, SETTINGS, seed) for seed in (1, 2))
    assert [task.name for task in tasks] == [task.name for task in others]
    assert not np.array_equal(first.X_train, second.X_train)
    np.testing.assert_array_equal(first.X_train, sample_tasks(whole, SETTINGS, 1)[0].X_train)


def test_labels_are_drawn_whole_and_sparse_features_stay_as_they_are():
    rng = np.random.default_rng(0)
    X = scipy.sparse.csr_matrix(rng.random((50, 4)))
    y = (rng.random((50, 3)) < 0.4).astype(np.uint8)
    data, _ = sample_tasks(
        PreparedDataSet("d", "multilabel", X, y, X, y, ("a", "b", "c")), SETTINGS | {"train": 20}, 0
    )
    assert data.y_train.shape == (20, 3)
    known = {tuple(row): tuple(labels) for row, labels in zip(X.toarray(), y, strict=True)}
    for row, labels in zip(data.X_train.toarray(), data.y_train, strict=True):
        assert known[tuple(row)] == tuple(labels)


def test_spread_takes_the_rarest_and_ranks_between():
    frequencies = {"a": 50, "b": 4, "c": 10, "d": 30, "e": 20}
    assert evenly_ranked(frequencies, 1, 5) == ["c"]
    assert evenly_ranked(frequencies, 2, 5) == ["c", "e"]
    assert evenly_ranked(frequencies, 9, 5) == ["c", "e", "d"]
    assert evenly_ranked(frequencies, 2, 99) == ["a"]
    assert evenly_ranked({"a": 7}, 2, 5) == ["a"]


def test_every_class_keeps_a_row():
    y = np.repeat([0, 1, 2], [900, 99, 1])
    rows = draw_rows(y, 100, np.random.default_rng(0))
    assert np.bincount(y[rows]).tolist() == [90, 10, 1]
    assert (np.diff(rows) > 0).all()


@pytest.mark.parametrize("n_positives", [2, 30])
def test_smote_puts_examples_between_neighbours(n_positives):
    rng = np.random.default_rng(0)
    X, positive = rng.normal(size=(200, 2)), np.arange(200) < n_positives
    X_more, more = oversample(X, positive, "smote", 3)
    assert more.sum() == (~more).sum() == 200 - n_positives
    np.testing.assert_array_equal(X_more[:200], X)
    members = X[positive]
    for new in X_more[200:]:
        # For a point on a segment, the distances to both ends add up to the segment's length.
        detour = cdist([new], members) + cdist([new], members).T - cdist(members, members)
        assert detour[~np.eye(len(members), dtype=bool)].min() == pytest.approx(0, abs=1e-7)


def test_nothing_is_oversampled_without_a_method_or_from_one_example():
    X, positive = np.eye(4), np.arange(4) < 1
    for method in (None, "smote"):
        assert oversample(X, positive, method, 0)[0] is X


BOOSTING = "sklearn.ensemble.HistGradientBoostingClassifier"
SMALL = {"estimator": BOOSTING, "parameters": {"max_iter": 2}, "grid": {}}
LOGISTIC = {"estimator": "sklearn.linear_model.LogisticRegression", "grid": {"C": [0.1, 1]}}


def run(data, method):
    paper = {"measures": ["f1"], "selection": {"holdout": 1 / 3}, "sample": SETTINGS}
    return run_binary(data, method, paper)


def test_methods_for_dense_features_are_not_fitted_to_sparse_ones(whole):
    sparse = PreparedDataSet(
        "d", "multiclass", scipy.sparse.csr_matrix(whole.X_train), whole.y_train, None, None, "abcd"
    )
    adapted = {
        "estimator": "beyond_accuracy.estimators.CAPOClassifier",
        "auxiliaries": {"boosted": SMALL},
        "grid": {"C": [1]},
    }
    for method in (SMALL, adapted):
        for fit in run(sparse, method).fits:
            assert fit["status"] == "unavailable"
            assert "sparse, and HistGradientBoostingClassifier takes dense" in fit["reason"]
    assert {fit["status"] for fit in run(sparse, LOGISTIC).fits} == {"ok"}
    fits = run(whole, SMALL).fits
    assert {(fit["status"], fit["sparse"]) for fit in fits} == {("ok", False)}
