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
    """Criterion by which classifiers are compared: a performance measure or the average cost.

    `measure` is None for the average cost. `label` is the name for readers. `sign` is 1 if higher
    values are better, and −1 if lower values are better.
    """

    name: str
    label: str
    sign: int
    measure: Measure | None

    @property
    def has_threshold(self) -> bool:
        """Whether the criterion depends on a decision threshold, not only on the ranking."""
        return self.measure is None or self.measure.table_function is not None

    def scorer(
        self, positive: NDArray[np.bool_], decisions: NDArray[np.float64], costs: Costs
    ) -> Callable[[NDArray[np.float64]], float]:
        """Return a function that computes the criterion on a bootstrap sample of n rows.

        Its argument, shape (n,), says how often each row is in the sample. `positive`, shape (n,),
        marks the positive rows. `decisions`, shape (n,), above 0 predict the positive class.
        `costs`, [row, true, predicted], are used only for the average cost.
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

    def best_point(self, positive, scores, costs):
        """Return the best threshold on scores for this criterion, as an `OperatingPoint`.

        `positive` and `scores` have shape (n,). `costs`, [row, true, predicted], are used only for
        the average cost.
        """
        objective = make_objective(self.measure or COST, None if self.measure else costs, positive)
        return best_operating_point(RankedExamples(positive, scores), objective)

    def trivial_decisions(self, n_rows: int, seed: int) -> dict[str, NDArray[np.float64]]:
        """Return the decision values of trivial rules, which ignore the features.

        The result is a dict from the name of a rule to an array of shape (n_rows,). Values above 0
        predict positive. There are two rules if the criterion depends on a threshold, such as F1:
        every row positive, and every row negative. Otherwise there is one. For measures of the k
        highest scores, it draws random scores with `seed`. For other rankings, such as ROC area, it
        gives all rows the same score.
        """
        if self.has_threshold:
            return {"every row positive": np.ones(n_rows), "every row negative": -np.ones(n_rows)}
        if isinstance(self.measure.loss, TopLoss):
            return {"a random order": np.random.default_rng(seed).random(n_rows)}
        return {"one score for all rows": np.zeros(n_rows)}


def make_criteria(names: Sequence[str] | str | None, costs: Costs) -> list[Criterion]:
    """Return a list with a `Criterion` for each distinct name, by which classifiers are compared.

    A name is "cost" or the name of a measure, such as "f1". None is "cost" if there are costs, and
    "f1" otherwise. Raises ValueError for an unknown name, for an empty list of names, and for
    "cost" if `costs` is None.
    """
    if names is None:
        names = "f1" if costs is None else COST
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
    """Return the `Criterion` with a name such as "f1", or "cost" for the average cost.

    Raises ValueError for an unknown name.
    """
    if name == COST:
        return Criterion(COST, "average cost", -1, None)
    try:
        measure = get_measure(name)
    except ValueError as error:
        raise ValueError(f'measures: {error} "cost", with costs, is valid too.') from error
    return Criterion(measure.name, measure.label, 1, measure)
