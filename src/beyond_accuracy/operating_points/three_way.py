"""Choose two thresholds: act above the higher, leave below the lower, refer what is between."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.measures.operating_curve import OperatingCurve
from beyond_accuracy.operating_points.constraints import Constraint
from beyond_accuracy.operating_points.objectives import Objective

_MOST_THRESHOLDS = 500


@dataclass(frozen=True)
class TwoThresholds:
    """Two thresholds with their value and contingency table on the decided examples.

    Attributes
    ----------
    low, high : float
        A score above `high` predicts positive, one of at most `low` negative. Examples between them
        are referred to a person.
    value : float
        The objective on the decided examples.
    table : tuple of float
        TP, FP, FN, TN of the decided examples.
    review_rate : float
        Share of the examples that are referred.

    References
    ----------
    C. K. Chow, On Optimum Recognition Error and Reject Tradeoff, IEEE Transactions on Information
    Theory 16(1), 1970. https://doi.org/10.1109/TIT.1970.1054406

    Examples
    --------
    >>> from beyond_accuracy.operating_points import TwoThresholds
    >>> TwoThresholds(0.2, 0.7, 0.9, (40.0, 5.0, 4.0, 41.0), review_rate=0.1).high
    0.7
    """

    low: float
    high: float
    value: float
    table: tuple[float, float, float, float]
    review_rate: float


def best_two_thresholds(
    curve: OperatingCurve,
    objective: Objective,
    constraints: Sequence[Constraint] = (),
    review_budget: float = 1.0,
    allowed: tuple[NDArray[np.bool_], NDArray[np.bool_]] | None = None,
) -> TwoThresholds | None:
    """Return the best pair of thresholds that meets the constraints; None if there is none.

    The objective and the constraints count the decided examples only. Of equally good pairs, the
    first with the fewest referrals is chosen. Of more than 500 thresholds, 500 are compared: half
    of them are spread evenly over the positive examples, half over the negative ones.

    Parameters
    ----------
    review_budget : float, default 1.0
        Largest share of the examples that may be referred.
    allowed : pair of ndarray of bool, each of shape (t,), optional
        Which thresholds may be the lower and the higher one; all by default.

    References
    ----------
    C. K. Chow, On Optimum Recognition Error and Reject Tradeoff, IEEE Transactions on Information
    Theory 16(1), 1970. https://doi.org/10.1109/TIT.1970.1054406

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.measures.operating_curve import RankedExamples
    >>> from beyond_accuracy.operating_points import best_two_thresholds, make_objective
    >>> positive = np.array([True, True, False, True, False, False])
    >>> curve = RankedExamples(positive, [0.9, 0.8, 0.7, 0.4, 0.3, 0.1]).curve()
    >>> objective = make_objective("accuracy", None, positive)
    >>> point = best_two_thresholds(curve, objective, review_budget=0.4)
    >>> round(point.low, 2), round(point.high, 2), point.value
    (0.35, 0.75, 1.0)
    """
    places = _compared(curve)
    low_allowed, high_allowed = (
        (True, True) if allowed is None else (each[places] for each in allowed)
    )
    tp, fp, fn, tn = (counts[places] for counts in curve.tables)
    tables = np.broadcast_arrays(tp, fp, fn[:, None], tn[:, None])
    total = tp[0] + fp[0]
    referred = total - sum(tables)
    met = places[:, None] <= places
    met &= referred <= review_budget * total * (1 + 1e-12)
    met &= np.reshape(low_allowed, (-1, 1)) & np.asarray(high_allowed)
    for constraint in constraints:
        met &= constraint.holds(*tables)
    values = np.asarray(objective.table_function(*tables))
    gains = np.where(met, objective.gains(values), -np.inf)
    if gains.max() == -np.inf:
        return None
    best = gains == gains.max()
    low, high = np.unravel_index(np.argmin(np.where(best, referred, np.inf)), best.shape)
    return TwoThresholds(
        float(curve.thresholds[places[low]]),
        float(curve.thresholds[places[high]]),
        float(values[low, high]),
        tuple(float(counts[low, high]) for counts in tables),
        float(referred[low, high] / total),
    )


def _compared(curve):
    """Return the indices of the thresholds to compare, increasing."""
    n = len(curve.thresholds)
    if n <= _MOST_THRESHOLDS:
        return np.arange(n)
    tp, fp, _, _ = curve.tables
    shares = np.linspace(0, 1, _MOST_THRESHOLDS // 2)
    places = [np.searchsorted(-counts, -counts[0] * shares) for counts in (tp, fp)]
    return np.unique(np.append(np.minimum(np.concatenate(places), n - 1), [0, n - 1]))
