"""CAPO and the weighted ensemble: against problem (11) solved directly, and their errors."""

import itertools
import warnings

import numpy as np
import pytest
import scipy.sparse
from scipy.optimize import minimize
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from beyond_accuracy.estimators import MultivariateSVC
from beyond_accuracy.estimators.auxiliaries import augment, auxiliary_outputs
from beyond_accuracy.estimators.capo import CAPOClassifier, matching_B
from beyond_accuracy.estimators.weighted_ensemble import WeightedEnsemble
from beyond_accuracy.solvers import make_solver


@pytest.fixture(scope="module")
def cancer():
    bunch = load_breast_cancer()
    X = (bunch.data - bunch.data.mean(axis=0)) / bunch.data.std(axis=0)
    return X[:, :6], np.where(bunch.target == 0, "malignant", "benign")


@pytest.mark.filterwarnings("ignore:auxiliary .* was left out:UserWarning")
@parametrize_with_checks([CAPOClassifier(), WeightedEnsemble()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def _problem_11(X, outputs, positive, B, C):
    """½‖w‖² + ½b² + B/2·‖a‖² + C·ξ for F1, over all labellings, by a general optimizer."""
    n, m, d = len(X), outputs.shape[1], X.shape[1]
    features = np.column_stack([outputs, X, np.ones(n)])
    penalty = np.r_[np.full(m, B), np.ones(d + 1)]
    losses, slopes = [], []
    for labelling in itertools.product([False, True], repeat=n):
        predicted = np.array(labelling)
        f1 = 2 * (predicted & positive).sum() / (positive.sum() + predicted.sum())
        losses.append(100 * (1 - f1))
        slopes.append(100 / n * (predicted.astype(float) - positive) @ features)
    losses, slopes = np.array(losses), np.array(slopes)
    result = minimize(
        lambda p: 0.5 * penalty @ p[:-1] ** 2 + C * p[-1],
        np.r_[np.zeros(m + d + 1), 100.0],
        jac=lambda p: np.r_[penalty * p[:-1], C],
        constraints={
            "type": "ineq",
            "fun": lambda p: p[-1] - losses - slopes @ p[:-1],
            "jac": lambda p: np.column_stack([-slopes, np.ones(len(slopes))]),
        },
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 500},
    )
    return result.fun, result.x[:-1]


@pytest.mark.parametrize("B", [0.1, 1.0, 7.0])
def test_augmented_optimum_is_that_of_problem_11(B):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 2))
    positive = np.array([True, False, True, False, False, True, False])
    outputs = np.where(rng.random((7, 2)) < 0.75, 1.0, -1.0) * np.where(positive, 1, -1)[:, None]
    expected, parameters = _problem_11(X, outputs, positive, B, 0.2)
    for A in (augment(X, outputs, B), augment(scipy.sparse.csr_matrix(X), outputs, B)):
        found = make_solver(A, positive, "f1").solve(0.2, tol=1e-8)
        assert found.objective == pytest.approx(expected, rel=1e-6)
        a = found.w[:2] * np.sqrt(1 / B)
        assert np.r_[a, found.w[2:]] == pytest.approx(parameters, abs=1e-3)


def test_classifier_is_the_sum_of_its_parts(cancer):
    X, y = cancer
    auxiliaries = [GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)]
    model = CAPOClassifier(auxiliaries, "f1", C=2.0, B=3.0, tol=1e-6).fit(X[::2], y[::2])
    outputs = np.column_stack(
        [np.where(a.fit(X[::2], y[::2]).predict(X) == "malignant", 1, -1) for a in auxiliaries]
    )
    scores = outputs @ model.auxiliary_coef_[0] + X @ model.coef_[0] + model.intercept_[0]
    assert model.decision_function(X) == pytest.approx(scores)
    usual = MultivariateSVC("f1", C=2.0, tol=1e-6).fit(augment(X, outputs, 3.0)[::2], y[::2])
    assert model.objective_ == pytest.approx(usual.objective_, rel=1e-5)
    assert model.decision_function(X) == pytest.approx(
        usual.decision_function(augment(X, outputs, 3.0)), abs=0.02
    )
    sparse = CAPOClassifier([KNeighborsClassifier()], "prbep", C=2.0).fit(
        scipy.sparse.csr_matrix(X), y
    )
    assert sparse.score(scipy.sparse.csr_matrix(X), y) > 0.9


def test_single_and_fixed_forms_agree_at_the_matching_B(cancer):
    X, y = cancer[0], cancer[1]
    positive = y == "malignant"
    auxiliary = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    output = np.where(auxiliary.predict(X) == "malignant", 1.0, -1.0)
    fixed = CAPOClassifier([auxiliary], "f1", C=3.0, form="fixed", tol=1e-6).fit(X, y)
    assert fixed.auxiliary_coef_.tolist() == [[1.0]]
    B = matching_B(X, output, positive, "f1", 3.0)
    single = CAPOClassifier([auxiliary], "f1", C=3.0, B=B, form="single", tol=1e-6).fit(X, y)
    assert single.auxiliary_coef_[0, 0] == pytest.approx(1.0, abs=1e-2)
    assert single.objective_ == pytest.approx(fixed.objective_ + B / 2, rel=1e-3)
    assert single.coef_ == pytest.approx(fixed.coef_, abs=0.02)
    # A misleading auxiliary has a negative weight at every B.
    assert matching_B(X, -output, positive, "f1", 3.0) is None


