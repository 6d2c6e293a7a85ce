"""Weights set one class at a time (Lachiche and Flach 2003)."""

import numpy as np

from beyond_accuracy.reweighting.base import WeightReweighter
from beyond_accuracy.reweighting.threshold import best_threshold, log_ratio


class SequentialReweighter(WeightReweighter):
    """Sets the weights one class at a time, each exactly (Lachiche and Flach 2003).

    The first class gets weight 1. Each further class gets the weight that minimizes the average
    cost over the examples of the classes seen so far, with the weights of those classes fixed and
    the later classes left out: sorting the examples by the weight at which they turn to the new
    class finds it exactly. Θ(m·n·log n) in all. Between two examples the weight is their geometric
    mean.

    Parameters
    ----------
    order : {"frequency_descending", "frequency_ascending", "index"} or sequence of int, \
default "frequency_descending"
        In which order the classes are taken; equal frequencies by index. A sequence names every
        class index once. The result depends on it; the frequent classes, which weigh most, are
        set before the others can interfere.

    Attributes
    ----------
    order_ : ndarray, shape (m,), int64
        The order taken.

    References
    ----------
    N. Lachiche, P. Flach, Improving Accuracy and Cost of Two-class and Multi-class Probabilistic
    Classifiers Using ROC Curves, ICML 2003.
    """

    def __init__(self, order="frequency_descending"):
        self.order = order

    def _find_weights(self, scores, labels, grouped, costs):
        m = grouped.n_classes
        self.order_ = _resolve_order(self.order, np.diff(grouped.starts))
        labels = grouped.labels
        with np.errstate(divide="ignore"):
            logs = np.log(grouped.values)
        first = self.order_[0]
        log_weights = np.zeros(m)
        # `highest` is the logarithm of the largest product so far, `predicted` its class.
        highest, predicted = logs[first].copy(), np.full(len(labels), first)
        seen = labels == first
        for new in self.order_[1:]:
            seen |= labels == new
            # Without any score nothing turns: the position is +inf.
            turns = -log_ratio(logs[new], highest)
            changes = costs[labels, new] - costs[labels, predicted]
            log_weight, _ = best_threshold(turns[seen], changes[seen])
            log_weights[new] = log_weight
            wins = turns < log_weight
            predicted[wins] = new
            highest[wins] = log_weight + logs[new, wins]
        return np.exp(log_weights - log_weights.max())


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
