"""Constraints on a contingency table, written as in "precision >= 0.9"."""

import difflib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.contingency import Counts, TableFunction, ratio

BUDGET = "predicted_positives"

# Successes and trials of each rate as functions of (TP, FP, FN, TN). Given the trials, the
# successes among examples that were not used for the threshold are binomial.
RATES: dict[str, Callable[..., tuple[Counts, Counts]]] = {
    "precision": lambda tp, fp, fn, tn: (tp, tp + fp),
    "recall": lambda tp, fp, fn, tn: (tp, tp + fn),
    "specificity": lambda tp, fp, fn, tn: (tn, fp + tn),
    "false_positive_rate": lambda tp, fp, fn, tn: (fp, fp + tn),
    "negative_predictive_value": lambda tp, fp, fn, tn: (tn, fn + tn),
    "predicted_positive_rate": lambda tp, fp, fn, tn: (tp + fp, tp + fp + fn + tn),
    "accuracy": lambda tp, fp, fn, tn: (tp + tn, tp + fp + fn + tn),
}
_PATTERN = re.compile(r"\s*(\w+)\s*(>=|<=)\s*(\S+)\s*")


@dataclass(frozen=True)
class Constraint:
    """A bound on a quantity of the contingency table.

    Attributes
    ----------
    name : str
        One of `RATES`, a measure of the contingency table, or "predicted_positives".
    at_least : bool
        Whether `bound` is the least or the most that is allowed.
    bound : float
    function : callable
        The quantity as a function of (TP, FP, FN, TN) that broadcasts.

    References
    ----------
    https://scikit-learn.org/stable/modules/classification_threshold.html

    Examples
    --------
    >>> from beyond_accuracy.operating_points import parse_constraints
    >>> (constraint,) = parse_constraints("precision >= 0.9")
    >>> bool(constraint.holds(9, 1, 5, 10)), bool(constraint.holds(8, 1, 5, 10))
    (True, False)
    """

    name: str
    at_least: bool
    bound: float
    function: TableFunction

    def __str__(self) -> str:
        return f"{self.name} {'>=' if self.at_least else '<='} {self.bound:g}"

    def holds(self, *tables: np.ndarray | float) -> np.ndarray:
        """Whether tables meet it, rounding of weighted sums aside."""
        values, slack = np.asarray(self.function(*tables)), 1e-12 * abs(self.bound)
        return values >= self.bound - slack if self.at_least else values <= self.bound + slack

    def nearest(self, *tables: np.ndarray | float) -> float:
        """Return the value, of those of the tables, that comes nearest to meeting it."""
        values = np.asarray(self.function(*tables))
        return float(values.max() if self.at_least else values.min())

    @property
    def is_budget(self) -> bool:
        """Whether it bounds a number of examples, which depends on how many there are."""
        return self.name == BUDGET


def parse_constraints(texts: str | Sequence[str] | None) -> list[Constraint]:
    """Read constraints such as "precision >= 0.9".

    Raises
    ------
    ValueError
        If one cannot be read, its quantity is unknown, its bound is out of range, or two of them
        contradict each other.

    References
    ----------
    https://scikit-learn.org/stable/modules/classification_threshold.html

    Examples
    --------
    >>> from beyond_accuracy.operating_points import parse_constraints
    >>> constraints = parse_constraints(["precision >= 0.9", "predicted_positives <= 500"])
    >>> [each.is_budget for each in constraints]
    [False, True]
    """
    texts = [texts] if isinstance(texts, str) else list(texts or [])
    constraints = [_parse(text) for text in texts]
    for lower in constraints:
        for upper in constraints:
            same = lower.name == upper.name and lower.at_least and not upper.at_least
            if same and lower.bound > upper.bound:
                raise ValueError(f"the constraints '{lower}' and '{upper}' contradict each other")
    return constraints


def _parse(text) -> Constraint:
    match = _PATTERN.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ValueError(
            f"a constraint is a quantity, >= or <=, and a number, such as 'precision >= 0.9'; "
            f"found {text!r}"
        )
    name, sign, number = match.groups()
    try:
        bound = float(number)
    except ValueError:
        bound = math.nan
    if name == BUDGET:
        if sign == ">=" or not (bound.is_integer() and bound >= 1):
            raise ValueError(
                f"{BUDGET} is a budget, '{BUDGET} <= ' and a whole number of at least 1; "
                f"found {text!r}"
            )
    elif not 0 <= bound <= 1:
        raise ValueError(f"the bound of {name} is a number between 0 and 1; found {text!r}")
    return Constraint(name, sign == ">=", bound, _quantity(name))


def _quantity(name) -> TableFunction:
    if name == BUDGET:
        return lambda tp, fp, fn, tn: tp + fp
    if name in RATES:
        return lambda *table: ratio(*RATES[name](*table))
    try:
        function = get_measure(name).table_function
    except ValueError:
        function = None
    if function is None:
        valid = [*RATES, "f1", "balanced_accuracy", BUDGET]
        nearest = difflib.get_close_matches(name, valid, n=1)
        hint = f"did you mean {nearest[0]!r}? " if nearest else ""
        raise ValueError(
            f"{name!r} is no quantity of a contingency table that can be bounded; {hint}"
            f"valid are {', '.join(valid)} and other measures of the contingency table"
        )
    return function
