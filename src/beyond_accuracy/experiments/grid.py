"""Grids of hyperparameters that grow while the value chosen most often lies on their border."""

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

Value = bool | int | float | str | None
Candidate = tuple[Value, ...]
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


def neighbours(
    parameters: Mapping[str, Value], factors: Mapping[str, float]
) -> list[dict[str, Value]]:
    """All combinations of the values of named parameters divided by, left, and multiplied.

    In the order of `factors`, smaller values first; the other parameters stay as they are.
    """
    values = [
        [parameters[name] / factor, parameters[name], parameters[name] * factor]
        for name, factor in factors.items()
    ]
    return [
        {**parameters, **dict(zip(factors, each, strict=True))}
        for each in itertools.product(*values)
    ]


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
        self.names = tuple(values)
        self.values = {name: in_order(values[name]) for name in self.names}
        self.limits = []
        self._room = {}
        for name in self.names:
            ends = growing_ends(growth.get(name, "none"))
            if ends and not all(is_number(value) and value > 0 for value in self.values[name]):
                raise ValueError(
                    f"a grid grows by the ratio of positive numbers, found {self.values[name]} as "
                    f"the values of {name}"
                )
            for end in ENDS:
                self._room[name, end] = max_extensions if end in ends else -1

    def candidates(self) -> list[Candidate]:
        """All combinations, in the order of `names`, smaller values first."""
        return list(itertools.product(*(self.values[name] for name in self.names)))

    def as_parameters(self, candidate: Candidate) -> dict[str, Value]:
        """A candidate by name."""
        return dict(zip(self.names, candidate, strict=True))

    def most_frequent(self, chosen: Iterable[Candidate]) -> Candidate:
        """The candidate chosen most often; the smallest among equally frequent ones."""
        counts = Counter(chosen)
        return min(counts, key=lambda candidate: (-counts[candidate], self._places(candidate)))

    def grow(self, chosen: Iterable[Candidate]) -> list[str]:
        """Grow where the most frequent chosen value lies on a border; returns what was done.

        Among equally frequent values the smallest counts. A grid grows by the ratio of its two
        outermost values; a grid of one value does not grow.
        """
        chosen = list(chosen)
        messages = []
        self.limits = []
        for place, name in enumerate(self.names):
            values = self.values[name]
            if not chosen or len(values) < 2:
                continue
            counts = Counter(candidate[place] for candidate in chosen)
            frequent = min(counts, key=lambda value: (-counts[value], values.index(value)))
            for end, border in (("lower", values[0]), ("upper", values[-1])):
                if frequent != border or self._room[name, end] < 0:
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

    def _places(self, candidate):
        return tuple(
            self.values[name].index(value)
            for name, value in zip(self.names, candidate, strict=True)
        )
