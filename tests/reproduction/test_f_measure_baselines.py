"""Baselines of Cheng et al.: LIBLINEAR, the largest expected F_β, and the tuned threshold."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import fbeta_score, make_scorer
from sklearn.model_selection import StratifiedKFold, TunedThresholdClassifierCV

from beyond_accuracy.estimators import TargetCostSVC
from beyond_accuracy.inference import meuf
from beyond_accuracy_pipeline.experiments.methods import Method
from beyond_accuracy_pipeline.reproduction import (
    ExpectedFMeasureClassifier,
    LiblinearTargetCostSVC,
    TunedLogisticRegression,
)
from beyond_accuracy_pipeline.reproduction.tuned_logistic_regression import _f_score


def test_the_loosest_tolerance_of_liblinear_reaches_the_gap_and_no_looser_one_does(imbalanced):
    X, y = imbalanced
    model = LiblinearTargetCostSVC(0.4, C=5.0, gap=1e-3)
    tol = model.stopping_parameters(X, y)["tol"]
    optimum = TargetCostSVC(0.4, C=5.0, tol=1e-9).fit(X, y).objective_

    def gap(tolerance):
        fitted = LiblinearTargetCostSVC(0.4, C=5.0, tol=tolerance).fit(X, y)
        return 1 - optimum / fitted.objective_, fitted.relative_gap(X, y)

    true_gap, reported = gap(tol)
    assert true_gap <= 1e-3
    assert true_gap - 1e-8 <= reported <= true_gap + 2e-5
    assert tol == 1.0 or gap(3.0 * tol)[0] > 1e-3


def test_without_intercept_liblinear_has_the_optimum_of_this_packages_solver(imbalanced):
    X, y = imbalanced
    options = {"C": 5.0, "tol": 1e-6}
    with_intercept, without = (
        LiblinearTargetCostSVC(0.4, fit_intercept=own, max_iter=10**6, **options).fit(X, y)
        for own in (True, False)
    )
    optimum = TargetCostSVC(0.4, intercept="none", C=5.0, tol=1e-9).fit(X, y)
    assert without.intercept_.tolist() == [0.0]
    assert without.objective_ == pytest.approx(optimum.objective_, rel=1e-4)
    assert without.relative_gap(X, y) < 2e-4
    assert with_intercept.objective_ < optimum.objective_


def test_without_intercept_expected_f_has_the_weights_of_scikit_learns_regression(imbalanced):
    X, y = imbalanced
    model = ExpectedFMeasureClassifier(C=0.3, fit_intercept=False).fit(X, y)
    regression = LogisticRegression(C=0.3, fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(model.coef_, regression.coef_)
    probability = regression.predict_proba(X)[:, 1]
    assert (model.predict(X) == model.classes_[(probability > model.threshold_).astype(int)]).all()


@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_batches_get_the_decisions_of_largest_expected_f(imbalanced, beta):
    """Compare with the quadratic algorithm on scikit-learn's probabilities."""
    X, y = imbalanced
    model = ExpectedFMeasureClassifier(beta).fit(X[:300], y[:300])
    regression = LogisticRegression(max_iter=1000).fit(X[:300], y[:300])
    probabilities = regression.predict_proba(X[300:])[:, 1]
    expected, _ = meuf(probabilities, beta, "quadratic")
    assert (model.batch_decision_function(X[300:]) > 0).tolist() == expected.astype(bool).tolist()


