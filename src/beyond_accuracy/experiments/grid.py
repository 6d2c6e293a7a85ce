"""Grids of hyperparameters that grow while the value chosen most often lies on their border."""

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping

Candidate = tuple[float, ...]


class Grid:
    """A full grid over named hyperparameters.

    Parameters
    ----------
    values : mapping of name to list of float
        At least one value each; they are sorted.
    growth : mapping of name to {"both", "upper", "lower", "none"}
        On which sides a hyperparameter's values may grow; "none" where it is not named.
    max_extensions : int
        Values that may be added on each side.

    Attributes
    ----------
    limits : list of str
        Ends at which the last call of `grow` met `max_extensions`.
    """

    def __init__(
        self, values: Mapping[str, Iterable[float]], growth: Mapping[str, str], max_extensions: int
    ):
        self.names = tuple(values)
        self.values = {name: sorted(map(float, values[name])) for name in self.names}
        self.limits = []
        self._room = {}
        for name in self.names:
            side = growth.get(name, "none")
            for end in ("lower", "upper"):
                self._room[name, end] = max_extensions if side in (end, "both") else -1

    def candidates(self) -> list[Candidate]:
        """All combinations, in the order of `names`, smaller values first."""
        return list(itertools.product(*(self.values[name] for name in self.names)))

    def as_parameters(self, candidate: Candidate) -> dict[str, float]:
        """A candidate by name."""
        return dict(zip(self.names, candidate, strict=True))

    @staticmethod
    def most_frequent(chosen: Iterable[Candidate]) -> Candidate:
        """The candidate chosen most often; the smallest among equally frequent ones."""
        return _most_frequent(chosen)

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
            frequent = _most_frequent(candidate[place] for candidate in chosen)
            for end, border, added in (
                ("lower", values[0], values[0] * values[0] / values[1]),
                ("upper", values[-1], values[-1] * values[-1] / values[-2]),
            ):
                if frequent == border and self._room[name, end] == 0:
                    self.limits.append(
                        f"{name} = {frequent:g}, chosen most often, is the {end} end of the grid, "
                        "which has grown as often as max_extensions allows"
                    )
                elif frequent == border and self._room[name, end] > 0:
                    self._room[name, end] -= 1
                    self.values[name] = sorted([*self.values[name], added])
                    messages.append(
                        f"{name} = {frequent:g}, chosen most often, is the {end} end of the grid: "
                        f"{added:g} added"
                    )
        return messages


def _most_frequent(values):
    """The most frequent of some values; the smallest among equally frequent ones."""
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value))
