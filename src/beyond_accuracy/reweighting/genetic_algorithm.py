"""A genetic algorithm over non-negative weights, compiled."""

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.compilation import compiled
from beyond_accuracy.reweighting.objective import copy_row, fractional_costs
from beyond_accuracy.reweighting.score_blocks import ScoreBlocks, average_costs_of_blocks


@compiled
def _choose_parents(n_parents, size, rng):
    """Select parents among individuals sorted by rank (stochastic uniform), then shuffle them.

    Expectations are proportional to 1/√rank. There is one random start, and equal steps along the
    wheel.
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
        partner = int(rng.random() * (k + 1))
        parents[k], parents[partner] = parents[partner], parents[k]
    return parents


@compiled
def _breed(individuals, size, n_crossover, deviation, rng):
    """Write children behind the first `size` individuals: by crossover, then by mutation.

    The parents are sorted by fitness.
    """
    m = individuals.shape[1]
    n_mutation = len(individuals) - size - n_crossover
    parents = _choose_parents(2 * n_crossover + n_mutation, size, rng)
    for child in range(n_crossover):
        for j in range(m):
            parent = parents[2 * child + (rng.random() < 0.5)]
            individuals[size + child, j] = individuals[parent, j]
    for child in range(n_crossover, n_crossover + n_mutation):
        parent = parents[n_crossover + child]
        for j in range(m):
            mutated = individuals[parent, j] + deviation * rng.standard_normal()
            individuals[size + child, j] = abs(mutated)


@compiled
def _find_twin(individuals, child):
    """Return the first individual before the child with equal weights, or −1."""
    m = individuals.shape[1]
    for twin in range(child):
        j = 0
        while j < m and individuals[twin, j] == individuals[child, j]:
            j += 1
        if j == m:
            return twin
    return -1


@compiled
def _move(individuals, fitness, source, target):
    copy_row(individuals[source], individuals[target])
    fitness[target] = fitness[source]


@compiled
def _sort(individuals, fitness, size):
    """Sort the first `size` individuals by fitness with a stable insertion sort.

    The individual behind them is overwritten.
    """
    for i in range(1, size):
        _move(individuals, fitness, i, size)
        rank = i
        while rank > 0 and fitness[rank - 1] > fitness[size]:
            _move(individuals, fitness, rank - 1, rank)
            rank -= 1
        _move(individuals, fitness, size, rank)


@compiled
def evolve(
    blocks: ScoreBlocks,
    values: NDArray[np.float64],
    starts: NDArray[np.int64],
    costs: NDArray[np.float64],
    fractional: bool,
    individuals: NDArray[np.float64],
    size: int,
    max_generations: int,
    n_crossover: int,
    patience: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.float64], int, int]:
    """Return the best weights, shape (m,), and the numbers of generations and evaluations.

    The first `size` individuals are the population; the memory behind them is for the children.
    """
    m = individuals.shape[1]
    n_children = len(individuals) - size
    fitness = np.empty(len(individuals))
    # Equal parents have equal children, whose fitness is known.
    fresh = np.empty((size, m))
    fresh_fitness = np.empty(size)
    twins = np.empty(len(individuals), dtype=np.int64)
    first, last = 0, size
    unchanged = 0
    generation = 0
    while True:
        n_fresh = 0
        for i in range(first, last):
            twins[i] = _find_twin(individuals, i)
            if twins[i] < 0:
                copy_row(individuals[i], fresh[n_fresh])
                n_fresh += 1
        if fractional:
            fractional_costs(values, starts, costs, fresh[:n_fresh], fresh_fitness)
        else:
            average_costs_of_blocks(blocks, costs, fresh[:n_fresh], fresh_fitness)
        n_fresh = 0
        for i in range(first, last):
            if twins[i] < 0:
                fitness[i] = fresh_fitness[n_fresh]
                n_fresh += 1
            else:
                fitness[i] = fitness[twins[i]]
        if last > size:
            generation += 1
            improved = False
            for i in range(size, last):
                improved |= fitness[i] < fitness[0]
            unchanged = 0 if improved else unchanged + 1
            for i in range(size, last):
                _move(individuals, fitness, i, i - n_children)
        if generation == max_generations or unchanged == patience:
            break
        _sort(individuals, fitness, size)
        _breed(individuals, size, n_crossover, 1.0 - generation / max_generations, rng)
        first, last = size, len(individuals)
    # Loops, as above, since NumPy's minima take a second to compile.
    best = 0
    for i in range(1, size):
        if fitness[i] < fitness[best]:
            best = i
    return individuals[best].copy(), generation, generation * n_children
