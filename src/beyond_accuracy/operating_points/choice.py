"""Choose the best threshold that meets the constraints, and quantify its uncertainty."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.compilation import Floats
from beyond_accuracy.measures.operating_curve import OperatingCurve, RankedExamples, Tables
from beyond_accuracy.operating_points.constraints import Constraint
from beyond_accuracy.operating_points.objectives import Objective
from beyond_accuracy.operating_points.optimism import TAIL, corrected_ends, resample_weights

# Relative rounding error of sums of weights.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class OperatingPoint:
    """Threshold with its objective and contingency table on the data on which it was chosen.

    Attributes
    ----------
    threshold : float
        A score above the threshold predicts positive. −inf predicts all examples positive, and inf
        none.
    value : float
        Value of the measure, or the average cost.
    table : tuple of float
        TP, FP, FN, TN.

    References
    ----------
    T. Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 27(8), 2006.
    https://doi.org/10.1016/j.patrec.2005.10.010

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
    sample_weight: Floats | None = None,
    allowed: NDArray[np.bool_] | None = None,
) -> OperatingPoint | None:
    """Return the best threshold that meets the constraints, or None if no threshold does.

    Among equally good thresholds, a threshold is excluded if another has fewer false positives for
    the same true positives, or more true positives for the same false positives. Of the others, the
    one with the widest gap between neighbouring scores is chosen, then the lowest.

    Under a budget, the highest scores above the threshold are predicted positive, as many as it
    allows. If tied examples do not all fit, a fraction of each counts as predicted positive. Of
    thresholds with the same predictions, the one that is best without the budget is chosen.

    Parameters
    ----------
    examples : RankedExamples
        True labels and scores of n examples.
    objective : Objective
        Measure or average cost, from `make_objective`.
    constraints : sequence of Constraint
        Constraints and budgets, from `parse_constraints`.
    sample_weight : ndarray of float, shape (n,), optional
    allowed : ndarray of bool, shape (t,), optional
        Which of the t thresholds of `examples` are compared; all by default.

    Returns
    -------
    point : OperatingPoint or None
        The threshold, the value of the objective, and the contingency table (TP, FP, FN, TN). Under
        a budget, its entries may be fractions.

    References
    ----------
    Z. C. Lipton et al., Optimal Thresholding of Classifiers to Maximize F1 Measure, ECML PKDD 2014.
    https://arxiv.org/abs/1402.1892

    Examples
    --------
    >>> from beyond_accuracy import operating_points as op
    >>> from beyond_accuracy.measures.operating_curve import RankedExamples
    >>> positive = [True, True, False, True, False, False]
    >>> examples = RankedExamples(positive, [0.9, 0.8, 0.7, 0.4, 0.3, 0.1])
    >>> objective = op.make_objective("recall", None, positive)
    >>> op.best_operating_point(examples, objective, op.parse_constraints("precision >= 0.9"))
    OperatingPoint(threshold=0.75, value=0.6666666666666666, table=(2.0, 0.0, 1.0, 3.0))
    """
    place, values, tables = _reach(examples, objective, constraints, allowed, sample_weight)
    if place is None:
        return None
    table = table_at(tables, place, constraints)
    return OperatingPoint(examples.threshold(place), float(values[place]), table)


def table_at(
    tables: Tables, place: int, constraints: Sequence[Constraint] = ()
) -> tuple[float, float, float, float]:
    """Return (TP, FP, FN, TN) at the threshold with index `place`, within budgets."""
    batch = _Batch.of(tables, constraints)
    return _table(tables, place) if batch is None or place >= batch.cut else batch.table


@dataclass(frozen=True)
class _Batch:
    """Effect of budgets, that is, limits on the number of positive predictions.

    Thresholds from index `cut` on respect the budgets. `table` has the highest scores that the
    budgets allow, with a `share` of the scores just below the threshold at `cut`.
    """

    cut: int
    share: float
    table: tuple[float, float, float, float]

    @classmethod
    def of(cls, tables, constraints) -> "_Batch | None":
        """Return the effect of budgets in `constraints`; None if all thresholds respect them."""
        tp, fp, _, _ = tables
        total = tp[0] + fp[0]
        allowed = min((each.most(total) for each in constraints if each.is_budget), default=total)
        if allowed >= total:
            return None
        predicted = tp + fp
        # The slack allows for rounding of weighted sums.
        within = np.searchsorted(predicted[::-1], allowed + 1e-12 * total, side="right")
        cut = len(predicted) - int(within)
        if cut == 0:
            return None
        spare = max(allowed - predicted[cut], 0.0) / (predicted[cut - 1] - predicted[cut])
        share = 0.0 if spare < 1e-9 else float(spare)
        above, below = _table(tables, cut), _table(tables, cut - 1)
        table = tuple(a + share * (b - a) for a, b in zip(above, below, strict=True))
        return cls(cut, share, table)


