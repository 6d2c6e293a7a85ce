"""Folds given by users: masks work like indices; errors name parts that cannot be used."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedKFold
from sklearn.multioutput import MultiOutputClassifier

from beyond_accuracy import (
    FMeasureSVC,
    MultiLabelOperatingPointClassifier,
    MultivariateSVCCV,
    OperatingPointClassifier,
    ReweightedClassifier,
)
from beyond_accuracy.estimators.folds import fold_indices
from beyond_accuracy.operating_points import parse_constraints

N = 60
FIRST, SECOND = np.arange(0, N, 2), np.arange(1, N, 2)
NOTHING = np.array([], dtype=int)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 3))
Y = (X + RNG.normal(size=X.shape) > 0).astype(int)

ESTIMATORS = {
    "operating point": lambda cv: OperatingPointClassifier(LogisticRegression(), "f1", cv=cv),
    "reweighted": lambda cv: ReweightedClassifier(LogisticRegression(), cv=cv),
    "path of C": lambda cv: MultivariateSVCCV("f1", cv=cv),
    "F-measure": lambda cv: FMeasureSVC(cv=cv),
    "labels": lambda cv: MultiLabelOperatingPointClassifier(
        MultiOutputClassifier(LogisticRegression()), "f1_macro", cv=cv
    ),
}


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize(
    ("cv", "message"),
    [
        ([], "cv holds no fold"),
        ([(FIRST, SECOND), (SECOND, NOTHING)], "the test part of fold 1 is empty"),
        ([(NOTHING, FIRST), (FIRST, SECOND)], "the training part of fold 0 is empty"),
        ([(FIRST, np.r_[SECOND, N])], f"fold 0 holds row {N}, but there are {N} rows"),
        ([(FIRST, np.r_[SECOND, -1])], "fold 0 holds row -1"),
        ([(FIRST, np.ones(N - 1, dtype=bool))], rf"shape \({N - 1},\); \({N},\) is needed"),
    ],
)
def test_folds_that_cannot_serve_are_named(name, cv, message):
    y = Y if name == "labels" else Y[:, 0]
    with pytest.raises(ValueError, match=message):
        ESTIMATORS[name](cv).fit(X, y)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_masks_are_as_good_as_indices(name):
    y = Y if name == "labels" else Y[:, 0]
    pairs = [(FIRST, SECOND), (SECOND, FIRST)]
    masks = [tuple(np.isin(np.arange(N), part) for part in pair) for pair in pairs]
    fitted = [ESTIMATORS[name](cv).fit(X, y).predict(X) for cv in (pairs, masks)]
    np.testing.assert_array_equal(*fitted)


@pytest.mark.parametrize("name", ["operating point", "reweighted", "labels"])
def test_decisions_on_out_of_fold_scores_need_a_partition(name):
    y = Y if name == "labels" else Y[:, 0]
    repeated = RepeatedKFold(n_splits=2, n_repeats=2, random_state=0)
    with pytest.raises(ValueError, match=f"0 of {N} rows into no test part and {N} into several"):
        ESTIMATORS[name](repeated).fit(X, y)


def test_indices_of_a_number_of_folds_are_a_partition():
    pairs = fold_indices(3, X, Y[:, 0], classifier=True)
    np.testing.assert_array_equal(
        np.sort(np.concatenate([test for _, test in pairs])), np.arange(N)
    )
    assert all(len(np.intersect1d(*pair)) == 0 for pair in pairs)


def test_a_constraint_that_is_no_text_is_named():
    with pytest.raises(ValueError, match="such as 'precision >= 0.9'; found 0.9"):
        parse_constraints(0.9)


def test_constraints_may_be_an_array():
    texts = np.array(["precision >= 0.5", "recall >= 0.1"])
    assert [each.name for each in parse_constraints(texts)] == ["precision", "recall"]
