"""Measures of the confusion matrix against enumeration, scikit-learn and repeated rows."""

import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    f1_score,
    matthews_corrcoef,
    recall_score,
)

from beyond_accuracy.measures.multiclass import score
from beyond_accuracy.reweighting import (
    CoordinateDescentReweighter,
    ExactThreeClassReweighter,
    ExpectedCostReweighter,
    average_cost,
)

BY_SCIKIT_LEARN = {
    "accuracy": accuracy_score,
    "balanced_accuracy": balanced_accuracy_score,
    "f1_macro": lambda y, p: f1_score(y, p, average="macro", labels=np.unique(y), zero_division=0),
    "f1_weighted": lambda y, p: f1_score(y, p, average="weighted", zero_division=0),
    "geometric_mean": lambda y, p: np.prod(r := recall_score(y, p, average=None)) ** (1 / len(r)),
    "matthews_corrcoef": matthews_corrcoef,
}
every_scoring = pytest.mark.parametrize("scoring", BY_SCIKIT_LEARN)


def squared_recalls(confusion):
    """Score one confusion matrix; this function accepts no batch."""
    assert confusion.ndim == 2
    return (np.diag(confusion) ** 2 / np.maximum(confusion.sum(axis=1), 1)).sum()


@pytest.mark.parametrize(("lowest", "named"), [(0.0, "-inf"), (-1.0, "nan")])
@pytest.mark.filterwarnings("ignore")
def test_scorings_that_are_no_numbers_are_named(lowest, named):
    def scoring(confusion):
        return float(np.log(np.diag(confusion) + lowest).sum())

    scores = np.array([[0.5, 0.5, 0.0], [0.6, 0.4, 0.0], [0.4, 0.6, 0.0]])
    with pytest.raises(ValueError, match=f"the scoring is {named} for a confusion matrix"):
        CoordinateDescentReweighter(scoring=scoring).fit(scores, [0, 1, 2])


def reachable(scores):
    """Return all predictions that positive weights of three classes give, around every vertex."""
    logs = np.log(scores)
    a, b = logs[:, 0] - logs[:, 1], logs[:, 0] - logs[:, 2]
    d = b - a
    u = np.concatenate([np.repeat(a, len(b)), np.repeat(a, len(b)), (b[:, None] - d).ravel()])
    v = np.concatenate([np.tile(b, len(a)), (a[:, None] + d).ravel(), np.repeat(b, len(d))])
    angles = np.linspace(0.1, 0.1 + 2 * np.pi, 24, endpoint=False)
    points = np.stack([np.zeros((len(u), 24)), u[:, None] + 1e-7 * np.cos(angles),
                       v[:, None] + 1e-7 * np.sin(angles)], axis=2).reshape(-1, 1, 3)  # fmt: skip
    return np.unique(np.argmax(logs + points, axis=2), axis=0)


@every_scoring
def test_three_classes_against_all_reachable_confusion_matrices(problem, scoring):
    shortfalls = []
    for seed in range(6):
        scores, y, _ = problem(12, 3, seed)
        best = max(BY_SCIKIT_LEARN[scoring](y, each) for each in reachable(scores))
        model = CoordinateDescentReweighter(scoring=scoring).fit(scores, y)
        reached = BY_SCIKIT_LEARN[scoring](y, model.predict(scores))
        assert model.objective_ == pytest.approx(reached)
        assert reached <= best + 1e-12
        shortfalls.append(best - reached)
    # Local optima are rare, and only slightly worse.
    assert np.mean(shortfalls) <= 0.02
    assert np.min(shortfalls) <= 1e-12


@pytest.mark.parametrize("scoring", [None, "f1_macro", "matthews_corrcoef", squared_recalls])
def test_no_single_weight_can_be_improved(problem, scoring):
    scores, y, costs = problem(200, 5, 1)
    model = CoordinateDescentReweighter(scoring=scoring)
    model.fit(scores, y, None if scoring else costs)
    for j in range(5):
        for factor in np.exp(np.linspace(-5, 5, 201)):
            weights = model.weights_.copy()
            weights[j] *= factor
            if scoring is None:
                assert average_cost(scores, y, weights, costs) >= model.objective_ - 1e-12
                continue
            confusion = np.zeros((5, 5))
            np.add.at(confusion, (y, np.argmax(scores * weights, axis=1)), 1)
            assert score(scoring, confusion) <= model.objective_ + 1e-9


@pytest.mark.parametrize("scoring", [None, "f1_macro", "balanced_accuracy"])
@pytest.mark.parametrize("shrinkage", [0.0, "cross_validation"])
def test_weights_are_repetitions(problem, scoring, shrinkage):
    scores, y, _ = problem(80, 4, 4)
    weight = np.random.default_rng(5).integers(0, 4, 80)
    model = CoordinateDescentReweighter(scoring=scoring, shrinkage=shrinkage)
    weighted = model.fit(scores, y, sample_weight=weight).weights_
    repeated = model.fit(np.repeat(scores, weight, axis=0), np.repeat(y, weight)).weights_
    np.testing.assert_allclose(weighted, repeated, rtol=1e-10)


def test_gains_change_nothing_but_the_average(problem):
    scores, y, costs = problem(100, 4, 6)
    gains = np.array([0.0, 5.0, -2.0, 7.0])
    plain = CoordinateDescentReweighter().fit(scores, y, costs)
    shifted = CoordinateDescentReweighter().fit(scores, y, costs - np.maximum(gains, 0)[:, None])
    np.testing.assert_allclose(shifted.weights_, plain.weights_)
    assert shifted.objective_ == pytest.approx(plain.objective_ - np.maximum(gains, 0)[y].mean())


