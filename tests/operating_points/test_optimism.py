"""Intervals of the score that a choice reaches on new data."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import MultiOutputClassifier

from beyond_accuracy import (
    MultiLabelOperatingPointClassifier,
    OperatingPointClassifier,
    ReweightedClassifier,
)
from beyond_accuracy.operating_points.optimism import score_interval

N_RULES = 30


@pytest.mark.parametrize("minimized", [False, True])
def test_the_best_of_many_equal_rules_is_covered(minimized):
    """All rules are correct half of the time, so every choice has accuracy 0.5."""
    rng = np.random.default_rng(5)
    n_runs, covered, optimistic = 100, 0, 0
    for _ in range(n_runs):
        right = rng.random((200, N_RULES)) < 0.5
        best = np.argmin if minimized else np.argmax
        low, high = score_interval(
            lambda rows, right=right, best=best: best(right[rows].mean(axis=0)),
            lambda rule, weight, right=right: np.average(right[:, rule], weights=weight),
            np.ones(200),
            n_resamples=100,
            random_state=np.random.RandomState(0),
            minimized=minimized,
        )
        covered += low <= 0.5 <= high
        optimistic += high < 0.5 if minimized else low > 0.5
    assert covered >= stats.binom.ppf(0.01, n_runs, 0.95)
    assert optimistic <= stats.binom.ppf(0.99, n_runs, 0.05)


@pytest.fixture(scope="module")
def binary():
    X, y = make_classification(500, weights=[0.8], class_sep=0.6, random_state=3)
    return X, y, LogisticRegression().fit(X[:250], y[:250])


SETTINGS = {"cv": "prefit", "n_resamples": 60, "random_state": 4}


@pytest.mark.parametrize("objective", ["f1_macro", "f1_micro"])
@pytest.mark.parametrize("weighted", [False, True])
def test_of_one_label_it_is_the_interval_of_two_classes(binary, objective, weighted):
    X, y, model = binary
    weight = np.random.default_rng(0).integers(1, 4, len(y)) * 1.0 if weighted else None
    own = OperatingPointClassifier(model, "f1", **SETTINGS).fit(X, y, sample_weight=weight)
    one_label = MultiOutputClassifier(LogisticRegression()).fit(X[:250], y[:250, None])
    wrapper = MultiLabelOperatingPointClassifier(one_label, objective, **SETTINGS)
    wrapper.fit(X, y[:, None], sample_weight=weight)
    assert wrapper.best_score_ == pytest.approx(own.best_score_, rel=1e-12)
    # If thresholds are equally good on a resample, the estimators may choose different gaps.
    assert wrapper.score_interval_ == pytest.approx(own.score_interval_, abs=0.005)


def test_of_two_classes_reweighting_has_the_interval_of_thresholds(binary):
    """Ties between thresholds are broken differently, so the ends agree only roughly."""
    X, y, model = binary
    own = OperatingPointClassifier(model, "balanced_accuracy", **SETTINGS).fit(X, y)
    wrapper = ReweightedClassifier(model, scoring="balanced_accuracy", shrinkage=0, **SETTINGS).fit(
        X, y
    )
    assert wrapper.best_score_ == pytest.approx(own.best_score_, rel=1e-12)
    assert wrapper.score_interval_ == pytest.approx(own.score_interval_, abs=0.01)
