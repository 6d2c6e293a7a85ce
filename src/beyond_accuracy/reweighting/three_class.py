"""Class weights of least average cost for three classes."""

import numpy as np

from beyond_accuracy.reweighting.base import WeightReweighter, evaluate
from beyond_accuracy.reweighting.three_class_sweep import best_point
from beyond_accuracy.reweighting.threshold import best_threshold
from beyond_accuracy.reweighting.validation import InvalidScoresError


class ExactThreeClassReweighter(WeightReweighter):
    """Reweighter that finds the weights of least average cost for three classes, in O(n²).

    Minimizing the average cost is NP-complete in general, but polynomial for a constant number of
    classes (Bourke et al. 2008). With three classes, the plane has the logarithms of two weight
    ratios as coordinates. Every example divides the plane into three regions by a tropical line
    (three rays from a point). The average cost is constant in each cell between these lines, and
    all cells are tried. Weights of zero are also tried.

    So no weight vector has a lower average cost on the data of `fit`. Cells narrower than 1e-11 in
    logarithms are an exception, since rounding could not tell them from ties.

    References
    ----------
    C. Bourke, K. Deng, S. D. Scott, R. E. Schapire, N. V. Vinodchandran, On Reoptimizing
    Multi-Class Classifiers, Machine Learning 71, 2008. https://doi.org/10.1007/s10994-008-5056-8

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.5, 0.1, 0.4], [0.7, 0.2, 0.1]]
    >>> scores.append(scores[0])  # and with another label
    >>> y = [0, 1, 2, 0, 1]
    >>> costs = [[0, 1, 1], [4, 0, 1], [4, 1, 0]]
    >>> rule = reweighting.ExactThreeClassReweighter().fit(scores, y, costs)
    >>> rule.predict(scores)
    array([1, 1, 2, 0, 1])
    >>> round(rule.objective_, 6)
    0.2
    """

    def _find_weights(self, scores, labels, grouped, costs):
        if grouped.n_classes != 3:
            raise InvalidScoresError(
                f"scores have {grouped.n_classes} columns; the exact optimum is for three classes "
                "only: for more take GeneticReweighter, for two SequentialReweighter, which is "
                "exact there"
            )
        with np.errstate(divide="ignore"):
            logs = np.log(grouped.values)
        paid = costs[grouped.labels].T
        candidates = [np.exp(best_point(logs, paid))]
        if (grouped.values == 0).any():
            candidates += _on_the_boundary(logs, paid)
        values = [evaluate(grouped, costs, weights) for weights in candidates]
        return candidates[int(np.argmin(values))]


def _on_the_boundary(logs, paid):
    """Return a list of candidate weights with zeros, shape (3,) each.

    They are the best weights with one zero per pair of classes, and the weights with two zeros.
    `logs` are logarithms of scores, and `paid` the costs of predicting each example as each class,
    both of shape (3, n).
    """
    candidates = list(np.eye(3))
    for j, k in ((0, 1), (0, 2), (1, 2)):
        positive = np.isfinite(logs[j]) | np.isfinite(logs[k])
        ratio = logs[j, positive] - logs[k, positive]
        threshold, _ = best_threshold(ratio, paid[k, positive] - paid[j, positive])
        weights = np.zeros(3)
        weights[j], weights[k] = np.exp(min(-threshold, 0.0)), np.exp(min(threshold, 0.0))
        candidates.append(weights)
    return candidates
