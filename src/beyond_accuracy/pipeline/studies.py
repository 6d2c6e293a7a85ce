"""The studies of a run: which files they make, and with which settings and inputs."""

from collections.abc import Mapping
from typing import Any

from beyond_accuracy.configuration.paper_parts import method_configuration
from beyond_accuracy.results.layout import FITS, job_of
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


def study_settings(config: Mapping[str, Any], paper: str, study: str) -> dict[str, Any]:
    """Return the settings of a study, with those of the paper for what they leave open.

    The methods or auxiliaries that it names come with their configurations.
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
            settings[role] = {name: method_configuration(whole, name) for name in settings[role]}
    return settings


def study_preparations(data_set: str) -> list[str]:
    """Return the prepared data set that a study needs, if any."""
    return [] if data_set == WITHOUT_DATA else [f"<resources>/prepared/{data_set}"]


def study_fits(config: Mapping[str, Any], paper: str, study: str, data_set: str) -> list[str]:
    """Return the fits of model selection from which a study takes widths of kernels."""
    methods = config[paper]["methods"]
    jobs = {
        job_of(config[paper], name)
        for name in config[paper]["studies"][study].get("methods") or []
        if "gamma" in methods[name]["grid"]
    }
    names = {"paper": paper, "data_set": data_set}
    return [f"<results>/{FITS.format(job=job, **names)}" for job in sorted(jobs)]
