"""Objectives of a threshold (a measure or the average cost), computed at all thresholds at once."""

import inspect
import reprlib
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from beyond_accuracy.compilation import Floats
from beyond_accuracy.measures import Measure, get_measure
from beyond_accuracy.measures.contingency import TableFunction
from beyond_accuracy.measures.operating_curve import RankedExamples, Tables
from beyond_accuracy.measures.threshold_measures import (
    NAMES,
    as_constraint,
    find_threshold_measure,
    suggestion,
)

COST = "cost"
_A_TABLE = (4.0, 1.0, 2.0, 3.0)


@dataclass(frozen=True)
class Objective:
    """Quantity that a threshold optimizes: a measure of the contingency table, or the average cost.

    Attributes
    ----------
    name : str
        Name of the measure, or "cost".
    table_function : callable or None
        The measure as a function of (TP, FP, FN, TN). None for costs.
    costs : ndarray or None, shape (n, 2)
        Per example, the cost of predicting negative, and of predicting positive.
    minimized : bool
        Whether lower values are better, as for costs.
    least, most : float
        Known lower and upper bounds on the value.

    References
    ----------
    C. Elkan, The Foundations of Cost-Sensitive Learning, IJCAI 2001.
    https://cseweb.ucsd.edu/~elkan/rescale.pdf

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
    minimized: bool = False
    least: float = -np.inf
    most: float = np.inf

    def values(
        self, examples: RankedExamples, tables: Tables, sample_weight: Floats | None = None
    ) -> Floats:
        """Return the measure, or the average cost, at every threshold, shape (t,).

        `examples` are n ranked examples, and `tables` their contingency tables at the t thresholds.
        """
        if self.table_function is not None:
            return self.table_function(*tables)
        negative, positive = self.costs.T
        weight = np.ones(len(self.costs)) if sample_weight is None else sample_weight
        changes = examples.sums_above(weight * (positive - negative))
        return ((weight * negative).sum() + changes) / weight.sum()

    def of(self, examples: np.ndarray) -> "Objective":
        """Return the objective for a subset of the examples, given by their indices."""
        return self if self.costs is None else replace(self, costs=self.costs[examples])

    def gains(self, values: Floats) -> Floats:
        """Return `values` of the objective, negated if it is minimized, so that higher is better.

        Undefined and infinite values become −inf.
        """
        gains = -values if self.minimized else values
        return gains if np.isfinite(gains).all() else np.where(np.isfinite(gains), gains, -np.inf)


def make_objective(
    objective: Any, cost_matrix: ArrayLike | None, positive: NDArray[np.bool_]
) -> Objective:
    """Make an objective from a name, a function of (TP, FP, FN, TN), or a cost matrix.

    Parameters
    ----------
    objective : str, Measure, callable or array of shape (2, 2)
        Name of a measure, "cost", a `Measure`, a function or a cost matrix. A cost matrix means
        "cost" with this `cost_matrix`. A function gets four arrays of floats, with one entry per
        threshold. If it takes no arrays, it is called once per threshold, which is slower.
        Thresholds at which it is NaN or infinite are never chosen.
    cost_matrix : array, shape (2, 2) or (n, 2, 2), or None
        Costs [true, predicted], where index 1 is the positive class; one matrix for all examples or
        one per example.
    positive : array of bool, shape (n,)
        True labels.

    References
    ----------
    O. O. Koyejo et al., Consistent Binary Classification with Generalized Performance Metrics,
    NIPS 2014.
    https://papers.nips.cc/paper/5454-consistent-binary-classification-with-generalized-performance-metrics

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.operating_points import make_objective
    >>> objective = make_objective("f1", None, np.array([True, False]))
    >>> float(objective.table_function(2, 1, 3, 0))
    0.5
    """
    if np.asarray(objective, dtype=object).shape == (2, 2):
        if cost_matrix is not None:
            raise ValueError("costs are given twice, as objective and as cost_matrix; give one")
        objective, cost_matrix = COST, objective
    if isinstance(objective, str) and objective == COST:
        if cost_matrix is None:
            raise ValueError(
                'objective="cost" needs costs: cost_matrix[true, predicted] of shape (2, 2), or '
                "one for each example, of shape (n, 2, 2), given to fit"
            )
        n = len(positive)
        costs = check_costs(cost_matrix, n)[np.arange(n), np.asarray(positive, dtype=np.int64)]
        return Objective(COST, costs=costs, minimized=True)
    if cost_matrix is not None:
        raise ValueError(f'a cost matrix goes with objective="cost"; found {objective!r}')
    if isinstance(objective, str) and (measure := find_threshold_measure(objective)) is not None:
        bounds = {"least": measure.least, "most": 1.0}
        return Objective(measure.name, measure.table_function, None, measure.minimized, **bounds)
    if not isinstance(objective, (str, Measure)) and (
        callable(objective) or hasattr(objective, "_score_func")
    ):
        return Objective(*_of_tables(objective))
    try:
        measure = get_measure(objective)
    except ValueError:
        if not isinstance(objective, str):
            raise ValueError(
                "the objective is the name of a measure, a Measure, a function of "
                "(TP, FP, FN, TN) or a cost matrix of shape (2, 2); for costs of each example take "
                f'objective="{COST}" and fit(X, y, cost_matrix=…); found {reprlib.repr(objective)}'
            ) from None
        raise ValueError(
            f"unknown measure {objective!r}; {suggestion(objective)}known are {', '.join(NAMES)} "
            f"and, with costs, {COST!r}"
        ) from None
    if measure.table_function is None:
        instead = as_constraint(measure) or "take a measure of the contingency table, such as 'f1'"
        raise ValueError(
            f"{measure.name} depends on the order of the scores, or on their number at the top, "
            f"and not on a threshold; {instead}"
        )
    return Objective(measure.name, measure.table_function)


def _of_tables(objective):
    """Return (name, function of arrays TP, FP, FN and TN) for a user's function of the counts."""
    scored = getattr(objective, "_score_func", objective)
    name = getattr(scored, "__name__", type(scored).__name__)
    try:
        parameters = list(inspect.signature(scored).parameters)
    except (TypeError, ValueError):
        parameters = []
    if scored is not objective or parameters[:1] in (["y_true"], ["estimator"]):
        raise ValueError(
            f"the objective is a name or a function of the counts (TP, FP, FN, TN), of which more "
            f"is better; found {name}, a metric of labels or a scorer; {suggestion(name)}".rstrip(
                "; "
            )
        )
    try:
        float(objective(*_A_TABLE))
    except Exception as error:
        raise ValueError(
            f"the objective is called with the counts (TP, FP, FN, TN) and returns a number; "
            f"{name}{_A_TABLE} failed with: {error}"
        ) from error

    def at_table(*table):
        try:
            return float(objective(*map(float, table)))
        except ZeroDivisionError:
            return np.nan

    function = objective
    try:
        takes_arrays = np.shape(objective(*np.transpose([_A_TABLE, _A_TABLE]))) == (2,)
    # Any error means that the function takes no arrays.
    except Exception:
        takes_arrays = False
    if not takes_arrays:
        function = np.vectorize(at_table, otypes=[np.float64])
        warnings.warn(
            f"the objective {name!r} does not take arrays: it is called at each threshold; numpy's "
            "functions, such as np.where, take all at once",
            UserWarning,
            stacklevel=3,
        )

    def at_all_tables(*tables):
        with np.errstate(all="ignore"):
            tables = np.broadcast_arrays(*(np.asarray(each, dtype=np.float64) for each in tables))
            return np.asarray(function(*tables), dtype=np.float64)

    return name, at_all_tables


