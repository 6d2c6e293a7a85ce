"""Class weights by a genetic algorithm, for the average cost or a smooth form of it (SOLFF)."""

import itertools
from functools import partial
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from beyond_accuracy.reweighting.base import WeightReweighter
from beyond_accuracy.reweighting.objective import TIE_FACTOR, average_costs, fractional_costs
from beyond_accuracy.reweighting.threshold import find_two_lowest
from beyond_accuracy.reweighting.validation import make_prices
from beyond_accuracy.scikit_learn import Interval

_MESH_TOLERANCE = 1e-6
_POLLS_PER_WEIGHT = 100
_EVALUATIONS_PER_WEIGHT = 2000
_ROUNDING = 1e-12
# Sums of other terms come from a subtraction only if more than this share of a term is left.
_SHARE_LEFT = 0.01


class GeneticReweighter(WeightReweighter):
    """Reweighter that minimizes the average cost by a genetic algorithm (Deng et al. 2006).

    An individual is a vector of m class weights. Details that the paper omits follow the defaults
    of Matlab's toolbox:

    - The initial population is uniform in [0, 1]^m.
    - Parents are selected by stochastic uniform selection with expectations proportional to
      1/√rank.
    - The best `n_elites` individuals survive. Of the others, the share `crossover_fraction` comes
      from scattered crossover (each weight from either parent), and the rest from mutation.
    - A mutation adds a normal deviate to each weight. The standard deviation falls linearly from 1
      to 0 over `max_generations`. Negative weights are reflected.
    - From the best individual, a pattern search polls the 2·m neighbours along the axes. The mesh
      size is 1 at first. The first better neighbour doubles it; if there is none, it is halved,
      down to 1e-6. The limits are 100·m polls and 2000·m evaluations.

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
        is never worse than without reweighting. Matlab corresponds to False.
    random_state : int, RandomState instance or None, default None
        Seed of the genetic algorithm.

    Attributes
    ----------
    weights_, objective_, n_classes_
        See `WeightReweighter`.
    search_objective_ : float
        Least value of the minimized function, which is the average cost, as `objective_`.
    n_generations_, n_evaluations_ : int
        Numbers of generations and of evaluated individuals.

    References
    ----------
    K. Deng et al., New Algorithms for Optimizing Multi-Class Classifiers via ROC Surfaces, ROCML
    2006; its extended form: https://doi.org/10.1007/s10994-008-5056-8

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.5, 0.1, 0.4], [0.7, 0.2, 0.1]]
    >>> scores.append(scores[0])  # and with another label
    >>> y = [0, 1, 2, 0, 1]
    >>> costs = [[0, 1, 1], [4, 0, 1], [4, 1, 0]]
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
        individuals = rng.random((self.population_size, len(costs)))
        if self.include_unweighted:
            individuals[0] = 1.0

        if self._fractional:
            objective = partial(fractional_costs, grouped, costs)
            prices = make_prices(costs, grouped.labels)
            along = partial(_fractional_along, grouped, costs, prices)
        else:
            objective = partial(average_costs, grouped, costs)
            along = partial(_average_along, grouped, costs)
        self.n_generations_: int
        weights, self.n_generations_ = self._evolve(objective, individuals, rng)
        self.search_objective_: float
        weights, self.search_objective_, n_polled = _pattern_search(
            objective, along, weights / weights.max()
        )
        n_children = self.n_generations_ * (self.population_size - self.n_elites)
        self.n_evaluations_: int = self.population_size + n_children + n_polled
        return weights

    def _evolve(self, objective, individuals, rng):
        """Run the genetic algorithm from a population; return (best weights, generations)."""
        n_children = len(individuals) - self.n_elites
        n_crossover = round(self.crossover_fraction * n_children)
        fitness = objective(individuals)
        generation = unchanged = 0
        while generation < self.max_generations and unchanged < self.patience:
            order = np.argsort(fitness, kind="stable")
            individuals, fitness = individuals[order], fitness[order]
            deviation = 1.0 - generation / self.max_generations
            children = _breed(individuals, n_crossover, n_children - n_crossover, deviation, rng)
            fitness_of_children = objective(children)
            improved = fitness_of_children.min() < fitness[0]
            unchanged = 0 if improved else unchanged + 1
            individuals[self.n_elites :] = children
            fitness[self.n_elites :] = fitness_of_children
            generation += 1
        return individuals[fitness.argmin()], generation


class FractionalReweighter(GeneticReweighter):
    """Reweighter that minimizes a smooth form of the average cost (SOLFF, Deng et al. 2006).

    SOLFF is a sum of linear fractional functions, equation (15) of the paper. In training, an
    example is not predicted as one class but shared among all classes, in proportion to the
    products w_j·S_ij. The expected cost (1/n)·Σ_i Σ_j cost[y_i, j]·w_j·S_ij / Σ_k w_k·S_ik is
    smooth in w. `predict` returns argmax_j w_j·S_ij.

    The genetic algorithm, its parameters and attributes are those of GeneticReweighter, with one
    difference: `search_objective_` is the least expected cost, and `objective_` the average cost of
    the predictions. The latter is not minimized, and can exceed the cost of equal weights.

    References
    ----------
    K. Deng et al., New Algorithms for Optimizing Multi-Class Classifiers via ROC Surfaces, ROCML
    2006; its extended form: https://doi.org/10.1007/s10994-008-5056-8

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.5, 0.1, 0.4], [0.7, 0.2, 0.1]]
    >>> scores.append(scores[0])  # and with another label
    >>> y = [0, 1, 2, 0, 1]
    >>> costs = [[0, 1, 1], [4, 0, 1], [4, 1, 0]]
    >>> rule = reweighting.FractionalReweighter(random_state=0).fit(scores, y, costs)
    >>> rule.predict(scores), round(rule.objective_, 6)
    (array([1, 1, 2, 1, 1]), 0.4)
    """

    _fractional = True


def _breed(individuals, n_crossover, n_mutation, deviation, rng):
    """Return children of individuals that are sorted by fitness, first those from crossover.

    The others come from mutation with the standard deviation `deviation`.
    """
    m = individuals.shape[1]
    parents = individuals[_choose_parents(len(individuals), 2 * n_crossover + n_mutation, rng)]
    pairs = parents[: 2 * n_crossover].reshape(n_crossover, 2, m)
    crossed = np.where(rng.random((n_crossover, m)) < 0.5, pairs[:, 1], pairs[:, 0])
    deviates = rng.standard_normal((n_mutation, m))
    mutated = np.abs(parents[2 * n_crossover :] + deviation * deviates)
    return np.concatenate([crossed, mutated])


def _choose_parents(size, n_parents, rng):
    """Return the ranks of parents, in random order, by stochastic uniform selection.

    Expectations are proportional to 1/√rank. One random number determines the first parent; the
    others follow in equal steps along the cumulated expectations.
    """
    wheel = np.cumsum(1.0 / np.sqrt(np.arange(1, size + 1)))
    steps = np.full(n_parents, wheel[-1] / n_parents)
    steps[0] *= rng.random()
    parents = np.minimum(np.searchsorted(wheel, np.cumsum(steps)), size - 1)
    for k in range(n_parents - 1, 0, -1):
        partner = int(rng.random() * (k + 1))
        parents[[k, partner]] = parents[[partner, k]]
    return parents


def _pattern_search(objective, along, weights):
    """Improve weights by pattern search; return (weights, objective, number of evaluations).

    A poll tries the weights one after the other, first a larger weight and then a smaller one,
    which is at least 0. The first change that lowers the objective is accepted and ends the poll.
    `along(weights)` returns the objective as a function of one changed weight.
    """
    m = len(weights)
    value, with_changed = float(objective(weights[None])[0]), along(weights)
    mesh, n_evaluations = 1.0, 1
    for _ in range(_POLLS_PER_WEIGHT * m):
        if mesh < _MESH_TOLERANCE or n_evaluations >= _EVALUATIONS_PER_WEIGHT * m:
            break
        improved = False
        for j, step in itertools.product(range(m), (mesh, -mesh)):
            moved = max(weights[j] + step, 0.0)
            if moved == weights[j]:
                continue
            n_evaluations += 1
            if with_changed(j, moved) < value - _ROUNDING * value:
                weights = weights.copy()
                weights[j] = moved
                value, with_changed = float(objective(weights[None])[0]), along(weights)
                improved = True
                break
        mesh = 2.0 * mesh if improved else 0.5 * mesh
    return weights, value, n_evaluations


def _average_along(grouped, costs, weights):
    """Return the average cost as a function of (j, new weight j) in O(n)."""
    values, labels = grouped.values, grouped.labels
    tilt = np.cumprod(np.append(1.0, np.full(len(weights) - 1, TIE_FACTOR)))
    winners, lowest = find_two_lowest(-values * (weights * tilt)[:, None])

    def average_cost(j, weight):
        wins = winners[0] == j
        rivals = np.where(wins, winners[1], winners[0])
        others = np.where(wins, lowest[1], lowest[0])
        own = -values[j] * (weight * tilt[j])
        taken = (own < others) | ((own == others) & (j < rivals))
        return costs[labels, np.where(taken, j, rivals)].sum() / len(labels)

    return average_cost


def _fractional_along(grouped, costs, prices, weights):
    """Return the expected cost, equation (15), as a function of (j, new weight j) in O(n)."""
    values = grouped.values
    mass = np.einsum("j,ji->i", weights, values)
    paid = np.einsum("j,ji,ji->i", weights, values, prices)

    def expected_cost(j, weight):
        if weight <= _SHARE_LEFT * weights[j]:
            point = weights.copy()
            point[j] = weight
            return fractional_costs(grouped, costs, point[None])[0]
        change = (weight - weights[j]) * values[j]
        total = mass + change
        # Without any product an example is predicted as class 0.
        share = np.divide(paid + change * prices[j], total, out=prices[0].copy(), where=total > 0)
        return share.sum() / len(share)

    return expected_cost
