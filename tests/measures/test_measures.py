"""Measures against scikit-learn, definitions by hand, and repeated rows."""

import itertools
import re

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

from beyond_accuracy.measures import MEASURE_NAMES, contingency_measure, get_measure
from beyond_accuracy.measures.contingency import contingency_table
from beyond_accuracy.measures.ranking import expected_precision_recall_break_even_point
from beyond_accuracy.measures.threshold_measures import find_threshold_measure, suggestion

ALL = (
    *(*MEASURE_NAMES, "f0.5", "f2", "precision_at_3", "recall_at_3", "recall_at_2p"),
    *("partial_roc_area_0_0.3", "partial_roc_area_0.3_0.75"),
)


@st.composite
def problems(draw):
    n = draw(st.integers(4, 25))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n))
    y[0], y[1] = 1, -1
    decision = draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n))
    return np.array(y), np.array(decision, dtype=float)


@given(problems())
def test_equal_scikit_learn(problem):
    y, decision = problem
    predicted = np.where(decision > 0, 1, -1)
    expected = {
        "accuracy": sklearn.metrics.accuracy_score(y, predicted),
        "balanced_accuracy": sklearn.metrics.balanced_accuracy_score(y, predicted),
        "f1": sklearn.metrics.f1_score(y, predicted, zero_division=0),
        "f0.5": sklearn.metrics.fbeta_score(y, predicted, beta=0.5, zero_division=0),
        "f2": sklearn.metrics.fbeta_score(y, predicted, beta=2, zero_division=0),
        "jaccard": sklearn.metrics.jaccard_score(y, predicted, zero_division=0),
        "precision": sklearn.metrics.precision_score(y, predicted, zero_division=0),
        "recall": sklearn.metrics.recall_score(y, predicted, zero_division=0),
        "roc_area": sklearn.metrics.roc_auc_score(y, decision),
        "average_precision": sklearn.metrics.average_precision_score(y, decision, pos_label=1),
    }
    for name, value in expected.items():
        assert get_measure(name).score(y, decision) == pytest.approx(value, abs=1e-12), name


@given(problems(), st.sampled_from([0.05, 0.25, 0.6, 1.0]))
def test_partial_roc_area_equals_scikit_learn(problem, rate):
    """scikit-learn rescales the area so that chance gives 1/2, and always starts at rate 0.

    For other ranges, the test checks that the areas of both parts add up to the whole area.
    """
    y, decision = problem
    found = get_measure(f"partial_roc_area_0_{rate:g}").score(y, decision)
    scaled = sklearn.metrics.roc_auc_score(y, decision, max_fpr=rate)
    least = rate**2 / 2
    area = least + (2 * scaled - 1) * (rate - least) if rate < 1 else scaled
    assert found == pytest.approx(area / rate, abs=1e-12)
    if rate < 1:
        rest = get_measure(f"partial_roc_area_{rate:g}_1").score(y, decision)
        whole = get_measure("roc_area").score(y, decision)
        assert rate * found + (1 - rate) * rest == pytest.approx(whole, abs=1e-12)


@given(problems())
@pytest.mark.parametrize("name", ["f1", "f2", "jaccard", "accuracy", "balanced_accuracy", "prbep"])
def test_no_threshold_is_better(name, problem):
    y, decision = problem
    measure = get_measure(name)
    threshold = measure.best_threshold(y, decision)
    reached = measure.score(y, decision - threshold)
    others = [other for value in set(decision) for other in (value - 0.5, value, value + 0.5)]
    values = {other: measure.score(y, decision - other) for other in others}
    assert reached == max(values.values())
    assert name != "prbep" or threshold == 0


def test_of_equally_good_thresholds_the_one_nearest_to_0():
    y, decision = np.array([1, -1, 1]), np.array([5.0, 2.0, 1.5])
    # Two of three are correct if only the first is predicted positive, and also if all are.
    threshold = get_measure("accuracy").best_threshold(y, decision)
    assert threshold < 1.5
    assert threshold == pytest.approx(1.5)


@given(problems())
def test_at_top_counts_the_worst_order_of_ties(problem):
    """No order that respects the decision values finds fewer positives."""
    y, decision = problem
    nudged = decision - 1e-6 * (y > 0)
    ranked = y[np.argsort(-nudged, kind="stable")] > 0
    n_positives = (y > 0).sum()
    cases = {"prbep": n_positives, "recall_at_3": 3, "recall_at_2p": min(2 * n_positives, len(y))}
    for name, k in cases.items():
        expected = ranked[:k].sum() / n_positives
        assert get_measure(name).score(y, decision) == pytest.approx(expected)
    assert get_measure("precision_at_3").score(y, decision) == pytest.approx(ranked[:3].mean())


@pytest.mark.parametrize("seed", range(6))
def test_expected_break_even_is_the_mean_over_all_orders(seed):
    generator = np.random.default_rng(seed)
    positive = generator.random(6) < 0.5
    positive[:2] = True, False
    decision = generator.integers(0, 3, 6).astype(float)
    size, values = positive.sum(), []
    for order in map(list, itertools.permutations(range(6))):
        ranked = np.array(order)[np.argsort(-decision[order], kind="stable")]
        values.append(positive[ranked[:size]].mean())
    found = expected_precision_recall_break_even_point(positive, decision, np.ones(6))
    assert found == pytest.approx(np.mean(values))
    weight = generator.integers(0, 3, 6) + positive.astype(int)
    repeated = (np.repeat(part, weight) for part in (positive, decision))
    assert expected_precision_recall_break_even_point(
        positive, decision, weight.astype(float)
    ) == pytest.approx(expected_precision_recall_break_even_point(*repeated, np.ones(weight.sum())))
    nothing = np.zeros(6, dtype=bool)
    assert expected_precision_recall_break_even_point(nothing, decision, np.ones(6)) == 0


