"""Exact choice of thresholds against counted tables, and constraints that cannot be met."""

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
from beyond_accuracy.operating_points.choice import table_at


@st.composite
def scored_examples(draw):
    """Draw labels of both classes, scores with ties, and weights."""
    n = draw(st.integers(2, 12))
    positive = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    positive[:2] = True, False
    scores = np.array(draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n))) / 4
    weight = np.array(draw(st.lists(st.integers(1, 4), min_size=n, max_size=n)), dtype=float)
    return positive, scores, weight


def tables_of_all(positive, scores, weight):
    """Return thresholds below, between and above all scores, and the tables that they give."""
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


@given(scored_examples())
def test_any_threshold_is_found_by_its_predictions(examples):
    """Also thresholds between two scores, on either side of the middle, and at a score."""
    positive, scores, weight = examples
    ranked = RankedExamples(positive, scores)
    for threshold in (-np.inf, *np.arange(-32, 33) / 32, np.inf):
        table = table_at(ranked.tables(weight), ranked.index(threshold))
        assert table == contingency_table(positive, scores - threshold, weight)


ADJACENT = [np.nextafter(1.0, 0.0), 1.0, np.nextafter(1.0, 2.0)]


@pytest.mark.parametrize(
    "scores", [[-1.7e308, -1.6e308, 1.6e308, 1.7e308], [0.0, 5e-324, 1e-323, 1.5e-323], ADJACENT]
)
def test_thresholds_separate_scores_at_the_ends_of_the_floating_point_range(scores):
    ranked = RankedExamples(np.zeros(len(scores), dtype=bool), scores)
    thresholds = ranked.curve().thresholds
    above = (np.array(scores) > thresholds[:, None]).sum(axis=1)
    np.testing.assert_array_equal(above, np.arange(len(scores), -1, -1))
    places = range(1, len(scores))
    np.testing.assert_array_equal([ranked.threshold(place) for place in places], thresholds[1:-1])


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


@given(scored_examples(), st.sampled_from(["recall", "specificity", "precision"]), st.booleans())
def test_no_equally_good_threshold_has_fewer_errors(examples, name, is_bounded):
    positive, scores, weight = examples
    texts = ["predicted_positive_rate <= 0.75"] if is_bounded else []
    point = best_operating_point(
        RankedExamples(positive, scores), make_objective(name, None, positive),
        parse_constraints(texts), weight,
    )  # fmt: skip
    function = make_objective(name, None, positive).table_function
    for table in tables_of_all(*examples)[1]:
        tp, fp, _, _ = table
        met = not is_bounded or tp + fp <= 0.75 * sum(table)
        if point is not None and met and function(*np.transpose([table]))[0] == point.value:
            more, fewer = tp >= point.table[0], fp <= point.table[1]
            assert not (more and fewer) or (tp, fp) == point.table[:2]


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


def batches(positive, scores, weight, budget):
    """Yield, per threshold, the share of each example that is predicted within the budget.

    The highest scores come first; equal scores at the end of the budget share the rest.
    """
    for cut in [-np.inf, *np.unique(scores)]:
        left, predicted = budget, np.zeros(len(scores))
        for value in np.unique(scores[scores > cut])[::-1]:
            tied = scores == value
            part = min(left / weight[tied].sum(), 1.0)
            predicted[tied] = part
            left -= part * weight[tied].sum()
        yield predicted


@given(scored_examples(), st.integers(1, 12), st.sampled_from(["f1", "accuracy", "precision"]))
def test_under_a_budget_no_batch_is_better(examples, budget, name):
    positive, scores, weight = examples
    texts = ["recall >= 0.3", f"predicted_positives <= {budget}"]
    point = best_operating_point(
        RankedExamples(positive, scores), make_objective(name, None, positive),
        parse_constraints(texts), weight,
    )  # fmt: skip
    values, function = [], get_measure(name).table_function
    for predicted in batches(positive, scores, weight, budget):
        tp, fp = weight @ (predicted * positive), weight @ (predicted * ~positive)
        fn = weight @ positive - tp
        if tp >= 0.3 * (tp + fn) - 1e-9:
            values.append(function(tp, fp, fn, weight.sum() - tp - fp - fn))
    if not values:
        assert point is None
        return
    assert point.value == pytest.approx(max(values))
    assert sum(point.table[:2]) <= budget + 1e-9
    assert point.value == pytest.approx(function(*point.table))


