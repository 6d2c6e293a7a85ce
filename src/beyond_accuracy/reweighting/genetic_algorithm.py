"""A compiled genetic algorithm over non-negative class weights."""

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.compilation import compiled
from beyond_accuracy.reweighting.objective import copy_row, fractional_costs
from beyond_accuracy.reweighting.score_blocks import ScoreBlocks, average_costs_of_blocks


@compiled
def _choose_parents(n_parents, size, rng):
    """Return the indices of parents, in random order, by stochastic uniform selection.

    The first `size` individuals are sorted by fitness. Their expectations are proportional to
    1/√rank. One random number determines the first parent; the others follow in equal steps along
    the cumulated expectations.
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
    """Write children behind the first `size` individuals, `n_crossover` of them by crossover.

    The others come from mutation with the standard deviation `deviation`. The first `size`
    individuals, sorted by fitness, are the candidates for parents.
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
    """Return the index of the first individual with the weights of `child`, or −1.

    Only individuals before `child`, an index, are searched.
    """
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
    """Sort the first `size` individuals and their fitness in place, by a stable insertion sort.

    The row of `individuals` after them is used as work space.
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
    """Run the genetic algorithm; return (best weights (m,), number of generations, of evaluations).

    The first `size` rows of `individuals` are the initial population; the other rows are memory for
    children. If `fractional`, equation (15) of Deng et al. 2006 is minimized, otherwise the average
    cost. `n_crossover` children per generation come from crossover and the others from mutation.
    Evolution ends after `max_generations`, or after `patience` generations without improvement.
    `blocks`, `values`, `starts` and `costs` hold the data; see `ScoreBlocks` and `GroupedScores`.
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
