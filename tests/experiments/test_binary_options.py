"""Options of the binary protocol: folds, thresholds, ties, repetitions, batch decisions."""

import dataclasses
import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold, cross_val_score

from beyond_accuracy_pipeline.experiments.experiment import result_frames
from beyond_accuracy_pipeline.experiments.seeds import derive_seed
from beyond_accuracy_pipeline.experiments.tasks import split_holdout

from .binary_runs import binary_data, run_binary

LOGISTIC = {
    "estimator": "sklearn.linear_model.LogisticRegression",
    "grid": {"C": [0.01, 0.05, 1.0]},
}
LIBLINEAR = {
    "estimator": "beyond_accuracy_pipeline.reproduction.LiblinearTargetCostSVC",
    "selection_parameters": {"tol": 0.1},
    "grid": {"t": [0.2, 0.6], "C": [0.1, 1.0]},
}


@pytest.fixture(scope="module")
def data():
    return binary_data(500, 300, weights=[0.8], class_sep=0.7, random_state=1)


def run(data, method, **paper):
    return run_binary(data, method, {"measures": ["f1"], "selection": {"folds": 3}, **paper})


def test_folds_equal_a_cross_validation_by_hand(data):
    row = run(data, LOGISTIC).fits[0]
    positive = data.y_train > 0
    seed = derive_seed(1, "p", "d", "yes", "folds")
    folds = StratifiedKFold(3, shuffle=True, random_state=seed)
    values = [
        cross_val_score(LogisticRegression(C=C), data.X_train, positive, cv=folds, scoring="f1")
        for C in LOGISTIC["grid"]["C"]
    ]
    values = np.mean(values, axis=1)
    assert json.loads(row["selected"])["C"] == LOGISTIC["grid"]["C"][int(np.argmax(values))]
    assert len(set(values)) == 3


def test_too_few_positives_for_the_folds_are_a_failed_row(data):
    y = np.full(300, -1, dtype=np.int8)
    y[:2] = 1
    row = run(dataclasses.replace(data, y_train=y), LOGISTIC).fits[0]
    assert row["status"] == "failed"
    assert "as many positives as there are folds, 3" in row["reason"]


def test_thresholds_are_those_best_on_the_holdout(data):
    """The best candidate at its best threshold is chosen, and scores are reduced by it."""
    method = {**LOGISTIC, "tune_threshold": True}
    result = run(data, method, selection={"holdout": 1 / 3})
    positive = data.y_train > 0
    [(fit, validation)] = split_holdout(positive, 1 / 3, derive_seed(1, "p", "d", "yes", "holdout"))
    best, gaps = {}, {}
    for C in LOGISTIC["grid"]["C"]:
        model = LogisticRegression(C=C).fit(data.X_train[fit], positive[fit])
        scores = model.decision_function(data.X_train[validation])
        values = {score: f1_score(positive[validation], scores >= score) for score in scores}
        least = max(values, key=values.get)
        best[C], gaps[C] = values[least], (scores[scores < least].max(), least)
    selected = json.loads(result.fits[0]["selected"])
    assert best[selected["C"]] == max(best.values())
    assert selected["threshold"] == pytest.approx(np.mean(gaps[selected["C"]]))
    model = LogisticRegression(C=selected["C"]).fit(data.X_train, positive)
    expected = model.decision_function(data.X_test) - selected["threshold"]
    np.testing.assert_allclose(result.arrays["f1"][0], expected)


class Untrained(ClassifierMixin, BaseEstimator):
    """Classifier that learns nothing; subclasses decide."""

    def __init__(self, C=1.0):
        self.C = C

    def fit(self, X, y):
        return self


class AllNegative(Untrained):
    """Classifier that predicts no positives, but ranks by feature 0 if C is large."""

    def decision_function(self, X):
        return -1e6 - X[:, 0] * (self.C > 1)


@pytest.mark.parametrize(("ties", "chosen"), [(None, 0.2), ("roc_area", 2.0)])
def test_ties_go_to_the_middle_candidate_or_to_the_best_ranking(data, ties, chosen):
    y = (data.X_train[:, 0] < np.median(data.X_train[:, 0])).astype(np.int64)
    data = dataclasses.replace(data, y_train=y)
    method = {"estimator": f"{__name__}.AllNegative", "grid": {"C": [0.1, 0.2, 0.3, 2.0]}}
    selection = {"holdout": 0.5, "ties": ties}
    [row] = run(data, method, measures=["accuracy"], selection=selection).fits
    assert json.loads(row["selected"]) == {"C": chosen}


def test_repetitions_change_nothing_but_the_seconds(data):
    once, often = run(data, LOGISTIC), run(data, LOGISTIC, repetitions=4)
    assert once.fits == often.fits
    assert (once.arrays["f1"] == often.arrays["f1"]).all()
    _, seconds = result_frames(often, paper="p", data_set="d", method="m")
    repetitions = seconds.groupby("stage")["repetition"].apply(list)
    assert repetitions["fit"] == repetitions["predict"] == [0, 1, 2, 3]
    assert repetitions["select"] == [0, 0, 0]


def test_stopping_parameters_and_gap_of_liblinear_are_recorded(data):
    row = run(data, LIBLINEAR).fits[0]
    assert json.loads(row["selected"])["tol"] in {1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4}
    assert 0 <= row["dual_gap"] <= 1e-3
    assert row["converged"]


class DecidesTogether(Untrained):
    """Classifier that predicts only the first example of a batch positive."""

    def decision_function(self, X):
        return np.ones(len(X))

    def batch_decision_function(self, X):
        return np.where(np.arange(len(X)) == 0, 1.0, -1.0)


def test_decisions_of_a_batch_are_preferred(data):
    method = {"estimator": f"{__name__}.DecidesTogether", "grid": {"C": [1.0]}}
    assert run(data, method).arrays["f1"][0].tolist() == [1.0] + [-1.0] * 199


def test_signs_alone_are_scored(data):
    plain, signs = (
        run(data, {**LOGISTIC, "score_signs": only}).arrays["f1"] for only in (False, True)
    )
    np.testing.assert_array_equal(signs, np.where(plain > 0, 1.0, -1.0))
