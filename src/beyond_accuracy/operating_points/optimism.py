"""Estimate how good chosen thresholds are on new data, and how well constraints hold there."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.compilation import Floats
from beyond_accuracy.operating_points.constraints import Constraint

Choice = TypeVar("Choice")
# Intervals cover 95 %.
TAIL = 0.025
_DRAWS = 4000
_PARTS = 5


def score_interval(
    choose: Callable[[NDArray[np.intp]], Choice],
    value: Callable[[Choice, Floats], float],
    sample_weight: Floats,
    *,
    n_resamples: int,
    random_state: np.random.RandomState,
    minimized: bool = False,
) -> tuple[float, float]:
    """Estimate a 95 % interval of a decision rule's value on new data, as `bootstrap_intervals`.

    - `choose(rows)` returns the rule that is best on the examples with these indices.
    - `value(rule, weights)` returns the value of a rule on all examples under these weights. Lower
      values are better if `minimized`.
    """
    n = len(sample_weight)
    sign = -1.0 if minimized else 1.0
    original = choose(np.arange(n))
    gains = []
    for _ in range(n_resamples):
        rows = random_state.randint(n, size=n)
        counts = np.bincount(rows, minlength=n)
        again = choose(rows)
        inside, left_out = resample_weights(sample_weight, counts)
        outside = np.nan if left_out is None else value(again, left_out)
        at_large = value(again, sample_weight)
        gains.append((value(again, inside), at_large, outside, value(original, inside)))
    ends = corrected_ends(sign * value(original, sample_weight), sign * np.array(gains))
    low, high = sorted(sign * end for end in ends)
    return float(low), float(high)


def resample_weights(sample_weight, counts):
    """Return the weights in a bootstrap sample and outside (or None), scaled to an equal sum.

    `counts`, shape (n,), says how often the sample has each example.
    """
    total = sample_weight.sum()
    inside, outside = sample_weight * counts, sample_weight * (counts == 0)
    inside = inside * (total / (inside.sum() or 1.0))
    return inside, outside * (total / outside.sum()) if outside.sum() else None


def corrected_ends(value, gains):
    """Return (worse end, better end) of an interval for the value of a decision rule on new data.

    `value` is the value of the rule on all examples, on which it was chosen; higher is better.
    `gains` has one row per bootstrap sample. Its columns 0 to 2 are values of the rule that was
    chosen on the sample: on the sample, on all examples, and on the examples outside the sample
    (NaN if there are none). Column 3 is the value of the original rule on the sample.
    """
    gains = np.where(np.isfinite(gains), gains, np.nan)
    chosen, at_large, outside, kept = gains[~np.isnan(gains[:, [0, 1, 3]]).any(axis=1)].T
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


class ConstraintEstimate(NamedTuple):
    """Mean and 95 % interval of a measure on new data; probability that its constraint holds."""

    value: float
    interval: tuple[float, float]
    probability: float


def random_parts(
    positive: NDArray[np.bool_], random_state: np.random.RandomState
) -> NDArray[np.intp]:
    """Return random part numbers, 0 to 4, shape (n,), with each class spread evenly."""
    order = random_state.permutation(len(positive))
    order = order[np.argsort(positive[order], kind="stable")]
    parts = np.empty(len(order), dtype=np.intp)
    parts[order] = np.arange(len(order)) % _PARTS
    return parts


def cross_fitted_tables(
    choose: Callable[..., Choice], count: Callable[..., Sequence[float]], parts: NDArray[np.intp]
) -> Floats:
    """Count TP, FP, FN and TN on each part of the data, for a rule chosen on the other parts.

    `parts`, shape (n,), holds the part number of each example. `choose(rows)` returns a rule, such
    as a threshold, and `count(rule, rows)` its contingency table on these rows.
    """
    return np.array(
        [
            count(choose(np.flatnonzero(parts != part)), np.flatnonzero(parts == part))
            for part in range(parts.max() + 1)
        ]
    )


def estimate_constraints(
    table: Floats, constraints: Sequence[Constraint], random_state: np.random.RandomState
) -> tuple[dict[str, ConstraintEstimate], float]:
    """Estimate constrained measures on new data from a contingency table of held-out data.

    Return an estimate per text of a constraint, and the probability that all constraints hold. The
    shares of TP, FP, FN and TN are drawn from their posterior, given Jeffreys' prior.
    """
    draws = random_state.gamma(table[:, None] + 0.5, size=(4, _DRAWS))
    estimates, all_hold = {}, np.ones(_DRAWS, dtype=bool)
    for constraint in constraints:
        values = np.asarray(constraint.function(*draws))
        low, high = np.quantile(values, [TAIL, 1 - TAIL])
        holds = constraint.holds(*draws)
        all_hold &= holds
        estimates[str(constraint)] = ConstraintEstimate(
            float(values.mean()), (float(low), float(high)), float(holds.mean())
        )
    return estimates, float(all_hold.mean())
