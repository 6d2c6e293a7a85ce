"""Class weights by a genetic algorithm, for the average cost or a smooth form of it (SOLFF)."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from beyond_accuracy.compilation import compiled
from beyond_accuracy.reweighting.base import WeightReweighter
from beyond_accuracy.reweighting.objective import copy_row, fractional_costs
from beyond_accuracy.reweighting.pattern_search import pattern_search
from beyond_accuracy.reweighting.score_blocks import average_costs_of_blocks, make_blocks
from beyond_accuracy.scikit_learn import Interval


class GeneticReweighter(WeightReweighter):
    """Decision rule whose class weights are found by a genetic algorithm (Deng et al. 2006).

    The weights minimize the average cost. An individual is a vector of m class weights. Details
    that the paper omits follow the defaults of Matlab's toolbox:

    - The initial population is uniform in [0, 1]^m.
    - Parents are selected by stochastic uniform selection with expectations proportional to
      1/√rank.
    - The best `n_elites` individuals survive. Of the others, the share `crossover_fraction` comes
      from scattered crossover (each weight from either parent), and the rest from mutation.
    - A mutation adds a normal deviate to each weight. The standard deviation falls linearly from 1
      to 0 over `max_generations`. Negative weights are reflected.
    - At the end, a pattern search improves the best individual, one weight at a time. The step is 1
      at first. It is doubled after an improvement; if no step improves, it is halved, down to 1e-6.

    Parameters
    ----------
    population_size : int, default 20
    max_generations : int, default 200
    crossover_fraction : float, default 0.8
    n_elites : int, default 2
    patience : int, default 100
        Number of generations without improvement after which evolution ends.
    include_unweighted : bool, default True
        Whether equal weights are in the initial population. If so, the result on the data of `fit`
        is never worse than without reweighting. Matlab's toolbox does not include them.
    random_state : int, RandomState instance or None, default None
        Seed of the genetic algorithm.

    Attributes
    ----------
    weights_, objective_, n_classes_
        See `WeightReweighter`.
    search_objective_ : float
        Smallest average cost that was found, equal to `objective_`.
    n_generations_, n_evaluations_ : int
        Numbers of generations and of evaluated individuals, including repeated ones.

    References
    ----------
    K. Deng et al., ROCML 2006; its extended form: https://doi.org/10.1007/s10994-008-5056-8

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[.6, .3, .1], [.5, .4, .1], [.5, .1, .4], [.7, .2, .1], [.6, .3, .1]]
    >>> y, costs = [0, 1, 2, 0, 1], [[0, 1, 1], [4, 0, 1], [4, 1, 0]]
    >>> rule = reweighting.GeneticReweighter(random_state=0).fit(scores, y, costs)
    >>> rule.predict(scores), round(rule.objective_, 6)
    (array([1, 1, 2, 0, 1]), 0.2)
    """

    _fractional = False
    _parameter_constraints = {
        "population_size": [Interval(Integral, 4, None, closed="left")],
        "max_generations": [Interval(Integral, 0, None, closed="left")],
        "crossover_fraction": [Interval(Real, 0, 1, closed="both")],
        "n_elites": [Interval(Integral, 1, None, closed="left")],
        "patience": [Interval(Integral, 1, None, closed="left")],
        "include_unweighted": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        population_size: int = 20,
        max_generations: int = 200,
        crossover_fraction: float = 0.8,
        n_elites: int = 2,
        patience: int = 100,
        include_unweighted: bool = True,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.population_size = population_size
        self.max_generations = max_generations
        self.crossover_fraction = crossover_fraction
        self.n_elites = n_elites
        self.patience = patience
        self.include_unweighted = include_unweighted
        self.random_state = random_state

    def _find_weights(self, scores, labels, grouped, costs):
        if self.n_elites >= self.population_size:
            raise ValueError(
                f"n_elites is {self.n_elites}; it must be below population_size, "
                f"{self.population_size}"
            )
        seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
        rng = np.random.default_rng(seed)
        size, n_children = self.population_size, self.population_size - self.n_elites
        individuals = np.empty((size + n_children, len(costs)))
        individuals[:size] = rng.random((size, len(costs)))
        if self.include_unweighted:
            individuals[0] = 1.0
        n_crossover = round(self.crossover_fraction * n_children)
        blocks = make_blocks(grouped, costs)
        problem = (blocks, grouped.values, grouped.starts, costs, self._fractional)
        options = (self.max_generations, n_crossover, self.patience, rng)
        self.n_generations_: int
        weights, self.n_generations_, n_genetic = _evolve(*problem, individuals, size, *options)
        self.search_objective_: float
        start = weights / weights.max()
        weights, self.search_objective_, n_pattern = pattern_search(*problem, start)
        self.n_evaluations_: int = size + n_genetic + n_pattern
        return weights


class FractionalReweighter(GeneticReweighter):
    """Decision rule whose class weights minimize a smooth form of the average cost, SOLFF.

    SOLFF is a sum of linear fractional functions (Deng et al. 2006). In training, an example is not
    predicted as one class but shared among all classes, in proportion to the products w_j·S_ij of
    class weights and scores. The expected cost (1/n)·Σ_i Σ_j cost[y_i, j]·w_j·S_ij / Σ_k w_k·S_ik
    is minimized. `predict` returns argmax_j w_j·S_ij.

    The algorithm, parameters and attributes are those of GeneticReweighter, with one difference:
    `search_objective_` is the smallest expected cost, and `objective_` the average cost of the
    predictions, which can exceed the cost of equal weights.

    References
    ----------
    K. Deng et al., ROCML 2006; its extended form: https://doi.org/10.1007/s10994-008-5056-8

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[.6, .3, .1], [.5, .4, .1], [.5, .1, .4], [.7, .2, .1], [.6, .3, .1]]
    >>> y, costs = [0, 1, 2, 0, 1], [[0, 1, 1], [4, 0, 1], [4, 1, 0]]
    >>> rule = reweighting.FractionalReweighter(random_state=0).fit(scores, y, costs)
    >>> rule.predict(scores), round(rule.objective_, 6)
    (array([1, 1, 2, 1, 1]), 0.4)
    """

    _fractional = True


@compiled
def _choose_parents(n_parents, size, rng):
    """Return ranks of parents, in random order, by stochastic uniform selection with 1/√rank."""
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
    """Write children, first those by crossover, behind the `size` parents sorted by fitness."""
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
    """Return the index of the first individual before `child` with the same weights, or −1."""
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
    """Sort the first `size` individuals stably by fitness; the next row is work space."""
    for i in range(1, size):
        _move(individuals, fitness, i, size)
        rank = i
        while rank > 0 and fitness[rank - 1] > fitness[size]:
            _move(individuals, fitness, rank - 1, rank)
            rank -= 1
        _move(individuals, fitness, size, rank)


@compiled
def _evolve(
    blocks, values, starts, costs, fractional,
    individuals, size, max_generations, n_crossover, patience, rng,
):  # fmt: skip
    """Run the genetic algorithm; return (best weights, number of generations, of evaluations).

    The first `size` rows of `individuals` are the initial population; the others are work space.
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