def _reach(examples, objective, constraints, allowed, sample_weight):
    """Return (index of the best threshold or None, objective and tables at all thresholds).

    The objective takes budgets among the constraints into account; the contingency tables do not.
    """
    rates = [constraint for constraint in constraints if not constraint.is_budget]
    allowed = True if allowed is None else allowed
    tables = examples.tables(sample_weight)
    values = objective.values(examples, tables, sample_weight)
    gains = objective.gains(values)
    met = (gains > -np.inf) & allowed
    for constraint in rates:
        met &= constraint.holds(*tables)
    batch, beyond = _Batch.of(tables, constraints), None
    if batch is not None:
        beyond = np.where(met, gains, -np.inf)
        values, cut = values.copy(), batch.cut
        value = values[cut] + batch.share * (values[cut - 1] - values[cut])
        if objective.table_function is not None:
            (value,) = objective.table_function(*np.transpose([batch.table]))
        values[:cut] = value
        gains = objective.gains(values)
        met[:cut] = gains[0] > -np.inf
        met[:cut] &= all(constraint.holds(*batch.table) for constraint in rates)
        met &= allowed
    if not met.any():
        return None, values, tables
    # Sums of fractional weights are equal up to rounding; sums of counts are exact.
    rounded = sample_weight is not None and np.issubdtype(sample_weight.dtype, np.floating)
    rounding = _ROUNDING * np.abs(gains[met]).max() if rounded else 0.0
    best = np.flatnonzero(met & (gains >= gains[met].max() - rounding))
    if beyond is not None:
        top = beyond[best].max()
        if top == -np.inf:
            return int(best[-1]), values, tables
        best = best[beyond[best] >= top - rounding]
    best = _undominated(tables, best)
    return int(best[np.argmax(examples.gaps(best))]), values, tables


def _undominated(tables, places):
    """Return the increasing indices `places` without thresholds that another one dominates.

    TP and FP both fall with the index, so only neighbours with equal TP or equal FP are compared.
    """
    tp, fp = (counts[places] for counts in tables[:2])
    of_tp, of_fp = (np.append(0, np.cumsum(np.diff(counts) != 0)) for counts in (tp, fp))
    fewest = fp[np.append(np.diff(of_tp) > 0, True)]
    most = tp[np.append(True, np.diff(of_fp) > 0)]
    return places[(fp == fewest[of_tp]) & (tp == most[of_fp])]


def _table(tables, place):
    tp, fp, fn, tn = (float(counts[place]) for counts in tables)
    return tp, fp, fn, tn


def explain_infeasible(curve: OperatingCurve, constraints: Sequence[Constraint]) -> str | None:
    """Return text that says why no threshold meets all constraints, or None if one does.

    The text names a constraint that no threshold meets. If each constraint can be met alone, the
    text names the best value of each measure if the other constraints hold.

    References
    ----------
    C. Scott, R. Nowak, A Neyman–Pearson Approach to Statistical Learning, IEEE Transactions on
    Information Theory, 2005. https://doi.org/10.1109/TIT.2005.856955

    Examples
    --------
    >>> from beyond_accuracy.measures.operating_curve import RankedExamples
    >>> from beyond_accuracy.operating_points import explain_infeasible, parse_constraints
    >>> positive, scores = [True, True, False, True, False, False], [0.9, 0.8, 0.7, 0.4, 0.3, 0.1]
    >>> constraints = parse_constraints(["recall >= 0.9", "precision >= 0.9"])
    >>> curve = RankedExamples(positive, scores).curve()
    >>> for part in explain_infeasible(curve, constraints).split("; "):
    ...     print(part)
    each can be met alone, but not together: 'recall >= 0.9', 'precision >= 0.9'
    where the others hold, recall is 0.6667 at best
    where the others hold, precision is 0.75 at best
    """
    tables = curve.tables
    if (batch := _Batch.of(tables, constraints)) is not None:
        tables = tuple(np.append(*each) for each in zip(tables, batch.table, strict=True))
    for constraint in constraints:
        if not constraint.holds(*tables).any():
            nearest = constraint.nearest(*tables)
            return f"no threshold meets '{constraint}': the nearest is {nearest:.4g}"
    if _hold(constraints, tables).any():
        return None
    # Reduce the constraints to a minimal set that cannot be met together.
    all_of_them = len(constraints)
    for constraint in tuple(constraints):
        rest = [each for each in constraints if each is not constraint]
        if not _hold(rest, tables).any():
            constraints = rest
    parts = []
    for constraint in constraints:
        others = _hold([each for each in constraints if each is not constraint], tables)
        nearest = constraint.nearest(*(counts[others] for counts in tables))
        parts.append(f"where the others hold, {constraint.name} is {nearest:.4g} at best")
    listed = ", ".join(f"'{constraint}'" for constraint in constraints)
    whatever = "" if len(constraints) == all_of_them else ", whatever the other constraints"
    return "; ".join([f"each can be met alone, but not together: {listed}{whatever}", *parts])


