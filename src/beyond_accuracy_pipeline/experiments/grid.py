"""Grids of hyperparameters that grow while the value selected most often lies on their border."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

Value = bool | int | float | str | None
Candidate = dict[str, Value]
End = Literal["lower", "upper"]
ENDS: tuple[End, ...] = ("lower", "upper")


def is_number(value: object) -> bool:
    """Return whether a value of a grid is a number. Booleans do not count."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def in_order(values: Iterable[Value]) -> list[Value]:
    """Sort the values if all are numbers; otherwise keep their order."""
    values = list(values)
    return sorted(values) if all(map(is_number, values)) else values


def next_value(values: Sequence[float], end: End) -> float:
    """Return the value that extends two or more increasing positive numbers at one end.

    The ratio of the two outermost numbers is kept. If all numbers are int and the new value is
    whole, it is an int.
    """
    border, neighbour = (values[0], values[1]) if end == "lower" else (values[-1], values[-2])
    value = border * border / neighbour
    whole = all(isinstance(each, int) for each in values) and value == int(value)
    return int(value) if whole else value


def growing_ends(side: str) -> list[End]:
    """Return the ends at which values may grow, given "both", "upper", "lower" or "none"."""
    return [end for end in ENDS if side in (end, "both")]


def combinations(values: Mapping[str, Sequence[Value]]) -> list[Candidate]:
    """Return all combinations of hyperparameter values; the last hyperparameter changes fastest."""
    return [dict(zip(values, each, strict=True)) for each in itertools.product(*values.values())]


def neighbours(parameters: Candidate, factors: Mapping[str, float]) -> list[Candidate]:
    """Divide each parameter in `factors` by its factor, keep it and multiply it; combine all.

    Combinations are in the order of `factors`, smaller values first. Other parameters are
    unchanged.
    """
    around = {
        name: [parameters[name] / factor, parameters[name], parameters[name] * factor]
        for name, factor in factors.items()
    }
    return [{**parameters, **changed} for changed in combinations(around)]


def middle_of_best(values: Sequence[float], further: Sequence[float] | None = None) -> int:
    """Return the index of the highest value. If several are equal, return the middle one.

    `further` values decide first between equal ones, if they are given. Rare classes leave many
    candidates equal. The smallest or the largest candidate would lie on the border of the grid and
    make it grow for no reason.
    """
    highest = np.flatnonzero(np.asarray(values) == np.max(values))
    if further is not None:
        further = np.asarray(further)[highest]
        highest = highest[further == further.max()]
    return int(highest[(len(highest) - 1) // 2])


class Grid:
    """A full grid over named hyperparameters.

    Parameters
    ----------
    values : mapping of name to list of bool, int, float, str or None
        At least one value per hyperparameter. Numbers are sorted; other values keep their order.
    growth : mapping of name to {"both", "upper", "lower", "none"}
        Sides on which a hyperparameter's values may grow. Missing names count as "none".
    max_extensions : int
        Largest number of values added on each side.

    Attributes
    ----------
    limits : list of str
        Ends where `max_extensions` stopped the last call of `grow`, such as "C = 64, upper end".

    Raises
    ------
    ValueError
        If a hyperparameter may grow whose values are not all positive numbers.
    """

    def __init__(
        self, values: Mapping[str, Iterable[Value]], growth: Mapping[str, str], max_extensions: int
    ):
        self.values = {name: in_order(given) for name, given in values.items()}
        self.limits = []
        self._room = {}
        for name, given in self.values.items():
            ends = growing_ends(growth.get(name, "none"))
            if ends and not all(is_number(value) and value > 0 for value in given):
                raise ValueError(
                    f"a grid grows by the ratio of positive numbers, found {given} as "
                    f"the values of {name}"
                )
            for end in ends:
                self._room[name, end] = max_extensions

    def candidates(self) -> list[Candidate]:
        """Return all combinations, smaller values first. The last name changes fastest."""
        return combinations(self.values)

    def most_frequent(self, chosen: Iterable[Candidate]) -> Candidate:
        """Return the candidate selected most often; in a tie, the smallest one."""
        return max(self.candidates(), key=list(chosen).count)

    def grow(self, chosen: Iterable[Candidate]) -> list[str]:
        """Add a value where the value selected most often lies on a border; return messages.

        In a tie, the smallest value counts. The grid grows by the ratio of its two outermost
        values. A single value does not grow.
        """
        chosen = list(chosen)
        messages = []
        self.limits = []
        for name, values in self.values.items():
            if not chosen or len(values) < 2:
                continue
            frequent = max(values, key=[candidate[name] for candidate in chosen].count)
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
