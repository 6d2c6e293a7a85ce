"""Three-way decisions: the best pair of thresholds, budgets, constraints and errors."""

import re
from itertools import combinations_with_replacement

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from beyond_accuracy import ThreeWayClassifier
from beyond_accuracy.measures.operating_curve import RankedExamples
from beyond_accuracy.operating_points import make_objective, parse_constraints
from beyond_accuracy.operating_points.three_way import best_two_thresholds

SAFE = ["precision >= 0.9", "negative_predictive_value >= 0.95"]
RARE = ["predicted_positive_rate <= 0.0001"]


@pytest.fixture(scope="module")
def data():
    return make_classification(900, 6, weights=[0.7], flip_y=0.02, random_state=2)


@pytest.fixture(scope="module")
def fitted(data):
    X, y = data
    return LogisticRegression().fit(X[:400], y[:400])


@pytest.mark.parametrize("texts", [[], ["precision >= 0.7"], ["recall >= 0.8"], SAFE])
def test_the_pair_is_the_best_of_all_pairs(texts):
    rng = np.random.default_rng(0)
    scores = rng.random(40)
    positive = rng.random(40) < scores
    curve = RankedExamples(positive, scores).curve()
    constraints = parse_constraints(texts)
    objective = make_objective("accuracy", None, positive)
    point = best_two_thresholds(curve, objective, constraints, 0.3, np.ones((2, 41), dtype=bool))
    values = []
    for low, high in combinations_with_replacement([0, *np.sort(scores)], 2):
        act, leave = scores > high, scores <= low
        decided = act.sum() + leave.sum()
        table = [np.sum(a & b) for a, b in ((act, positive), (act, ~positive))]
        table += [np.sum(leave & positive), np.sum(leave & ~positive)]
        if decided >= 0.7 * 40 and all(each.holds(*table) for each in constraints):
            values.append(((table[0] + table[3]) / decided, decided))
    assert (point is None) == (not values)
    if values:
        assert (point.value, 40 * (1 - point.review_rate)) == pytest.approx(max(values))


def test_many_thresholds_are_thinned_without_loss_of_much():
    rng = np.random.default_rng(1)
    scores = rng.random(5000)
    positive = rng.random(5000) < scores
    curve = RankedExamples(positive, scores).curve()
    objective = make_objective("accuracy", None, positive)
    point = best_two_thresholds(curve, objective, [], 0.2, np.ones((2, 5001), dtype=bool))
    assert point.review_rate == pytest.approx(0.2, abs=0.01)
    # Between 0.4 and 0.6 a decision would be right in half of the cases, outside in 0.8.
    assert point.value == pytest.approx(0.8, abs=0.02)
    assert (point.low, point.high) == pytest.approx((0.4, 0.6), abs=0.05)


@pytest.mark.parametrize(("share", "budget"), [(1.0, 0.0), (0.01, 0.2)])
def test_thinning_keeps_thresholds_that_only_one_side_allows(share, budget):
    rng = np.random.default_rng(2)
    scores = rng.random(5000)
    positive = rng.random(5000) < scores
    curve = RankedExamples(positive, scores).curve()
    allowed = np.stack([rng.random(5001) < share, rng.random(5001) < 0.01])
    objective = make_objective("accuracy", None, positive)
    point = best_two_thresholds(curve, objective, [], budget, allowed)
    low, high = np.meshgrid(*map(np.flatnonzero, allowed), indexing="ij")
    right = (curve.tables[0][high] + curve.tables[3][low]) / (5000 - (high - low))
    possible = (low <= high) & (high - low <= budget * 5000)
    assert point.value == pytest.approx(right[possible].max())


def test_decisions_follow_the_thresholds(data, fitted):
    X, y = data[0][400:], data[1][400:]
    model = ThreeWayClassifier(fitted, constraints=SAFE, cv="prefit", review_budget=0.4).fit(X, y)
    scores, decisions = model.scores(X), model.decide(X)
    assert (scores[decisions == "act"] > model.high_threshold_).all()
    assert (scores[decisions == "leave"] <= model.low_threshold_).all()
    assert np.mean(decisions == "refer") == pytest.approx(model.review_rate_)
    assert model.review_rate_ <= 0.4
    act, leave = decisions == "act", decisions == "leave"
    assert y[act].mean() >= 0.9
    assert 1 - y[leave].mean() >= 0.95
    assert model.best_score_ == pytest.approx(np.mean((y == act)[act | leave]))
    assert set(model.constraint_estimates_) == set(SAFE)
    predicted = model.predict(X)
    assert predicted[act].all()
    assert not predicted[leave].any()


