"""Costs of blocks, and bounds of the pattern search, against sums over all examples."""

import numpy as np
import pytest

from beyond_accuracy.reweighting.objective import average_costs, group_scores
from beyond_accuracy.reweighting.pattern_search import (
    _find_moments,
    _least_rise,
    _least_rise_to_zero,
    _sum_terms,
)
from beyond_accuracy.reweighting.score_blocks import (
    average_costs_of_blocks,
    block_costs,
    block_costs_of_class,
    make_blocks,
)


def expected_cost(grouped, costs, weights):
    """Return the expected cost, equation (15)."""
    products = grouped.values * weights[:, None]
    return float((costs[grouped.labels].T * products / products.sum(axis=0)).sum(axis=0).mean())


def averages(function, *arguments):
    out = np.empty(len(arguments[-1]))
    function(*arguments, out)
    return out


@pytest.mark.parametrize(("n", "m", "sharpness"), [(50, 3, 1), (2000, 3, 1), (3000, 12, 4)])
def test_blocks_cost_what_all_examples_cost(problem, n, m, sharpness):
    """After a change of one weight, the costs of blocks that are not visited stay correct."""
    scores, y, costs = problem(n, m)
    scores = np.round(scores**sharpness, 2) + 1e-9
    scores[:20] = np.eye(m)[0]
    grouped = group_scores(scores, y)
    rng = np.random.default_rng(0)
    population = rng.random((20, m))
    population[0], population[1], population[2] = 1.0, 0.0, np.eye(m)[1]
    blocks = make_blocks(grouped, costs)
    found = averages(average_costs_of_blocks, blocks, costs, population)
    expected = averages(average_costs, grouped.values, grouped.starts, costs, population)
    np.testing.assert_array_equal(found, expected)
    for weights in population:
        of_blocks, moved = np.empty(len(blocks.tops)), weights.copy()
        block_costs(blocks, costs, weights, of_blocks)
        for j in (0, m - 1):
            moved[j] = 2.0 * rng.random()
            largest = max(weights[j], moved[j])
            block_costs_of_class(blocks, costs, moved, j, largest, of_blocks)
            anew = np.empty(len(blocks.tops))
            block_costs(blocks, costs, moved, anew)
            np.testing.assert_array_equal(of_blocks, anew)
            weights = moved.copy()


def bounds(grouped, costs, weights, j, changes):
    """Return bounds of the rise of the expected cost for each change of weight j, and the rises."""
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
    """Exact for examples in which other classes have a share, else too low by at most one cost."""
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