def check_costs(cost_matrix: ArrayLike, n: int) -> Floats:
    """Return costs per example, shape (n, 2, 2), from costs of shape (2, 2) or (n, 2, 2)."""
    try:
        costs = np.asarray(cost_matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            "cost_matrix must hold numbers, costs[true, predicted], in rows of equal length; found "
            f"{reprlib.repr(cost_matrix)}"
        ) from error
    if costs.shape not in ((2, 2), (n, 2, 2)):
        raise ValueError(
            f"cost_matrix must have the shape (2, 2), or ({n}, 2, 2) for {n} examples, with "
            "[:, 1, 0] the cost of a missed positive and [:, 0, 1] that of a false alarm; found "
            f"{costs.shape}"
        )
    if not np.isfinite(costs).all():
        raise ValueError("cost_matrix holds NaN or infinity; every cost must be a finite number")
    return np.broadcast_to(costs, (n, 2, 2))


def expected_savings(probabilities: Floats, costs: Floats) -> Floats:
    """Return the expected cost that predicting positive instead of negative saves, shape (n,).

    `probabilities`, shape (n,), are of the positive class, and `costs`, shape (n, 2, 2), are
    [example, true, predicted].
    """
    savings = costs[:, :, 0] - costs[:, :, 1]
    return (1 - probabilities) * savings[:, 0] + probabilities * savings[:, 1]
