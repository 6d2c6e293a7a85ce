"""What an operating point is chosen for, evaluated for every threshold at once."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.contingency import TableFunction
from beyond_accuracy.measures.operating_curve import OperatingCurve, RankedExamples

COST = "cost"


@dataclass(frozen=True)
class Objective:
    """A measure of the contingency table, to be maximized, or the average cost, to be minimized.

    Attributes
    ----------
    name : str
    table_function : callable or None
        The measure as a function of (TP, FP, FN, TN); None for costs.
    costs : ndarray or None, shape (n, 2)
        Of predicting each example negative, and positive.

    References
    ----------
    https://scikit-learn.org/stable/modules/classification_threshold.html

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.operating_points import make_objective
    >>> objective = make_objective("cost", [[0, 1], [5, 0]], np.array([True, False]))
    >>> objective.costs
    array([[5., 0.],
           [0., 1.]])
    """

    name: str
    table_function: TableFunction | None = None
    costs: np.ndarray | None = None

    def values(
        self,
        examples: RankedExamples,
        curve: OperatingCurve,
        sample_weight: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """Return the measure, or the average cost, at every threshold of the curve."""
        if self.table_function is not None:
            return np.asarray(self.table_function(*curve.tables), dtype=np.float64)
        negative, positive = self.costs.T
        weight = np.ones(len(self.costs)) if sample_weight is None else sample_weight
        changes = examples.sums_above(weight * (positive - negative))
        return ((weight * negative).sum() + changes) / weight.sum()

    def of(self, examples: np.ndarray) -> "Objective":
        """Return the objective on some of the examples."""
        return self if self.costs is None else replace(self, costs=self.costs[examples])

    def gains(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values such that more is better."""
        return values if self.costs is None else -values


def make_objective(
    objective: Any, cost_matrix: ArrayLike | None, positive: NDArray[np.bool_]
) -> Objective:
    """The objective of a name, a callable of (TP, FP, FN, TN), or "cost" with a cost matrix.

    Parameters
    ----------
    objective : str, Measure or callable
    cost_matrix : array, shape (2, 2) or (n, 2, 2), or None
        [true, predicted], of all examples or of each.
    positive : array of bool, shape (n,)

    Raises
    ------
    ValueError
        If the measure is unknown or depends on more than the contingency table; if costs are
        missing, not finite, of another shape, or given for another objective.

    References
    ----------
    https://scikit-learn.org/stable/modules/classification_threshold.html

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.operating_points import make_objective
    >>> objective = make_objective("f1", None, np.array([True, False]))
    >>> float(objective.table_function(2, 1, 3, 0))
    0.5
    """
    if isinstance(objective, str) and objective == COST:
        return Objective(COST, costs=_costs(cost_matrix, positive))
    if cost_matrix is not None:
        raise ValueError(f'a cost matrix goes with objective="cost"; found {objective!r}')
    measure = get_measure(objective)
    if measure.table_function is None:
        raise ValueError(
            f"{measure.name} depends on the order of the scores, or on their number at the top, "
            "and not on a threshold; take a measure of the contingency table, such as 'f1'"
        )
    return Objective(measure.name, measure.table_function)


def _costs(cost_matrix, positive):
    n = len(positive)
    if cost_matrix is None:
        raise ValueError(
            'objective="cost" needs costs: cost_matrix[true, predicted] of shape (2, 2), or one '
            "for each example, of shape (n, 2, 2), given to fit"
        )
    costs = np.asarray(cost_matrix, dtype=np.float64)
    if costs.shape not in ((2, 2), (n, 2, 2)):
        raise ValueError(
            f"cost_matrix must have the shape (2, 2), or ({n}, 2, 2) for {n} examples; "
            f"found {costs.shape}"
        )
    if not np.isfinite(costs).all():
        raise ValueError("cost_matrix holds NaN or infinity; every cost must be a finite number")
    costs = np.broadcast_to(costs, (n, 2, 2))
    return costs[np.arange(n), np.asarray(positive, dtype=np.int64)]
