"""Class weights by coordinate descent with exact line searches, from several starting points."""

from itertools import islice
from numbers import Integral, Real
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.measures.multiclass import ConfusionFunction, check_scoring, get_scoring, score
from beyond_accuracy.reweighting.base import WeightReweighter
from beyond_accuracy.reweighting.line_objectives import NegatedMeasure, TotalPrice, confusion_matrix
from beyond_accuracy.reweighting.objective import group_scores, weighted_argmax
from beyond_accuracy.reweighting.sequential import set_in_order
from beyond_accuracy.reweighting.threshold import find_two_lowest, update_two_lowest
from beyond_accuracy.reweighting.validation import (
    check_costs,
    check_examples,
    check_weights,
    make_prices,
    warn_unless_probabilities,
    without_gains,
)
from beyond_accuracy.scikit_learn import Interval, StrOptions

_SHRINKAGES = (1.0, 0.75, 0.5, 0.25, 0.0)
_FOLDS = 5


class CoordinateDescentReweighter(WeightReweighter):
    """Decision rule that optimizes the average cost, or a measure, one class weight at a time.

    Each step finds the best weight of one class while the others are fixed, in O(n·log n). The
    classes are taken in turn until no single weight can be improved. The result may be a local
    optimum. So the descent is run from several starting points, and the first of the best results
    is kept. Nothing is random. The starting points are:

    1. Equal weights. So the result on the data of `fit` is never worse than without reweighting.
    2. The inverse class frequencies.
    3. The weights of SequentialReweighter with frequent classes first.
    4. Its weights with rare classes first. If a measure is maximized, 3 and 4 are weights for
       balanced accuracy.

    Parameters
    ----------
    n_starts : int, default 4
        Number of starting points, in the order above.
    max_rounds : int, default 50
        Largest number of rounds over the classes from each starting point.
    scoring : str, callable or None, default None
        Measure to maximize: "accuracy", "balanced_accuracy", "f1_macro", "f1_weighted",
        "geometric_mean" (of the recalls), "matthews_corrcoef", or a function of the confusion
        matrix [true, predicted], shape (m, m) or, faster, (b, m, m). None minimizes the average
        cost.
    shrinkage : float in [0, 1] or "cross_validation", default 0.0
        The logarithms of the weights are multiplied by 1 − shrinkage, so that 1 gives equal
        weights. "cross_validation" chooses among 0, ¼, ½, ¾ and 1 by 5-fold cross-validation, and
        takes six times as long. Among equally good values, the largest is chosen.

    Attributes
    ----------
    weights_, n_classes_
        See `WeightReweighter`.
    objective_ : float
        Average cost, or value of the measure, on the data of `fit`.
    shrinkage_ : float
        The shrinkage that was used.
    n_rounds_ : int
        Number of rounds from all starting points together.

    References
    ----------
    N. Lachiche, P. Flach, ICML 2003 (search for the weight of one class).
    https://research-information.bris.ac.uk/en/publications/improving-accuracy-and-cost-of-two-class-and-multi-class-probabil

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[.6, .3, .1], [.5, .4, .1], [.5, .1, .4], [.7, .2, .1], [.6, .3, .1]]
    >>> y, costs = [0, 1, 2, 0, 1], [[0, 1, 1], [4, 0, 1], [4, 1, 0]]
    >>> rule = reweighting.CoordinateDescentReweighter().fit(scores, y, costs)
    >>> rule.predict(scores), round(rule.objective_, 6)
    (array([1, 1, 2, 0, 1]), 0.2)
    """

    _parameter_constraints = {
        "n_starts": [Interval(Integral, 1, 4, closed="both")],
        "max_rounds": [Interval(Integral, 1, None, closed="left")],
        "scoring": "no_validation",
        "shrinkage": [Interval(Real, 0, 1, closed="both"), StrOptions({"cross_validation"})],
    }

    def __init__(
        self,
        *,
        n_starts: int = 4,
        max_rounds: int = 50,
        scoring: str | ConfusionFunction | None = None,
        shrinkage: float | Literal["cross_validation"] = 0.0,
    ) -> None:
        self.n_starts = n_starts
        self.max_rounds = max_rounds
        self.scoring = scoring
        self.shrinkage = shrinkage

    def fit(
        self,
        scores: ArrayLike,
        y: ArrayLike,
        cost_matrix: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Fit the weights to scores, shape (n, m), and class indices y, shape (n,).

        Parameters
        ----------
        scores, y
            See `Reweighter.fit`.
        cost_matrix : array, shape (m, m) or (n, m, m), or None
            Costs [true, predicted], one matrix for all examples or one per example. Costs may be
            negative. None costs 1 for every error. Must be None if `scoring` is given.
        sample_weight : array, shape (n,), or None
            Non-negative weights of the examples.
        """
        self._validate_params()
        check_scoring(self.scoring)
        if self.scoring is not None and cost_matrix is not None:
            raise ValueError("costs go with scoring=None; found both a scoring and a cost matrix")
        scores, labels = check_examples(scores, y)
        n, m = scores.shape
        costs = check_costs(cost_matrix, n, m)
        weights = check_weights(sample_weight, n)
        warn_unless_probabilities(scores)
        self.n_classes_: int = m
        used = weights > 0
        scores, labels, weights = scores[used], labels[used], weights[used]
        costs = costs if costs.ndim == 2 else costs[used]
        self.n_rounds_: int = 0
        data = (scores, labels, costs, weights)
        is_given = not isinstance(self.shrinkage, str)
        self.shrinkage_: float = self.shrinkage if is_given else self._choose_shrinkage(*data)
        log_weights = self._descend(*data)
        self.weights_: NDArray[np.float64] = np.exp((1.0 - self.shrinkage_) * log_weights)
        value = self._evaluate([(labels, weighted_argmax(scores, self.weights_), costs, weights)])
        self.objective_: float = value if self.scoring is None else -value
        return self

    def _descend(self, scores, labels, costs, weights):
        """Return the best log class weights over all starting points; the largest is 0."""
        grouped = group_scores(scores, labels)
        with np.errstate(divide="ignore"):
            logs = np.log(grouped.values)
        order, labels = grouped.order, grouped.labels
        costs = costs if costs.ndim == 2 else costs[order]
        weights = weights[order]
        objective, prices = self._objective(labels, costs, weights)
        lowest, best = np.inf, None
        starts = self._starts(logs, labels, prices, weights)
        for log_weights in islice(starts, self.n_starts):
            total, n_rounds = _descend(logs, objective, log_weights, self.max_rounds)
            self.n_rounds_ += n_rounds
            if total >= lowest - objective.rounding:
                continue
            # Tied products go to the lowest class index, in whatever order logarithms are, and a
            # start may lie on a tie.
            candidate = np.exp(log_weights - log_weights.max())
            decided = objective.value(weighted_argmax(grouped.values.T, candidate))
            if objective.is_lower(total, decided):
                total = decided
            if total < lowest - objective.rounding:
                lowest, best = total, log_weights
        return best - best.max()

    def _objective(self, labels, costs, weights):
        """Return the objective to minimize, and the costs for starting points, shape (m, n)."""
        if self.scoring is not None:
            costs = 1.0 - np.eye(self.n_classes_)
            if self.scoring != "accuracy":
                sizes = np.bincount(labels, weights, minlength=self.n_classes_)
                costs = costs / np.where(sizes > 0, sizes, 1.0)[:, None]
        prices = make_prices(without_gains(costs), labels) * weights
        if self.scoring in (None, "accuracy", "balanced_accuracy"):
            if costs.ndim == 2 and np.all(weights == 1.0):
                return TotalPrice(without_gains(costs), labels), prices
            return TotalPrice(np.ascontiguousarray(prices.T), np.arange(len(labels))), prices
        measure = get_scoring(self.scoring, self.n_classes_)
        return NegatedMeasure(measure, labels, weights, self.n_classes_), prices

    def _starts(self, logs, labels, prices, weights):
        """Yield the starting points, as logarithms of weights, shape (m,)."""
        m = len(logs)
        frequencies = np.bincount(labels, weights, minlength=m)
        yield np.zeros(m)
        yield -np.log(np.where(frequencies > 0, frequencies, 1.0))
        for sign in (-1, 1):
            order = np.argsort(sign * frequencies, kind="stable")
            yield set_in_order(order, logs, labels, prices)

    def _choose_shrinkage(self, scores, labels, costs, weights):
        """Return the shrinkage that is best in cross-validation; equal examples share a fold."""
        distinct, ranks = np.unique(np.column_stack([labels, scores]), axis=0, return_inverse=True)
        # Dealing out neighbours in turn would make all folds alike and confirm overfitting.
        shuffled = np.random.default_rng(0).permutation(len(distinct))
        dealt = np.empty(len(distinct), dtype=np.int64)
        dealt[shuffled[np.argsort(distinct[shuffled, 0], kind="stable")]] = np.arange(len(distinct))
        folds = dealt[ranks.ravel()] % _FOLDS
        judged = {shrinkage: [] for shrinkage in _SHRINKAGES}
        for fold in range(_FOLDS):
            train, test = folds != fold, folds == fold
            if not train.any() or not test.any():
                continue
            of_train, of_test = (
                costs if costs.ndim == 2 else costs[part] for part in (train, test)
            )
            log_weights = self._descend(scores[train], labels[train], of_train, weights[train])
            for shrinkage, parts in judged.items():
                predicted = weighted_argmax(scores[test], np.exp((1.0 - shrinkage) * log_weights))
                parts.append((labels[test], predicted, of_test, weights[test]))
        if not judged[1.0]:
            return 1.0
        # Among equals the first, which is the largest.
        return min(judged, key=lambda shrinkage: self._evaluate(judged[shrinkage]))

    def _evaluate(self, parts):
        """Return the average cost, or minus the measure, over all test sets together."""
        if self.scoring is None:
            paid = sum(
                weights @ make_prices(costs, labels)[predicted, np.arange(len(labels))]
                for labels, predicted, costs, weights in parts
            )
            return float(paid / sum(weights.sum() for *_, weights in parts))
        confusion = sum(
            confusion_matrix(labels, predicted, self.n_classes_, weights)
            for labels, predicted, _, weights in parts
        )
        return -score(self.scoring, confusion)


def _descend(logs, objective, log_weights, max_rounds):
    """Run coordinate descent from `log_weights`, in place; return (objective, number of rounds)."""
    m = len(logs)
    # Products are compared by their shortfall from 1, in logarithms.
    shortfalls = -(logs + log_weights[:, None])
    winners, lowest = find_two_lowest(shortfalls)
    now = objective.value(winners[0])
    unchanged = n_rounds = 0
    while n_rounds < max_rounds and unchanged < m:
        n_rounds += 1
        for j in range(m):
            log_weight, value = objective.search(logs[j], winners, lowest, j)
            unchanged += 1
            if objective.is_lower(value, now):
                now = value
                log_weights[j] = log_weight
                shortfalls[j] = -(logs[j] + log_weight)
                update_two_lowest(shortfalls, winners, lowest, j)
                # This weight is now at its best.
                unchanged = 1
            if unchanged == m:
                break
    return now, n_rounds
