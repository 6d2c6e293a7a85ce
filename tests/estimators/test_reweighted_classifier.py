"""ReweightedClassifier: metadata for the inner estimator, folds, costs, weights, errors."""

import warnings

import numpy as np
import pytest
import sklearn
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris, load_wine, make_classification
from sklearn.model_selection import GroupKFold, KFold, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from beyond_accuracy.estimators import OperatingPointClassifier, ReweightedClassifier
from beyond_accuracy.reweighting import (
    CoordinateDescentReweighter,
    ExactThreeClassReweighter,
    InvalidCostMatrixError,
    SequentialReweighter,
    average_cost,
)

COSTS = np.array([[0, 1, 9], [2, 0, 4], [3, 8, 0]])


class Recorder(ClassifierMixin, BaseEstimator):
    """Classifier that records rows and weights of its calls; column 0 of X is the row number."""

    calls: list = []

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        weights = None if sample_weight is None else np.asarray(sample_weight)
        type(self).calls.append(("fit", X[:, 0].astype(int), weights))
        return self

    def predict_proba(self, X):
        type(self).calls.append(("predict_proba", X[:, 0].astype(int), None))
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.fixture
def numbered():
    Recorder.calls = []
    return np.column_stack([np.arange(30), np.ones(30)]), np.arange(30) % 3


@pytest.mark.parametrize("routing", [False, True])
def test_sample_weight_reaches_every_fit(numbered, routing):
    X, y = numbered
    with sklearn.config_context(enable_metadata_routing=routing):
        inner = Recorder().set_fit_request(sample_weight=True) if routing else Recorder()
        ReweightedClassifier(inner, cv=3).fit(X, y, sample_weight=X[:, 0] + 100)
    fits = [(rows, weights) for kind, rows, weights in Recorder.calls if kind == "fit"]
    assert len(fits) == 4
    for rows, weights in fits:
        np.testing.assert_array_equal(weights, rows + 100)


def test_groups_reach_the_splitter(numbered):
    X, y = numbered
    groups = np.arange(30) // 10
    with sklearn.config_context(enable_metadata_routing=True):
        ReweightedClassifier(Recorder(), cv=GroupKFold(3)).fit(X, y, groups=groups)
    scored = [rows for kind, rows, _ in Recorder.calls if kind == "predict_proba"]
    assert sorted(set(groups[rows].tolist()).pop() for rows in scored) == [0, 1, 2]
    assert all(len(set(groups[rows])) == 1 for rows in scored)


def test_is_the_reweighter_on_out_of_fold_probabilities():
    X, y = load_wine(return_X_y=True)
    names = np.array(["red", "rose", "white"])[y]
    cv = KFold(4, shuffle=True, random_state=0)
    tree = DecisionTreeClassifier(max_depth=2, min_samples_leaf=5, random_state=0)
    model = ReweightedClassifier(tree, ExactThreeClassReweighter(), cost_matrix=COSTS, cv=cv)
    model.fit(X, names)
    scores = cross_val_predict(tree, X, y, cv=cv, method="predict_proba")
    assert model.reweighter_.objective_ == pytest.approx(
        average_cost(scores, y, model.reweighter_.weights_, COSTS)
    )
    weighted = model.estimator_.predict_proba(X) * model.reweighter_.weights_
    np.testing.assert_array_equal(model.predict(X), model.classes_[weighted.argmax(axis=1)])


def test_resubstitution_and_prefit_use_the_fitted_model():
    X, y = load_iris(return_X_y=True)
    fitted = GaussianNB().fit(X[::2], y[::2])
    before = fitted.predict_proba(X)
    prefit = ReweightedClassifier(fitted, cv="prefit").fit(X[1::2], y[1::2])
    assert prefit.estimator_ is fitted
    np.testing.assert_array_equal(fitted.predict_proba(X), before)
    own = ReweightedClassifier(GaussianNB(), cv="resubstitution").fit(X, y)
    direct = CoordinateDescentReweighter().fit(GaussianNB().fit(X, y).predict_proba(X), y)
    np.testing.assert_array_equal(own.reweighter_.weights_, direct.weights_)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"cost_matrix": COSTS * np.nan}, "is nan; costs must be finite"),
        ({"scoring": "f2"}, "unknown scoring 'f2'"),
        ({"scoring": "f1_macro", "cost_matrix": COSTS}, "found both"),
        ({"scoring": "f1_macro", "reweighter": SequentialReweighter()}, "default reweighter"),
        ({"scoring": lambda confusion: "much"}, "must return a number"),
        ({"shrinkage": 2.0}, "'shrinkage' parameter"),
        ({"cost_matrix": COSTS[:2]}, "must be square"),
        ({"cost_matrix": COSTS[:2, :2]}, "for 2 classes, the scores for 3"),
        ({"estimator": StandardScaler()}, "'estimator' parameter"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=message):
        ReweightedClassifier(**{"estimator": GaussianNB(), **parameters}).fit(X, y)


