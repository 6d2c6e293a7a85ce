"""cost_scorer: the costs of the scored rows reach the decisions, as in a loop over the folds."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.datasets import load_wine, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from beyond_accuracy import OperatingPointClassifier, ReweightedClassifier, cost_scorer

FOLDS = StratifiedKFold(3)
COSTS = np.array([[0, 1, 9], [2, 0, 4], [3, 8, 0]])
BY_ROW = ReweightedClassifier(LogisticRegression(), "expected_cost")
IN_A_BUDGET = OperatingPointClassifier(
    LogisticRegression(), "cost", constraints="predicted_positives <= 15", batch_size=200
)


@pytest.fixture(scope="module")
def problem():
    X, y = make_classification(600, weights=[0.85], flip_y=0.1, random_state=0)
    costs = np.zeros((600, 2, 2))
    costs[:, 1, 0] = np.random.default_rng(0).gamma(2.0, 50.0, 600)
    costs[:, :, 1] = 10.0
    return X, y, costs


def scores_of_a_loop(model, decide, X, y, costs):
    scores = []
    for train, test in FOLDS.split(X, y):
        model.fit(X[train], y[train], cost_matrix=costs[train])
        predicted = decide(model, X[test], costs[test])
        scores.append(-costs[test, y[test], predicted].mean())
    return scores


@pytest.mark.parametrize("in_pipeline", [False, True])
@pytest.mark.parametrize("scoring", [cost_scorer(), None])
@pytest.mark.parametrize(
    ("model", "decide"),
    [
        (BY_ROW, lambda model, X, costs: model.predict(X, costs)),
        (IN_A_BUDGET, lambda model, X, costs: model.predict_batch(X, costs)),
    ],
    ids=["row by row", "budget"],
)
def test_each_fold_gets_the_costs_of_its_rows(problem, model, decide, scoring, in_pipeline):
    X, y, costs = problem
    expected = scores_of_a_loop(model, decide, X, y, costs)
    estimator = make_pipeline("passthrough", model) if in_pipeline else model
    with config_context(enable_metadata_routing=True):
        found = cross_validate(
            estimator, X, y, scoring=scoring, cv=FOLDS, params={"cost_matrix": costs}
        )
    np.testing.assert_allclose(found["test_score"], expected)


def test_a_search_around_a_pipeline_selects_by_cost(problem):
    X, y, costs = problem
    pipeline = make_pipeline(StandardScaler(), BY_ROW)
    grid = {"reweightedclassifier__estimator__C": [1e-4, 1.0]}
    with config_context(enable_metadata_routing=True):
        search = GridSearchCV(pipeline, grid, scoring=cost_scorer(), cv=FOLDS)
        search.fit(X, y, cost_matrix=costs)
        score = search.score(X, y, cost_matrix=costs)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    predicted = search.best_estimator_[-1].predict(search.best_estimator_[0].transform(X), costs)
    paid = costs[np.arange(600), y, predicted]
    assert score == pytest.approx(-paid.mean())
    assert cost_scorer()(search, X, y, cost_matrix=costs) == pytest.approx(score)


def test_any_classifier_and_any_number_of_classes():
    X, y = load_wine(return_X_y=True)
    names = np.array(["red", "rose", "white"])[y]
    expected = [
        -COSTS[y[test], GaussianNB().fit(X[train], y[train]).predict(X[test])].mean()
        for train, test in FOLDS.split(X, y)
    ]
    scores = cross_val_score(GaussianNB(), X, names, scoring=cost_scorer(COSTS), cv=FOLDS)
    np.testing.assert_allclose(scores, expected)
    fitted, weights = GaussianNB().fit(X, names), np.arange(178.0)
    found = cost_scorer()(fitted, X, names, sample_weight=weights, cost_matrix=COSTS)
    paid = COSTS[y, np.searchsorted(fitted.classes_, fitted.predict(X))]
    assert found == pytest.approx(-np.average(paid, weights=weights))


def test_missing_and_misshapen_costs_are_named(problem):
    X, y, costs = problem
    model = BY_ROW.fit(X, y, cost_matrix=costs)
    with pytest.raises(ValueError, match="enable_metadata_routing=True"):
        cost_scorer()(model, X, y)
    with pytest.raises(ValueError, match="score needs those of its rows: .*enable_metadata_rout"):
        model.score(X, y)
    for wrong in (costs[1:], costs[:, 0], costs[:, :, :1]):
        with pytest.raises(
            ValueError, match=r"(must have shape \(600, 2, 2\)|row, true, predicted\]).*; found"
        ):
            cost_scorer()(model, X, y, cost_matrix=wrong)
    with pytest.raises(ValueError, match="y holds the class 2, which the fitted"):
        cost_scorer()(model, X, y + 1, cost_matrix=costs)
