"""Folds given by users: masks work like indices; errors name parts that cannot be used."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, RepeatedKFold, TimeSeriesSplit
from sklearn.multioutput import MultiOutputClassifier

from beyond_accuracy import (
    CAPOClassifier,
    FMeasureSVC,
    MetroClassifier,
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
    "ratio": lambda cv: MetroClassifier(cv=cv),
    "adaptation": lambda cv: CAPOClassifier([LogisticRegression()], cv=cv),
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
        ([FIRST], "fold 0 of cv is no pair, found ndarray"),
        ([(FIRST, SECOND), (1.0 * SECOND, FIRST)], "training part of fold 1 has type float64"),
        ([(FIRST, SECOND[:, None])], rf"test part of fold 0 has .* shape \({N // 2}, 1\)"),
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


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name != "labels"])
@pytest.mark.parametrize("label", [0, 1])
def test_parts_of_one_class_are_refused(name, label):
    y = Y[:, 0]
    one_class = np.flatnonzero(y == label)
    for fold, message in (
        ((FIRST, one_class), "held-out rows lack the classes|test parts? .* no (posi|nega)tive"),
        ((one_class, SECOND), "training part of fold 0 has (one class only|no (posi|nega)tive)"),
    ):
        with pytest.raises(ValueError, match=message):
            ESTIMATORS[name]([fold]).fit(X, y)


def test_expected_costs_need_no_held_out_row_of_every_class():
    positives = np.flatnonzero(Y[:, 0])
    model = ReweightedClassifier(LogisticRegression(), "expected_cost", cv=[(FIRST, positives)])
    assert 0 < model.fit(X, Y[:, 0]).best_score_ < 1


def test_rows_of_weight_0_do_not_count_as_held_out():
    y = Y[:, 0]
    weight = np.where((y == 1) & np.isin(np.arange(N), SECOND), 0.0, 1.0)
    for model in (ReweightedClassifier(LogisticRegression()), FMeasureSVC()):
        with pytest.raises(ValueError, match="lack the classes|no positive example"):
            model.set_params(cv=[(FIRST, SECOND)]).fit(X, y, sample_weight=weight)


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