class Unfittable(GaussianNB):
    """Classifier whose fit fails, since costs must be checked before any fit."""

    def fit(self, X, y, sample_weight=None):
        raise AssertionError("fitted before the cost matrix was checked")


@pytest.mark.parametrize("cv", [None, "resubstitution"])
@pytest.mark.parametrize(
    "wrong", [COSTS[:2, :2], COSTS + np.inf, [["a", "b", "c"]] * 3, [[0], [1, 2]]]
)
def test_costs_are_checked_before_any_fit(cv, wrong):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(InvalidCostMatrixError):
        ReweightedClassifier(Unfittable(), cost_matrix=wrong, cv=cv).fit(X, y)
    fitted = GaussianNB().fit(X, y)
    fitted.predict_proba = Unfittable().fit
    with pytest.raises(InvalidCostMatrixError):
        ReweightedClassifier(fitted, cost_matrix=wrong, cv="prefit").fit(X, y)


@pytest.mark.parametrize(
    "model",
    [
        ReweightedClassifier(GaussianNB(), "expected_cost"),
        OperatingPointClassifier(GaussianNB(), "cost"),
    ],
)
def test_costs_by_position_are_told_to_come_by_name(model):
    X, y = make_classification(40, random_state=0)
    costs = np.ones((40, 2, 2)) - np.eye(2)
    with pytest.raises(ValueError, match=r"found shape \(40, 2, 2\); .*fit\(X, y, cost_matrix="):
        model.fit(X, y, costs)
    assert model.fit(X, y, cost_matrix=costs).needs_costs_


def test_indices_of_costs_are_classes_here_and_roles_for_a_threshold():
    X, y = make_classification(300, flip_y=0.2, random_state=0)
    names = np.where(y == 1, "bad", "good")
    probabilities = GaussianNB().fit(X, names).predict_proba(X)
    expected = np.where(9 * probabilities[:, 0] > probabilities[:, 1], "bad", "good")
    sorted_costs, role_costs = [[0, 9], [1, 0]], [[0, 1], [9, 0]]
    by_class = ReweightedClassifier(GaussianNB(), "expected_cost", cost_matrix=sorted_costs)
    with pytest.warns(UserWarning, match="index 0 is 'bad'"):
        by_class.fit(X, names)
    np.testing.assert_array_equal(by_class.predict(X), expected)
    by_role = OperatingPointClassifier(GaussianNB(), role_costs, pos_label="bad").fit(X, names)
    counts = sklearn.metrics.confusion_matrix(names, by_role.predict(X))
    assert by_role.score(X, names) == pytest.approx(-(counts * sorted_costs).sum() / len(y))


def test_bad_labels():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="only one class, 0"):
        ReweightedClassifier(GaussianNB()).fit(X[:50], y[:50])
    fitted = GaussianNB().fit(X[:100], y[:100])
    with pytest.raises(ValueError, match="does not know"):
        ReweightedClassifier(fitted, cv="prefit").fit(X, y)
    with pytest.raises(ValueError, match="fits no estimator"):
        ReweightedClassifier(fitted, cv="prefit").fit(X, y, groups=y)


@pytest.mark.parametrize("scoring", ["f1_macro", "balanced_accuracy"])
def test_a_measure_and_its_weights_are_fitted(scoring):
    """Weighted examples give the same class weights as repeated examples."""
    rng = np.random.default_rng(1)
    y = rng.choice(3, size=300, p=[0.8, 0.15, 0.05])
    X = rng.normal(size=(300, 2)) + np.array([[0, 0], [1, 0], [0, 1]])[y]
    weight = rng.integers(1, 4, 300)
    fitted = GaussianNB().fit(X, y)
    model = ReweightedClassifier(fitted, scoring=scoring, cv="prefit")
    weighted = model.fit(X, y, sample_weight=weight)
    repeated = ReweightedClassifier(fitted, scoring=scoring, cv="prefit")
    repeated.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.reweighter_.weights_, repeated.reweighter_.weights_)
    scorer = sklearn.metrics.get_scorer(scoring)
    reached = scorer(model, X, y, sample_weight=weight)
    assert model.best_score_ == pytest.approx(reached)
    assert model.score(X, y, weight) == pytest.approx(reached)
    assert reached > scorer(fitted, X, y, sample_weight=weight)