def _hold(constraints, tables):
    """Return whether all constraints hold at each threshold, bool, shape (t,)."""
    return np.logical_and.reduce(
        [each.holds(*tables) for each in constraints] or [np.ones(len(tables[0]), dtype=bool)]
    )


def bootstrap_intervals(
    examples: RankedExamples,
    objective: Objective,
    constraints: Sequence[Constraint],
    sample_weight: Floats | None,
    *,
    n_resamples: int,
    random_state: np.random.RandomState,
    allowed: NDArray[np.bool_] | None = None,
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Estimate 95 % intervals of the best threshold, and of its objective on new data.

    The choice of the threshold is repeated on bootstrap samples of the fixed scores, except samples
    in which no threshold meets the constraints. The best of many thresholds looks better than it
    is. To correct for this, each one is also evaluated on the examples outside its sample.

    Parameters
    ----------
    examples, objective, constraints, sample_weight
        See `best_operating_point`.
    n_resamples : int
        Number of bootstrap samples.
    random_state : RandomState
    allowed : ndarray of bool, shape (t,), optional
        Which of the t thresholds of `examples` are compared; all by default.

    Returns
    -------
    threshold_interval : tuple of two floats
    score_interval : tuple of two floats
        Interval of the objective on new data.

    References
    ----------
    B. Efron, Estimating the Error Rate of a Prediction Rule, JASA 78, 1983.
    https://doi.org/10.1080/01621459.1983.10477973

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy import operating_points as op
    >>> from beyond_accuracy.measures.operating_curve import RankedExamples
    >>> random_state = np.random.RandomState(0)
    >>> positive = random_state.random(300) < 0.3
    >>> examples = RankedExamples(positive, positive + random_state.normal(size=300))
    >>> problem = examples, op.make_objective("f1", None, positive), []
    >>> settings = {"n_resamples": 100, "random_state": random_state}
    >>> threshold, value = op.bootstrap_intervals(*problem, None, **settings)
    >>> [round(end, 2) for end in value], round(op.best_operating_point(*problem).value, 2)
    ([0.49, 0.67], 0.63)
    """
    n = len(examples.order)
    weight = np.ones(n) if sample_weight is None else sample_weight
    place, values, _ = _reach(examples, objective, constraints, allowed, sample_weight)
    if place is None:
        return (np.nan, np.nan), (np.nan, np.nan)
    sign = -1.0 if objective.minimized else 1.0
    thresholds, gains = [], []
    for _ in range(n_resamples):
        counts = np.bincount(random_state.randint(n, size=n), minlength=n)
        inside, left_out = resample_weights(weight, counts)
        again, values_inside, _ = _reach(examples, objective, constraints, allowed, inside)
        if again is None:
            continue
        outside = np.nan
        if left_out is not None:
            _, values_outside, _ = _reach(examples, objective, constraints, allowed, left_out)
            outside = values_outside[again]
        thresholds.append(examples.threshold(again))
        gains.append((values_inside[again], values[again], outside, values_inside[place]))
    if not thresholds:
        return (np.nan, np.nan), (np.nan, np.nan)
    # Between −inf and inf there is no interpolation.
    low, high = np.quantile(thresholds, [TAIL, 1 - TAIL], method="inverted_cdf")
    worst, best = corrected_ends(sign * values[place], sign * np.array(gains))
    ends = np.clip(sorted((sign * worst, sign * best)), objective.least, objective.most)
    return (float(low), float(high)), (float(ends[0]), float(ends[1]))
