"""Certified constraints hold on new data as often as promised, in simulations with known truth."""

import numpy as np
import pytest
from scipy import stats

from beyond_accuracy.measures.operating_curve import RankedExamples
from beyond_accuracy.operating_points import (
    best_operating_point,
    certified_thresholds,
    make_objective,
    parse_constraints,
)
from beyond_accuracy.operating_points.certification import explain_uncertified
from beyond_accuracy.operating_points.optimism import (
    cross_fitted_tables,
    estimate_constraints,
    random_parts,
)

N_RUNS = 400
CONFIDENCE = 0.9


def draw(rng, n):
    """Draw uniform scores s, positive with probability s; precision above t is (1 + t)/2."""
    scores = rng.random(n)
    return rng.random(n) < scores, scores


TRUTH = {
    "precision >= 0.8": lambda t: (1 + t) / 2 >= 0.8,
    "precision <= 0.6": lambda t: (1 + t) / 2 <= 0.6,
    "recall >= 0.7": lambda t: 1 - t * t >= 0.7,
    "false_positive_rate <= 0.2": lambda t: (1 - t) ** 2 <= 0.2,
    "negative_predictive_value >= 0.8": lambda t: 1 - t / 2 >= 0.8,
    # The best accuracy is 0.75, at the threshold 0.5.
    "accuracy >= 0.7": lambda t: 0.5 + t - t * t >= 0.7,
}


def chosen(rng, texts, objective, is_certified, n=600):
    """Return the threshold chosen on n draws, or None if no threshold is allowed."""
    positive, scores = draw(rng, n)
    constraints, examples = parse_constraints(texts), RankedExamples(positive, scores)
    allowed = None
    if is_certified:
        start = int(np.searchsorted(examples.thresholds, 0.5))
        allowed = certified_thresholds(examples.tables(), constraints, CONFIDENCE, start=start)
    objective = make_objective(objective, None, positive)
    point = best_operating_point(examples, objective, constraints, allowed=allowed)
    return None if point is None else float(np.clip(point.threshold, 0, 1))


@pytest.mark.parametrize(
    ("texts", "objective", "least_found"),
    [
        (["precision >= 0.8"], "recall", 0.95),
        (["precision <= 0.6"], "precision", 0.95),
        (["recall >= 0.7"], "precision", 1),
        (["false_positive_rate <= 0.2"], "recall", 1),
        (["negative_predictive_value >= 0.8"], "precision", 0.95),
        (["precision >= 0.8", "false_positive_rate <= 0.2"], "recall", 0.9),
        (["accuracy >= 0.7"], "recall", 0.7),
    ],
)
def test_constraints_hold_as_often_as_promised(texts, objective, least_found):
    rng = np.random.default_rng(len(texts[0]))
    thresholds = [chosen(rng, texts, objective, True) for _ in range(N_RUNS)]
    found = [threshold for threshold in thresholds if threshold is not None]
    n_broken = sum(not all(TRUTH[text](each) for text in texts) for each in found)
    assert n_broken <= stats.binom.ppf(0.999, N_RUNS, 1 - CONFIDENCE)
    assert len(found) >= least_found * N_RUNS


def test_errors_at_the_top_leave_a_second_start():
    """Of the highest scores 0.85 are positive, and of the next ones more."""
    rng = np.random.default_rng(4)
    constraints, found = parse_constraints("precision >= 0.85"), []
    for _ in range(100):
        scores = rng.random(750)
        positive = rng.random(750) < np.select([scores > 0.9, scores > 0.5], [0.85, 0.99], 0.1)
        examples = RankedExamples(positive, scores)
        certified = certified_thresholds(
            examples.tables(), constraints, CONFIDENCE, start=examples.index(0.5)
        )
        found.append(certified.any())
    assert np.mean(found) > 0.9


def test_two_starts_share_the_allowed_error():
    """The precision is just below the bound at every threshold, so nothing may be certified."""
    rng = np.random.default_rng(6)
    constraints, wrong = parse_constraints("precision >= 0.8"), 0
    for _ in range(N_RUNS):
        positive, scores = rng.random(2000) < 0.7999, rng.random(2000)
        tables = RankedExamples(positive, scores).tables()
        wrong += certified_thresholds(tables, constraints, CONFIDENCE, start=0).any()
    assert wrong <= stats.binom.ppf(0.999, N_RUNS, 1 - CONFIDENCE)


