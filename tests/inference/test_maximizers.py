"""The maximizers against enumeration of all predictions and all label vectors."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond_accuracy.inference import (
    expected_f,
    gfm,
    gfm_from_samples,
    gfm_threshold,
    gfm_threshold_from_samples,
    independent_joint,
    joint_from_distribution,
    joint_from_samples,
    meuf,
    meuf_approx,
)
from beyond_accuracy.inference.distributions import (
    expected_f_from_marginals,
    expected_f_from_samples,
)

_EXACT = ("quadratic", "cubic", "jansche", "exponential_sum")
betas = st.sampled_from([0.5, 1.0, 2.0])


def all_labelings(n_labels):
    return np.array(list(itertools.product((0, 1), repeat=n_labels)))


def f_values(labelings, beta):
    """Return F_β of every prediction (row) for every truth (column), from the definition."""
    both = labelings @ labelings.T
    size = labelings.sum(axis=1)
    denominator = beta**2 * size[None, :] + size[:, None]
    return np.where(denominator > 0, (1 + beta**2) * both / np.maximum(denominator, 1e-9), 1.0)


def independent_probabilities(marginals, labelings):
    return np.where(labelings == 1, marginals, 1 - np.asarray(marginals)).prod(axis=1)


@st.composite
def distributions(draw):
    """Draw all label vectors of 2–8 labels and their probabilities, many of them zero."""
    n_labels = draw(st.integers(2, 8))
    seed = draw(st.integers(0, 2**32 - 1))
    sharpness = draw(st.sampled_from([1, 4, 20]))
    weights = np.random.default_rng(seed).random(2**n_labels) ** sharpness
    kept = draw(st.integers(1, 2**n_labels))
    weights[np.argsort(weights)[:-kept]] = 0.0
    return all_labelings(n_labels), weights / weights.sum()


@st.composite
def marginal_vectors(draw):
    n_labels = draw(st.integers(1, 8))
    edge = st.sampled_from([0.0, 1.0, 0.5, 1e-12])
    probability = st.one_of(st.floats(0, 1), st.floats(0, 0.1), edge)
    return np.array(draw(st.lists(probability, min_size=n_labels, max_size=n_labels)))


@given(distributions(), betas)
@settings(max_examples=60)
def test_gfm_and_expected_f_equal_enumeration(distribution, beta):
    labelings, probabilities = distribution
    values = f_values(labelings, beta) @ probabilities
    joint, p_empty = joint_from_distribution(labelings, probabilities)
    prediction, expected = gfm(joint, p_empty, beta)
    assert expected == pytest.approx(values.max(), abs=1e-12)
    assert expected_f(joint, p_empty, prediction, beta) == pytest.approx(expected, abs=1e-12)
    threshold, threshold_expected = gfm_threshold(joint, p_empty, beta)
    order = np.argsort(-(probabilities @ labelings), kind="stable")
    steps = [np.isin(np.arange(len(order)), order[:k]).astype(int) for k in range(len(order) + 1)]
    best_step = max(expected_f(joint, p_empty, step, beta) for step in steps)
    assert threshold_expected == pytest.approx(best_step, abs=1e-12)
    assert expected_f(joint, p_empty, threshold, beta) == pytest.approx(best_step, abs=1e-12)
    n_predictions, n_labels = labelings.shape
    joints = np.broadcast_to(joint, (n_predictions, n_labels, n_labels))
    of_all = expected_f(joints, np.full(n_predictions, p_empty), labelings, beta)
    assert of_all == pytest.approx(values, abs=1e-12)
    marginals = np.clip(probabilities @ labelings, 0, 1)
    for maximize in (meuf, meuf_approx):
        assert expected_f(joint, p_empty, maximize(marginals, beta)[0], beta) <= expected + 1e-12


@given(marginal_vectors(), st.sampled_from([0.5, 1.0, 2.0, 0.7, 3.7, 100.0]))
@settings(max_examples=80)
def test_every_exact_meuf_equals_enumeration(marginals, beta):
    labelings = all_labelings(len(marginals))
    probabilities = independent_probabilities(marginals, labelings)
    values = f_values(labelings, beta) @ probabilities
    joint, p_empty = joint_from_distribution(labelings, probabilities)
    batch = np.stack([marginals, np.sort(marginals)])
    for method in _EXACT:
        prediction, expected = meuf(marginals, beta, method)
        assert meuf(batch, beta, method)[1] == pytest.approx([expected] * 2, rel=1e-12)
        assert expected == pytest.approx(values.max(), abs=1e-12), method
        assert expected_f(joint, p_empty, prediction, beta) == pytest.approx(
            values.max(), abs=1e-12
        ), method


@given(distributions(), betas, st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_expectations_of_given_predictions_equal_enumeration(distribution, beta, seed):
    """All label vectors are predicted, for independent labels and for samples of label vectors."""
    labelings, probabilities = distribution
    n, m = labelings.shape
    values, marginals = f_values(labelings, beta), np.clip(probabilities @ labelings, 0, 1)
    independent = values @ independent_probabilities(marginals, labelings)
    found = expected_f_from_marginals(np.tile(marginals, (n, 1)), labelings, beta)
    assert found == pytest.approx(independent, abs=1e-12)
    drawn = np.random.default_rng(seed).integers(0, n, 20)
    samples = np.broadcast_to(labelings[drawn].astype(np.uint8), (n, 20, m))
    found = expected_f_from_samples(samples, labelings, beta)
    assert found == pytest.approx(values[:, drawn].mean(axis=1), abs=1e-12)


@given(marginal_vectors(), betas, st.sampled_from([0.0, 1e-3, 0.1]))
@settings(max_examples=60)
def test_approximate_meuf_keeps_its_bounds(marginals, beta, tail_mass):
    joint, p_empty = independent_joint(marginals)
    best = meuf(marginals, beta)[1]
    prediction, lower = meuf_approx(marginals, beta, tail_mass=tail_mass)
    true = expected_f(joint, p_empty, prediction, beta)
    assert lower <= true + 1e-12
    assert true <= best + 1e-12
    assert lower >= best - 2 * tail_mass - 1e-12


@given(st.integers(2, 9), st.integers(1, 40), st.floats(0.02, 0.98), st.integers(0, 10**6), betas)
@settings(max_examples=40)
def test_samples_and_their_joint_lead_to_the_same(n_labels, n_samples, share, seed, beta):
    rng = np.random.default_rng(seed)
    samples = (rng.random((3, n_samples, n_labels)) < share).astype(np.uint8)
    joint, p_empty = joint_from_samples(samples)
    frequency = np.full(n_samples, 1 / n_samples)
    for e in range(3):
        again, empty_again = joint_from_distribution(samples[e], frequency)
        assert joint[e] == pytest.approx(again, abs=1e-12)
        assert p_empty[e] == pytest.approx(empty_again, abs=1e-12)
    for straight, from_joint in (
        (gfm_from_samples, gfm),
        (gfm_threshold_from_samples, gfm_threshold),
    ):
        prediction, expected = straight(samples, beta)
        assert expected == pytest.approx(from_joint(joint, p_empty, beta)[1], abs=1e-12)
        assert expected_f(joint, p_empty, prediction, beta) == pytest.approx(expected, abs=1e-12)
        single = straight(samples[1], beta)
        assert (single[0] == prediction[1]).all()
        assert single[1] == expected[1]


@pytest.mark.parametrize("beta", [1e4, 1e8, 1e12, 1e100])
def test_huge_beta_equals_enumeration(beta):
    """F_β tends to recall, except that labels that are never true are not predicted."""
    for m in (1, 2, 3):
        labelings = all_labelings(m)
        values_of = f_values(labelings, beta)
        for marginals in itertools.product((0.0, 0.3, 1.0), repeat=m):
            probabilities = independent_probabilities(marginals, labelings)
            values = values_of @ probabilities
            joint = joint_from_distribution(labelings, probabilities)
            for prediction, value in (
                *(meuf(marginals, beta, method) for method in _EXACT),
                meuf_approx(marginals, beta, tail_mass=0.0),
                gfm(*joint, beta),
                gfm_threshold(*joint, beta),
            ):
                assert value == pytest.approx(values.max(), rel=1e-12)
                [chosen] = np.flatnonzero((labelings == prediction).all(axis=1))
                assert values[chosen] == pytest.approx(values.max(), rel=1e-12)
                assert not prediction[np.array(marginals) == 0].any()


@pytest.mark.parametrize("method", ["quadratic", "exponential_sum"])
def test_meuf_of_at_most_so_many_labels(method):
    """Compare with the best prediction of the k most probable labels, k up to the limit."""
    rng = np.random.default_rng(7)
    for marginals in rng.random((20, 7)):
        order = np.argsort(-marginals)
        joint, p_empty = independent_joint(marginals)
        for limit in (1, 2, 5):
            predictions = np.zeros((limit + 1, 7), dtype=int)
            for k in range(limit + 1):
                predictions[k, order[:k]] = 1
            expected = max(expected_f(joint, p_empty, h) for h in predictions)
            found, value = meuf(marginals, method=method, max_labels=limit)
            assert value == pytest.approx(expected, abs=1e-10)
            assert found.sum() <= limit
    with pytest.raises(ValueError, match="max_labels must be at least 1"):
        meuf(marginals, method="cubic", max_labels=2)
