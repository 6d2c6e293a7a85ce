"""Readings and seeds of a paper's protocol.

A reading is a variant of the protocol: it changes some settings or data sets. The headline is the
protocol as configured. Seeds have the numbers 1, 2, … and are called `state` in code and files. In
all functions, `paper` is a paper's configuration.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

HEADLINE = "headline"

MEDIAN = 0
"""Value of `state` for medians: numbers are medians over all seeds, other values of the first."""


@dataclass(frozen=True)
class Variant:
    """Variant of a paper's experiment: a reading, and the number `state` of a seed.

    A reading is a named change of the paper's protocol. Seeds are numbered from 1; if `state` is 0,
    results are medians over all seeds.
    """

    reading: str = HEADLINE
    state: int = 1

    @property
    def is_headline(self) -> bool:
        """Whether this is the paper's unchanged protocol with the first seed."""
        return self == Variant()


def selected_readings(paper: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the settings of a paper's selected readings (variants of its protocol), by name."""
    readings = paper.get("readings") or {}
    names = paper.get("readings_selected")
    return {name: readings[name] for name in (readings if names is None else names)}


def variants(paper: Mapping[str, Any]) -> list[Variant]:
    """Return all variants of a paper's experiment: pairs of a protocol and a seed number.

    The unchanged protocol comes first, with all seeds. Changed protocols have only seed number 1,
    unless their settings have `every_state: true`.
    """
    names = selected_readings(paper)
    readings = [Variant(name, state) for name in names for state in reading_states(paper, name)]
    return [*headline_states(paper), *readings]


def reading_states(paper: Mapping[str, Any], reading: str) -> list[int]:
    """Return the seed numbers, from 1, with which a reading (variant of the protocol) is run."""
    every = reading == HEADLINE or paper["readings"][reading].get("every_state")
    return list(range(1, (every and paper.get("states") or 1) + 1))


def headline_states(paper: Mapping[str, Any]) -> list[Variant]:
    """Return the variants of an experiment with the paper's unchanged protocol, one per seed."""
    return [Variant(state=state) for state in reading_states(paper, HEADLINE)]


def under_reading(paper: Mapping[str, Any], reading: str) -> dict[str, Any]:
    """Return a paper's configuration with the changes of a reading (variant of the protocol)."""
    changes = {} if reading == HEADLINE else paper["readings"][reading].get("changes") or {}
    return laid_over(paper, changes)


def laid_over(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of `base`, updated with the values of `changes`; nested mappings are merged.

    Other values in `changes`, such as lists, replace the values in `base`.
    """
    merged = dict(base)
    for key, value in changes.items():
        both = isinstance(value, Mapping) and isinstance(base.get(key), Mapping)
        merged[key] = laid_over(base[key], value) if both else value
    return merged


def data_set_in_place(paper: Mapping[str, Any], reading: str, data_set: str) -> str:
    """Return the data set that a reading (variant of the protocol) uses instead of `data_set`."""
    own = {} if reading == HEADLINE else paper["readings"][reading].get("data_sets") or {}
    return own.get(data_set, data_set)


def method_measures(paper: Mapping[str, Any], method: str) -> list[str]:
    """Return the measures in a paper's configuration for which a method is fitted."""
    own = paper["methods"][method].get("measures") or paper["measures"]
    return [measure for measure in own if measure in paper["measures"]]