def test_ensemble_has_no_other_features(cancer):
    X, y = cancer
    auxiliaries = [GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)]
    model = WeightedEnsemble(auxiliaries, "prbep", C=5.0, tol=1e-6).fit(X, y)
    outputs = auxiliary_outputs(model.auxiliaries_, X, model.classes_)
    expected = MultivariateSVC("prbep", C=5.0, tol=1e-6).fit(outputs, y)
    assert model.objective_ == pytest.approx(expected.objective_, rel=1e-5)
    assert len(np.unique(model.decision_function(X))) <= 4


def test_fitted_auxiliaries_are_left_alone_and_unfitted_ones_are_cloned(cancer):
    X, y = cancer
    fitted = GaussianNB().fit(X[:100], y[:100])
    means, unfitted = fitted.theta_.copy(), LogisticRegression()
    model = CAPOClassifier([fitted, unfitted]).fit(X, y)
    assert model.auxiliaries_[0] is fitted
    np.testing.assert_array_equal(fitted.theta_, means)
    assert not hasattr(unfitted, "coef_")
    search = GridSearchCV(
        CAPOClassifier([FrozenEstimator(fitted)], "f1"), {"C": [0.1, 1.0]}, cv=2
    ).fit(X, y)
    assert search.best_estimator_.auxiliaries_[0].estimator is fitted


def test_cross_fitting_trains_on_outputs_for_cases_not_seen(cancer):
    X, y = cancer
    rng = np.random.default_rng(0)
    noisy = np.where(rng.random(len(y)) < 0.3, y[rng.permutation(len(y))], y)
    nearest = [KNeighborsClassifier(1)]
    seen = CAPOClassifier(nearest, "accuracy", C=5.0).fit(X, noisy)
    unseen = CAPOClassifier(nearest, "accuracy", C=5.0, cross_fit=True).fit(X, noisy)
    # A nearest neighbour repeats the labels that it has seen, errors included.
    assert seen.objective_ < 0.2 * unseen.objective_
    assert (unseen.predict(X) == y).mean() > (seen.predict(X) == y).mean()
    with pytest.raises(ValueError, match=r"auxiliary 0 \(GaussianNB\) is fitted already"):
        CAPOClassifier([GaussianNB().fit(X, y)], cross_fit=True).fit(X, y)


@pytest.mark.parametrize("estimator", [CAPOClassifier, WeightedEnsemble])
def test_bad_auxiliaries_are_named(cancer, estimator):
    X, y = cancer
    other = LogisticRegression().fit(X[:, :4], y)
    with pytest.raises(ValueError, match=r"auxiliary 1 \(LogisticRegression\) was fitted on 4 fea"):
        estimator([GaussianNB(), other]).fit(X, y)
    renamed = GaussianNB().fit(X, y == "benign")
    with pytest.raises(ValueError, match=r"auxiliary 0 \(GaussianNB\) was fitted on the classes"):
        estimator([renamed]).fit(X, y)
    with pytest.raises(ValueError, match=r"\(DummyClassifier\) predicts only class 'benign'"):
        estimator([DummyClassifier()]).fit(X, y)
    with pytest.raises(ValueError, match="auxiliaries is empty"):
        estimator([]).fit(X, y)
    with pytest.raises(NotFittedError, match=r"auxiliary 0 \(GaussianNB\) is not fitted"):
        auxiliary_outputs([GaussianNB()], X, np.unique(y))
    with pytest.raises(NotFittedError, match="not fitted"):
        estimator([FrozenEstimator(GaussianNB())]).fit(X, y)


def test_forms_count_their_auxiliaries_and_limits_are_reported(cancer):
    X, y = cancer
    for form in ("single", "fixed"):
        with pytest.raises(ValueError, match=f"form='{form}' takes exactly one auxiliary, found 2"):
            CAPOClassifier([GaussianNB(), GaussianNB()], form=form).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="stopped after 1 iterations"):
        CAPOClassifier([GaussianNB()], max_iter=1, tol=1e-9).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="stopped after 1 iterations"):
        WeightedEnsemble([GaussianNB(), LogisticRegression()], max_iter=1, tol=1e-9).fit(X, y)
    with pytest.raises(ValueError, match="B must be > 0, found 0"):
        augment(X, np.ones((len(X), 1)), 0)


def test_default_auxiliaries_that_say_nothing_are_left_out(cancer):
    X = cancer[0][:, :2]
    y = np.random.default_rng(0).integers(0, 2, len(X))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = CAPOClassifier().fit(X, y)
    left_out = [str(w.message) for w in caught if "was left out" in str(w.message)]
    assert len(left_out) == 1
    assert "auxiliary 1 (C45Classifier) predicts only class" in left_out[0]
    assert [type(a).__name__ for a in model.auxiliaries_] == ["CoreVectorMachine", "RBFNetwork"]
