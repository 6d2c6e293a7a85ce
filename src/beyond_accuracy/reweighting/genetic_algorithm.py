"""A genetic algorithm over non-negative weights and a pattern search from its best, compiled."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from beyond_accuracy.reweighting.objective import (
    GroupedScores,
    average_costs,
    fractional_costs,
)
from beyond_accuracy.reweighting.pattern_search import pattern_search
from beyond_accuracy.reweighting.threshold import stable_order


@dataclass(frozen=True)
class Search:
    """What the search found, and how long it took.

    Attributes
    ----------
    weights : ndarray, shape (m,), float64
    value : float
        Least value of the objective.
    n_generations, n_evaluations : int
    """

    weights: np.ndarray
    value: float
    n_generations: int
    n_evaluations: int


def search_weights(
    grouped: GroupedScores,
    costs: np.ndarray,
    *,
    fractional: bool,
    population_size: int,
    max_generations: int,
    crossover_fraction: float,
    n_elites: int,
    patience: int,
    include_unweighted: bool,
    rng: np.random.Generator,
) -> Search:
    """Minimize the average cost, or with `fractional` equation (15), over weights ≥ 0."""
    population = rng.random((population_size, grouped.n_classes))
    if include_unweighted:
        population[0] = 1.0
    n_crossover = round(crossover_fraction * (population_size - n_elites))
    problem = (grouped.values, grouped.starts, costs, fractional)
    weights, n_generations, n_genetic = _evolve(
        *problem, population, max_generations, n_elites, n_crossover, patience, rng
    )
    weights, value, n_pattern = pattern_search(*problem, weights / weights.max())
    return Search(weights, value, n_generations, population_size + n_genetic + n_pattern)


@njit(cache=True, nogil=True)
def _evaluate(values, starts, costs, fractional, population, out):
    if fractional:
        fractional_costs(values, starts, costs, population, out)
    else:
        average_costs(values, starts, costs, population, out)


@njit(cache=True, nogil=True)
def _choose_parents(n_parents, size, rng):
    """Stochastic uniform selection among individuals sorted by rank, then shuffled.

    Expectations are proportional to 1/√rank; one random start, equal steps along the wheel.
    """
    wheel = np.empty(size)
    total = 0.0
    for rank in range(size):
        total += 1.0 / np.sqrt(rank + 1.0)
        wheel[rank] = total
    step = total / n_parents
    position = rng.random() * step
    parents = np.empty(n_parents, dtype=np.int64)
    rank = 0
    for k in range(n_parents):
        while rank < size - 1 and wheel[rank] < position:
            rank += 1
        parents[k] = rank
        position += step
    for k in range(n_parents - 1, 0, -1):
        other = int(rng.random() * (k + 1))
        parents[k], parents[other] = parents[other], parents[k]
    return parents


@njit(cache=True, nogil=True)
def _find_twin(population, offspring, child):
    """Place of the child's weights in the population and then in earlier offspring, or −1."""
    size = len(population)
    for place in range(size + child):
        other = population[place] if place < size else offspring[place - size]
        j = 0
        while j < len(other) and other[j] == offspring[child, j]:
            j += 1
        if j == len(other):
            return place
    return -1


@njit(cache=True, nogil=True)
def _evolve(
    values, starts, costs, fractional, population, max_generations, n_elites, n_crossover,
    patience, rng,
):  # fmt: skip
    size, m = population.shape
    fitness = np.empty(size)
    _evaluate(values, starts, costs, fractional, population, fitness)
    n_mutation = size - n_elites - n_crossover
    offspring = np.empty((size - n_elites, m))
    offspring_fitness = np.empty(size - n_elites)
    # Parents that are alike have children alike, whose fitness is known.
    fresh = np.empty_like(offspring)
    fresh_fitness = np.empty_like(offspring_fitness)
    twins = np.empty(size - n_elites, dtype=np.int64)
    unchanged = 0
    generation = 0
    while generation < max_generations and unchanged < patience:
        order = stable_order(fitness)
        population = population[order]
        fitness = fitness[order]
        parents = _choose_parents(2 * n_crossover + n_mutation, size, rng)
        for child in range(n_crossover):
            for j in range(m):
                parent = parents[2 * child + (rng.random() < 0.5)]
                offspring[child, j] = population[parent, j]
        deviation = 1.0 - generation / max_generations
        for child in range(n_mutation):
            parent = parents[2 * n_crossover + child]
            for j in range(m):
                moved = population[parent, j] + deviation * rng.standard_normal()
                offspring[n_crossover + child, j] = abs(moved)
        n_fresh = 0
        for child in range(size - n_elites):
            twin = _find_twin(population, offspring, child)
            twins[child] = twin
            if twin < 0:
                for j in range(m):
                    fresh[n_fresh, j] = offspring[child, j]
                n_fresh += 1
        _evaluate(values, starts, costs, fractional, fresh[:n_fresh], fresh_fitness)
        n_fresh = 0
        for child in range(size - n_elites):
            twin = twins[child]
            if twin < 0:
                offspring_fitness[child] = fresh_fitness[n_fresh]
                n_fresh += 1
            else:
                known = fitness[twin] if twin < size else offspring_fitness[twin - size]
                offspring_fitness[child] = known
        for child in range(size - n_elites):
            for j in range(m):
                population[n_elites + child, j] = offspring[child, j]
            fitness[n_elites + child] = offspring_fitness[child]
        generation += 1
        unchanged = 0 if offspring_fitness.min() < fitness[0] else unchanged + 1
    best = np.argmin(fitness)
    return population[best], generation, generation * (size - n_elites)
