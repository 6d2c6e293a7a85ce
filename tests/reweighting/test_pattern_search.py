"""Costs of blocks, and a bound of the pattern search, against sums over all examples."""

import numpy as np
import pytest

from beyond_accuracy.reweighting import average_cost
from beyond_accuracy.reweighting.objective import evaluate, group_scores
from beyond_accuracy.reweighting.pattern_search import (
    _change_terms,
    _divide,
    _least_rise_to_zero,
)
from beyond_accuracy.reweighting.score_blocks import (
    average_costs_of_blocks,
    block_costs,
    block_costs_of_class,
    make_blocks,
)


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
    found = np.empty(len(population))
    average_costs_of_blocks(blocks, costs, population, found)
    expected = [evaluate(grouped, costs, weights) for weights in population]
    np.testing.assert_array_equal(found, expected)
    direct = [average_cost(scores, y, weights, costs) for weights in population]
    np.testing.assert_allclose(found, direct, rtol=1e-12)
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


@pytest.mark.parametrize("seed", range(4))
def test_bound_of_a_weight_that_vanishes(problem, seed):
    """Exact for examples in which other classes have a share, else too low by at most one cost."""
    scores, y, costs = problem(80, 4, seed)
    grouped = group_scores(scores**3, y)
    weights = np.random.default_rng(seed).random(4) + 0.05
    state, values = np.zeros((5, 80)), (grouped.values, grouped.starts, costs)
    for j in range(4):
        _change_terms(*values, state, j, weights[j])
    _divide(state)

    def total_cost(w):
        products = grouped.values * w[:, None]
        return (costs[grouped.labels].T * products / products.sum(axis=0)).sum()

    for j in range(4):
        rise = total_cost(weights * (np.arange(4) != j)) - total_cost(weights)
        lower = _least_rise_to_zero(*values, state, j, weights[j])
        shares = grouped.values[j] * weights[j] / (grouped.values * weights[:, None]).sum(axis=0)
        assert lower <= rise + 1e-9
        assert lower >= rise - 10 * (shares > 0.99).sum() - 1e-9
