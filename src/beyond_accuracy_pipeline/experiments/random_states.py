"""Set the parameter `random_state` of a method's classifiers, derived from the run's seed."""

import inspect
from collections.abc import Mapping
from typing import Any

from beyond_accuracy_pipeline.experiments.dotted_paths import load_estimator
from beyond_accuracy_pipeline.experiments.seeds import derive_seed


def with_random_state(
    method: Mapping[str, Any], name: str, seed: int, *seed_names: str
) -> dict[str, Any]:
    """Return a copy of a method's configuration that sets `random_state` where a class takes it.

    The value depends on seed, paper, data set and the classifier's name. So an auxiliary has the
    same value in every method that uses it, and as a method itself. A configured value is kept.
    """
    seeded = dict(method)
    if "random_state" in inspect.signature(load_estimator(method["estimator"])).parameters:
        state = derive_seed(seed, *seed_names, "random_state", name)
        seeded["parameters"] = {"random_state": state, **(method.get("parameters") or {})}
    if method.get("auxiliaries"):
        seeded["auxiliaries"] = {
            auxiliary: with_random_state(classifier, auxiliary, seed, *seed_names)
            for auxiliary, classifier in method["auxiliaries"].items()
        }
    return seeded
