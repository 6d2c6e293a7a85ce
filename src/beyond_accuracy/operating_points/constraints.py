"""Constraints on a contingency table, written as in "precision >= 0.9"."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from beyond_accuracy.measures.contingency import TableFunction
from beyond_accuracy.measures.threshold_measures import NAMES, find_threshold_measure, suggestion

BUDGET = "predicted_positives"
_PATTERN = re.compile(r"\s*([\w.]+)\s*(>=|<=)\s*(\S+)\s*")
_TURNED = re.compile(r"\s*([\d.]+)\s*(<=|>=|<|>)\s*([a-z_]\w*)\s*")
_STRICT = re.compile(r"\s*([\w.]+)\s*([><])\s*([^\s=]+)\s*")


@dataclass(frozen=True)
class Constraint:
    """Bound on a measure of the contingency table.

    Attributes
    ----------
    name : str
        A rate or measure of the contingency table, or "predicted_positives".
    at_least : bool
        True if `bound` is the smallest allowed value, False if it is the largest.
    bound : float
    function : callable
        The measure as a function of (TP, FP, FN, TN) that broadcasts.
    batch_size : int or None
        For a budget: number of rows to which `bound` applies. For n examples, the bound is
        multiplied by n / batch_size. None leaves it unchanged.

    References
    ----------
    C. Scott, R. Nowak, A Neyman–Pearson Approach to Statistical Learning, 2005.
    https://doi.org/10.1109/TIT.2005.856955

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
    batch_size: int | None = None

    def __str__(self) -> str:
        return f"{self.name} {'>=' if self.at_least else '<='} {self.bound:.12g}"

    def holds(self, *tables: np.ndarray | float) -> np.ndarray:
        """Return whether contingency tables, arrays TP, FP, FN and TN, meet the constraint."""
        values, slack = np.asarray(self.function(*tables)), 1e-12 * abs(self.bound)
        return values >= self.bound - slack if self.at_least else values <= self.bound + slack

    def nearest(self, *tables: np.ndarray | float) -> float:
        """Return the value of the measure over all tables that is nearest to meeting the bound."""
        values = np.asarray(self.function(*tables))
        return float(values.max() if self.at_least else values.min())

    @property
    def is_budget(self) -> bool:
        """Whether the constraint limits the number of positive predictions."""
        return self.name == BUDGET

    def most(self, total: float) -> float:
        """Return the number of positive predictions that a budget allows for `total` examples."""
        return self.bound if self.batch_size is None else self.bound * total / self.batch_size


def parse_constraints(
    texts: str | Constraint | Sequence[str | Constraint] | None, batch_size: int | None = None
) -> list[Constraint]:
    """Convert texts such as "precision >= 0.9" to a list of constraints.

    `batch_size` is the number of rows to which budgets, such as "predicted_positives <= 500",
    apply. A `Constraint` in the list is left unchanged.

    References
    ----------
    C. Scott, R. Nowak, A Neyman–Pearson Approach to Statistical Learning, 2005.
    https://doi.org/10.1109/TIT.2005.856955

    Examples
    --------
    >>> from beyond_accuracy.operating_points import parse_constraints
    >>> constraints = parse_constraints(["precision >= 0.9", "predicted_positives <= 500"])
    >>> [each.is_budget for each in constraints]
    [False, True]
    """
    if texts is None:
        texts = []
    if isinstance(texts, Mapping):
        raise ValueError(
            "constraints are text, or a list of it, such as ['precision >= 0.9']; found the "
            f"mapping {dict(texts)!r}"
        )
    several = isinstance(texts, Iterable) and not isinstance(texts, str)
    texts = list(texts) if several else [texts]
    constraints = [_parse(text, batch_size) for text in texts]
    for lower in constraints:
        for upper in constraints:
            same = lower.name == upper.name and lower.at_least and not upper.at_least
            if same and lower.bound > upper.bound:
                raise ValueError(f"the constraints '{lower}' and '{upper}' contradict each other")
    return constraints


def _parse(text, batch_size) -> Constraint:
    if isinstance(text, Constraint):
        return text
    match = _PATTERN.fullmatch(text) if isinstance(text, str) else None
    if match is None or _TURNED.fullmatch(text):
        raise ValueError(
            f"a constraint is a quantity, >= or <=, and a number, such as 'precision >= 0.9'; "
            f"found {text!r}{_remedy(text)}"
        )
    name, sign, number = match.groups()
    try:
        bound = float(number)
    except ValueError:
        bound = math.nan
    if name == BUDGET:
        if sign == ">=" or not (bound.is_integer() and bound >= 1):
            is_share = sign == "<=" and 0 < bound < 1
            remedy = f"; a share is 'predicted_positive_rate <= {bound:g}'" if is_share else ""
            raise ValueError(
                f"{BUDGET} is a budget, '{BUDGET} <= ' and a whole number of at least 1; "
                f"found {text!r}{remedy}"
            )
        return Constraint(name, False, bound, _predicted_positives(batch_size), batch_size)
    measure = find_threshold_measure(name)
    if measure is None:
        raise ValueError(
            f"{name!r} is no quantity of a contingency table that can be bounded; "
            f"{suggestion(name)}valid are {', '.join((*NAMES, BUDGET))}"
        )
    if not measure.least <= bound <= 1:
        percent = f"; did you mean '{name} {sign} {bound / 100:g}'?" if 1 < bound <= 100 else ""
        raise ValueError(
            f"the bound of {name} is a number between {measure.least:g} and 1; found {text!r}"
            f"{_remedy(text) or percent}"
        )
    return Constraint(name, sign == ">=", bound, measure.table_function)


def _remedy(text):
    if not isinstance(text, str):
        return ""
    if match := _TURNED.fullmatch(text):
        sign = {"<": ">=", ">": "<="}[match[2][0]]
        return f"; did you mean '{match[3]} {sign} {match[1]}'?"
    if match := _STRICT.fullmatch(text):
        return f"; did you mean '{match[1]} {match[2]}= {match[3]}'?"
    plain = text.replace("≥", ">=").replace("≤", "<=").replace("=>", ">=").replace("=<", "<=")
    plain = re.sub(r"(\d+(?:\.\d+)?)\s*%", lambda match: f"{float(match[1]) / 100:g}", plain)
    if plain != text and (match := _PATTERN.fullmatch(plain)):
        return f"; did you mean '{match[1]} {match[2]} {match[3]}'?"
    parts = [part.strip() for part in re.split(r"\band\b|,|&+|;", text)]
    if len(parts) > 1 and all(_PATTERN.fullmatch(part) for part in parts):
        return f"; several are a list: {parts}"
    return ""


def _predicted_positives(batch_size) -> TableFunction:
    if batch_size is None:
        return lambda tp, fp, fn, tn: tp + fp
    return lambda tp, fp, fn, tn: (tp + fp) * (batch_size / (tp + fp + fn + tn))