def test_gains_and_costs_of_each_example():
    X, y = load_wine(return_X_y=True)
    of_each = np.random.default_rng(2).normal(size=(len(y), 3, 3))
    fitted = GaussianNB().fit(X, y)
    for reweighter in (None, "expected_cost"):
        model = ReweightedClassifier(fitted, reweighter, cv="prefit")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X, y, cost_matrix=of_each)
        said = ['reweighter="expected_cost" decides by' in str(each.message) for each in caught]
        assert said == ([] if reweighter else [True])
        predicted = model.predict(X, of_each) if reweighter else model.predict(X)
        paid = of_each[np.arange(len(y)), y, predicted].mean()
        assert model.best_score_ == pytest.approx(paid)
        assert model.score(X, y, cost_matrix=of_each) == pytest.approx(-paid)
    least = ReweightedClassifier(fitted, cost_matrix=COSTS - 5, cv="prefit").fit(X, y)
    assert least.best_score_ == pytest.approx((COSTS - 5)[y, least.predict(X)].mean())
    assert least.score(X, y) == pytest.approx(-least.best_score_)
    with pytest.raises(ValueError, match="was fitted to the costs of fit"):
        least.predict(X, COSTS)
    with pytest.raises(ValueError, match="one cost matrix for all"):
        ReweightedClassifier(fitted, SequentialReweighter(), cv="prefit").fit(
            X, y, cost_matrix=of_each
        )


def test_named_classes_warn_which_costs_are_whose():
    """Costs for [legit, fraud] would be swapped in silence, as "fraud" is first in order."""
    X, y = make_classification(100, random_state=0)
    named = np.where(y == 1, "fraud", "legit")
    model = ReweightedClassifier(GaussianNB(), "expected_cost", cost_matrix=[[0, 1], [5, 0]])
    with pytest.warns(UserWarning, match="index 0 is 'fraud', index 1 is 'legit'"):
        model.fit(X, named)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X, named == "fraud")
        model.set_params(cost_matrix=None).fit(X, named)


def test_the_score_of_expected_costs_is_out_of_fold():
    """A tree is certain on its training data, so every decision would seem free."""
    X, y = make_classification(300, n_classes=3, n_informative=4, flip_y=0.3, random_state=0)
    tree = DecisionTreeClassifier(random_state=0)
    model = ReweightedClassifier(tree, "expected_cost", cost_matrix=COSTS, n_resamples=50).fit(X, y)
    probabilities = cross_val_predict(tree, X, y, cv=5, method="predict_proba")
    expected = COSTS[y, (probabilities @ COSTS).argmin(axis=1)].mean()
    assert model.best_score_ == pytest.approx(expected)
    assert expected > 0.5
    assert model.score_interval_[0] > 0.3
    model.set_params(cv="resubstitution").fit(X, y)
    assert model.best_score_ == 0.0


@pytest.mark.parametrize("costs", [COSTS, np.stack([COSTS] * 40)])
def test_examples_of_weight_0_are_none(costs):
    """Some resamples have only weights of 0, which must not be an error."""
    X, y = make_classification(40, n_classes=3, n_informative=4, random_state=0)
    weights = np.zeros(40)
    weights[[np.flatnonzero(y == label)[0] for label in range(3)]] = 1.0
    fitted, used = GaussianNB().fit(X, y), weights > 0
    options = {"cv": "prefit", "n_resamples": 600, "random_state": 0}
    model = ReweightedClassifier(fitted, **options)
    model.fit(X, y, cost_matrix=costs, sample_weight=weights)
    alone = ReweightedClassifier(fitted, **options)
    alone.fit(X[used], y[used], cost_matrix=costs if costs.ndim == 2 else costs[used])
    assert model.score_interval_ == alone.score_interval_
    np.testing.assert_array_equal(model.reweighter_.weights_, alone.reweighter_.weights_)


def test_expected_cost_fits_the_estimator_once_without_folds(numbered):
    X, y = numbered
    options = {"cost_matrix": COSTS, "cv": 3}
    model = ReweightedClassifier(Recorder(), "expected_cost", **options).fit(X, y)
    assert hasattr(model, "best_score_")
    assert [kind for kind, _, _ in Recorder.calls].count("fit") == 4
    Recorder.calls = []
    model.set_params(cv=None).fit(X, y)
    assert not hasattr(model, "best_score_")
    assert [kind for kind, _, _ in Recorder.calls] == ["fit"]


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("estimator", [GaussianNB(), LinearSVC(random_state=0)])
def test_calibration_is_that_of_scikit_learn(method, estimator):
    X, y = make_classification(300, n_classes=3, n_informative=4, flip_y=0.3, random_state=0)
    options = {"cost_matrix": COSTS, "cv": 3}
    model = ReweightedClassifier(estimator, "expected_cost", calibrate=method, **options).fit(X, y)
    calibrated = CalibratedClassifierCV(estimator, method=method)
    expected = (calibrated.fit(X, y).predict_proba(X) @ COSTS).argmin(axis=1)
    np.testing.assert_array_equal(model.predict(X), expected)
    outside = ReweightedClassifier(calibrated, "expected_cost", **options).fit(X, y)
    assert model.best_score_ == outside.best_score_
    with pytest.raises(ValueError, match="calibrate fits the classifier"):
        model.set_params(cv="prefit", estimator=calibrated).fit(X, y)


