"""Folds given by users: masks work like indices; errors name parts that cannot be used."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, RepeatedKFold, TimeSeriesSplit
from sklearn.multioutput import MultiOutputClassifier

from beyond_accuracy import (
    FMeasureSVC,
    MultiLabelOperatingPointClassifier,
    MultivariateSVCCV,
    OperatingPointClassifier,
    ReweightedClassifier,
)
from beyond_accuracy.estimators.folds import fold_indices

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
def test_folds_that_cannot_serve_are_named(cv, message):
    with pytest.raises(ValueError, match=message):
        fold_indices(cv, X, Y[:, 0], classifier=True)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_masks_are_as_good_as_indices(name):
    y = Y if name == "labels" else Y[:, 0]
    pairs = [(FIRST, SECOND), (SECOND, FIRST)]
    masks = [tuple(np.isin(np.arange(N), part) for part in pair) for pair in pairs]
    fitted = [ESTIMATORS[name](cv).fit(X, y).predict(X) for cv in (pairs, masks)]
    np.testing.assert_array_equal(*fitted)


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize(
    "cv",
    [TimeSeriesSplit(3), 0.3, RepeatedKFold(n_splits=2, n_repeats=2, random_state=0)],
    ids=["time-ordered", "holdout", "repeated"],
)
def test_splits_that_are_no_partition_serve(name, cv):
    y = Y if name == "labels" else Y[:, 0]
    assert set(np.unique(ESTIMATORS[name](cv).fit(X, y).predict(X))) <= {0, 1}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_groups_reach_the_splitter(name):
    y = Y if name == "labels" else Y[:, 0]
    groups = np.arange(N) // 3
    folds = list(GroupKFold(4).split(X, y, groups))
    fitted = [
        ESTIMATORS[name](GroupKFold(4)).fit(X, y, groups=groups),
        ESTIMATORS[name](folds).fit(X, y),
    ]
    np.testing.assert_array_equal(*(model.predict(X) for model in fitted))


@pytest.mark.parametrize("cv", [3, None, 0.3])
def test_numbers_of_folds_and_shares_keep_groups_together(cv):
    groups = np.arange(N) // 3
    for train, test in fold_indices(cv, X, Y[:, 0], classifier=True, groups=groups):
        assert not set(groups[train]) & set(groups[test])


def test_a_share_is_one_stratified_holdout():
    ((train, test),) = fold_indices(0.25, X, Y[:, 0], classifier=True)
    assert len(test) == 15
    assert abs(Y[test, 0].mean() - Y[:, 0].mean()) < 1 / 15
    np.testing.assert_array_equal(np.sort(np.append(train, test)), np.arange(N))