def test_p_values_are_those_of_binomial_tests():
    positive, scores = draw(np.random.default_rng(2), 100)
    curve = RankedExamples(positive, scores).curve()
    for text in ("recall >= 0.7", "false_positive_rate <= 0.2", "predicted_positive_rate >= 0.3"):
        (constraint,) = constraints = parse_constraints(text)
        rates = {
            "recall": (curve.tables[0], positive.sum()),
            "false_positive_rate": (curve.tables[1], (~positive).sum()),
            "predicted_positive_rate": (curve.tables[0] + curve.tables[1], 100),
        }
        successes, trials = rates[constraint.name]
        side = "greater" if constraint.at_least else "less"
        expected = [
            stats.binomtest(int(k), int(trials), constraint.bound, side).pvalue <= 0.1
            for k in successes
        ]
        assert certified_thresholds(curve.tables, constraints, 0.9).tolist() == expected


def test_the_probability_and_the_bound_that_are_named_can_be_certified():
    tables = RankedExamples(*draw(np.random.default_rng(0), 200)).tables()

    def certify(constraints, confidence):
        return certified_thresholds(tables, constraints, confidence)

    constraints = parse_constraints("precision >= 0.93")
    said = explain_uncertified(certify, constraints, 0.95)
    assert not certify(constraints, 0.95).any()
    confidence = float(said.partition("confidence=")[2].partition(";")[0])
    bound = said.split("'")[3].removeprefix("precision >= ")
    assert certify(constraints, confidence).any()
    assert certify(parse_constraints(f"precision >= {bound}"), 0.95).any()


@pytest.mark.parametrize("text", ["precision >= 0.8", "recall >= 0.7", "f1 >= 0.6"])
def test_the_estimate_for_new_data_is_not_optimistic(text):
    """F1 above t is 2(1 − t²)/(1 + 2(1 − t))."""
    truth = {
        "precision": lambda t: (1 + t) / 2,
        "recall": lambda t: 1 - t * t,
        "f1": lambda t: 2 * (1 - t * t) / (3 - 2 * t),
    }
    (constraint,) = constraints = parse_constraints(text)
    other = "precision" if constraint.name == "recall" else "recall"
    rng = np.random.default_rng(7)
    errors, in_interval, probabilities, held = [], 0, [], 0
    for _ in range(100):
        positive, scores = draw(rng, 400)

        def choose(rows, positive=positive, scores=scores):
            examples = RankedExamples(positive[rows], scores[rows])
            objective = make_objective(other, None, positive[rows])
            point = best_operating_point(examples, objective, constraints)
            return float(np.clip(point.threshold, 0, 1))

        def count(threshold, rows, positive=positive, scores=scores):
            act, is_positive = scores[rows] > threshold, positive[rows]
            cells = act & is_positive, act & ~is_positive, ~act & is_positive, ~act & ~is_positive
            return [np.sum(cell) for cell in cells]

        threshold = choose(np.arange(400))
        parts = random_parts(positive, np.random.RandomState(0))
        table = cross_fitted_tables(choose, count, parts).sum(axis=0)
        estimates, probability = estimate_constraints(table, constraints, np.random.RandomState(0))
        estimate = estimates[text]
        value = truth[constraint.name](threshold)
        errors.append(estimate.value - value)
        in_interval += estimate.interval[0] <= value <= estimate.interval[1]
        probabilities.append(probability)
        held += value >= constraint.bound
    assert abs(np.mean(errors)) < 0.015
    assert in_interval >= 85
    assert abs(np.mean(probabilities) - held / 100) < 0.15


def test_the_probability_that_all_hold_is_joint():
    table = np.array([40.0, 10.0, 10.0, 40.0])
    both = parse_constraints(["precision >= 0.8", "recall >= 0.8"])
    estimates, joint = estimate_constraints(table, both, np.random.RandomState(0))
    for text, estimate in estimates.items():
        beta = stats.beta(40.5, 10.5)
        assert estimate.value == pytest.approx(beta.mean(), abs=0.005)
        assert estimate.interval == pytest.approx(beta.ppf([0.025, 0.975]), abs=0.01)
        assert estimate.probability == pytest.approx(beta.sf(0.8), abs=0.03), text
    assert joint < min(each.probability for each in estimates.values()) - 0.1
