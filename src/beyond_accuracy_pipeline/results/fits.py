"""The fits of a paper: each is made once, for all readings and random states that need it.

The key of a fit is the digest of everything that differs between fits of a paper. The run's seed,
the paper's id, the data and the code are the same for all of them; the workflow watches those.
Measures do not enter the key, so that a report on fewer measures finds the same fits.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from beyond_accuracy_pipeline.results.layout import fitted_pairs
from beyond_accuracy_pipeline.results.variants import (
    Variant,
    data_set_in_place,
    method_measures,
    under_reading,
    variants,
)

_PROTOCOL_SETTINGS = (
    "protocol", "measures", "selection", "repetitions", "budget", "cross_validation",
    "cost_matrices", "sample",
)  # fmt: skip
# An option that is not given is left out, so that a new option changes no key.
_OPTIONS = (
    "auxiliaries", "selection_rows", "refinement", "repetitions", "measure_parameters",
    "tune_threshold", "score_signs", "oversample", "random_state_of",
)  # fmt: skip
_NOT_GIVEN = (None, [], {}, False)


@dataclass(frozen=True)
class Fit:
    """A method fitted to a data set for some measures: an entry in the files of a job.

    Attributes
    ----------
    key : str
        Names the fit in files: rows have it in the column `fit`, arrays stand below it.
    job : str
        The job that makes the fit. Its name is part of file names and has no further meaning.
    variant : Variant
        The first reading and random state that need the fit.
    """

    key: str
    data_set: str
    job: str
    method: str
    variant: Variant
    measures: tuple[str, ...]


Manifest = dict[tuple[Variant, str, str], dict[Fit, list[str]]]
"""The fits that serve a method on a data set in a variant, with the measures that each serves."""


def manifest(paper: Mapping[str, Any]) -> Manifest:
    """Return the fits of all variants, data sets and methods of a paper.

    A data set is called by the name that the paper gives it, whatever a reading takes instead.
    """
    fits: dict[str, Fit] = {}
    taken: set[str] = set()
    served: Manifest = {}
    for variant in variants(paper):
        changed = under_reading(paper, variant.reading)
        digests: dict[str, tuple[str, dict[str, str]]] = {}
        for data_set, method in fitted_pairs(changed):
            if method not in digests:
                digests[method] = _digests(changed, method, variant.state)
            of_method, of_measures = digests[method]
            used = data_set_in_place(paper, variant.reading, data_set)
            needs = {measure: _digest(used, digest) for measure, digest in of_measures.items()}
            new = [measure for measure, need in needs.items() if need not in fits]
            if new:
                key = _digest(used, of_method)
                if key in taken:
                    # A reading has more measures and changes nothing else.
                    key = _digest(key, new)
                fit = Fit(key, used, _job(paper, variant, method), method, variant, tuple(new))
                fits |= {needs[measure]: fit for measure in new}
                taken.add(key)
            measures = served[variant, data_set, method] = {}
            for measure, need in needs.items():
                measures.setdefault(fits[need], []).append(measure)
    return served


def fit_jobs(paper: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Fit]]:
    """Return the fits of each (data set, job) of a paper by key."""
    jobs: dict[tuple[str, str], dict[str, Fit]] = {}
    for fits in manifest(paper).values():
        for fit in fits:
            jobs.setdefault((fit.data_set, fit.job), {})[fit.key] = fit
    return jobs


def _job(paper: Mapping[str, Any], variant: Variant, method: str) -> str:
    """Return the job of a fit that a variant is the first to need.

    Jobs group fits that share work. Fits of a reading in the first state join the job that the
    reading names; its other fits have a job for each state.
    """
    if variant.is_headline:
        return paper["methods"][method].get("job") or method
    shared = (paper.get("readings") or {}).get(variant.reading, {}).get("job")
    own = f"{variant.reading}/state{variant.state}"
    return shared if shared and variant.state == 1 else own


def method_configuration(paper: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the settings that fits of a method depend on, including its auxiliaries' by name."""
    given = {
        key: value
        for key, value in paper["methods"][name].items()
        if key not in ("job", "data_sets") and (key not in _OPTIONS or value not in _NOT_GIVEN)
    }
    if given.get("auxiliaries"):
        auxiliaries = method_configurations(paper, given["auxiliaries"])
        # Scoring options do not affect methods that use this one as an auxiliary.
        given["auxiliaries"] = {
            name: {key: value for key, value in auxiliary.items() if key != "score_signs"}
            for name, auxiliary in auxiliaries.items()
        }
    return given


def method_configurations(paper: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return `method_configuration` of several methods by name."""
    return {name: method_configuration(paper, name) for name in names}


def fit_settings(paper: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a paper on which its fits depend, besides their methods' own."""
    return {key: paper[key] for key in _PROTOCOL_SETTINGS if paper.get(key) is not None}


def _digests(paper: Mapping[str, Any], method: str, state: int) -> tuple[str, dict[str, str]]:
    """Return the digests, for all measures and by measure, of the settings of a method's fits.

    The data set is left out. A method that draws nothing at random has one digest for all states.
    """
    settings = fit_settings(paper)
    configuration = method_configuration(paper, method)
    state = state if configuration.get("stochastic", True) else 1
    parameters = configuration.pop("measure_parameters", {})
    for shared in (settings, configuration):
        shared.pop("measures", None)
    common = [method, state, settings, configuration]
    measures = method_measures(paper, method)
    return _digest(common, parameters), {
        measure: _digest(common, measure, parameters.get(measure, {})) for measure in measures
    }


def _digest(*content: Any) -> str:
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
