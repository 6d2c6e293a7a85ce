"""Cost-sensitive SVMs against LIBLINEAR; weights as repeated rows; the reduction of F_β."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from beyond_accuracy.estimators import (
    CostModelSVC,
    CostSensitiveSVC,
    FMeasureSVC,
    TargetCostSVC,
)
from beyond_accuracy.estimators.cost_sensitive_svc import costs_of_target
from beyond_accuracy.estimators.folds import stratified_folds
from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.reproduction import (
    LiblinearTargetCostSVC,
)


@pytest.mark.parametrize(
    "algorithm", ["bundle", "bundle_without_line_search", "coordinate_descent", "interior_point"]
)
def test_equals_liblinear_with_class_weights(imbalanced, algorithm):
    X, y = imbalanced
    model = CostSensitiveSVC(3.0, 0.5, C=0.2, algorithm=algorithm, tol=1e-6, max_iter=10**6)
    model.fit(X, y)
    liblinear = LinearSVC(
        loss="hinge", C=0.2, class_weight={0: 0.5, 1: 3.0}, tol=1e-9, max_iter=10**6
    ).fit(X, y)
    assert model.coef_ == pytest.approx(liblinear.coef_, abs=2e-3)
    assert model.dual_gap_ <= 1e-6
    assert model.history_[-1].primal == model.objective_


@pytest.mark.parametrize("algorithm", ["bundle", "coordinate_descent", "interior_point"])
@pytest.mark.parametrize("estimator", [CostSensitiveSVC, CostModelSVC])
def test_weights_are_repetition(imbalanced, algorithm, estimator):
    X, y = imbalanced
    count = np.random.default_rng(0).integers(0, 4, len(y))
    options = {"algorithm": algorithm} if estimator is CostSensitiveSVC else {}
    model = estimator(C=0.1, tol=1e-7, max_iter=10**6, **options)
    weighted = clone(model).fit(X, y, sample_weight=count)
    repeated = clone(model).fit(np.repeat(X, count, 0), np.repeat(y, count))
    assert weighted.objective_ == pytest.approx(repeated.objective_, rel=1e-6)
    assert weighted.coef_ == pytest.approx(repeated.coef_, abs=2e-3)


@given(
    st.integers(1, 50),
    st.integers(0, 50),
    st.integers(0, 50),
    st.floats(0.01, 1.0),
    st.sampled_from([0.5, 1.0, 2.0]),
)
def test_the_reduction(positives, missed, alarms, t, beta):
    """F_β ≥ t if and only if the cost is at most (1 + β²)(1 − t)·P."""
    missed = min(missed, positives)
    hits = positives - missed
    f = (1 + beta**2) * hits / ((1 + beta**2) * hits + beta**2 * missed + alarms)
    cost_positive, cost_negative = costs_of_target(t, beta)
    cost = cost_positive * missed + cost_negative * alarms
    slack = (1 + beta**2) * (1 - t) * positives - cost
    if abs(slack) > 1e-9:
        assert (f >= t) == (slack > 0)


def test_f_measure_by_validation_does_not_hang_on_the_storage_or_the_threads(imbalanced):
    X, y = imbalanced
    X = np.where(abs(X) < 0.5, 0.0, X)
    options = {"C": [0.01, 1.0], "t_grid": [0.5, 0.8], "algorithm": "coordinate_descent"}
    scores = [
        FMeasureSVC(**options, n_jobs=n, random_state=np.random.RandomState(0))
        .fit(convert(X), y)
        .validation_scores_
        for n, convert in ((1, np.asarray), (2, np.asarray), (1, scipy.sparse.csr_array))
    ]
    np.testing.assert_array_equal(scores[0], scores[1])
    assert scores[2] == pytest.approx(scores[0], abs=0.01)


def test_f_measure_by_validation_beats_equal_costs(imbalanced):
    X, y = imbalanced
    model = FMeasureSVC(C=[0.01, 1.0], t_grid=[0.2, 0.5, 0.8, 1.0]).fit(X, y)
    assert model.validation_scores_.shape == (4, 2)
    best = np.unravel_index(np.argmax(model.validation_scores_), (4, 2))
    assert (model.t_, model.C_) == ([0.2, 0.5, 0.8, 1.0][best[0]], [0.01, 1.0][best[1]])
    f1 = get_measure("f1")
    plain = CostSensitiveSVC().fit(X, y)
    reached = [f1.score(y == 1, each.decision_function(X)) for each in (model, plain)]
    assert reached[0] > reached[1]
    chosen = CostSensitiveSVC(*costs_of_target(model.t_, 1.0), C=model.C_).fit(X, y)
    assert chosen.objective_ == pytest.approx(model.objective_, rel=2e-3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"t_grid": [0.0, 0.5]}, r"t_grid holds 0; every value must be above 0"),
        ({"t_grid": [2.0]}, r"below 2"),
        ({"t_grid": []}, "at least one"),
        ({"C": [1.0, -1.0]}, "C holds -1"),
        ({"cv": [(np.arange(300), np.arange(0))]}, "test part of fold 0 is empty"),
    ],
)
def test_bad_grids_are_named(imbalanced, options, message):
    with pytest.raises(ValueError, match=message):
        FMeasureSVC(**options).fit(*imbalanced)


def test_few_distinct_examples_get_fewer_folds():
    X, y = np.repeat(np.arange(12.0)[:, None], 2, axis=0), np.repeat(np.arange(12) < 3, 2)
    with pytest.warns(UserWarning, match="cv=4 was lowered to 3: the rarer class has 3 examples"):
        folds = stratified_folds(X, y, 4, 0)
    assert sorted(folds[y]) == [0, 0, 1, 1, 2, 2]
    with pytest.raises(ValueError, match="a class has a single distinct example"):
        stratified_folds(X[4:], y[4:], 2, 0)


@pytest.mark.parametrize("sparse", [False, True])
def test_folds_are_stratified_and_keep_equal_examples_together(imbalanced, sparse):
    X, y = imbalanced
    X = scipy.sparse.csr_matrix(X) if sparse else X
    repeated = np.concatenate([np.arange(len(y)), np.arange(0, len(y), 3)])[::-1]
    folds = stratified_folds(X, y == 1, 4, 0)
    assert np.array_equal(stratified_folds(X[repeated], (y == 1)[repeated], 4, 0), folds[repeated])
    assert not np.array_equal(stratified_folds(X, y == 1, 4, 1), folds)
    for label in (0, 1):
        sizes = np.bincount(folds[y == label], minlength=4)
        assert sizes.max() - sizes.min() <= 1


def test_bad_costs_and_weights_are_named(imbalanced):
    X, y = imbalanced
    with pytest.raises(ValueError, match="cost_positive"):
        CostSensitiveSVC(0.0).fit(X, y)
    with pytest.raises(ValueError, match="at least one non-zero"):
        CostSensitiveSVC().fit(X, y, sample_weight=np.zeros(len(y)))
    with pytest.raises(ValueError, match="of one class only"):
        CostSensitiveSVC().fit(X, y, sample_weight=(y == 1).astype(float))
    with pytest.raises(ValueError, match="regularizes the intercept"):
        CostSensitiveSVC(algorithm="bundle", intercept="free").fit(X, y)
    with pytest.warns(ConvergenceWarning, match="at a duality gap of"):
        CostSensitiveSVC(algorithm="bundle", max_iter=2).fit(X, y)


def test_weights_count_in_the_f_measure_of_validation(imbalanced):
    """With weights that balance the classes, the validation scores are higher."""
    X, y = imbalanced
    weight = np.where(y == 1, 1.0, 0.01)
    equal = FMeasureSVC(C=0.1).fit(X, y).validation_scores_
    weighted = FMeasureSVC(C=0.1).fit(X, y, sample_weight=weight).validation_scores_
    assert weighted.min() > equal.max()


@pytest.mark.parametrize(("beta", "t"), [(1.0, 0.3), (2.0, 1.5), (0.5, 1.0)])
def test_costs_are_those_of_the_target(imbalanced, beta, t):
    X, y = imbalanced
    ours = TargetCostSVC(t, beta=beta, C=0.3, tol=1e-8).fit(X, y)
    costs = CostSensitiveSVC(1 + beta**2 - t, t, C=0.3, tol=1e-8).fit(X, y)
    assert ours.objective_ == costs.objective_


@pytest.mark.parametrize("t", [0.0, 2.0, 5.0])
@pytest.mark.parametrize("estimator", [TargetCostSVC, LiblinearTargetCostSVC])
def test_targets_outside_their_range_are_refused(imbalanced, estimator, t):
    with pytest.raises(ValueError, match="'t' parameter|t must be above 0 and below"):
        estimator(t).fit(*imbalanced)
