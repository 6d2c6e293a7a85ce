"""Bootstrap values against direct scores of every resampled test set."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.reporting import bootstrap
from beyond_accuracy_pipeline.reporting.bootstrap import (
    macro_averages,
    percentile_interval,
    resample_counts,
    resampled_values,
)

MEASURES = (
    *("f1", "f0.5", "f2", "precision", "recall", "jaccard", "accuracy", "balanced_accuracy"),
    *("prbep", "precision_at_3", "recall_at_3", "precision_at_2p", "recall_at_2p"),
    *("recall_at_0.5p", "roc_area", "average_precision", "partial_roc_area_0.1_0.5"),
)


def naive_values(measure, positive, scores, counts):
    """Compute values by definition: repeat the examples and call the measure without weights."""
    values = []
    for column in counts.T.astype(int):
        rows = np.repeat(np.arange(len(positive)), column)
        mixed = positive[rows].any() and not positive[rows].all()
        score = get_measure(measure).score
        values.append(score(positive[rows], scores[rows]) if mixed else np.nan)
    return np.array(values)


@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_resampled_values_equal_the_definition(measure, data):
    n = data.draw(st.integers(3, 14))
    positive = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    # Few distinct scores, zero among them, so that ties are common.
    scores = np.array(data.draw(st.lists(st.integers(-2, 2), min_size=n, max_size=n))) / 2
    counts = next(resample_counts(n, 8, data.draw(st.integers(0, 10**6))))
    values = get_measure(measure).resampled(positive, scores)(counts)
    np.testing.assert_allclose(values, naive_values(measure, positive, scores, counts), atol=1e-12)


def test_counts_depend_on_the_seed_and_not_on_the_chunks(monkeypatch):
    [whole] = resample_counts(30, 17, [1, 2])
    [other] = resample_counts(30, 17, [1, 3])
    assert (whole.sum(axis=0) == 30).all()
    assert not np.array_equal(whole, other)
    monkeypatch.setattr(bootstrap, "CHUNK_ELEMENTS", 4 * 30)
    parts = list(resample_counts(30, 17, [1, 2]))
    assert [part.shape for part in parts] == [(30, 4)] * 4 + [(30, 1)]
    np.testing.assert_array_equal(np.hstack(parts), whole)


def test_scores_that_are_not_finite_are_refused():
    with pytest.raises(ValueError, match="not finite"):
        get_measure("f1").resampled(np.array([True, False]), np.array([np.nan, 1.0]))


def evaluators(measure, labels, scores):
    return [get_measure(measure).resampled(labels[task], scores[task]) for task in scores]


def test_methods_and_tasks_share_their_resamples(monkeypatch):
    monkeypatch.setattr(bootstrap, "CHUNK_ELEMENTS", 10 * 60)
    generator = np.random.default_rng(1)
    labels = {name: generator.random(60) < 0.4 for name in "ab"}
    scores = {name: generator.normal(size=60) for name in "ab"}
    averages = [
        evaluators("f1", labels, scores),
        evaluators("f1", labels, scores),
        evaluators("roc_area", labels, {"b": scores["b"]}),
    ]
    first, second, third = resampled_values(averages, 60, 25, 7)
    np.testing.assert_array_equal(first, second)
    counts = np.hstack(list(resample_counts(60, 25, 7)))
    expected = naive_values("roc_area", labels["b"], scores["b"], counts)
    np.testing.assert_allclose(third[:, 0], expected)


def test_a_class_without_a_value_keeps_that_of_the_test_set():
    values = np.array([[0.2, 0.4], [np.nan, 0.5], [np.nan, np.nan]])
    averages = macro_averages(values, np.array([0.1, 0.3]))
    np.testing.assert_allclose(averages, [0.3, 0.3, 0.2])


def test_rare_classes_do_not_shift_the_interval():
    """A class with one positive that is not found drops out of a third of the resamples."""
    n, generator = 400, np.random.default_rng(3)
    frequent = generator.random(n) < 0.4
    labels = {"frequent": frequent}
    scores = {"frequent": frequent + generator.normal(scale=0.5, size=n) - 0.5}
    for place in range(20):
        labels[f"rare {place}"] = np.arange(n) == place
        scores[f"rare {place}"] = np.full(n, -1.0)
    (values,) = resampled_values([evaluators("f1", labels, scores)], n, 400, 0)
    whole = np.array([get_measure("f1").score(labels[task], scores[task]) for task in labels])
    estimate = whole.mean()
    low, high, _ = percentile_interval(macro_averages(values, whole), 0.95)
    place = (estimate - low) / (high - low)
    assert 0.3 < place < 0.7


def test_percentile_interval_by_hand():
    resampled = np.append(np.linspace(0, 1, 101), np.nan)
    assert percentile_interval(resampled, 0.9) == pytest.approx((0.05, 0.95, 101))
    assert np.isnan(percentile_interval(np.array([np.nan]), 0.9)[0])


def test_interval_of_an_accuracy_is_the_binomial_one():
    n, correct = 400, 300
    positive = np.arange(n) % 2 == 0
    scores = np.where(positive == (np.arange(n) < correct), 1.0, -1.0)
    tasks = [get_measure("accuracy").resampled(positive, scores)]
    (values,) = resampled_values([tasks], n, 2000, 0)
    *ends, _ = percentile_interval(values[:, 0], 0.95)
    half_width = 1.96 * np.sqrt(0.75 * 0.25 / n)
    assert ends == pytest.approx([0.75 - half_width, 0.75 + half_width], abs=0.006)
