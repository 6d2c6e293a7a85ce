"""Variants of a paper's protocol: several random states of it, and its readings.

The headline is the protocol as configured. A reading changes keys of it, or takes other data sets
in place of some; a state draws anew whatever is random. A fit that does not depend on what a
variant changes is made once, for the headline, and serves the variant as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

HEADLINE = "headline"

MEDIAN = 0
"""In place of a state: values are medians over all, and everything else is of the first."""

_OF_SOME_METHODS = (
    "auxiliaries", "selection_rows", "refinement", "repetitions", "measure_parameters",
    "tune_threshold", "score_signs", "oversample", "random_state_of",
)  # fmt: skip
_NOT_OF_FITS = ("job", "data_sets")
# How a method is scored is no matter to those that have it as an auxiliary.
_NOT_OF_OUTPUTS = ("score_signs",)
_FIT_KEYS = (
    "protocol", "measures", "selection", "repetitions", "budget", "cross_validation",
    "cost_matrices", "sample",
)  # fmt: skip


@dataclass(frozen=True)
class Variant:
    """A reading by its name, `HEADLINE` if it is none of the paper's `readings`, and a state.

    States count from 1; `MEDIAN` is none of them.
    """

    reading: str = HEADLINE
    state: int = 1

    @property
    def is_headline(self) -> bool:
        """Whether results are those of the headline's first state."""
        return self == Variant()

    @property
    def job(self) -> str:
        """The job that fits what differs from the headline; no method can have such a name."""
        return f"{self.reading}@{self.state}"

    @classmethod
    def of_job(cls, job: str) -> "Variant":
        """Return the variant whose fits a job makes; all others make the headline's."""
        reading, _, state = job.partition("@")
        return cls(reading, int(state)) if state else cls()


def selected_readings(paper: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the readings that are run, by name: those of `readings_selected`, or all."""
    readings = paper.get("readings") or {}
    names = paper.get("readings_selected")
    return {name: readings[name] for name in (readings if names is None else names)}


def variants(paper: Mapping[str, Any]) -> list[Variant]:
    """Return all variants of a paper: the headline in each state, then the states of each reading.

    That is the first alone unless a reading is of `every_state`: ten of each would take as many
    times the whole run. There are no products of readings.
    """
    names = selected_readings(paper)
    readings = [Variant(name, state) for name in names for state in reading_states(paper, name)]
    return [*headline_states(paper), *readings]


def reading_states(paper: Mapping[str, Any], reading: str) -> list[int]:
    """Return the random states of a reading, or of the headline."""
    every = reading == HEADLINE or paper["readings"][reading].get("every_state")
    return list(range(1, (every and paper.get("states") or 1) + 1))


def headline_states(paper: Mapping[str, Any]) -> list[Variant]:
    """Return the headline of a paper in each of its random states."""
    return [Variant(state=state) for state in reading_states(paper, HEADLINE)]


def under_reading(paper: Mapping[str, Any], reading: str) -> dict[str, Any]:
    """Return the configuration of a paper with the changes of a reading."""
    changes = {} if reading == HEADLINE else paper["readings"][reading].get("changes") or {}
    return laid_over(paper, changes)


def laid_over(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a mapping with changes: mappings are merged, everything else is replaced."""
    merged = dict(base)
    for key, value in changes.items():
        both = isinstance(value, Mapping) and isinstance(base.get(key), Mapping)
        merged[key] = laid_over(base[key], value) if both else value
    return merged


def data_set_in_place(paper: Mapping[str, Any], reading: str, data_set: str) -> str:
    """Return the data set that a reading takes in place of one, which may be that one."""
    own = {} if reading == HEADLINE else paper["readings"][reading].get("data_sets") or {}
    return own.get(data_set, data_set)


def method_configuration(paper: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return what the fits of a method depend on, with that of its auxiliaries by name.

    Keys that only some methods have are left out where they are not given, so that they change
    nothing for the others; the method's `job` changes nothing for any.
    """
    nothing = (None, [], {}, False)
    given = {
        key: value
        for key, value in paper["methods"][name].items()
        if key not in _NOT_OF_FITS and (key not in _OF_SOME_METHODS or value not in nothing)
    }
    if given.get("auxiliaries"):
        own = method_configurations(paper, given["auxiliaries"])
        given["auxiliaries"] = {
            name: {key: value for key, value in auxiliary.items() if key not in _NOT_OF_OUTPUTS}
            for name, auxiliary in own.items()
        }
    return given


def method_configurations(paper: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return `method_configuration` of several methods by name."""
    return {name: method_configuration(paper, name) for name in names}


def fit_settings(paper: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a paper on which its fits depend, besides their methods' own."""
    return {key: paper[key] for key in _FIT_KEYS if paper.get(key) is not None}


def method_measures(paper: Mapping[str, Any], method: str) -> list[str]:
    """Return the measures for which a method is fitted: its own, of those of the paper."""
    own = paper["methods"][method].get("measures") or paper["measures"]
    return [measure for measure in own if measure in paper["measures"]]


def measures_by_fits(
    paper: Mapping[str, Any], variant: Variant, data_set: str, method: str
) -> dict[Variant, list[str]]:
    """Return the variants whose fits of a method serve a variant, and for which measures.

    A fit that is the same for the headline is the headline's, one that draws nothing at random is
    that of the first state.
    """
    changed = under_reading(paper, variant.reading)
    state = max(variant.state, 1) if changed["methods"][method].get("stochastic", True) else 1
    fits: dict[Variant, list[str]] = {}
    for measure in method_measures(changed, method):
        same = (
            method in paper["methods"]
            and measure in method_measures(paper, method)
            and data_set_in_place(paper, variant.reading, data_set) == data_set
            and _of_measure(changed, method, measure) == _of_measure(paper, method, measure)
        )
        reading = HEADLINE if same else variant.reading
        fits.setdefault(Variant(reading, state), []).append(measure)
    return fits


def _of_measure(paper: Mapping[str, Any], method: str, measure: str) -> list[dict[str, Any]]:
    """Return all that fits of a method for one measure depend on."""
    settings = {key: value for key, value in fit_settings(paper).items() if key != "measures"}
    configuration = method_configuration(paper, method)
    configuration.pop("measures", None)
    own = configuration.pop("measure_parameters", None) or {}
    return [settings, configuration, own.get(measure, {})]
