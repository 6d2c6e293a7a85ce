"""C by cross-validation against single fits, and the data-dependent unit of C."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import GroupKFold, StratifiedKFold

from beyond_accuracy.estimators import MultivariateSVC, MultivariateSVCCV
from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers.multivariate_svm import scaled_unit


@pytest.mark.filterwarnings("ignore:w = 0 is optimal")
@pytest.mark.parametrize("options", [{}, {"kernel": "rbf", "gamma": 0.1, "trace_tol": 1e-6}])
@pytest.mark.parametrize("measure", ["f1", "partial_roc_area_0_0.2"])
def test_scores_are_those_of_fits_one_by_one(imbalanced, measure, options):
    X, y = imbalanced
    X, y = X[:300], y[:300]
    exact = {"tol": 1e-7, **options}
    model = MultivariateSVCCV(measure, Cs=[1.0, 0.1, 10.0], cv=3, candidate_tol=1e-7, **exact)
    model.fit(X, y)
    assert model.Cs_.tolist() == [0.1, 1.0, 10.0]
    score = get_measure(measure).score
    for fold, (train, test) in enumerate(StratifiedKFold(3).split(X, y)):
        for place, C in enumerate(model.Cs_):
            single = MultivariateSVC(measure, C=C, C_convention="scaled", **exact)
            decisions = single.fit(X[train], y[train]).decision_function(X[test])
            expected = score(y[test] == model.classes_[1], decisions)
            assert model.scores_[fold, place] == pytest.approx(expected, abs=0.02)
    assert model.Cs_[np.argmax(model.scores_.mean(axis=0))] == model.C_
    last = MultivariateSVC(measure, C=model.C_, C_convention="scaled", **exact).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), last.decision_function(X))
    assert (model.objective_, model.dual_gap_) == (last.objective_, last.dual_gap_)


@pytest.mark.filterwarnings("ignore:w = 0 is optimal")
def test_the_grid_grows_while_the_last_is_the_best():
    """F1 is 0.54 at the second C of the grid, and 0.65 at a C beyond its end."""
    X, y = make_classification(
        4000, n_informative=10, weights=[0.9], flip_y=0.02, class_sep=0.8, random_state=15
    )
    model = MultivariateSVCCV().fit(X[:2000], y[:2000])
    means = model.scores_.mean(axis=0)
    assert means[:6].max() < means.max() - 0.005
    assert np.argmax(means) > 5
    assert np.diff(np.log10(model.Cs_)) == pytest.approx(0.5)
    assert get_measure("f1").score(y[2000:] == 1, model.decision_function(X[2000:])) > 0.6
    given = MultivariateSVCCV(Cs=np.logspace(-2, 0.5, 6)).fit(X[:2000], y[:2000])
    assert len(given.Cs_) == 6


def test_what_helps_where_no_C_does(imbalanced):
    """Each class is symmetric around 0, so both means are equal and w = 0 is optimal."""
    X, y = imbalanced
    X, y = np.vstack([X[:200], -X[:200]]), np.tile(y[:200], 2)
    with pytest.warns(UserWarning, match=r'OperatingPointClassifier\(.*"f1"\)') as caught:
        model = MultivariateSVCCV().fit(X, y)
    assert len(caught) == 1
    assert "increase C" not in str(caught[0].message)
    assert model.degenerate_
    with pytest.warns(UserWarning, match="change the features, or take a kernel"):
        MultivariateSVCCV("roc_area").fit(X, y)


def test_where_no_C_beats_a_constant_prediction_the_fallback_is_used():
    """The final fit is better than a constant on its training data only."""
    rng = np.random.default_rng(0)
    y = np.arange(120) % 4 == 0
    X = rng.normal(size=(120, 60))
    with pytest.warns(UserWarning, match="no better than a constant prediction"):
        model = MultivariateSVCCV("f1", Cs=[100.0]).fit(X, y)
    assert model.scores_.mean() < 2 / 5  # F1 of predicting only positives
    plain = MultivariateSVC("f1", C=100.0, C_convention="scaled").fit(X, y)
    assert plain.fallback_ is None
    assert model.fallback_ == "roc_area"


def test_of_equal_scores_the_smallest_C_counts():
    """Random features, three positives: F1 is 0 in all folds at every C."""
    X = np.random.default_rng(2).normal(size=(100, 10))
    model = MultivariateSVCCV(cv=3).fit(X, (np.arange(100) < 3).astype(int))
    assert np.ptp(model.scores_) == 0
    assert model.Cs_[0] == model.C_
    assert not model.degenerate_


def test_C_does_not_hang_on_the_storage():
    X, y = make_classification(600, 10, weights=[0.85], flip_y=0.05, random_state=0)
    dense, sparse = (MultivariateSVCCV().fit(each, y) for each in (X, scipy.sparse.csr_array(X)))
    np.testing.assert_array_equal(dense.scores_, sparse.scores_)
    np.testing.assert_array_equal(dense.coef_, sparse.coef_)
    assert MultivariateSVCCV(Cs=1, cv=2, C_convention="svm_perf").fit(X, y).C_ == 1.0


def test_threads_change_nothing(imbalanced):
    X, y = imbalanced
    one = MultivariateSVCCV(cv=3).fit(X, y)
    two = MultivariateSVCCV(cv=3, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(one.scores_, two.scores_)
    np.testing.assert_array_equal(one.coef_, two.coef_)
    assert one.scores_.shape == (3, len(one.Cs_))


def test_a_number_of_Cs_depends_on_the_convention(imbalanced):
    model = MultivariateSVCCV(Cs=3, C_convention="liblinear", cv=2).fit(*imbalanced)
    assert model.Cs_ == pytest.approx([1e-4, 1.0, 1e4])
    assert clone(model).get_params() == model.get_params()
    assert "C" not in model.get_params()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"Cs": [1.0, 0.0]}, "Cs must hold numbers above 0"),
        ({"Cs": []}, "Cs must hold numbers above 0"),
        ({"Cs": [[1.0, 2.0], [3.0, 4.0]]}, r"shape \(n_Cs,\), found \[\[1.0"),
        ({"Cs": 0}, "'Cs' parameter"),
        ({"cv": [(np.arange(50, 600), np.arange(50))]}, "the test part of fold 0 has no positive"),
        ({"n_jobs": 1.5}, "'n_jobs' parameter"),
        ({"measure": "f_1"}, "did you mean 'f1'"),
    ],
)
def test_bad_parameters(imbalanced, options, message):
    X, y = imbalanced
    order = np.argsort(y == np.unique(y)[1], kind="stable")
    with pytest.raises(ValueError, match=message):
        MultivariateSVCCV(**options).fit(X[order], y[order])


def test_few_examples_get_fewer_folds(imbalanced):
    X, y = imbalanced
    few = np.append(np.flatnonzero(y == 0)[:30], np.flatnonzero(y == 1)[:3])
    with pytest.warns(UserWarning, match="cv=5 was lowered to 3: the rarer class has 3 examples"):
        assert MultivariateSVCCV().fit(X[few], y[few]).scores_.shape[0] == 3
    with pytest.raises(ValueError, match="part of fold 0 has no positive example"):
        MultivariateSVCCV().fit(X[few[:31]], y[few[:31]])


@pytest.mark.parametrize(("measure", "expected"), [("f1", 0.1), ("roc_area", 0.025)])
def test_the_unit_of_two_points(measure, expected):
    """With means 2 apart, the gradient is 100·2, halved for labels; the unit is 1000/gradient²."""
    X, y = np.array([[1.0], [-1.0]]), np.array([True, False])
    assert scaled_unit(X, y, measure) == pytest.approx(expected)
    assert scaled_unit(scipy.sparse.csr_matrix(X), y, measure) == pytest.approx(expected)
    assert scaled_unit(np.ones((2, 1)), y, measure) == 0
    # Equal means count as 10⁻⁴ standard deviations apart; the standard deviation is 1 here.
    mirrored = np.array([[1.0], [-1.0], [1.0], [-1.0]])
    assert scaled_unit(mirrored, np.arange(4) < 2, measure) == pytest.approx(expected * 4e8)


@pytest.mark.parametrize("measure", ["f1", "prbep", "average_precision"])
def test_a_scaled_C_means_the_same_for_any_number_and_scale(imbalanced, measure):
    X, y = imbalanced
    model = MultivariateSVC(measure, C=2.0, C_convention="scaled", fit_intercept=False, tol=1e-6)
    decisions = clone(model).fit(X, y).decision_function(X)
    tenfold = clone(model).fit(10 * X, y).decision_function(10 * X)
    assert tenfold == pytest.approx(decisions, abs=0.02)
    unit = scaled_unit(X, y == np.unique(y)[1], measure)
    plain = clone(model).set_params(C=2 * unit, C_convention="svm_perf").fit(X, y)
    assert plain.decision_function(X) == pytest.approx(decisions, abs=1e-9)
    twice = scaled_unit(np.tile(X, (2, 1)), np.tile(y == np.unique(y)[1], 2), measure)
    assert twice == pytest.approx(unit)


@pytest.mark.filterwarnings("ignore:w = 0 is optimal")
@pytest.mark.parametrize("convention", ["svm_perf", "liblinear"])
def test_the_default_is_the_larger_of_two_weights_within_a_limit(convention):
    def objective(X, **parameters):
        return MultivariateSVC(tol=1e-6, **parameters).fit(X, y).objective_

    rng = np.random.default_rng(0)
    y = np.arange(200) < 40
    separate = rng.normal(size=(200, 5)) + y[:, None]
    close = 0.01 * separate
    equal = np.vstack([separate[:40] + 1e-9, np.tile(separate[:40], (4, 1))])
    for X, C in ((separate, 2.0), (close, scaled_unit(close, y, "f1")), (equal, 2e4)):
        expected = objective(X, C=C)
        assert objective(X, C_convention=convention) == pytest.approx(expected, rel=1e-4)


def test_groups_are_for_the_splitter(imbalanced):
    X, y = imbalanced
    groups = np.arange(len(y)) // 4
    folds = list(GroupKFold(3).split(X, y, groups))
    grouped = MultivariateSVCCV(Cs=2, cv=GroupKFold(3)).fit(X, y, groups=groups)
    given = MultivariateSVCCV(Cs=2, cv=folds).fit(X, y)
    np.testing.assert_array_equal(grouped.scores_, given.scores_)
    with pytest.raises(TypeError, match="takes X and y, and no groups"):
        MultivariateSVC().fit(X, y, groups=groups)


def test_a_fold_on_which_the_measure_is_undefined_is_named(imbalanced):
    X, y = imbalanced
    positives, rows = np.flatnonzero(y == 1), np.arange(len(y))
    folds = [(np.setdiff1d(rows, test), test) for test in (rows[::5], positives[:3])]
    with pytest.raises(ValueError, match="roc_area is undefined on the test part of fold 1"):
        MultivariateSVCCV("roc_area", Cs=2, cv=folds).fit(X, y)
    assert np.isfinite(MultivariateSVCCV("f1", Cs=2, cv=folds).fit(X, y).scores_).all()
