"""Variants of a paper's protocol: its readings and seeds.

The headline is the protocol as configured. A reading changes some settings or data sets. Seeds have
the numbers 1, 2, … and are called `state` in code and files.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

HEADLINE = "headline"

MEDIAN = 0
"""Value of `state` for medians: numbers are medians over all seeds, other values of the first."""


@dataclass(frozen=True)
class Variant:
    """Name of a reading, or `HEADLINE`, and the number of a seed.

    Seeds are numbered from 1. The number `MEDIAN` means medians over all seeds.
    """

    reading: str = HEADLINE
    state: int = 1

    @property
    def is_headline(self) -> bool:
        """Whether this is the headline with the first seed."""
        return self == Variant()


def selected_readings(paper: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the selected readings by name: `readings_selected`, by default all."""
    readings = paper.get("readings") or {}
    names = paper.get("readings_selected")
    return {name: readings[name] for name in (readings if names is None else names)}


def variants(paper: Mapping[str, Any]) -> list[Variant]:
    """Return all variants of a paper: the headline with each seed, then the readings.

    A reading has only the first seed unless it sets `every_state`, because ten seeds per reading
    would take too long. Readings are not combined.
    """
    names = selected_readings(paper)
    readings = [Variant(name, state) for name in names for state in reading_states(paper, name)]
    return [*headline_states(paper), *readings]


def reading_states(paper: Mapping[str, Any], reading: str) -> list[int]:
    """Return the numbers of the seeds of a reading, or of the headline."""
    every = reading == HEADLINE or paper["readings"][reading].get("every_state")
    return list(range(1, (every and paper.get("states") or 1) + 1))


def headline_states(paper: Mapping[str, Any]) -> list[Variant]:
    """Return the headline of a paper with each of its seeds."""
    return [Variant(state=state) for state in reading_states(paper, HEADLINE)]


def under_reading(paper: Mapping[str, Any], reading: str) -> dict[str, Any]:
    """Return the configuration of a paper with the changes of a reading."""
    changes = {} if reading == HEADLINE else paper["readings"][reading].get("changes") or {}
    return laid_over(paper, changes)


def laid_over(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a mapping with changes: nested mappings are merged, other values are replaced."""
    merged = dict(base)
    for key, value in changes.items():
        both = isinstance(value, Mapping) and isinstance(base.get(key), Mapping)
        merged[key] = laid_over(base[key], value) if both else value
    return merged


def data_set_in_place(paper: Mapping[str, Any], reading: str, data_set: str) -> str:
    """Return the data set that a reading uses instead of a data set, or the same one."""
    own = {} if reading == HEADLINE else paper["readings"][reading].get("data_sets") or {}
    return own.get(data_set, data_set)


def method_measures(paper: Mapping[str, Any], method: str) -> list[str]:
    """Return the paper's measures for which a method is fitted."""
    own = paper["methods"][method].get("measures") or paper["measures"]
    return [measure for measure in own if measure in paper["measures"]]
