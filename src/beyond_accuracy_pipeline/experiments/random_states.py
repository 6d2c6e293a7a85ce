"""Set `random_state` of a configuration's classifiers, derived from the run's seed and names."""

import inspect
from collections.abc import Mapping
from typing import Any

from beyond_accuracy_pipeline.experiments.dotted_paths import load_estimator
from beyond_accuracy_pipeline.experiments.seeds import derive_seed


def with_random_state(
    method: Mapping[str, Any], name: str, seed: int, *names: str
) -> dict[str, Any]:
    """Return a method's configuration with a `random_state` for each classifier that takes one.

    The value depends on `seed`, on `names` (paper and data set) and on the classifier's name. So an
    auxiliary has the same value in every method that uses it, and when it is a method itself. A
    value in the configuration is kept.

    Parameters
    ----------
    method : mapping
        `estimator`, and optionally `auxiliaries`, a mapping of name to configuration.
    name : str
        Name of the method.
    """
    seeded = dict(method)
    if "random_state" in inspect.signature(load_estimator(method["estimator"])).parameters:
        state = derive_seed(seed, *names, "random_state", name)
        seeded["parameters"] = {"random_state": state, **(method.get("parameters") or {})}
    if method.get("auxiliaries"):
        seeded["auxiliaries"] = {
            auxiliary: with_random_state(classifier, auxiliary, seed, *names)
            for auxiliary, classifier in method["auxiliaries"].items()
        }
    return seeded
