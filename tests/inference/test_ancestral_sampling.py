"""Samples of a chain: their distribution, and that they depend only on seeds."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from beyond_accuracy.inference.ancestral_sampling import sample_logistic_chain, systematic_positions
from beyond_accuracy.inference.random_numbers import hash_rows, mix, streams, uniforms


def one_by_one(log_odds, weights, key, n_samples):
    """Draw the same samples label by label; each positive starts a new survival probability."""
    n_labels = len(log_odds)
    samples = np.zeros((n_samples, n_labels), dtype=np.uint8)
    state = streams(np.array([key], dtype=np.uint64), n_samples)[0]
    for r in range(n_samples):
        n_positive, survival = 0, 1.0
        u = uniforms(state[r : r + 1], 0)[0]
        for j in range(n_labels):
            p = 1 / (1 + np.exp(-(log_odds[j] + weights[j, :j] @ samples[r, :j])))
            survival *= 1 - p
            if u > survival:
                samples[r, j] = 1
                n_positive, survival = n_positive + 1, 1.0
                u = uniforms(state[r : r + 1], n_positive)[0]
    return samples


@given(st.integers(1, 30), st.integers(1, 40), st.floats(-6, 3), st.integers(0, 10**6))
@example(8, 20, -3.0, 0)
@example(9, 20, -3.0, 0)
@example(16, 20, 1.0, 0)
@example(17, 20, 1.0, 0)
@settings(max_examples=40)
def test_equal_to_going_label_by_label(n_labels, n_samples, level, seed):
    rng = np.random.default_rng(seed)
    log_odds = rng.normal(level, 2, size=(2, n_labels))
    weights = rng.normal(size=(n_labels, n_labels))
    keys = rng.integers(0, 2**63, size=2).astype(np.uint64)
    samples = sample_logistic_chain(log_odds, weights, keys, n_samples)
    for e in range(2):
        expected = one_by_one(log_odds[e], weights, keys[e], n_samples)
        assert (samples[e] == expected).all()


def enumerated(log_odds, weights):
    """Return all label vectors, shape (2^m, m), in binary order, and their probabilities."""
    n_labels = len(log_odds)
    labelings = (np.arange(2**n_labels)[:, None] >> np.arange(n_labels)) & 1
    p = 1 / (1 + np.exp(-(log_odds + labelings @ np.tril(weights, -1).T)))
    return labelings, np.where(labelings == 1, p, 1 - p).prod(axis=1)


def counts_of(samples):
    n_labels = samples.shape[-1]
    codes = samples @ (1 << np.arange(n_labels))
    return np.stack([np.bincount(own, minlength=2**n_labels) for own in np.atleast_2d(codes)])


@given(st.integers(1, 9), st.integers(1, 80), st.floats(-5, 3), st.integers(0, 10**6))
@example(9, 80, -3.0, 0)
@settings(max_examples=60)
def test_systematic_samples_hold_every_label_vector_as_often_as_can_be(
    n_labels, n_samples, level, seed
):
    rng = np.random.default_rng(seed)
    log_odds = rng.normal(level, 2, size=(3, n_labels))
    weights = rng.normal(scale=2, size=(n_labels, n_labels))
    keys = rng.integers(0, 2**63, size=3).astype(np.uint64)
    for given_some in (False, True):
        distributions = np.stack([enumerated(own, weights)[1] for own in log_odds])
        lowest = distributions[:, 0] if given_some else np.zeros(3)
        positions = systematic_positions(keys, n_samples, lowest)
        samples = sample_logistic_chain(log_odds, weights, keys, n_samples, positions)
        wanted = distributions
        if given_some:
            wanted = np.column_stack([np.zeros(3), distributions[:, 1:]])
            wanted = wanted / (1 - lowest)[:, None]
        assert (abs(counts_of(samples) - n_samples * wanted) < 1 + 1e-6).all()


def test_systematic_samples_of_many_labels_keep_their_digits():
    """101 fair labels have far more label vectors than a position can distinguish."""
    n_labels, n_samples = 101, 2000
    keys = np.arange(2, dtype=np.uint64)
    positions = systematic_positions(keys, n_samples)
    zeros = np.zeros((n_labels, n_labels))
    samples = sample_logistic_chain(zeros[:2], zeros, keys, n_samples, positions)
    assert abs(samples.mean(axis=1) - 0.5).max() < 5 * 0.5 / np.sqrt(n_samples)
    # The first labels are as even as possible, and the last ones as random as required.
    assert abs(samples[:, :, :4].mean(axis=1) - 0.5).max() <= 4 / n_samples
    last = samples[0, :, -40:].astype(np.float64)
    assert abs(np.corrcoef(last.T) - np.eye(40)).max() < 5 / np.sqrt(n_samples)


def test_a_sample_depends_on_its_own_seed_alone():
    rng = np.random.default_rng(0)
    log_odds, weights = rng.normal(-1, 1, size=(6, 20)), rng.normal(size=(20, 20))
    keys = np.arange(6, dtype=np.uint64)
    samples = sample_logistic_chain(log_odds, weights, keys, 50)
    assert (sample_logistic_chain(log_odds[3:5], weights, keys[3:5], 50) == samples[3:5]).all()
    assert (sample_logistic_chain(log_odds, weights, keys, 8) == samples[:, :8]).all()
    assert (sample_logistic_chain(log_odds, weights, keys + np.uint64(1), 50) != samples).any()


def test_constant_labels_and_extreme_weights():
    log_odds = np.array([[np.inf, -np.inf, 0.0, -1e5, 1e5, 0.0]])
    weights = np.zeros((6, 6))
    # At these weights, products of odds would overflow.
    weights[5, 0], weights[5, 4] = 1e4, -1.1e4
    samples = sample_logistic_chain(log_odds, weights, np.array([1], dtype=np.uint64), 500)[0]
    assert (samples.mean(axis=0)[[0, 1, 3, 4, 5]] == [1, 0, 0, 1, 0]).all()
    assert 0.4 < samples[:, 2].mean() < 0.6


def test_systematic_samples_of_labels_that_others_make_certain():
    """If one of the first two labels is positive, the odds of the third overflow."""
    n_samples = 16
    log_odds = np.array([[0.0, -np.log(7), -800.0, 0.0, 0.0]])
    weights = np.zeros((5, 5))
    weights[2, 0], weights[2, 1] = 2000.0, 1600.0
    keys = np.arange(50, dtype=np.uint64)
    positions = systematic_positions(keys, n_samples)
    many = np.tile(log_odds, (50, 1))
    samples = sample_logistic_chain(many, weights, keys, n_samples, positions)
    assert (samples[:, :, 2] == samples[:, :, 0] | samples[:, :, 1]).all()
    with np.errstate(over="ignore"):
        _, distribution = enumerated(log_odds[0], weights)
    assert (abs(counts_of(samples) - n_samples * distribution) < 1 + 1e-6).all()


def test_random_numbers_are_splitmix64_and_uniform():
    # The first outputs of splitmix64 for the seed 1234567 in the authors' C code.
    golden = 0x9E3779B97F4A7C15
    seeds = np.array([(1234567 + t * golden) % 2**64 for t in (1, 2, 3)], dtype=np.uint64)
    assert mix(seeds).tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    state = streams(np.arange(500, dtype=np.uint64), 200)
    for t in range(3):
        u = uniforms(state, t)
        assert u.min() > 0
        assert u.max() <= 1
        counts = np.histogram(u, bins=20, range=(0, 1))[0]
        assert ((counts - 5000) ** 2 / 5000).sum() < 50
    correlation = np.corrcoef(uniforms(state, 0).ravel(), uniforms(state, 1).ravel())[0, 1]
    assert abs(correlation) < 0.015


def test_keys_tell_rows_apart_and_ignore_signs_of_zeros():
    rows = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [-0.0, 1.0, 2.0], [1.0, 2.0, 0.0]])
    keys = hash_rows(rows, np.uint64(3))
    assert keys[0] == keys[2]
    assert len(set(keys.tolist())) == 3
    assert (keys != hash_rows(rows, np.uint64(4))).all()
