"""Guarantees hold on new data as often as promised, in simulations with known truth."""

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

N_RUNS = 400
PROBABILITY = 0.9


def draw(rng, n):
    """Draw uniform scores s, positive with probability s; precision above t is (1 + t)/2."""
    scores = rng.random(n)
    return rng.random(n) < scores, scores


TRUTH = {
    "precision >= 0.8": lambda t: (1 + t) / 2 >= 0.8,
    "recall >= 0.7": lambda t: 1 - t * t >= 0.7,
    "false_positive_rate <= 0.2": lambda t: (1 - t) ** 2 <= 0.2,
    "negative_predictive_value >= 0.8": lambda t: 1 - t / 2 >= 0.8,
    # The best accuracy is 0.75, at the threshold 0.5.
    "accuracy >= 0.7": lambda t: 0.5 + t - t * t >= 0.7,
}


def chosen(rng, texts, objective, guaranteed):
    """Return the threshold chosen on 600 draws, or None if no threshold is allowed."""
    positive, scores = draw(rng, 600)
    constraints = parse_constraints(texts)
    allowed = None
    if guaranteed:
        allowed = certified_thresholds(
            positive, scores, constraints, PROBABILITY, np.random.RandomState(rng.integers(2**31))
        )
        if not len(allowed):
            return None
    objective = make_objective(objective, None, positive)
    examples = RankedExamples(positive, scores)
    point = best_operating_point(examples, objective, constraints, allowed=allowed)
    return None if point is None else float(np.clip(point.threshold, 0, 1))


@pytest.mark.parametrize(
    ("texts", "objective", "least_found"),
    [
        (["precision >= 0.8"], "recall", 0.8),
        (["recall >= 0.7"], "precision", 1),
        (["false_positive_rate <= 0.2"], "recall", 1),
        (["negative_predictive_value >= 0.8"], "precision", 0.8),
        (["precision >= 0.8", "false_positive_rate <= 0.2"], "recall", 0.8),
        (["accuracy >= 0.7"], "recall", 0.5),
    ],
)
def test_constraints_hold_as_often_as_promised(texts, objective, least_found):
    rng = np.random.default_rng(len(texts[0]))
    thresholds = [chosen(rng, texts, objective, True) for _ in range(N_RUNS)]
    found = [threshold for threshold in thresholds if threshold is not None]
    n_broken = sum(not all(TRUTH[text](each) for text in texts) for each in found)
    assert n_broken <= stats.binom.ppf(0.999, N_RUNS, 1 - PROBABILITY)
    assert len(found) >= least_found * N_RUNS


def test_a_guarantee_costs_no_more_recall_than_it_must():
    rng = np.random.default_rng(0)
    found = [chosen(rng, ["precision >= 0.8"], "recall", True) for _ in range(100)]
    # The exact threshold for precision 0.8 has recall 0.64.
    assert np.mean([0.0 if each is None else 1 - each**2 for each in found]) > 0.43


@pytest.mark.parametrize(
    ("text", "objective"), [("precision >= 0.8", "recall"), ("recall >= 0.7", "precision")]
)
def test_without_a_guarantee_they_are_broken_about_every_other_time(text, objective):
    rng = np.random.default_rng(1)
    thresholds = [chosen(rng, [text], objective, False) for _ in range(N_RUNS)]
    assert sum(not TRUTH[text](each) for each in thresholds) >= 0.4 * N_RUNS


def test_only_rates_can_be_guaranteed():
    constraints = parse_constraints("f1 >= 0.5")
    with pytest.raises(ValueError, match=r"'f1 >= 0.5' cannot be guaranteed; what can: precision"):
        certified_thresholds(*draw(np.random.default_rng(0), 50), constraints, 0.9, None)
