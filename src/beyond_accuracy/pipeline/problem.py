"""One error of the configuration, and checks that all its sections need."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from beyond_accuracy.datasets import errors
from beyond_accuracy.pipeline.locations import KeyPath


@dataclass(frozen=True)
class Problem:
    """One error of the configuration."""

    key: KeyPath
    """Where it is, e.g. ``("joachims2005", "data_sets", 0)``."""

    found: str
    """What stands there."""

    valid: str
    """What could stand there."""

    place: str | None = None
    """File and line, if it is not the place of `key`."""


def nearest(name: object, names: Iterable[str]) -> str:
    """Return ``did you mean 'x'?`` and all names in order, for an error message.

    Where several names begin with what was written, these are offered; else the most similar one.
    """
    known = sorted(names)
    close = errors.nearest(str(name), known)
    longer = [each for each in close if each.startswith(str(name))]
    meant = " or ".join(map(repr, longer or close[:1]))
    listing = ", ".join(known) if known else "none"
    return f"did you mean {meant}? Valid: {listing}" if meant else f"one of: {listing}"


def unknown(key: KeyPath, value: object, kind: str, valid: Iterable[str]) -> Iterator[Problem]:
    """Yield the texts of the list at `key` that are not in `valid`, or are listed twice."""
    known = set(valid)
    for index, name in texts(value):
        if name not in known:
            yield Problem((*key, index), f"unknown {kind} {name!r}", nearest(name, known))
    yield from repeated(key, value)


def repeated(key: KeyPath, value: object) -> Iterator[Problem]:
    """Yield the texts of the list at `key` that are listed twice."""
    seen: set[str] = set()
    for index, name in texts(value):
        if name in seen:
            yield Problem((*key, index), f"{name!r} is listed twice", "each name once")
        seen.add(name)


def texts(value: object) -> list[tuple[int, str]]:
    """Return the texts of a list with their index; the model reports whatever else it holds."""
    numbered = enumerate(value) if isinstance(value, list) else ()
    return [(index, item) for index, item in numbered if isinstance(item, str)]


def items(value: object) -> Iterable[tuple[str, Any]]:
    """Return the items of a mapping; the model reports whatever else it is."""
    return value.items() if isinstance(value, Mapping) else ()


def keys(value: object) -> set[str]:
    """Return the keys of a mapping; the model reports whatever else it is."""
    return set(value) if isinstance(value, Mapping) else set()