@given(scored_examples(), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_under_a_budget_costs_are_those_of_the_batch(examples, budget, seed):
    positive, scores, weight = examples
    costs = np.random.default_rng(seed).normal(size=(len(positive), 2, 2))
    point = best_operating_point(
        RankedExamples(positive, scores), make_objective("cost", costs, positive),
        parse_constraints(f"predicted_positives <= {budget}"), weight,
    )  # fmt: skip
    of_each = costs[np.arange(len(positive)), positive.astype(int)]
    averages = [
        weight @ (of_each[:, 0] * (1 - part) + of_each[:, 1] * part) / weight.sum()
        for part in batches(positive, scores, weight, budget)
    ]
    assert point.value == pytest.approx(min(averages))


def test_a_budget_is_scaled_to_the_batch_and_leaves_the_threshold_where_others_are_served():
    rng = np.random.default_rng(0)
    positive = rng.random(1000) < 0.3
    scores = positive + rng.normal(size=1000)
    examples, objective = RankedExamples(positive, scores), make_objective("f1", None, positive)
    text = "predicted_positives <= 10"
    of_all = best_operating_point(examples, objective, parse_constraints(text))
    of_100 = best_operating_point(examples, objective, parse_constraints(text, 100))
    assert (sum(of_all.table[:2]), sum(of_100.table[:2])) == (10, 100)
    assert of_all.threshold == best_operating_point(examples, objective).threshold
    assert of_all.value < of_100.value


def test_what_a_budget_rules_out_is_said():
    positive = np.array([True, False, False, True, True, False])
    curve = RankedExamples(positive, np.arange(6.0)).curve()
    constraints = parse_constraints(["recall >= 0.6", "predicted_positives <= 2"])
    reason = explain_infeasible(curve, constraints)
    assert "not together: 'recall >= 0.6', 'predicted_positives <= 2'" in reason
    assert "where the others hold, recall is 0.3333 at best" in reason
    assert "where the others hold, predicted_positives is 3 at best" in reason


SCORES = {
    "specificity": lambda y, p: metrics.recall_score(y, p, pos_label=False),
    "negative_predictive_value": lambda y, p: metrics.precision_score(
        y, p, pos_label=False, zero_division=0
    ),
    "matthews_corrcoef": metrics.matthews_corrcoef,
    "geometric_mean": lambda y, p: np.sqrt(
        metrics.recall_score(y, p) * metrics.recall_score(y, p, pos_label=False)
    ),
    "false_positive_rate": lambda y, p: -np.mean(p[~y]),
    "predicted_positive_rate": lambda y, p: -np.mean(p),
}


@pytest.mark.parametrize("name", SCORES)
def test_what_can_be_bounded_can_be_optimized_and_the_reverse(name):
    rng = np.random.default_rng(1)
    positive = rng.random(60) < 0.4
    scores = rng.normal(size=60) + positive
    values = np.array([SCORES[name](positive, scores > cut) for cut in scores])
    values[np.array([np.mean(scores[positive] > cut) for cut in scores]) < 0.5] = -np.inf
    examples = RankedExamples(positive, scores)
    constraints = parse_constraints("recall >= 0.5")
    point = best_operating_point(examples, make_objective(name, None, positive), constraints)
    assert abs(point.value) == pytest.approx(abs(values.max()))
    bound = parse_constraints(f"{name} {'<=' if values.max() < 0 else '>='} {point.value!r}")
    assert bound[0].holds(*point.table)


def precise(tp, fp, fn, tn):
    return tp / (tp + fp)


def one_by_one(tp, fp, fn, tn):
    return 0.0 if tp == 0 else tp / (tp + fp)


def test_where_an_objective_is_undefined_it_is_not_chosen():
    positive, scores = np.array([False, True, False, True]), np.arange(4.0)
    examples = RankedExamples(positive, scores)
    point = best_operating_point(examples, make_objective(precise, None, positive))
    assert (point.threshold, point.value) == (2.5, 1.0)
    ratio = make_objective(lambda tp, fp, fn, tn: tp / fp, None, positive)
    assert best_operating_point(examples, ratio).value == 2.0
    never = make_objective(lambda tp, fp, fn, tn: tp * np.where(tp < 4, np.nan, 1), None, positive)
    assert best_operating_point(examples, never) is None


def test_an_objective_that_takes_no_arrays_is_called_at_each_threshold():
    positive, scores = np.array([False, True, False, True]), np.arange(4.0)
    examples = RankedExamples(positive, scores)
    with pytest.warns(UserWarning, match="'one_by_one' does not take arrays: .* each threshold"):
        objective = make_objective(one_by_one, None, positive)
    point = best_operating_point(examples, objective)
    assert point == best_operating_point(examples, make_objective("precision", None, positive))
    with pytest.warns(UserWarning, match="does not take arrays"):
        constant = make_objective(lambda tp, fp, fn, tn: 1.0, None, positive)
    assert best_operating_point(examples, constant).value == 1.0


def test_the_weights_of_every_resample_have_the_same_sum():
    rng = np.random.default_rng(0)
    positive, scores, weight = rng.random(30) < 0.5, rng.random(30), rng.lognormal(size=30)
    objective = make_objective(lambda *table: sum(table), None, positive)
    options = {"n_resamples": 20, "random_state": np.random.RandomState(0)}
    ranked = RankedExamples(positive, scores)
    _, interval = bootstrap_intervals(ranked, objective, [], weight, **options)
    assert interval == pytest.approx([weight.sum()] * 2)


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
        (
            ["recall >= 1", "precision >= 0.6", "false_positive_rate >= 0.1", "accuracy >= 0.6"],
            "not together: 'recall >= 1', 'accuracy >= 0.6', whatever the other constraints; where "
            "the others hold, recall is 0.6667 at best; where the others hold, accuracy is 0.5 at",
        ),
    ],
)
def test_what_cannot_be_met_is_explained(texts, said):
    positive = np.array([True, False, False, True, True, False])
    curve = RankedExamples(positive, np.arange(6.0)).curve()
    reason = explain_infeasible(curve, parse_constraints(texts))
    assert reason is None if said is None else said in reason