@given(problems(), st.data())
@pytest.mark.parametrize("name", ALL)
def test_weights_are_repetitions(name, problem, data):
    y, decision = problem
    weight = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y))))
    weight[:4] = np.maximum(weight[:4], 1)
    measure = get_measure(name)
    repeated = measure.score(np.repeat(y, weight), np.repeat(decision, weight))
    assert measure.score(y, decision, sample_weight=weight) == pytest.approx(repeated, abs=1e-12)


def test_conventions():
    y = np.array([1, 1, -1, -1])
    assert get_measure("f1").score(y, np.array([-1.0, -1, -1, -1])) == 0
    assert get_measure("f1").score(y, np.array([-1.0, -1, 1, 1])) == 0
    assert get_measure("precision").score(y, np.full(4, -1.0)) == 0
    assert get_measure("accuracy").score(y, np.zeros(4)) == 0.5
    assert get_measure("roc_area").score(y, np.zeros(4)) == 0.5
    assert get_measure("prbep").score(y, np.zeros(4)) == 0
    with pytest.raises(ValueError, match="k = 5 .* only 4 samples"):
        get_measure("precision_at_5").score(y, np.zeros(4))
    for name in ("roc_area", "partial_roc_area_0_0.5"):
        assert np.isnan(get_measure(name).score(np.ones(3), np.arange(3.0)))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("recal_at_2p", "unknown measure 'recal_at_2p'; did you mean 'recall_at_2p'? known are"),
        ("roc_auc", "did you mean 'roc_area'?"),
        ("PRBEP", "did you mean 'prbep'?"),
        ("specificity", "; OperatingPointClassifier takes 'specificity'; known"),
        ("f0", "unknown measure 'f0'"),
        ("precision_at_0", "unknown measure 'precision_at_0'"),
        ("precision_at_1.5", "unknown measure 'precision_at_1.5'"),
        ("recall_at_" + "9" * 400, "k must be a positive integer"),
        ("precision_at_recall_1.5", "must be above 0 and at most 1"),
    ],
)
def test_unknown_names_and_numbers_beyond_range_are_named(name, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        get_measure(name)


@pytest.mark.parametrize(
    "name",
    [
        "accuracy_score",
        "average_precision_score",
        "balanced_accuracy_score",
        "f1_score",
        "jaccard_score",
        "matthews_corrcoef",
        "precision_score",
        "recall_score",
        "roc_auc_score",
    ],
)
def test_names_of_scikit_learns_metrics_are_known(name):
    """Thresholds and training suggest the measure that scikit-learn computes."""
    rng = np.random.default_rng(0)
    y, scores = rng.random(60) < 0.4, rng.normal(size=60)
    of_scores = name in ("average_precision_score", "roc_auc_score")
    expected = getattr(sklearn.metrics, name)(y, scores if of_scores else scores > 0)
    with pytest.raises(ValueError, match="known are") as error:
        get_measure(name)
    for text in (suggestion(name), str(error.value).partition("; ")[2]):
        suggested = text.split("'")[1]
        measure = find_threshold_measure(suggested) or get_measure(suggested)
        assert measure.score(y, scores) == pytest.approx(expected)


def test_suggestions_name_who_takes_the_measure():
    assert suggestion("roc_auc") == "MultivariateSVC takes 'roc_area'; "
    assert suggestion("f2_score") == "did you mean 'f2'? "


@given(st.data())
def test_rates_at_rates_are_the_best_of_all_thresholds(data):
    n = data.draw(st.integers(1, 12))
    y = np.array(data.draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n)))
    decision = np.array(data.draw(st.lists(st.integers(-2, 2), min_size=n, max_size=n)), float)
    weight = np.array(data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)), float)
    bound = data.draw(st.sampled_from([0.25, 0.5, 0.75, 1.0]))
    points = [(0.0, 0.0)]
    for value in decision:
        above = decision >= value
        tp = weight[above & (y > 0)].sum()
        if tp:
            points.append((tp / weight[y > 0].sum(), tp / weight[above].sum()))
    recalls = [recall for recall, precision in points if precision >= bound]
    precisions = [precision for recall, precision in points if recall >= bound]
    at_precision = get_measure(f"recall_at_precision_{bound:g}").score(y, decision, weight)
    at_recall = get_measure(f"precision_at_recall_{bound:g}").score(y, decision, weight)
    assert at_precision == pytest.approx(max(recalls, default=0.0))
    assert at_recall == pytest.approx(max(precisions, default=0.0))


def test_weights_leave_no_rounding_where_nothing_is_counted():
    """Each count is summed directly: subtraction would leave rounding errors instead of 0."""
    decision = np.array([1.0, 1.0, 1.0, -1.0, -1.0])
    weight = np.array([0.1, 0.2, 0.3, 0.1, 0.7])
    for scale in (1.0, 10.0):
        table = contingency_table(np.ones(5, dtype=bool), decision, scale * weight)
        assert table[1:] == (0.0, pytest.approx(0.8 * scale), 0.0)


def test_where_a_measure_is_undefined_no_threshold_is_best():
    measure = contingency_measure("precision", lambda tp, fp, fn, tn: tp / (tp + fp))
    with np.errstate(invalid="ignore"):
        assert measure.best_threshold([1, 1, -1], [3.0, 2.0, 1.0]) == 1.5