@pytest.mark.parametrize("weighted", [False, True])
def test_the_score_is_the_objective_on_the_decided_rows(data, fitted, weighted):
    X, y = data[0][400:], data[1][400:]
    weight = np.random.default_rng(0).uniform(1, 2, 500) if weighted else np.ones(500)
    for objective, sign in (("f1", 1), ("false_positive_rate", -1)):
        model = ThreeWayClassifier(fitted, objective, cv="prefit", review_budget=0.3)
        model.fit(X, y, weight if weighted else None)
        assert model.score(X, y, weight) == pytest.approx(sign * model.best_score_)
    with pytest.raises(ValueError, match="y holds the class 7"):
        model.score(X, np.full(500, 7))


def test_either_class_is_acted_on(data):
    X, y = data
    names = np.where(y == 1, "fraud", "legit")
    options = {"cv": StratifiedKFold(3), "review_budget": 0.2}
    model = ThreeWayClassifier(LogisticRegression(), pos_label="fraud", **options).fit(X, names)
    expected = ThreeWayClassifier(LogisticRegression(), **options).fit(X, y)
    np.testing.assert_array_equal(model.decide(X), expected.decide(X))
    assert model.score(X, names) == expected.score(X, y)


def test_without_a_budget_there_is_one_threshold(data):
    X, y = data
    model = ThreeWayClassifier(LogisticRegression(), review_budget=0).fit(X, y)
    assert model.low_threshold_ == model.high_threshold_
    scores = cross_val_predict(LogisticRegression(), X, y, method="predict_proba")[:, 1]
    best = max(np.mean((scores > cut) == y) for cut in scores)
    assert model.best_score_ == pytest.approx(best, abs=0.003)


def test_certified_decisions_hold_on_new_data():
    rng = np.random.default_rng(5)
    broken = found = 0

    class Score(LogisticRegression):
        def predict_proba(self, X):
            return np.column_stack([1 - X[:, 0], X[:, 0]])

    model = Score().fit([[0.0], [1.0]], [0, 1])
    texts = ["precision >= 0.8", "negative_predictive_value >= 0.8"]
    for _ in range(60):
        scores = rng.random(500)
        y = (rng.random(500) < scores).astype(int)
        way = ThreeWayClassifier(
            model, constraints=texts, cv="prefit", confidence=0.8, review_budget=0.9
        )
        try:
            way.fit(scores[:, None], y)
        except ValueError:
            continue
        found += 1
        # Precision above t is (1 + t)/2; negative predictive value below t is 1 − t/2.
        broken += way.high_threshold_ < 0.6 or way.low_threshold_ > 0.4
    assert found > 50
    assert broken <= 0.2 * found + 3 * np.sqrt(0.16 * found)


def test_the_error_says_what_can_be_certified(data, fitted):
    X, y = data[0][400:], data[1][400:]
    options = {"cv": "prefit", "review_budget": 1.0, "confidence": 0.9}
    texts = ["precision >= 0.5", "negative_predictive_value >= 0.96"]
    model = ThreeWayClassifier(fitted, constraints=texts, **options)
    with pytest.raises(ValueError, match="with confidence=0.9, shared by 2 constraints") as error:
        model.fit(X, y)
    said = str(error.value)
    assert f"no threshold is certain to meet '{texts[1]}'" in said
    assert said.count("precision") == 1
    (confidence,) = re.findall(r"one is with confidence=([\d.]+)", said)
    (bound,) = re.findall(r"one is certain to meet '(.+?)'", said)
    model.set_params(confidence=float(confidence)).fit(X, y)
    model.set_params(confidence=0.9, constraints=[texts[0], bound]).fit(X, y)
    model.set_params(constraints=["precision >= 0.95", texts[1]])
    with pytest.raises(ValueError, match=r"meet 'precision >= 0.95' with .* meet 'negative_pred"):
        model.fit(X, y)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"review_budget": 1.5}, "'review_budget' parameter"),
        ({"constraints": "predicted_positives <= 9"}, "without confidence: any rate"),
        (
            {"constraints": "recall >= 0.5", "confidence": 0.9},
            "cannot be certain to keep",
        ),
        ({"confidence": 0.9}, "confidence is for constraints on rates"),
        ({"objective": [[0, 1], [5, 0]]}, "costs are given as a function of the counts"),
        ({"constraints": SAFE, "review_budget": 0}, "review_budget=0 is below 0."),
        ({"constraints": [*RARE, "precision >= 1"]}, "whatever the review budget"),
    ],
)
def test_what_makes_no_sense_is_refused(data, options, said):
    X, y = data
    with pytest.raises(ValueError, match=".") as error:
        ThreeWayClassifier(LogisticRegression(), **options).fit(X, y)
    assert said in str(error.value)