@pytest.mark.parametrize("calibrate", [None, "sigmoid"])
def test_probabilities_pass_through_to_scorers(calibrate):
    X, y = make_classification(300, flip_y=0.2, random_state=0)
    plain = CalibratedClassifierCV(GaussianNB(), cv=5) if calibrate else GaussianNB()
    model = ReweightedClassifier(GaussianNB(), cost_matrix=[[0, 1], [5, 0]], calibrate=calibrate)
    np.testing.assert_array_equal(
        cross_val_score(model, X, y, scoring="roc_auc", error_score="raise"),
        cross_val_score(plain, X, y, scoring="roc_auc"),
    )
    probabilities = model.fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(probabilities, plain.fit(X, y).predict_proba(X))
    expected = (probabilities * model.reweighter_.weights_).argmax(axis=1)
    np.testing.assert_array_equal(model.predict(X), expected)


def test_probabilities_are_there_only_if_the_estimator_has_them():
    assert not hasattr(ReweightedClassifier(LinearSVC()), "predict_proba")
    assert hasattr(ReweightedClassifier(LinearSVC(), calibrate="isotonic"), "predict_proba")


@pytest.mark.parametrize(
    "estimator", [OneVsRestClassifier(GaussianNB()), KNeighborsClassifier(), GaussianNB()]
)
def test_weights_that_the_estimator_does_not_see_are_said(estimator):
    X, y = load_iris(return_X_y=True)
    weights = np.linspace(0.5, 2, len(y))
    model = ReweightedClassifier(estimator, cv="resubstitution")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y, weights)
    said = [str(each.message) for each in caught if "sample_weight" in str(each.message)]
    assert len(said) == (not isinstance(estimator, GaussianNB))
    assert all(type(estimator).__name__ in text for text in said)


def test_a_reweighter_that_takes_no_weights_says_so(numbered):
    X, y = numbered
    with pytest.warns(UserWarning, match="SequentialReweighter counts every example once"):
        ReweightedClassifier(Recorder(), SequentialReweighter()).fit(
            X, y, sample_weight=np.ones(30)
        )


def test_rows_of_zeros_count_as_equal_probabilities():
    """OneVsRestClassifier of trees returns zeros where it predicts no class."""
    X, y = make_classification(400, n_classes=3, n_informative=4, flip_y=0.2, random_state=0)
    estimator = OneVsRestClassifier(DecisionTreeClassifier(random_state=0))
    model = ReweightedClassifier(estimator).fit(X[:200], y[:200])
    zeros = (model.estimator_.predict_proba(X) == 0).all(axis=1)
    assert zeros.any()
    expected = model.reweighter_.predict(np.full((1, 3), 1 / 3))[0]
    assert (model.predict(X)[zeros] == model.classes_[expected]).all()


class Given(ClassifierMixin, BaseEstimator):
    """Classifier with given probabilities; column 0 of X is the row number."""

    def __init__(self, probabilities=None):
        self.probabilities = probabilities

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return self.probabilities[X[:, 0].astype(int)]


_SHARES = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.5, 1.0]), min_size=3, max_size=3)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(_SHARES, st.integers(0, 2)), min_size=5, max_size=12), st.data())
def test_probabilities_of_zero_keep_no_class_from_what_costs_least(rows, data):
    """As good as the best threshold for two classes, and the best constant class for three."""
    m = data.draw(st.integers(2, 3))
    shares = np.array([own[:m] for own, _ in rows])
    shares[shares.sum(axis=1) == 0] = 1.0
    probabilities = shares / shares.sum(axis=1, keepdims=True)
    y = np.array([label % m for _, label in rows])
    y[:m] = range(m)
    prices = data.draw(st.lists(st.sampled_from([0, 1, 5, 50]), min_size=m * m, max_size=m * m))
    costs = np.reshape(prices, (m, m)) * (1 - np.eye(m))
    X = np.arange(len(y))[:, None]
    classifier = ReweightedClassifier(
        Given(probabilities).fit(X, y), cost_matrix=costs, cv="prefit"
    ).fit(X, y)
    predictions = [np.full(len(y), k) for k in range(m)]
    if m == 2:
        predictions += [probabilities[:, 1] >= cut for cut in probabilities[:, 1]]
    least = min(costs[y, predicted.astype(int)].mean() for predicted in predictions)
    assert costs[y, classifier.predict(X)].mean() <= least + 1e-12
    assert classifier.best_score_ == pytest.approx(costs[y, classifier.predict(X)].mean())


def test_what_helps_without_probabilities():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=r"no predict_proba.*CalibratedClassifierCV\(LinearSVC"):
        ReweightedClassifier(LinearSVC()).fit(X, y)
