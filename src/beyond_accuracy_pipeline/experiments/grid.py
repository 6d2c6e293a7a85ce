"""Grids of hyperparameters that grow while the most frequently selected value lies on a border."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

Value = bool | int | float | str | None
Candidate = dict[str, Value]
End = Literal["lower", "upper"]


def is_number(value: object) -> bool:
    """Return whether a hyperparameter value is a number; booleans do not count."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def in_order(values: Iterable[Value]) -> list[Value]:
    """Return the values as a list: numbers are sorted, other values keep their order."""
    values = list(values)
    return sorted(values) if all(map(is_number, values)) else values


def next_value(values: Sequence[float], end: End) -> float:
    """Return the value that continues a grid of ascending values at its `end`, "lower" or "upper".

    The ratio of the last two values is kept: [1, 2, 4] continues with 8 at the upper end.
    """
    border, neighbour = (values[0], values[1]) if end == "lower" else (values[-1], values[-2])
    value = border * border / neighbour
    whole = all(isinstance(number, int) for number in values) and value == int(value)
    return int(value) if whole else value


def growing_ends(side: str) -> list[End]:
    """Return the ends at which a grid may grow; `side` is "both", "upper", "lower" or "none"."""
    return [end for end in ("lower", "upper") if side in (end, "both")]


def combinations(values: Mapping[str, Sequence[Value]]) -> list[Candidate]:
    """Return all combinations of values as dicts; the last hyperparameter changes fastest."""
    products = itertools.product(*values.values())
    return [dict(zip(values, product, strict=True)) for product in products]


def neighbours(parameters: Candidate, factors: Mapping[str, float]) -> list[Candidate]:
    """Return all combinations of hyperparameters, each divided by, equal to, or times its factor.

    `parameters` has the values, and `factors` maps names to factors. Hyperparameters without a
    factor keep their value.
    """
    around = {
        name: [parameters[name] / factor, parameters[name], parameters[name] * factor]
        for name, factor in factors.items()
    }
    return [{**parameters, **changed} for changed in combinations(around)]


def middle_of_best(values: Sequence[float], tie_values: Sequence[float] | None = None) -> int:
    """Return the index of the highest value; among equal values, the index of the middle one.

    If `tie_values` are given, they first break ties between equal values; the highest is best.
    """
    highest = np.flatnonzero(np.asarray(values) == np.max(values))
    if tie_values is not None:
        tie_values = np.asarray(tie_values)[highest]
        highest = highest[tie_values == tie_values.max()]
    return int(highest[(len(highest) - 1) // 2])


class Grid:
    """Grid of hyperparameter values, which grows while the best value is its smallest or largest.

    `growth` maps hyperparameters with positive values to the ends that may grow: "lower", "upper"
    or "both". Each end grows at most `max_extensions` times. `limits` lists the ends at which the
    last `grow` could add no value for this reason, such as "C = 64, upper end".
    """

    def __init__(self, values: Mapping, growth: Mapping[str, str], max_extensions: int):
        self.values = {name: in_order(given) for name, given in values.items()}
        self.limits = []
        self._room = {
            (name, end): max_extensions
            for name in self.values
            for end in growing_ends(growth.get(name, "none"))
        }

    def candidates(self) -> list[Candidate]:
        """Return all combinations of hyperparameter values; the last one varies fastest."""
        return combinations(self.values)

    def most_frequent(self, selected: Iterable[Candidate]) -> Candidate:
        """Return the most frequent candidate in `selected`; of ties, the one of smallest values."""
        return max(self.candidates(), key=list(selected).count)

    def grow(self, selected: Iterable[Candidate]) -> list[str]:
        """Add a value to each hyperparameter whose most selected value is its smallest or largest.

        The new value is beyond this value. `selected` has the selected candidate of each task. If
        two values are selected equally often, the smaller one counts. Ends that may not grow any
        more are skipped. Return messages for the log, one per added value.
        """
        selected = list(selected)
        messages = []
        self.limits = []
        for name, values in self.values.items():
            if not selected or len(values) < 2:
                continue
            frequent = max(values, key=[candidate[name] for candidate in selected].count)
            for end, border in (("lower", values[0]), ("upper", values[-1])):
                if frequent != border or (name, end) not in self._room:
                    continue
                if self._room[name, end] == 0:
                    self.limits.append(f"{name} = {frequent:g}, {end} end")
                    continue
                added = next_value(values, end)
                self._room[name, end] -= 1
                self.values[name] = in_order([*self.values[name], added])
                messages.append(
                    f"{name} = {frequent:g}, chosen most often, is the {end} end of the grid: "
                    f"{added:g} added"
                )
        return messages
