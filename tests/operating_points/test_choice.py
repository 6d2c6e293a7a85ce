"""Exact choice of thresholds: against tables counted one by one, and what cannot be met."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.contingency import contingency_table
from beyond_accuracy.measures.operating_curve import RankedExamples
from beyond_accuracy.operating_points import (
    best_operating_point,
    bootstrap_intervals,
    explain_infeasible,
    make_objective,
    parse_constraints,
)


@st.composite
def scored_examples(draw):
    """Labels of both classes, scores with ties, and weights."""
    n = draw(st.integers(2, 12))
    positive = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    positive[:2] = True, False
    scores = np.array(draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n))) / 4
    weight = np.array(draw(st.lists(st.integers(1, 4), min_size=n, max_size=n)), dtype=float)
    return positive, scores, weight


def tables_of_all(positive, scores, weight):
    """Tables that thresholds between all the scores, below and above them, lead to."""
    values = np.unique(scores)
    cuts = [values[0] - 1, *(values[1:] + values[:-1]) / 2, values[-1]]
    return cuts, [contingency_table(positive, scores - cut, weight) for cut in cuts]


@given(scored_examples())
def test_tables_are_those_counted_at_each_threshold(examples):
    positive, scores, weight = examples
    curve = RankedExamples(positive, scores).curve(weight)
    _, expected = tables_of_all(*examples)
    np.testing.assert_array_equal(np.transpose(curve.tables), expected)
    for threshold, table in zip(curve.thresholds, expected, strict=True):
        assert contingency_table(positive, scores - threshold, weight) == table


@given(scored_examples(), st.sampled_from(["f1", "jaccard", "balanced_accuracy", "accuracy"]))
def test_no_threshold_that_meets_the_constraints_is_better(examples, name):
    positive, scores, weight = examples
    constraints = parse_constraints(["precision >= 0.5", "predicted_positive_rate <= 0.75"])
    point = best_operating_point(
        RankedExamples(positive, scores), make_objective(name, None, positive), constraints, weight
    )
    values = []
    for tp, fp, fn, tn in tables_of_all(*examples)[1]:
        n = tp + fp + fn + tn
        if tp and tp >= 0.5 * (tp + fp) and tp + fp <= 0.75 * n:
            values.append(get_measure(name).table_function(tp, fp, fn, tn))
    if not values:
        assert point is None
        return
    assert point.value == pytest.approx(max(values))
    predicted = scores > point.threshold
    assert metrics.precision_score(positive, predicted, sample_weight=weight) >= 0.5
    assert point.table == contingency_table(positive, np.where(predicted, 1.0, -1.0), weight)


@given(scored_examples(), st.integers(0, 2**32 - 1))
def test_costs_of_each_example_are_minimized(examples, seed):
    positive, scores, weight = examples
    costs = np.random.default_rng(seed).normal(size=(len(positive), 2, 2))
    objective = make_objective("cost", costs, positive)
    point = best_operating_point(RankedExamples(positive, scores), objective, (), weight)
    rows, true = np.arange(len(positive)), positive.astype(int)
    averages = [
        weight @ costs[rows, true, (scores > cut).astype(int)] / weight.sum()
        for cut in tables_of_all(*examples)[0]
    ]
    assert point.value == pytest.approx(min(averages))
    predicted = (scores > point.threshold).astype(int)
    assert weight @ costs[rows, true, predicted] / weight.sum() == pytest.approx(point.value)


def test_of_equally_good_thresholds_the_widest_gap_is_taken():
    positive = np.array([False, False, True, False, True])
    examples = RankedExamples(positive, np.array([0.0, 0.1, 0.2, 0.9, 1.2]))
    objective = make_objective("accuracy", None, positive)
    assert best_operating_point(examples, objective).threshold == pytest.approx(1.05)
    wider = RankedExamples(positive, np.array([0.0, 0.1, 0.6, 0.9, 1.0]))
    assert best_operating_point(wider, objective).threshold == pytest.approx(0.35)


def test_everything_and_nothing_have_infinite_thresholds():
    positive, scores = np.array([True, False]), np.array([0.2, 0.7])
    examples = RankedExamples(positive, scores)
    best = best_operating_point(examples, make_objective("recall", None, positive))
    assert best.threshold == -np.inf
    nothing = best_operating_point(examples, make_objective("cost", [[0, 1], [0, 0]], positive))
    assert nothing.threshold == np.inf


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ("precision >= 0.9", "'precision >= 0.9': the nearest is 0.6667"),
        (["recall >= 1", "precision >= 0.6"], "where the others hold, precision is 0.5 at best"),
        (["recall >= 1", "precision >= 0.5"], None),
    ],
)
def test_what_cannot_be_met_is_explained(texts, said):
    positive = np.array([True, False, False, True, True, False])
    curve = RankedExamples(positive, np.arange(6.0)).curve()
    reason = explain_infeasible(curve, parse_constraints(texts))
    assert reason is None if said is None else said in reason


def test_intervals_are_those_of_fits_to_the_resampled_rows():
    rng = np.random.default_rng(0)
    positive = rng.random(80) < 0.4
    scores = rng.normal(size=80) + positive
    constraints = parse_constraints("recall >= 0.6")
    objective = make_objective("precision", None, positive)
    found = bootstrap_intervals(
        RankedExamples(positive, scores), objective, constraints, None,
        n_resamples=50, confidence_level=0.8, random_state=np.random.RandomState(3),
    )  # fmt: skip
    draws, values = np.random.RandomState(3), []
    for _ in range(50):
        rows = draws.randint(80, size=80)
        examples = RankedExamples(positive[rows], scores[rows])
        values.append(best_operating_point(examples, objective, constraints).value)
    expected = np.quantile(values, [0.1, 0.9], method="inverted_cdf")
    np.testing.assert_allclose(found[1], expected)
    assert found[2] == 0
    assert found[0][0] < found[0][1]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ("precision > 0.9", "such as 'precision >= 0.9'; found 'precision > 0.9'"),
        (0.9, "found 0.9"),
        ("precison >= 0.9", "did you mean 'precision'"),
        ("roc_area >= 0.9", "'roc_area' is no quantity of a contingency table"),
        ("precision >= 90", "a number between 0 and 1"),
        ("precision >= nan", "a number between 0 and 1"),
        ("recall >= high", "a number between 0 and 1"),
        ("predicted_positives <= 2.5", "a whole number of at least 1"),
        ("predicted_positives >= 5", "is a budget"),
        (["recall >= 0.8", "recall <= 0.7"], "'recall >= 0.8' and 'recall <= 0.7' contradict"),
    ],
)
def test_constraints_without_a_meaning_are_refused(texts, said):
    with pytest.raises(ValueError, match=".") as error:
        parse_constraints([texts] if not isinstance(texts, list) else texts)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("objective", "costs", "said"),
    [
        ("roc_area", None, "depends on the order of the scores"),
        ("f11x", None, "unknown measure 'f11x'"),
        ("cost", None, "needs costs"),
        ("f1", np.zeros((2, 2)), 'goes with objective="cost"'),
        ("cost", np.zeros((3, 2, 2)), "for 4 examples; found (3, 2, 2)"),
        ("cost", [[0, np.nan], [1, 0]], "NaN or infinity"),
    ],
)
def test_objectives_without_a_meaning_are_refused(objective, costs, said):
    with pytest.raises(ValueError, match=".") as error:
        make_objective(objective, costs, np.array([True, False, True, False]))
    assert said in str(error.value)
