"""Class weights of least average cost for three classes."""

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.reweighting.base import WeightReweighter
from beyond_accuracy.reweighting.objective import evaluate
from beyond_accuracy.reweighting.threshold import GAP_TOLERANCE, best_threshold, log_ratio
from beyond_accuracy.reweighting.validation import InvalidScoresError


class ExactThreeClassReweighter(WeightReweighter):
    """Decision rule with the class weights of least average cost for three classes, in O(n²).

    All weight vectors that give different predictions are tried, also with weights of zero. So no
    weight vector has a lower average cost on the data of `fit`, except if its advantage needs a
    precision of the weights finer than a relative 1e-11.

    References
    ----------
    C. Bourke, K. Deng, S. D. Scott, R. E. Schapire, N. V. Vinodchandran, On Reoptimizing
    Multi-Class Classifiers, Machine Learning 71, 2008. https://doi.org/10.1007/s10994-008-5056-8

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[.6, .3, .1], [.5, .4, .1], [.5, .1, .4], [.7, .2, .1], [.6, .3, .1]]
    >>> y, costs = [0, 1, 2, 0, 1], [[0, 1, 1], [4, 0, 1], [4, 1, 0]]
    >>> rule = reweighting.ExactThreeClassReweighter().fit(scores, y, costs)
    >>> rule.predict(scores), round(rule.objective_, 6)
    (array([1, 1, 2, 0, 1]), 0.2)
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
        candidates = [np.exp(_best_point(logs, paid))]
        if (grouped.values == 0).any():
            candidates += _on_the_boundary(logs, paid)
        values = [evaluate(grouped, costs, weights) for weights in candidates]
        return candidates[int(np.argmin(values))]


def _on_the_boundary(logs, paid):
    """Return the best weights with one zero per pair of classes, and the weights with two zeros."""
    candidates = list(np.eye(3))
    for j, k in ((0, 1), (0, 2), (1, 2)):
        positive = np.isfinite(logs[j]) | np.isfinite(logs[k])
        ratio = logs[j, positive] - logs[k, positive]
        threshold, _, _ = best_threshold(ratio, paid[k, positive] - paid[j, positive])
        weights = np.zeros(3)
        weights[j], weights[k] = np.exp(min(-threshold, 0.0)), np.exp(min(threshold, 0.0))
        candidates.append(weights)
    return candidates


def _best_point(logs, costs):
    """Return logarithms of three positive weights of least total cost, shape (3,), the largest 0.

    `logs` of the scores, and `costs` of each prediction, have shape (3, n).

    In the plane of (u, v) = log(w_1/w_0, w_2/w_0), example i has a tropical line: three rays from a
    point (a, b). They are u = a downwards, v = b to the left, and v − u = d to the upper right.
    They separate the regions in which the example is predicted as each class. The rays of all
    examples divide the plane into cells of constant cost.

    A cell of least cost lies at v = −∞, or directly above a ray to the left or to the upper right
    at which going up reduces the cost. So it is enough to walk along the upper sides of these rays.
    Two sorts give the order in which predictions change along a ray, so each ray takes O(n).
    """
    # An example with one positive score is predicted as its class by all positive weights.
    free = np.isfinite(logs).sum(axis=0) > 1
    logs, costs = logs[:, free], costs[:, free]
    # The class in the last role decides how many rays to walk along.
    rays = [(costs[last] < costs).sum() for last in (2, 1, 0)]
    roles = [[0, 1, 2], [2, 0, 1], [1, 2, 0]][int(np.argmin(rays))]
    point = np.empty(3)
    point[roles] = _sweep(logs[roles], costs[roles])
    return point - point.max()


def _sweep(logs, costs):
    if logs.shape[1] == 0:
        return np.zeros(3)
    # Example i is predicted as 0 if u < a and v < b, as 1 if u > a and v − u < d, else as 2. If two
    # scores are zero the third class always wins, whatever their ratio.
    a, b, d = (_merge(log_ratio(logs[j], logs[k])) for j, k in ((0, 1), (0, 2), (1, 2)))
    c0, c1, c2 = costs
    u, change, _ = best_threshold(a, c1 - c0)
    best, heights = c0.sum() + change, np.maximum(b, u + d)
    v = heights.min(where=np.isfinite(heights), initial=np.inf) - 1.0
    v = v if np.isfinite(v) else 0.0
    # Along v = b from u = −∞ to a, and along v − u = d from u = +∞ back to a.
    for sign, cost, low, high, ray in (
        (1, *_walk(a, c1 - c0, -d, c1 - c2, b, c2 - c0, c0.sum())),
        (-1, *_walk(-a, c0 - c1, -b, c0 - c2, d, c2 - c1, c1.sum())),
    ):
        if cost < best:
            best, u = cost, _between(*sorted((sign * low, sign * high)))
            # The v above which each example is predicted as 2.
            heights = np.maximum(b, u + d)
            higher = heights[heights > heights[ray] + GAP_TOLERANCE]
            v = _between(heights[ray], higher.min(initial=np.inf))
    return np.array([0.0, u, v])


def _walk(first, first_changes, second, second_changes, heights, lifted, base):
    _, ranks = np.unique(heights, return_inverse=True)
    by_first = np.argsort(first, kind="stable")
    by_second = np.argsort(second, kind="stable")
    starts = base + np.cumsum(np.bincount(ranks, weights=lifted))
    rays = np.flatnonzero((lifted < 0) & np.isfinite(heights))
    return _walk_rays(
        rays, heights, first, ranks, starts,
        first[by_first], first_changes[by_first], ranks[by_first],
        second[by_second], second_changes[by_second], ranks[by_second],
    )  # fmt: skip


@compiled
def _walk_rays(
    rays, heights, ends, ranks, starts,
    first, first_changes, first_ranks, second, second_changes, second_ranks,
):  # fmt: skip
    """Find the cell of least cost along the upper sides of all rays.

    Return (least cost, lowest x, highest x, index of the ray), where the cell lies between the two
    x. A ray of height h runs from x = −∞ to its end. Examples above the ray change their prediction
    at x = `first`, and examples on or below the ray at x = h + `second`. `starts` is the cost at x
    = −∞ by the rank of the height.
    """
    n = len(first)
    best, best_low, best_high, best_ray = np.inf, 0.0, 0.0, -1
    for ray in rays:
        rank, height, end = ranks[ray], heights[ray], ends[ray]
        cost = starts[rank]
        p, q = 0, 0
        x = -np.inf
        while True:
            while p < n and first_ranks[p] <= rank:
                p += 1
            while q < n and second_ranks[q] > rank:
                q += 1
            next_first = first[p] if p < n else np.inf
            next_second = height + second[q] if q < n else np.inf
            event = min(next_first, next_second, end)
            if cost < best and event > x + GAP_TOLERANCE:
                best, best_low, best_high, best_ray = cost, x, event, ray
            if event >= end:
                break
            if next_first <= next_second:
                cost += first_changes[p]
                p += 1
            else:
                cost += second_changes[q]
                q += 1
            x = event
    return best, best_low, best_high, best_ray


def _merge(values):
    """Return the values, with neighbouring values within rounding tolerance set to the lowest."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    with np.errstate(invalid="ignore"):
        new = np.diff(ordered) > GAP_TOLERANCE
    first = np.concatenate([[0], np.where(new, np.arange(1, len(values)), 0)])
    merged = np.empty_like(values)
    merged[order] = ordered[np.maximum.accumulate(first)]
    return merged


def _between(low, high):
    if np.isfinite(low) and np.isfinite(high):
        return 0.5 * (low + high)
    if np.isfinite(high):
        return high - 1.0
    return low + 1.0 if np.isfinite(low) else 0.0
