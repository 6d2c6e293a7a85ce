"""The choice of a threshold: the best that meets the constraints, and how sure that choice is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.measures.operating_curve import OperatingCurve, RankedExamples
from beyond_accuracy.operating_points.constraints import Constraint
from beyond_accuracy.operating_points.objectives import Objective


@dataclass(frozen=True)
class OperatingPoint:
    """A threshold and what it reaches on the examples that it was chosen on.

    Attributes
    ----------
    threshold : float
        A score above it predicts positive; −inf predicts everything positive, inf nothing.
    value : float
        The objective: the measure, or the average cost.
    table : tuple of float
        TP, FP, FN, TN.

    References
    ----------
    https://scikit-learn.org/stable/modules/classification_threshold.html

    Examples
    --------
    >>> from beyond_accuracy.operating_points import OperatingPoint
    >>> OperatingPoint(threshold=0.5, value=2 / 3, table=(2.0, 1.0, 1.0, 2.0)).threshold
    0.5
    """

    threshold: float
    value: float
    table: tuple[float, float, float, float]


def best_operating_point(
    examples: RankedExamples,
    objective: Objective,
    constraints: Sequence[Constraint] = (),
    sample_weight: NDArray[np.float64] | None = None,
    allowed: NDArray[np.bool_] | None = None,
) -> OperatingPoint | None:
    """Return the best of all thresholds that meet the constraints; None if there is none.

    Of equally good thresholds it is the one with the widest gap between the scores around it, and
    of these the lowest. It takes O(n) after sorting.

    Parameters
    ----------
    allowed : ndarray, optional
        Increasing; only these thresholds are compared.

    References
    ----------
    https://scikit-learn.org/stable/modules/classification_threshold.html

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.measures.operating_curve import RankedExamples
    >>> from beyond_accuracy.operating_points import (
    ...     best_operating_point,
    ...     make_objective,
    ...     parse_constraints,
    ... )
    >>> positive = np.array([True, True, False, True, False, False])
    >>> scores = np.array([0.9, 0.8, 0.7, 0.4, 0.3, 0.1])
    >>> objective = make_objective("recall", None, positive)
    >>> constraints = parse_constraints("precision >= 0.9")
    >>> best_operating_point(RankedExamples(positive, scores), objective, constraints)
    OperatingPoint(threshold=0.75, value=0.6666666666666666, table=(2.0, 0.0, 1.0, 3.0))
    """
    curve = examples.curve(sample_weight)
    values = objective.values(examples, curve, sample_weight)
    gains = objective.gains(values)
    met = np.ones(len(gains), dtype=bool)
    for constraint in constraints:
        met &= constraint.holds(*curve.tables)
    thresholds = curve.thresholds.copy()
    thresholds[0], thresholds[-1] = -np.inf, np.inf
    if allowed is not None:
        # A threshold allowed is somewhere between two scores: the place where it separates them.
        places = np.searchsorted(examples.values, allowed, side="right")
        met &= np.isin(np.arange(len(met)), places)
        thresholds[places] = allowed
    if not met.any():
        return None
    best = np.flatnonzero(met & (gains == gains[met].max()))
    place = best[np.argmax(examples.gaps[best])]
    tp, fp, fn, tn = (float(counts[place]) for counts in curve.tables)
    return OperatingPoint(float(thresholds[place]), float(values[place]), (tp, fp, fn, tn))


def explain_infeasible(curve: OperatingCurve, constraints: Sequence[Constraint]) -> str | None:
    """Say which constraint no threshold meets, or how near they come to being met together.

    None if some threshold meets all.

    References
    ----------
    https://scikit-learn.org/stable/modules/classification_threshold.html

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.measures.operating_curve import RankedExamples
    >>> from beyond_accuracy.operating_points import explain_infeasible, parse_constraints
    >>> positive = np.array([True, True, False, True, False, False])
    >>> scores = np.array([0.9, 0.8, 0.7, 0.4, 0.3, 0.1])
    >>> constraints = parse_constraints(["recall >= 0.9", "precision >= 0.9"])
    >>> curve = RankedExamples(positive, scores).curve()
    >>> for part in explain_infeasible(curve, constraints).split("; "):
    ...     print(part)
    each can be met alone, but not together: 'recall >= 0.9', 'precision >= 0.9'
    where the others hold, recall is 0.6667 at best
    where the others hold, precision is 0.75 at best
    """
    for constraint in constraints:
        if not constraint.holds(*curve.tables).any():
            nearest = constraint.nearest(*curve.tables)
            return f"no threshold meets '{constraint}': the nearest is {nearest:.4g}"
    if np.logical_and.reduce([each.holds(*curve.tables) for each in constraints]).any():
        return None
    parts = []
    for constraint in constraints:
        others = np.ones(len(curve.thresholds), dtype=bool)
        for other in constraints:
            if other is not constraint:
                others &= other.holds(*curve.tables)
        if others.any():
            nearest = constraint.nearest(*(counts[others] for counts in curve.tables))
            parts.append(f"where the others hold, {constraint.name} is {nearest:.4g} at best")
    listed = ", ".join(f"'{constraint}'" for constraint in constraints)
    return "; ".join([f"each can be met alone, but not together: {listed}", *parts])


def bootstrap_intervals(
    examples: RankedExamples,
    objective: Objective,
    constraints: Sequence[Constraint],
    sample_weight: NDArray[np.float64] | None,
    *,
    n_resamples: int,
    confidence_level: float,
    random_state: np.random.RandomState,
) -> tuple[tuple[float, float], tuple[float, float], float]:
    """Percentile intervals of the threshold and of the objective there, the scores being given.

    Resamples in which no threshold meets the constraints are left out; their share is the third
    result.

    References
    ----------
    https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.bootstrap.html,
    method="percentile"

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.measures.operating_curve import RankedExamples
    >>> from beyond_accuracy.operating_points import bootstrap_intervals, make_objective
    >>> positive = np.array([True, True, False, True, False, False])
    >>> scores = np.array([0.9, 0.8, 0.7, 0.4, 0.3, 0.1])
    >>> objective = make_objective("f1", None, positive)
    >>> settings = {"n_resamples": 100, "confidence_level": 0.95}
    >>> threshold, value, infeasible = bootstrap_intervals(
    ...     RankedExamples(positive, scores),
    ...     objective,
    ...     [],
    ...     None,
    ...     **settings,
    ...     random_state=np.random.RandomState(0),
    ... )
    >>> value
    (0.5, 1.0)
    """
    n = len(examples.order)
    weight = np.ones(n) if sample_weight is None else sample_weight
    points = []
    for _ in range(n_resamples):
        counts = np.bincount(random_state.randint(n, size=n), minlength=n)
        point = best_operating_point(examples, objective, constraints, weight * counts)
        if point is not None:
            points.append((point.threshold, point.value))
    if not points:
        return (np.nan, np.nan), (np.nan, np.nan), 1.0
    tail = (1 - confidence_level) / 2
    # Between −inf and inf nothing can be interpolated.
    low, high = np.quantile(points, [tail, 1 - tail], axis=0, method="inverted_cdf")
    intervals = [(float(left), float(right)) for left, right in zip(low, high, strict=True)]
    return intervals[0], intervals[1], 1 - len(points) / n_resamples