def test_costs_of_each_example_are_those_of_the_matrix_and_more(problem):
    scores, y, costs = problem(100, 3, 7)
    amounts = np.random.default_rng(8).integers(1, 5, 100)
    of_each = costs * amounts[:, None, None]
    model = CoordinateDescentReweighter().fit(scores, y, of_each)
    weighted = CoordinateDescentReweighter().fit(scores, y, costs, sample_weight=amounts)
    np.testing.assert_allclose(model.weights_, weighted.weights_)
    repeated = ExactThreeClassReweighter()
    repeated.fit(np.repeat(scores, amounts, axis=0), np.repeat(y, amounts), costs)
    least = repeated.objective_ * amounts.mean()
    assert least - 1e-12 <= model.objective_ <= 1.02 * least


def test_shrinkage_goes_from_the_weights_to_none(problem):
    scores, y, costs = problem(100, 4, 9)
    free = CoordinateDescentReweighter().fit(scores, y, costs)
    half = CoordinateDescentReweighter(shrinkage=0.5).fit(scores, y, costs)
    np.testing.assert_allclose(half.weights_, np.sqrt(free.weights_))
    none = CoordinateDescentReweighter(shrinkage=1.0).fit(scores, y, costs)
    np.testing.assert_array_equal(none.weights_, np.ones(4))
    assert none.objective_ == pytest.approx(average_cost(scores, y, np.ones(4), costs))


def test_shrinkage_is_full_where_there_is_nothing_to_learn():
    """With true probabilities and 0/1 costs no weights are needed, so most gains are chance."""
    rng = np.random.default_rng(10)
    chosen, excess = [], []
    for _ in range(10):
        scores = rng.dirichlet(np.full(6, 0.5), size=1060)
        y = (scores.cumsum(axis=1) > rng.random((1060, 1))).argmax(axis=1)
        few, rest = slice(0, 60), slice(60, None)
        free = CoordinateDescentReweighter().fit(scores[few], y[few])
        model = CoordinateDescentReweighter(shrinkage="cross_validation").fit(scores[few], y[few])
        chosen.append(model.shrinkage_)
        excess.append(
            average_cost(scores[rest], y[rest], free.weights_)
            - average_cost(scores[rest], y[rest], model.weights_)
        )
    assert np.mean(chosen) > 0.5
    assert np.mean(excess) > 0


def test_expected_cost_is_the_least_of_all(problem):
    scores, y, costs = problem(30, 3, 11)
    model = ExpectedCostReweighter().fit(scores, y, costs - 3.0)
    of_each = np.random.default_rng(12).normal(size=(30, 3, 3))
    for predicted, used in (
        (model.predict(scores), np.broadcast_to(costs, (30, 3, 3))),
        (model.predict(scores, of_each), of_each),
    ):
        for i in range(30):
            expected = [sum(scores[i, k] * used[i, k, j] for k in range(3)) for j in range(3)]
            assert expected[predicted[i]] == pytest.approx(min(expected))
    assert model.objective_ == pytest.approx((costs[y, model.predict(scores)] - 3).mean())
    with pytest.raises(ValueError, match="give those of the examples to predict"):
        ExpectedCostReweighter().fit(scores, y, of_each).predict(scores)
    with pytest.raises(ValueError, match="costs of each example must have shape"):
        model.predict(scores[:5], of_each)


def macro_precision(confusions):
    """Return the mean precision, with 0 for classes never predicted; batches are accepted."""
    hits, predicted = np.diagonal(confusions, axis1=-2, axis2=-1), confusions.sum(axis=-2)
    return np.where(predicted > 0, hits / np.where(predicted > 0, predicted, 1), 0.0).mean(axis=-1)


@pytest.mark.parametrize("scoring", ["geometric_mean", macro_precision])
@pytest.mark.parametrize("seed", range(6))
def test_fractional_weights_leave_nothing_in_empty_cells(problem, scoring, seed):
    """Adding and subtracting weights may leave about 1e-16, above or below 0."""
    scores, y, _ = problem(200, 3, seed)
    weights = np.random.default_rng(seed).random(200)
    model = CoordinateDescentReweighter(scoring=scoring).fit(scores, y, sample_weight=weights)
    of_end = np.zeros((3, 3))
    np.add.at(of_end, (y, model.predict(scores)), weights)
    plain = np.zeros((3, 3))
    np.add.at(plain, (y, scores.argmax(axis=1)), weights)
    score_of = macro_precision if callable(scoring) else lambda one: score(scoring, one)
    assert model.objective_ == pytest.approx(score_of(of_end))
    assert model.objective_ >= score_of(plain) - 1e-9


@pytest.mark.parametrize(
    ("scoring", "said"),
    [
        ("recall_macro", "did you mean 'balanced_accuracy'"),
        ("f1_micro", "did you mean 'accuracy'"),
        ("f1", r"'f1_macro'\? for two classes take OperatingPointClassifier\(estimator, 'f1'\)"),
        ("roc_auc", "unknown scoring 'roc_auc'; choose one of"),
        (balanced_accuracy_score, "has the name 'balanced_accuracy' here"),
    ],
)
def test_other_names_of_scorings_are_known(problem, scoring, said):
    scores, y, _ = problem(50, 3)
    with pytest.raises(ValueError, match=said):
        CoordinateDescentReweighter(scoring=scoring).fit(scores, y)
