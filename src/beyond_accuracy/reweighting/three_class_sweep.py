"""Find three class weights of least total cost in O(n²), by a sweep over n tropical lines."""

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.reweighting.threshold import GAP_TOLERANCE, best_threshold, log_ratio


def best_point(logs: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """Return logarithms of three positive weights of least total cost, shape (3,), the largest 0.

    In the plane of (u, v) = log(w_1/w_0, w_2/w_0), example i has a tropical line: three rays from a
    point (a, b). They are u = a downwards, v = b to the left, and v − u = d to the upper right.
    They separate the regions in which the example is predicted as each class.

    The rays of all examples divide the plane into cells of constant cost. Every cell has one of two
    properties. Either its lower boundary contains a piece of a ray, to the left or to the upper
    right, at which going up reduces the cost. Or a cell directly below costs no more. Therefore a
    cell of least cost lies directly above such a piece, or at v = −∞. So it is enough to walk along
    the upper sides of these rays, and along v = −∞. Along each ray the other examples change their
    predictions in an order known from two sorts. This takes O(n) per ray, and O(n²) in total.

    Parameters
    ----------
    logs : ndarray, shape (3, n), float64
        Logarithms of the scores; −inf is a score of zero.
    costs : ndarray, shape (3, n), float64
        Cost of predicting each example as each class.
    """
    # An example with one positive score is predicted as its class by all positive weights.
    free = np.isfinite(logs).sum(axis=0) > 1
    logs, costs = logs[:, free], costs[:, free]
    # The class in the last role decides how many rays to walk along.
    rays = [(costs[last] < costs).sum() for last in (2, 1, 0)]
    roles = [[0, 1, 2], [2, 0, 1], [1, 2, 0]][int(np.argmin(rays))]
    point = np.empty(3)
    point[roles] = _best_point(logs[roles], costs[roles])
    return point - point.max()


def _best_point(logs, costs):
    if logs.shape[1] == 0:
        return np.zeros(3)
    # Example i is predicted as 0 if u < a and v < b, as 1 if u > a and v − u < d, else as 2. If two
    # scores are zero the third class always wins, whatever their ratio.
    a, b, d = (_merge(log_ratio(logs[j], logs[k])) for j, k in ((0, 1), (0, 2), (1, 2)))
    c0, c1, c2 = costs
    u, change = best_threshold(a, c1 - c0)
    best, v = c0.sum() + change, _below(np.maximum(b, u + d))
    # Along v = b from u = −∞ to a, and along v − u = d from u = +∞ back to a.
    for sign, cost, low, high, ray in (
        (1, *_walk(a, c1 - c0, -d, c1 - c2, b, c2 - c0, c0.sum())),
        (-1, *_walk(-a, c0 - c1, -b, c0 - c2, d, c2 - c1, c1.sum())),
    ):
        if cost < best:
            best, u = cost, _between(*sorted((sign * low, sign * high)))
            # The v above which each example is predicted as 2.
            v = _above(np.maximum(b, u + d), ray)
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
    """Return (least cost, from, to, ray) over the upper sides of all rays.

    `from` and `to` are the ends of the best piece of the ray. A ray of height h runs from x = −∞ to
    its end. Examples above the ray change their prediction at x = `first`, and examples on or below
    it at x = h + `second`. `starts` is the cost at x = −∞ by the rank of the height.
    `first_changes` and `second_changes` are the changes of cost, and ranks are positions in the
    order of the heights.
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
    """Return the values, with neighbours within the rounding tolerance set to their lowest."""
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


def _below(heights):
    finite = heights[np.isfinite(heights)]
    return finite.min() - 1.0 if finite.size else 0.0


def _above(heights, ray):
    """Return the midpoint between the height with index `ray` and the next larger height."""
    higher = heights[heights > heights[ray] + GAP_TOLERANCE]
    return _between(heights[ray], higher.min() if higher.size else np.inf)