def test_equal_examples_at_the_threshold_are_decided_one_by_one():
    X = np.repeat([[-1.0], [0.0], [1.0]], 40, axis=0)
    y = np.r_[np.zeros(40), np.arange(40) % 3 == 0, np.ones(40)].astype(int)
    model = ExpectedFMeasureClassifier(C=100.0).fit(X, y)
    probability = expit(X[:, 0] * model.coef_[0, 0] + model._log_odds[0])
    expected, _ = meuf(probability, 1.0, "quadratic")
    decision = model.batch_decision_function(X)
    assert (decision > 0).tolist() == expected.astype(bool).tolist()


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.3])
def test_the_tuned_threshold_is_that_of_scikit_learns_f_beta(imbalanced, beta):
    """Thresholds must agree to the bit: many of the hundred candidates are nearly equal."""
    X, y = imbalanced
    rival = TunedThresholdClassifierCV(
        LogisticRegression(C=0.1, tol=1e-4, max_iter=1000),
        scoring=make_scorer(fbeta_score, beta=beta, zero_division=0.0),
        response_method="predict_proba",
        cv=StratifiedKFold(3, shuffle=True, random_state=0),
        store_cv_results=True,
    ).fit(X, (y == 1).astype(int))
    model = TunedLogisticRegression(beta, C=0.1, cv=3).fit(X, y == 1)
    assert model.threshold_ == rival.best_threshold_
    probabilities = rival.estimator_.predict_proba(X)[:, 1]
    for threshold in [*rival.cv_results_["thresholds"], 2.0]:
        predicted = (probabilities >= threshold).astype(int)
        expected = fbeta_score(y == 1, predicted, beta=beta, zero_division=0.0)
        assert _f_score((y == 1).astype(int), predicted, beta) == expected


def test_folds_are_as_few_as_leave_none_without_positives(imbalanced):
    X, y = imbalanced
    rare = np.arange(len(y)) < 3
    with pytest.warns(UserWarning, match="cv=5 was lowered to 3") as caught:
        fewer = TunedLogisticRegression().fit(X, rare)
    assert caught[0].filename == __file__
    assert fewer.threshold_ == TunedLogisticRegression(cv=3).fit(X, rare).threshold_
    with pytest.raises(ValueError, match="a class has a single example"):
        TunedLogisticRegression().fit(X, np.arange(len(y)) < 1)


def test_a_fit_above_its_gap_is_not_recorded_as_converged(imbalanced):
    """LIBLINEAR ends without a warning at its tolerance, even if the gap is too large."""
    X, y = imbalanced
    configuration = {
        "estimator": "beyond_accuracy_pipeline.reproduction.LiblinearTargetCostSVC",
        "parameters": {"t": 0.4, "C": 100.0, "gap": 1e-6},
        "grid": {"C": [1.0]},
    }
    method = Method(configuration)
    fitted = method.fit(X, y == 1, {"tol": 1.0}, "f1")
    record = method.record(fitted, X, y == 1)
    assert record["dual_gap"] > 1e-6
    assert not record["converged"]


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_squared_hinge_of_liblinear_has_a_certified_gap(imbalanced, fit_intercept):
    """Compare with SciPy's minimum of the same smooth objective."""
    X, y = imbalanced
    signs, cost = np.where(y == 1, 1.0, -1.0), 5.0 * np.where(y == 1, 1.6, 0.4)
    features = np.c_[X, np.ones(len(X))] if fit_intercept else X

    def objective(w):
        losses = np.maximum(0.0, 1.0 - signs * (features @ w))
        gradient = w - features.T @ (2.0 * cost * losses * signs)
        return 0.5 * w @ w + cost @ losses**2, gradient

    optimum = minimize(objective, np.zeros(features.shape[1]), jac=True, tol=1e-12).fun
    options = {"loss": "squared_hinge", "fit_intercept": fit_intercept, "max_iter": 10**6}
    model = LiblinearTargetCostSVC(0.4, C=5.0, gap=1e-4, **options)
    model.set_params(**model.stopping_parameters(X, y)).fit(X, y)
    true_gap = 1 - optimum / model.objective_
    assert -1e-9 <= true_gap <= model.relative_gap(X, y) + 1e-9
    assert model.relative_gap(X, y) <= 1e-4
    # The lower bound of a loose fit is below the optimum, too.
    loose = model.set_params(tol=10.0).fit(X, y)
    assert loose.objective_ * (1 - loose.relative_gap(X, y)) <= optimum * (1 + 1e-9)
