"""Criteria by which methods are compared: a performance measure, or the average cost per row."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.measures import Measure, get_measure
from beyond_accuracy.measures.losses import TopLoss
from beyond_accuracy.measures.operating_curve import RankedExamples
from beyond_accuracy.operating_points import best_operating_point, make_objective
from beyond_accuracy.operating_points.objectives import COST

Costs = NDArray[np.float64] | None
"""cost[row, true, predicted] of some rows, or None."""

RULES = {
    "every row positive": "predicting every row as positive",
    "every row negative": "predicting every row as negative",
    "one score for all rows": "giving every row the same score",
    "a random order": "a random order of the rows",
}
"""Trivial rules, which look at no feature, in tables and in sentences."""


@dataclass(frozen=True)
class Criterion:
    """Criterion by which methods are compared: `measure`, or the average cost if it is None.

    `sign` is −1 if lower is better.
    """

    name: str
    label: str
    sign: int
    measure: Measure | None

    @property
    def has_threshold(self) -> bool:
        """Whether the value depends on a threshold, instead of only on the ranking."""
        return self.measure is None or self.measure.table_function is not None

    def scorer(
        self, positive: NDArray[np.bool_], decisions: NDArray[np.float64], costs: Costs
    ) -> Callable[[NDArray[np.float64]], float]:
        """Return a function that maps repetition counts of the rows, shape (n,), to the value.

        Decisions above 0 predict the positive class. `costs` are only used for the average cost.
        """
        predicted = decisions > 0
        if self.measure is None:
            paid = costs[np.arange(len(costs)), positive.astype(int), predicted.astype(int)]
            return lambda counts: float(counts @ paid / counts.sum())
        if self.measure.table_function is None:
            return lambda counts: float(self.measure.scorer(positive, decisions, counts))
        cell = 2 * positive + predicted

        def score(counts):
            tn, fp, fn, tp = np.bincount(cell, weights=counts, minlength=4)
            return float(self.measure.table_function(tp, fp, fn, tn))

        return score

    def value(self, positive, decisions, costs) -> float:
        """Return the value of the criterion for decisions, which are positive if above 0."""
        return self.scorer(positive, decisions, costs)(np.ones(len(positive)))

    def best_point(self, positive, scores, costs):
        """Return the `OperatingPoint` of the best threshold on the scores."""
        objective = make_objective(self.measure or COST, None if self.measure else costs, positive)
        return best_operating_point(RankedExamples(positive, scores), objective)

    def trivial_decisions(self, n_rows: int, seed: int) -> dict[str, NDArray[np.float64]]:
        """Return the decisions, shape (n_rows,), of rules that look at no feature, by name.

        Measures of the top rows break ties pessimistically, so their rule is a random order.
        """
        if self.has_threshold:
            return {"every row positive": np.ones(n_rows), "every row negative": -np.ones(n_rows)}
        if isinstance(self.measure.loss, TopLoss):
            return {"a random order": np.random.default_rng(seed).random(n_rows)}
        return {"one score for all rows": np.zeros(n_rows)}


def make_criteria(names: Sequence[str] | str, costs: Costs) -> list[Criterion]:
    """Return the criteria with the given names, or raise ValueError."""
    names = [names] if isinstance(names, str) else list(dict.fromkeys(names))
    if COST in names and costs is None:
        raise ValueError(
            'measures: found "cost" without costs; give costs[true, predicted] of shape (2, 2), or '
            "one such matrix for each row"
        )
    if not names:
        raise ValueError('measures: found none; valid is one or more, such as ["f1"]')
    return [make_criterion(name) for name in names]


def make_criterion(name: str) -> Criterion:
    """Return the criterion with a given name: "cost" or the name of a measure."""
    if name == COST:
        return Criterion(COST, "average cost", -1, None)
    try:
        measure = get_measure(name)
    except ValueError as error:
        raise ValueError(f'measures: {error} "cost", with costs, is valid too.') from error
    return Criterion(measure.name, measure.label, 1, measure)
