"""List the fits of a paper. Readings and seeds with equal settings share a fit.

A reading is a variant of the paper's protocol. The key of a fit is the digest of all settings that
differ between fits of a paper. It does not depend on the run's seed, the paper's id, the data and
the code, because Snakemake watches their changes, nor on the measures.
"""

import hashlib
import json
from collections.abc import Mapping
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
# Options that are not given are left out, so that keys stay the same when a new option is added.
_OPTIONS = (
    "auxiliaries", "selection_rows", "refinement", "repetitions", "measure_parameters",
    "tune_threshold", "score_signs", "oversample", "random_state_of",
)  # fmt: skip
_NOT_GIVEN = (None, [], {}, False)


@dataclass(frozen=True)
class Fit:
    """Fit of a method to a data set, shared by all `measures` and variants that need the same fit.

    `key` is a digest of all settings of the fit, and `job` the workflow's job that makes it.
    `variant` is the first variant of the paper's protocol that needs the fit.
    """

    key: str
    data_set: str
    job: str
    method: str
    variant: Variant
    measures: tuple[str, ...]


Manifest = dict[tuple[Variant, str, str], dict[Fit, list[str]]]
"""Per variant, data set and method: the fits that are used, with the measures of each fit."""


def manifest(paper: Mapping[str, Any]) -> Manifest:
    """List all fits that a paper needs, without duplicates.

    `paper` is the paper's configuration. Return {(variant, data set, method): {fit: measures that
    use it}}. If a variant replaces a data set, the key has the name of the replaced data set.
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
                    # A reading adds measures and changes nothing else.
                    key = _digest(key, new)
                fit = Fit(key, used, _job(paper, variant, method), method, variant, tuple(new))
                fits |= {needs[measure]: fit for measure in new}
                taken.add(key)
            measures = served[variant, data_set, method] = {}
            for measure, need in needs.items():
                measures.setdefault(fits[need], []).append(measure)
    return served


def fit_jobs(paper: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Fit]]:
    """Return the fits that each job of the workflow makes: {(data set, job): {`Fit.key`: fit}}."""
    jobs: dict[tuple[str, str], dict[str, Fit]] = {}
    for fits in manifest(paper).values():
        for fit in fits:
            jobs.setdefault((fit.data_set, fit.job), {})[fit.key] = fit
    return jobs


def _job(paper: Mapping[str, Any], variant: Variant, method: str) -> str:
    """Return the name of the job that makes a fit; with the first seed, a reading may name it."""
    if variant.is_headline:
        return paper["methods"][method].get("job") or method
    shared = (paper.get("readings") or {}).get(variant.reading, {}).get("job")
    own = f"{variant.reading}/state{variant.state}"
    return shared if shared and variant.state == 1 else own


def method_configuration(paper: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the settings of a paper's method, and of its auxiliaries, that affect its fits."""
    given = {
        key: value
        for key, value in paper["methods"][name].items()
        if key not in ("job", "data_sets") and (key not in _OPTIONS or value not in _NOT_GIVEN)
    }
    if given.get("auxiliaries"):
        auxiliaries = {name: method_configuration(paper, name) for name in given["auxiliaries"]}
        for auxiliary in auxiliaries.values():
            # Scoring options do not affect methods that use this one as an auxiliary.
            auxiliary.pop("score_signs", None)
        given["auxiliaries"] = auxiliaries
    return given


def fit_settings(paper: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a paper's configuration that affect the fits of all methods."""
    return {key: paper[key] for key in _PROTOCOL_SETTINGS if paper.get(key) is not None}


def _digests(paper: Mapping[str, Any], method: str, state: int) -> tuple[str, dict[str, str]]:
    """Return (digest for all measures, {measure: digest}) of a method's settings.

    `state`, the number of the seed, enters the digests only if the method is stochastic.
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
