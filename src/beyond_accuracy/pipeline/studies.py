"""The studies of a run: which files they make, and with which settings, inputs and code."""

from collections.abc import Mapping
from typing import Any

from beyond_accuracy.configuration.paper_parts import estimator_paths, method_configuration
from beyond_accuracy.experiments.methods import method_module
from beyond_accuracy.pipeline.digest import module_digest
from beyond_accuracy.pipeline.random_states import with_random_state
from beyond_accuracy.results.studies import WITHOUT_DATA, study_data_sets, study_file

_ROLES = ("methods", "auxiliaries")


def study_outputs(config: Mapping[str, Any], paper: str) -> list[str]:
    """Return all tables of the studies of a paper."""
    return [
        str(study_file("<results>", paper, study, data_set, part))
        for study in config[paper].get("studies") or {}
        for data_set in study_data_sets(config[paper], study)
        for part in ("rows", "seconds")
    ]


def study_settings(
    config: Mapping[str, Any], paper: str, study: str, data_set: str
) -> dict[str, Any]:
    """Return the settings of a study, with those of the paper for what they leave open.

    The methods or auxiliaries that it names come with their configurations and random states.
    """
    whole = config[paper]
    of_paper = {"measures": whole["measures"], "budget": whole.get("budget")}
    of_paper |= whole.get("selection") or {}
    settings = {
        key: of_paper.get(key) if value is None or value == [] else value
        for key, value in whole["studies"][study].items()
        if key != "data_sets"
    }
    for role in _ROLES:
        if role in settings:
            settings[role] = {
                name: with_random_state(
                    method_configuration(whole, name), name, config["seed"], paper, data_set
                )
                for name in settings[role]
            }
    return settings


def study_preparations(data_set: str) -> list[str]:
    """Return the prepared data set that a study needs, if any."""
    return [] if data_set == WITHOUT_DATA else [f"<resources>/prepared/{data_set}"]


def study_fits(paper: str, data_set: str, settings: Mapping[str, Any]) -> list[str]:
    """Return the fits of model selection from which a study takes widths of kernels."""
    return [
        f"<results>/{paper}/fits/{data_set}/{name}.parquet"
        for name, method in settings.get("methods", {}).items()
        if "gamma" in method["grid"]
    ]


def study_code(settings: Mapping[str, Any]) -> str:
    """Return the digest of the code of studies, and of the methods that one fits."""
    methods = [method for role in _ROLES for method in settings.get(role, {}).values()]
    paths = [path for method in methods for path in estimator_paths(method)]
    return module_digest(
        "beyond_accuracy.experiments.studies.run",
        *(path for path in paths if path.startswith("beyond_accuracy.")),
        *{method_module(method) for method in methods} - {None},
    )
