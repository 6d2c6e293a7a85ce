"""The pattern search against one without shortcuts, and the bounds that spare it evaluations."""

import numpy as np
import pytest

from beyond_accuracy.reweighting.genetic_algorithm import _find_twin
from beyond_accuracy.reweighting.objective import group_scores
from beyond_accuracy.reweighting.pattern_search import (
    _find_moments,
    _least_rise,
    _least_rise_to_zero,
    _sum_terms,
    pattern_search,
)


def expected_cost(grouped, costs, weights):
    """Equation (15)."""
    products = grouped.values * weights[:, None]
    return float((costs[grouped.labels].T * products / products.sum(axis=0)).sum(axis=0).mean())


def without_shortcuts(grouped, costs, weights):
    """The search in so many words; every point is evaluated from the scores."""
    m = len(weights)
    weights, value = weights.copy(), expected_cost(grouped, costs, weights)
    mesh, n_evaluations = 1.0, 1
    for _ in range(100 * m):
        if mesh < 1e-6 or n_evaluations >= 2000 * m:
            break
        for j, sign in ((j, sign) for j in range(m) for sign in (1, -1)):
            point = weights.copy()
            point[j] = max(weights[j] + sign * mesh, 0.0)
            if point[j] == weights[j]:
                continue
            n_evaluations += 1
            reached = expected_cost(grouped, costs, point)
            if reached < value * (1 - 1e-12):
                weights, value, mesh = point, reached, 4.0 * mesh
                break
        mesh *= 0.5
    return weights, value, n_evaluations


@pytest.mark.parametrize(("n", "m", "seed"), [(40, 2, 0), (150, 4, 1), (90, 6, 2)])
def test_bounds_do_not_change_the_way(problem, n, m, seed):
    scores, y, costs = problem(n, m, seed)
    grouped = group_scores(scores, y)
    start = np.random.default_rng(seed).random(m)
    start /= start.max()
    for matrix in (1.0 - np.eye(m), costs):
        found = pattern_search(grouped.values, grouped.starts, matrix, True, start)
        weights, value, n_evaluations = without_shortcuts(grouped, matrix, start)
        np.testing.assert_allclose(found[0], weights, rtol=1e-9)
        assert found[1] == pytest.approx(value, rel=1e-12)
        assert found[2] == n_evaluations


def bounds(grouped, costs, weights, j, changes):
    """Bounds of the rise of the expected cost by each change of weight j, and the rise."""
    n = grouped.values.shape[1]
    state = np.empty((5, n))
    _sum_terms(grouped.values, grouped.starts, costs, weights, state)
    moments = np.empty(4)
    _find_moments(grouped.values, grouped.starts, costs, state, j, moments)
    moved = [weights + change * np.eye(len(weights))[j] for change in changes]
    before = expected_cost(grouped, costs, weights)
    rises = [expected_cost(grouped, costs, each) - before for each in moved]
    lower = [_least_rise(moments, weights[j], change) / n for change in changes]
    return np.array(lower), np.array(rises)


@pytest.mark.parametrize("seed", range(4))
def test_bound_is_below_the_rise_and_close_for_small_steps(problem, seed):
    scores, y, costs = problem(80, 4, seed)
    costs += np.diag(np.random.default_rng(seed).random(4))
    grouped = group_scores(scores, y)
    weights = np.random.default_rng(seed).random(4) + 0.05
    for j in range(4):
        steps = weights[j] * np.logspace(-4, 1, 60)
        changes = np.concatenate([steps, -steps[steps < weights[j]]])
        lower, rises = bounds(grouped, costs, weights, j, changes)
        assert (lower <= rises + 1e-12).all()
        small = np.abs(changes) < 1e-3 * weights[j]
        np.testing.assert_allclose(lower[small], rises[small], atol=1e-7)


@pytest.mark.parametrize("seed", range(4))
def test_bound_of_a_weight_that_vanishes(problem, seed):
    """Exact for examples that other classes share in; else below, and never by more than a cost."""
    scores, y, costs = problem(80, 4, seed)
    grouped = group_scores(scores**3, y)
    weights = np.random.default_rng(seed).random(4) + 0.05
    n = len(y)
    state = np.empty((5, n))
    _sum_terms(grouped.values, grouped.starts, costs, weights, state)
    before = expected_cost(grouped, costs, weights)
    for j in range(4):
        without = weights * (np.arange(4) != j)
        rise = n * (expected_cost(grouped, costs, without) - before)
        values = (grouped.values, grouped.starts, costs, state)
        lower = _least_rise_to_zero(*values, j, weights[j])
        shares = grouped.values[j] * weights[j] / (grouped.values * weights[:, None]).sum(axis=0)
        assert lower <= rise + 1e-9
        assert lower >= rise - 10 * (shares > 0.99).sum() - 1e-9


@pytest.mark.filterwarnings("ignore:invalid value")
def test_no_bound_holds_where_all_products_vanish():
    grouped = group_scores(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([0, 1]))
    lower, _ = bounds(grouped, 1.0 - np.eye(2), np.array([0.0, 1.0]), 1, [0.5, -0.5])
    assert not (lower > 0).any()


def test_twins_are_found_among_earlier_weights_only():
    individuals = np.array([[1.0, 2], [3, 4], [3, 4], [3, 5], [1, 4], [3, 5]])
    assert [_find_twin(individuals, child) for child in range(2, 6)] == [1, -1, -1, 3]
