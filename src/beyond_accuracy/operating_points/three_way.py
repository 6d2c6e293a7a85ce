"""Choose two thresholds: act above the higher, leave below the lower, refer cases in between."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.measures.operating_curve import OperatingCurve
from beyond_accuracy.operating_points.constraints import Constraint
from beyond_accuracy.operating_points.objectives import Objective

_MOST_THRESHOLDS = 500


class TwoThresholds(NamedTuple):
    """Two thresholds on scores, between which examples are referred to a person for a decision.

    `value` is the objective and `table` is (TP, FP, FN, TN), both over the examples that are not
    referred. `review_rate` is the share of examples that are referred.
    """

    low: float
    high: float
    value: float
    table: tuple[float, ...]
    review_rate: float


def best_two_thresholds(
    curve: OperatingCurve,
    objective: Objective,
    constraints: Sequence[Constraint],
    review_budget: float,
    allowed: NDArray[np.bool_],
) -> TwoThresholds | None:
    """Return the best pair of thresholds that meets the constraints; None if there is none.

    At most the share `review_budget` of the examples is referred. Objective and constraints are
    computed on the others. `allowed`, shape (2, t), marks the thresholds of the curve that may be
    the lower one (row 0) and the higher one (row 1). Of each, only about 500 are compared. Of
    equally good pairs, the one with the fewest referrals is chosen.
    """
    # Pairs without referrals need the same thresholds on both sides.
    places = np.union1d(*(_compared(curve, side) for side in allowed))
    lows, highs = (places[side[places]] for side in allowed)
    if len(lows) == 0 or len(highs) == 0:
        return None
    tp, fp, fn, tn = curve.tables
    tables = np.broadcast_arrays(tp[highs], fp[highs], fn[lows, None], tn[lows, None])
    total = tp[0] + fp[0]
    referred = total - sum(tables)
    met = lows[:, None] <= highs
    met &= referred <= review_budget * total * (1 + 1e-12)
    for constraint in constraints:
        met &= constraint.holds(*tables)
    values = np.asarray(objective.table_function(*tables))
    gains = np.where(met, objective.gains(values), -np.inf)
    if gains.max() == -np.inf:
        return None
    fewest = np.where(gains == gains.max(), referred, np.inf)
    low, high = np.unravel_index(np.argmin(fewest), fewest.shape)
    return TwoThresholds(
        float(curve.thresholds[lows[low]]),
        float(curve.thresholds[highs[high]]),
        float(values[low, high]),
        tuple(float(counts[low, high]) for counts in tables),
        float(referred[low, high] / total),
    )


def _compared(curve, allowed):
    """Return the indices of the allowed thresholds to compare, increasing."""
    places = np.flatnonzero(allowed)
    if len(places) <= _MOST_THRESHOLDS:
        return places
    chosen = [len(places) - 1]
    for counts in (each[places] for each in curve.tables[:2]):
        wanted = np.linspace(counts[0], counts[-1], _MOST_THRESHOLDS // 2)
        chosen = np.append(chosen, np.searchsorted(-counts, -wanted))
    return places[np.unique(chosen)]
