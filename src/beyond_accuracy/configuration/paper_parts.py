"""Parts of a paper's validated configuration, as the jobs of the workflow need them."""

from collections.abc import Mapping
from typing import Any

FIT_KEYS = (
    "protocol",
    "measures",
    "selection",
    "repetitions",
    "budget",
    "cross_validation",
    "cost_matrices",
)
"""Keys of a paper's configuration, besides the method's own, on which a fit depends."""

_OF_SOME_METHODS = ("auxiliaries", "selection_rows", "refinement", "repetitions")


def fit_configuration(paper: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a paper's configuration on which fits depend, whatever the method."""
    return {key: paper[key] for key in FIT_KEYS if paper.get(key) is not None}


def method_configuration(paper: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return what the fits of a method depend on, with that of its auxiliaries by name.

    Keys that only some methods have are left out where they are not given, so that they change
    nothing for the others; the method's `job` changes nothing for any.
    """
    given = {
        key: value
        for key, value in paper["methods"][name].items()
        if key != "job" and (key not in _OF_SOME_METHODS or value not in (None, []))
    }
    if given.get("auxiliaries"):
        given["auxiliaries"] = {
            auxiliary: method_configuration(paper, auxiliary) for auxiliary in given["auxiliaries"]
        }
    return given
