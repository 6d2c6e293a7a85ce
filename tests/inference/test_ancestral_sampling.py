"""Samples of a chain: their law, and that they depend on nothing but seeds."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from beyond_accuracy.inference.ancestral_sampling import sample_logistic_chain
from beyond_accuracy.inference.random_numbers import hash_rows, mix, streams, uniforms


def one_by_one(log_odds, weights, key, n_samples):
    """The same law label by label, with the same random numbers: a positive ends a survival."""
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


def test_frequencies_of_all_label_vectors():
    rng = np.random.default_rng(3)
    n_labels, n_samples = 5, 200_000
    log_odds, weights = rng.normal(size=(1, n_labels)), 2 * rng.normal(size=(n_labels, n_labels))
    keys = np.array([17], dtype=np.uint64)
    samples = sample_logistic_chain(log_odds, weights, keys, n_samples)[0]
    codes = samples @ (1 << np.arange(n_labels))
    frequency = np.bincount(codes, minlength=2**n_labels) / n_samples
    for code in range(2**n_labels):
        y = (code >> np.arange(n_labels)) & 1
        p = 1 / (1 + np.exp(-(log_odds[0] + np.tril(weights, -1) @ y)))
        probability = np.where(y == 1, p, 1 - p).prod()
        assert abs(frequency[code] - probability) < 5 * np.sqrt(probability / n_samples)


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
    # So large that odds kept as products would overflow.
    weights[5, 0], weights[5, 4] = 1e4, -1.1e4
    samples = sample_logistic_chain(log_odds, weights, np.array([1], dtype=np.uint64), 500)[0]
    assert (samples.mean(axis=0)[[0, 1, 3, 4, 5]] == [1, 0, 0, 1, 0]).all()
    assert 0.4 < samples[:, 2].mean() < 0.6


def test_products_of_odds_and_sums_of_logarithms_draw_the_same():
    rng = np.random.default_rng(5)
    log_odds, weights = rng.normal(-1, 1, size=(4, 16)), rng.normal(size=(16, 16))
    keys = np.arange(4, dtype=np.uint64)
    samples = sample_logistic_chain(log_odds, weights, keys, 60)
    # A last label with an effect beyond exp's range switches to logarithms.
    wider = np.zeros((17, 17))
    wider[:16, :16], wider[16, 0] = weights, -900.0
    logs = sample_logistic_chain(np.pad(log_odds, ((0, 0), (0, 1))), wider, keys, 60)
    assert (logs[:, :, :16] == samples).all()
    assert not (logs[:, :, 16] & logs[:, :, 0]).any()


def test_random_numbers_are_splitmix64_and_uniform():
    # The first outputs of splitmix64 for the seed 1234567 in its authors' C code.
    golden = 0x9E3779B97F4A7C15
    seeds = np.array([(1234567 + t * golden) % 2**64 for t in (1, 2, 3)], dtype=np.uint64)
    assert mix(seeds).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
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
