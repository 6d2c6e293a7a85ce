"""Estimate how good a choice, such as a threshold, is on new data, from resamples."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Choice = TypeVar("Choice")
# Intervals cover 95 %.
TAIL = 0.025


def score_interval(
    choose: Callable[[NDArray[np.intp]], Choice],
    value: Callable[[Choice, NDArray[np.float64]], float],
    sample_weight: NDArray[np.float64],
    *,
    n_resamples: int,
    random_state: np.random.RandomState,
    minimized: bool = False,
) -> tuple[float, float]:
    """Estimate a 95 % interval of the value on new data of a choice made on all examples.

    The choice is repeated on every bootstrap sample, as in `bootstrap_intervals`.

    Parameters
    ----------
    choose : callable
        Function that makes the choice on the examples with given row indices, int64, which may be
        repeated.
    value : callable
        Function of a choice and of weights of all examples, float64, shape (n,), that returns the
        value.
    sample_weight : ndarray, float64, shape (n,)
        Weights of the examples.
    n_resamples : int
        Number of bootstrap samples.
    random_state : RandomState
    minimized : bool, default False
        Whether lower values are better, as for costs.

    Returns
    -------
    tuple of two floats
        Lower and upper end of the interval.

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.operating_points.optimism import score_interval
    >>> random_state = np.random.RandomState(0)
    >>> correct = random_state.random((200, 5)) < 0.5
    >>> best = score_interval(
    ...     lambda rows: correct[rows].mean(axis=0).argmax(),
    ...     lambda rule, weight: np.average(correct[:, rule], weights=weight),
    ...     np.ones(200), n_resamples=100, random_state=random_state,
    ... )
    >>> [round(end, 2) for end in best], round(float(correct.mean(axis=0).max()), 2)
    ([0.41, 0.58], 0.54)
    """
    n = len(sample_weight)
    sign = -1.0 if minimized else 1.0
    own = choose(np.arange(n))
    found = []
    for _ in range(n_resamples):
        rows = random_state.randint(n, size=n)
        counts = np.bincount(rows, minlength=n)
        again = choose(rows)
        inside, left_out = resample_weights(sample_weight, counts)
        found.append(
            (
                value(again, inside),
                value(again, sample_weight),
                np.nan if left_out is None else value(again, left_out),
                value(own, inside),
            )
        )
    ends = corrected_ends(sign * value(own, sample_weight), sign * np.array(found))
    low, high = sorted(sign * end for end in ends)
    return float(low), float(high)


def resample_weights(sample_weight, counts):
    """Return the weights of the examples in a resample, and of the examples outside it, or None.

    The resample has each example `counts` times. Both arrays have the sum of `sample_weight`, since
    budgets and functions of counts depend on the sum. The second is None if its weights are all 0.
    """
    total = sample_weight.sum()
    inside, outside = sample_weight * counts, sample_weight * (counts == 0)
    inside = inside * (total / (inside.sum() or 1.0))
    return inside, outside * (total / outside.sum()) if outside.sum() else None


def corrected_ends(value, found):
    """Return (worse end, better end) of the interval of a gain; see `bootstrap_intervals`.

    `value` is the gain of the original choice, and `tail` the probability beyond each end. `found`
    has one row per resample with four gains: of the resample's choice on the resample, on all
    examples and on the examples outside, and of the original choice on the resample.
    """
    found = np.where(np.isfinite(found), found, np.nan)
    chosen, at_large, outside, kept = found[~np.isnan(found[:, [0, 1, 3]]).any(axis=1)].T
    if len(chosen) == 0:
        return np.nan, np.nan
    errors = chosen - at_large
    optimism = errors.mean()
    is_known = ~np.isnan(outside)
    larger = max((chosen - outside)[is_known].mean(), optimism) if is_known.any() else optimism
    least, most = np.quantile(errors, [TAIL, 1 - TAIL])
    lowest, highest = np.quantile(kept, [TAIL, 1 - TAIL])
    worst = min(lowest - larger, value - most - (larger - optimism))
    return worst, max(highest - optimism, value - least)
