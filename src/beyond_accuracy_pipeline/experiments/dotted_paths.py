"""Load classes that a configuration names by their dotted paths."""

import difflib
import importlib
import inspect
import os
import sys
from collections.abc import Mapping
from typing import Any

from sklearn.base import ClassifierMixin
from sklearn.utils import all_estimators

from beyond_accuracy import estimators
from beyond_accuracy_pipeline import reproduction

PACKAGES_VARIABLE = "BEYOND_ACCURACY_PACKAGES"
_PACKAGES = ("beyond_accuracy", "beyond_accuracy_pipeline", "sklearn")


def load_class(path: str) -> type:
    """Return the class at a dotted path such as "sklearn.svm.LinearSVC", or raise ValueError.

    Only this project's packages, scikit-learn, and packages in the environment variable
    BEYOND_ACCURACY_PACKAGES are allowed, because an import runs code.
    """
    package = path.partition(".")[0]
    module, _, name = path.rpartition(".")
    if package not in (*_PACKAGES, *os.environ.get(PACKAGES_VARIABLE, "").split(",")):
        raise ValueError(
            f"{path!r} is of none of the packages {', '.join(_PACKAGES)}; to allow it, set the "
            f"environment variable {PACKAGES_VARIABLE}={package}"
        )
    try:
        loaded = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"there is no {path!r}: {error}") from error
    if not inspect.isclass(loaded):
        raise ValueError(f"{path!r} is no class")
    return loaded


def make_estimator(configuration: Mapping[str, Any]):
    """Return the unfitted classifier that a method's section of the configuration describes."""
    estimator = load_estimator(configuration["estimator"])
    return estimator(**(configuration.get("parameters") or {}))


def load_estimator(path: str) -> type:
    """Return the classifier class at a dotted path, or raise ValueError with a suggestion."""
    try:
        estimator = load_class(path)
    except ValueError as error:
        module = sys.modules.get(path.rpartition(".")[0])
        candidates = [
            f"{package.__name__}.{name}"
            for package in filter(None, (module, estimators, reproduction))
            for name, found in inspect.getmembers(package, inspect.isclass)
            if not name.startswith("_") and issubclass(found, ClassifierMixin)
        ]
        candidates += [
            f"{classifier.__module__.partition('._')[0]}.{name}"
            for name, classifier in all_estimators("classifier")
        ]
        nearest = difflib.get_close_matches(path, candidates, n=1)
        hint = f"did you mean {nearest[0]!r}? Else " if nearest else ""
        raise ValueError(
            f"no estimator {path!r}: {error.__cause__ or error}; {hint}write the full "
            "path of a scikit-learn classifier, such as 'sklearn.linear_model.LogisticRegression'"
        ) from error
    if not issubclass(estimator, ClassifierMixin):
        raise ValueError(f"{path!r} is not a scikit-learn classifier class")
    return estimator
