"""Grids of hyperparameters that grow while the value chosen most often lies on their border."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

Value = bool | int | float | str | None
Candidate = dict[str, Value]
End = Literal["lower", "upper"]
ENDS: tuple[End, ...] = ("lower", "upper")


def is_number(value: object) -> bool:
    """Whether a value of a grid is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def in_order(values: Iterable[Value]) -> list[Value]:
    """Numbers in increasing order; values of which one is no number as they are given."""
    values = list(values)
    return sorted(values) if all(map(is_number, values)) else values


def next_value(values: Sequence[float], end: End) -> float:
    """The value by which two or more increasing positive numbers go on beyond one of their ends.

    The ratio of the two outermost ones is kept. It is an int if all are, and it is whole.
    """
    border, neighbour = (values[0], values[1]) if end == "lower" else (values[-1], values[-2])
    value = border * border / neighbour
    whole = all(isinstance(each, int) for each in values) and value == int(value)
    return int(value) if whole else value


def growing_ends(side: str) -> list[End]:
    """The ends at which values may grow, from "both", "upper", "lower" or "none"."""
    return [end for end in ENDS if side in (end, "both")]


def combinations(values: Mapping[str, Sequence[Value]]) -> list[Candidate]:
    """All combinations of the values of hyperparameters; the last one changes fastest."""
    return [dict(zip(values, each, strict=True)) for each in itertools.product(*values.values())]


def neighbours(parameters: Candidate, factors: Mapping[str, float]) -> list[Candidate]:
    """All combinations of the values of named parameters divided by, left, and multiplied.

    In the order of `factors`, smaller values first; the other parameters stay as they are.
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
        At least one value each, which keep their types. Numbers are sorted; other values count as
        increasing in the order in which they are given.
    growth : mapping of name to {"both", "upper", "lower", "none"}
        On which sides a hyperparameter's values may grow; "none" where it is not named.
    max_extensions : int
        Values that may be added on each side.

    Attributes
    ----------
    limits : list of str
        Ends at which the last call of `grow` met `max_extensions`, as "C = 64, upper end".

    Raises
    ------
    ValueError
        If values may grow that are not all positive numbers.
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
        """All combinations, smaller values first; the last hyperparameter changes fastest."""
        return combinations(self.values)

    def most_frequent(self, chosen: Iterable[Candidate]) -> Candidate:
        """The candidate chosen most often; the smallest among equally frequent ones."""
        return max(self.candidates(), key=list(chosen).count)

    def grow(self, chosen: Iterable[Candidate]) -> list[str]:
        """Grow where the most frequent chosen value lies on a border; returns what was done.

        Among equally frequent values the smallest counts. A grid grows by the ratio of its two
        outermost values; a grid of one value does not grow.
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
