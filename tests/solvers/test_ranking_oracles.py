"""Ranking oracles against the enumeration of all orders, and against definitions."""

import itertools
from functools import cache

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.losses import AveragePrecisionLoss
from beyond_accuracy.solvers import make_solver
from beyond_accuracy.solvers.oracles import make_oracle

PARTS = ["0_1", "0_0.5", "0_0.3", "0.25_0.75", "0.5_1", "0.3_0.4", "0.4_0.6"]
NAMES = ["average_precision", *(f"partial_roc_area_{part}" for part in PARTS)]

scores_like = st.one_of(st.integers(-3, 3).map(float), st.floats(-2, 2, width=32), st.just(0.0))


@st.composite
def few_scores(draw):
    n_positives, n_negatives = draw(
        st.sampled_from([(1, 1), (1, 4), (2, 3), (3, 3), (2, 4), (4, 2)])
    )
    n = n_positives + n_negatives
    return n_positives, np.array(draw(st.lists(scores_like, min_size=n, max_size=n)))


@cache
def all_orders(name, n_positives, n):
    """Return the loss of every order, and how often each order adds each example's score."""
    measure = get_measure(name)
    losses, weights = [], []
    for order in map(np.array, itertools.permutations(range(n))):
        rank = np.empty(n)
        rank[order] = np.arange(n)
        losses.append(100 * (1 - measure.score(np.arange(n) < n_positives, -rank)))
        swapped = rank[n_positives:][None, :] < rank[:n_positives, None]
        if name != "average_precision":
            # Only the highest negatives of the order count.
            among = np.argsort(np.argsort(rank[n_positives:]))
            swapped &= among < np.ceil(measure.loss.highest_rate * (n - n_positives) - 1e-9)
        weights.append(np.concatenate([-swapped.sum(axis=1), swapped.sum(axis=0)]))
    return np.array(losses), np.array(weights)


def check_ranking(oracle, scores, expected):
    found = oracle.search(scores)
    assert found.value == pytest.approx(expected, rel=1e-10, abs=1e-9)
    weights = np.empty(len(scores))
    oracle.weights(found, scores, weights)
    assert found.loss + weights @ scores == pytest.approx(expected, rel=1e-10, abs=1e-8)
    direction = np.cos(np.arange(len(scores)))
    assert oracle.slope(found, scores, direction) == pytest.approx(weights @ direction, abs=1e-9)
    whole = weights / oracle.scale
    np.testing.assert_allclose(whole, np.rint(whole), atol=1e-9)
    return found, np.rint(whole)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(few_scores())
def test_equal_the_enumeration_of_all_orders(name, problem):
    n_positives, scores = problem
    n = len(scores)
    losses, weights = all_orders(name, n_positives, n)
    loss = get_measure(name).loss
    oracle = make_oracle(loss, n_positives, n - n_positives)
    values = losses + oracle.scale * weights @ scores
    found, own = check_ranking(oracle, scores, values.max())
    # The loss equals the loss of any order with the same swaps.
    same = (weights == own).all(axis=1)
    assert losses[same] == pytest.approx(found.loss, abs=1e-9)


def highest_place_by_place(loss, n_positives, scores):
    """Return the highest value, with each positive (or negative, for average precision) alone."""
    positives, negatives = np.sort(scores[:n_positives])[::-1], np.sort(scores[n_positives:])[::-1]
    i, k = np.arange(1, len(positives) + 1)[:, None], np.arange(1, len(negatives) + 1)[None, :]
    if isinstance(loss, AveragePrecisionLoss):
        pairs = len(negatives) * i / ((i + k - 1) * (i + k)) + negatives - positives[:, None]
        ends = np.cumsum(pairs[::-1], axis=0)
        return 100 / pairs.size * np.maximum(ends.max(axis=0), 0).sum()
    start, stop = (rate * len(negatives) for rate in (loss.lowest_rate, loss.highest_rate))
    shares = np.clip(np.minimum(k, stop) - np.maximum(k - 1, start), 0, 1)
    pairs = (shares + negatives - positives[:, None])[:, : int(np.ceil(stop - 1e-9))]
    ends = np.cumsum(pairs, axis=1)
    return 100 / (len(positives) * (stop - start)) * np.maximum(ends.max(axis=1), 0).sum()


@pytest.mark.parametrize("name", [*NAMES, "partial_roc_area_0.013_0.21"])
@settings(max_examples=60)
@given(
    st.integers(1, 80),
    st.integers(1, 150),
    st.integers(0, 2**31),
    st.sampled_from([0.1, 1.0, 30.0]),
    st.sampled_from(["normal", "rounded", "heavy", "shifted"]),
)
def test_equal_the_places_one_by_one(name, n_positives, n_negatives, seed, scale, kind):
    rng = np.random.default_rng(seed)
    n = n_positives + n_negatives
    scores = scale * (rng.standard_cauchy(n) if kind == "heavy" else rng.normal(size=n))
    if kind == "shifted":
        scores[:n_positives] += 2 * scale
    if kind == "rounded":
        scores = np.round(scores)
    loss = get_measure(name).loss
    oracle = make_oracle(loss, n_positives, n_negatives)
    check_ranking(oracle, scores, highest_place_by_place(loss, n_positives, scores))


@pytest.mark.parametrize("rates", ["0.5_0.5", "0.6_0.5", "0_1.1"])
def test_false_positive_rates_must_rise(rates):
    with pytest.raises(ValueError, match="must rise and lie in"):
        get_measure(f"partial_roc_area_{rates}")


@pytest.mark.parametrize("name", ["average_precision", *(f"partial_roc_area_{p}" for p in PARTS)])
def test_the_minimum_is_that_of_a_simplex_search(name):
    """Compare with a simplex search on the objective by definition; the gap certifies it, too."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) < 15
    X[:15] += (3.0, 2.0)
    X[15:20] += (4.0, 0.0)
    loss, C = get_measure(name).loss, 0.05

    def objective(w):
        return w @ w / 2 + C * highest_place_by_place(loss, 15, X @ w)

    reached = scipy.optimize.minimize(
        objective, [0.5, 0.5], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-9}
    )
    solution = make_solver(X, y, name).solve(C, tol=1e-6)
    assert solution.dual_gap <= 1e-6
    assert np.linalg.norm(solution.w) > 0.1
    assert solution.objective == pytest.approx(reached.fun, rel=2e-6)
