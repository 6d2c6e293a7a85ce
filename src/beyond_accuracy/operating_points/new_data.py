"""Estimate how well a choice of thresholds keeps its constraints on new data."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.operating_points.constraints import Constraint
from beyond_accuracy.operating_points.optimism import TAIL

Rule = TypeVar("Rule")
_DRAWS = 4000
_PARTS = 5


class ConstraintEstimate(NamedTuple):
    """Expected value on new data, 95 % interval, and probability that the constraint holds."""

    value: float
    interval: tuple[float, float]
    probability: float


def random_parts(
    positive: NDArray[np.bool_], random_state: np.random.RandomState
) -> NDArray[np.intp]:
    """Return a random part of each example, 0 to 4, with equal numbers of each class."""
    order = random_state.permutation(len(positive))
    order = order[np.argsort(positive[order], kind="stable")]
    parts = np.empty(len(order), dtype=np.intp)
    parts[order] = np.arange(len(order)) % _PARTS
    return parts


def cross_fitted_tables(
    choose: Callable[[NDArray[np.intp]], Rule],
    count: Callable[[Rule, NDArray[np.intp]], Sequence[float]],
    parts: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Return each part's contingency table, shape (n_parts, 4), with the rule of the other parts.

    No example is counted by a rule that was chosen on it. So the best of many thresholds looks no
    better than it is.
    """
    return np.array(
        [
            count(choose(np.flatnonzero(parts != part)), np.flatnonzero(parts == part))
            for part in range(parts.max() + 1)
        ]
    )


def estimate_constraints(
    table: NDArray[np.float64],
    constraints: Sequence[Constraint],
    random_state: np.random.RandomState,
) -> tuple[dict[str, ConstraintEstimate], float]:
    """Estimate the constrained quantities, and the probability that all constraints hold.

    The shares of the four cells on new data are drawn from their posterior distribution, given the
    counts in `table` and Jeffreys' prior.
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
