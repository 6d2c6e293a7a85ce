"""The genetic algorithm and the pattern search against loops over single numbers."""

import numpy as np
import pytest
from scipy.optimize import minimize

from beyond_accuracy.reweighting import FractionalReweighter, GeneticReweighter, average_cost
from beyond_accuracy.reweighting.objective import evaluate, fractional_costs, group_scores
from beyond_accuracy.reweighting.pattern_search import pattern_search
from beyond_accuracy.reweighting.score_blocks import (
    average_costs_of_blocks,
    block_costs,
    block_costs_of_class,
    make_blocks,
)


def expected_costs(scores, y, costs, population):
    """Return the expected cost at each row of class weights."""
    grouped, out = group_scores(scores, y), np.empty(len(population))
    fractional_costs(grouped.values, grouped.starts, costs, population, out)
    return out


def select(n_parents, size, rng):
    """Turn a wheel with sectors of 1/√rank in equal steps; shuffle the ranks (Fisher and Yates)."""
    sectors = [1 / np.sqrt(rank + 1) for rank in range(size)]
    step = sum(sectors) / n_parents
    ranks, position = [], rng.random() * step
    for _ in range(n_parents):
        rank, end = 0, sectors[0]
        while end < position:
            rank += 1
            end += sectors[rank]
        ranks.append(rank)
        position += step
    for k in reversed(range(1, n_parents)):
        partner = int(rng.random() * (k + 1))
        ranks[k], ranks[partner] = ranks[partner], ranks[k]
    return ranks


def evolve(objective, population, model, rng):
    """Run the genetic algorithm of Deng et al. one weight at a time."""
    size, m = population.shape
    n_children = size - model.n_elites
    n_crossover = round(model.crossover_fraction * n_children)
    people = sorted(((objective(w), i, w) for i, w in enumerate(population)), key=lambda p: p[:2])
    generation = unchanged = 0
    while generation < model.max_generations and unchanged < model.patience:
        parents = [people[rank][2] for rank in select(n_children + n_crossover, size, rng)]
        children = []
        for child in range(n_crossover):
            pair = parents[2 * child : 2 * child + 2]
            children.append(np.array([pair[rng.random() < 0.5][j] for j in range(m)]))
        for parent in parents[2 * n_crossover :]:
            spread = 1 - generation / model.max_generations
            children.append(np.array([abs(w + spread * rng.standard_normal()) for w in parent]))
        generation += 1
        least = people[0][0]
        people = people[: model.n_elites] + [(objective(child), 0, child) for child in children]
        unchanged = 0 if min(value for value, *_ in people) < least else unchanged + 1
        best = min(range(size), key=lambda i: people[i][0])
        winner = people[best][2]
        people.sort(key=lambda person: person[0])
    return winner, generation


def poll(objective, weights):
    """Search along the axes, with a mesh that doubles after a success and is halved otherwise."""
    m = len(weights)
    value, mesh, n_evaluations = objective(weights), 1.0, 1
    for _ in range(100 * m):
        if mesh < 1e-6 or n_evaluations >= 2000 * m:
            break
        for j, sign in ((j, sign) for j in range(m) for sign in (1, -1)):
            point = weights.copy()
            point[j] = max(weights[j] + sign * mesh, 0.0)
            if point[j] == weights[j]:
                continue
            n_evaluations += 1
            reached = objective(point)
            if reached < value * (1 - 1e-12):
                weights, value, mesh = point, reached, 4.0 * mesh
                break
        mesh *= 0.5
    return weights, value, n_evaluations


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


@pytest.mark.parametrize("fractional", [False, True])
@pytest.mark.parametrize(("n", "m", "seed"), [(40, 2, 0), (150, 4, 1), (90, 6, 2), (1000, 5, 3)])
def test_blocks_and_bounds_do_not_change_the_search(problem, n, m, seed, fractional):
    scores, y, costs = problem(n, m, seed)
    grouped = group_scores(scores, y)
    start = np.random.default_rng(seed).random(m)
    start /= start.max()
    for matrix in (1.0 - np.eye(m), costs):
        prices = matrix[grouped.labels].T

        def objective(w, prices=prices):
            products = grouped.values * w[:, None]
            if fractional:
                return (prices * products / products.sum(axis=0)).sum(axis=0).mean()
            return prices[products.argmax(axis=0), np.arange(n)].mean()

        blocks = make_blocks(grouped, matrix)
        found = pattern_search(blocks, grouped.values, grouped.starts, matrix, fractional, start)
        weights, value, n_evaluations = poll(objective, start)
        np.testing.assert_allclose(found[0], weights, rtol=1e-9)
        assert found[1] == pytest.approx(value, rel=1e-12)
        assert found[2] == n_evaluations


@pytest.mark.parametrize("method", [GeneticReweighter, FractionalReweighter])
@pytest.mark.parametrize(
    ("m", "seed", "parameters"),
    [
        (2, 0, {}),
        (4, 1, {"max_generations": 30, "include_unweighted": False}),
        (6, 2, {"population_size": 9, "n_elites": 3, "crossover_fraction": 0.5, "patience": 4}),
    ],
)
def test_equal_to_loops_over_single_weights(problem, method, m, seed, parameters):
    scores, y, costs = problem(60, m, seed)
    model = method(random_state=seed, **parameters).fit(scores, y, costs)
    scores, n = scores / scores.max(axis=1, keepdims=True), len(y)

    def errors(w):
        # The costs are whole numbers, so their sum is exact in any order.
        return costs[y, np.argmax(scores * w, axis=1)].sum() / n

    def shared(w):
        return expected_costs(scores, y, costs, w[None])[0]

    objective = errors if method is GeneticReweighter else shared
    rng = np.random.default_rng(np.random.RandomState(seed).randint(np.iinfo(np.int32).max))
    population = rng.random((model.population_size, m))
    if model.include_unweighted:
        population[0] = 1.0
    weights, n_generations = evolve(objective, population, model, rng)
    weights, value, n_polled = poll(objective, weights / weights.max())
    assert model.n_generations_ == n_generations
    n_children = n_generations * (model.population_size - model.n_elites)
    assert model.n_evaluations_ == model.population_size + n_children + n_polled
    np.testing.assert_allclose(model.weights_, weights / weights.max(), rtol=1e-12)
    assert model.search_objective_ == pytest.approx(value, rel=1e-12)


def test_fractional_reaches_the_minimum_of_its_smooth_objective(problem):
    """Compare with SciPy's quasi-Newton method from four starts, one with equal weights."""
    scores, y, costs = problem(300, 4, 1)

    def expected_cost(logs):
        product = scores * np.exp(np.append(logs, 0.0))
        return (costs[y] * product).sum(axis=1) @ (1 / product.sum(axis=1)) / len(y)

    model = FractionalReweighter(random_state=0).fit(scores, y, costs)
    reached = [minimize(expected_cost, start, method="BFGS").fun for start in np.eye(4)[:, :3]]
    assert model.search_objective_ <= min(reached) + 1e-3