def test_intervals_are_those_of_resamples_that_are_counted_one_by_one():
    rng = np.random.default_rng(0)
    positive = rng.random(60) < 0.4
    scores = rng.normal(size=60) + positive
    found = bootstrap_intervals(
        RankedExamples(positive, scores), make_objective("precision", None, positive),
        parse_constraints("recall >= 0.6"), None,
        n_resamples=40, random_state=np.random.RandomState(3),
    )  # fmt: skip
    cuts, _ = tables_of_all(positive, scores, np.ones(60))
    gaps = np.concatenate([[0], np.diff(np.sort(scores)), [0]])

    def reached(weight):
        tables = np.array(tables_of_all(positive, scores, weight)[1])
        tp, fp, fn, _ = tables.T
        return tp / np.maximum(tp + fp, 1e-9), tp >= 0.6 * (tp + fn)

    def best(values, met):
        return max(np.flatnonzero(met), key=lambda place: (values[place], gaps[place]))

    at_large, met = reached(np.ones(60))
    place = best(at_large, met)
    draws, rows = np.random.RandomState(3), []
    for _ in range(40):
        counts = np.bincount(draws.randint(60, size=60), minlength=60)
        values, met = reached(counts)
        again = best(values, met)
        outside, _ = reached((counts == 0).astype(float))
        rows.append((cuts[again], values[again], at_large[again], outside[again], values[place]))
    thresholds, chosen, there, outside, kept = np.array(rows).T
    optimism, larger = np.mean(chosen - there), np.mean(chosen - outside)
    errors, kept = np.quantile(chosen - there, [0.975, 0.025]), np.quantile(kept, [0.025, 0.975])
    low = min(kept[0] - larger, at_large[place] - errors[0] - larger + optimism)
    high = max(kept[1] - optimism, at_large[place] - errors[1])
    np.testing.assert_allclose(found[1], [low, min(high, 1.0)])
    expected = np.quantile(thresholds, [0.025, 0.975], method="inverted_cdf")
    np.testing.assert_allclose(found[0], expected)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ("precision > 0.9", "did you mean 'precision >= 0.9'?"),
        ("precision >= 90", "did you mean 'precision >= 0.9'?"),
        ("precision≥0.9", "did you mean 'precision >= 0.9'?"),
        ("predicted_positive_rate <= 5%", "did you mean 'predicted_positive_rate <= 0.05'?"),
        ("f0.5 > 0.9", "did you mean 'f0.5 >= 0.9'?"),
        ("precision >= 0.9 and recall >= 0.2", "a list: ['precision >= 0.9', 'recall >= 0.2']"),
        ("mcc >= 0.3", "did you mean 'matthews_corrcoef'?"),
        ("matthews_corrcoef >= -2", "a number between -1 and 1"),
        (0.9, "found 0.9"),
        ("roc_area >= 0.9", "'roc_area' is no quantity of a contingency table"),
        ("precision >= nan", "a number between 0 and 1"),
        ("false_negative_rate <= 0.1", "it is 1 − recall: take recall"),
        ("false_positives <= 10", "take a rate"),
        ("predicted_positives <= 0.05", "predicted_positive_rate <= 0.05"),
        ("0.9 <= precision", "did you mean 'precision >= 0.9'"),
        ([{"precision": 0.9}], "found {'precision': 0.9}"),
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
        ("f1_score", None, "did you mean 'f1'?"),
        ("fbeta", None, "did you mean 'f2'?"),
        ("roc_auc", None, "MultivariateSVC takes 'roc_area'"),
        ("recall_at_precision_0.9", None, 'objective="recall", constraints="precision >= 0.9"'),
        (metrics.f1_score, None, "a metric of labels or a scorer; did you mean 'f1'?"),
        (metrics.make_scorer(metrics.matthews_corrcoef), None, "mean 'matthews_corrcoef'?"),
        (lambda tp, fp: tp, None, "failed with"),
        (lambda tp, fp, fn, tn: "much", None, "and returns a number"),
        ("cost", None, "needs costs"),
        (None, None, "a function of (TP, FP, FN, TN) or a cost matrix of shape (2, 2)"),
        (np.zeros((4, 2, 2)), None, "for costs of each example take objective"),
        ([[0, 1], [5, 0]], [[0, 1], [5, 0]], "costs are given twice"),
        ("f1", np.zeros((2, 2)), 'goes with objective="cost"'),
        ("cost", np.zeros((3, 2, 2)), "found (3, 2, 2)"),
        ("cost", [[0, np.nan], [1, 0]], "NaN or infinity"),
    ],
)
def test_objectives_without_a_meaning_are_refused(objective, costs, said):
    with pytest.raises(ValueError, match=".") as error:
        make_objective(objective, costs, np.array([True, False, True, False]))
    assert said in str(error.value)


@pytest.mark.parametrize("measure", ["accuracy", "f1", "balanced_accuracy"])
@pytest.mark.parametrize("seed", range(20))
def test_weights_of_equal_ratio_choose_the_same_of_equals(measure, seed):
    """Sums of tenths may differ in the last digit even if sums of ones are equal."""
    rng = np.random.default_rng(seed)
    positive = rng.random(40) < 0.25
    positive[:2] = True, False
    examples = RankedExamples(positive, np.clip(positive * 0.2 + rng.random(40) * 0.8, 0, 1))
    objective = make_objective(measure, None, positive)
    whole, tenths = (
        best_operating_point(examples, objective, (), weights)
        for weights in (None, np.full(40, 0.1))
    )
    assert whole.threshold == tenths.threshold
