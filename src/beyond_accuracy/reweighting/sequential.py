"""Class weights that are set one class at a time (Lachiche and Flach 2003)."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.reweighting.base import WeightReweighter
from beyond_accuracy.reweighting.threshold import best_threshold, log_ratio
from beyond_accuracy.reweighting.validation import make_prices
from beyond_accuracy.scikit_learn import StrOptions


class SequentialReweighter(WeightReweighter):
    """Decision rule whose class weights are set one at a time (Lachiche and Flach 2003).

    The first class gets weight 1. Each further class gets the weight that minimizes the average
    cost, while the weights of earlier classes are fixed and later classes are never predicted. The
    best weight is found exactly, by sorting the examples. Fitting takes O(m·n·log n).

    Parameters
    ----------
    order : {"frequency_descending", "frequency_ascending", "index"} or sequence of int,
    default "frequency_descending"
        Order in which the classes get their weights. The result depends on it. A sequence holds
        every class index once. Classes of equal frequency are ordered by index.
    ties : {"widest_gap", "nearest_to_one"}, default "widest_gap"
        Choice among several best weights of a class, which form intervals. "widest_gap" takes a
        weight in the interval that is widest in logarithms. "nearest_to_one" takes a weight in the
        interval nearest to 1, or 1 if the interval contains it.
    examples : {"seen_classes", "all"}, default "seen_classes"
        Which examples count in the average cost when a weight is set: only examples of this class
        and the earlier classes, or all.

    Attributes
    ----------
    order_ : ndarray, shape (m,), int64
        Class indices in the order in which their weights were set.

    References
    ----------
    N. Lachiche, P. Flach, ICML 2003.
    https://research-information.bris.ac.uk/en/publications/improving-accuracy-and-cost-of-two-class-and-multi-class-probabil

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[.6, .3, .1], [.5, .4, .1], [.5, .1, .4], [.7, .2, .1], [.6, .3, .1]]
    >>> y, costs = [0, 1, 2, 0, 1], [[0, 1, 1], [4, 0, 1], [4, 1, 0]]
    >>> rule = reweighting.SequentialReweighter().fit(scores, y, costs)
    >>> rule.predict(scores), round(rule.objective_, 6)
    (array([1, 1, 2, 0, 1]), 0.2)
    """

    # `order` is checked in `fit`, where the number of classes is known.
    _parameter_constraints = {
        "order": "no_validation",
        "ties": [StrOptions({"widest_gap", "nearest_to_one"})],
        "examples": [StrOptions({"seen_classes", "all"})],
    }

    def __init__(
        self,
        order: Literal["frequency_descending", "frequency_ascending", "index"]
        | ArrayLike = "frequency_descending",
        *,
        ties: Literal["widest_gap", "nearest_to_one"] = "widest_gap",
        examples: Literal["seen_classes", "all"] = "seen_classes",
    ) -> None:
        self.order = order
        self.ties = ties
        self.examples = examples

    def _find_weights(self, scores, labels, grouped, costs):
        self.order_: NDArray[np.integer] = _resolve_order(self.order, np.diff(grouped.starts))
        with np.errstate(divide="ignore"):
            logs = np.log(grouped.values)
        prices = make_prices(costs, grouped.labels)
        nearest, all_examples = self.ties == "nearest_to_one", self.examples == "all"
        log_weights = set_in_order(self.order_, logs, grouped.labels, prices, nearest, all_examples)
        return np.exp(log_weights - log_weights.max())


def set_in_order(
    order: NDArray[np.int64],
    logs: NDArray[np.float64],
    labels: np.ndarray,
    prices: NDArray[np.float64],
    nearest_to_one: bool = False,
    all_examples: bool = False,
) -> NDArray[np.float64]:
    """Set class weights as `SequentialReweighter` does, and return their logarithms, shape (m,).

    `order`, shape (m,), are class indices. `logs`, shape (m, n), are logarithms of the scores, and
    `prices`, shape (m, n), the costs of predicting each class for each example, whose true classes
    are `labels`.
    """
    first = order[0]
    log_weights = np.zeros(len(order))
    # `highest` is the logarithm of the largest product so far, `predicted` its class.
    highest, predicted = logs[first].copy(), np.full(len(labels), first)
    seen = (labels == first) | all_examples
    for new in order[1:]:
        seen |= labels == new
        # Without any score nothing turns, and the position is +inf.
        turns = -log_ratio(logs[new], highest)
        changes = prices[new] - prices[predicted, np.arange(len(labels))]
        log_weight, _, _ = best_threshold(turns[seen], changes[seen], nearest_to_one)
        log_weights[new] = log_weight
        wins = turns < log_weight
        predicted[wins] = new
        highest[wins] = log_weight + logs[new, wins]
    return log_weights


def _resolve_order(order, frequencies):
    m = len(frequencies)
    named = {
        "frequency_descending": np.argsort(-frequencies, kind="stable"),
        "frequency_ascending": np.argsort(frequencies, kind="stable"),
        "index": np.arange(m),
    }
    if isinstance(order, str):
        if order not in named:
            raise ValueError(f"order is {order!r}; choose one of {tuple(named)} or class indices")
        return named[order]
    resolved = np.asarray(order)
    if resolved.shape != (m,) or sorted(resolved.tolist()) != list(range(m)):
        raise ValueError(f"order is {order!r}; it must name each of the classes 0 … {m - 1} once")
    return resolved.astype(np.int64)
