"""Check classes that a configuration names by dotted path, and the values of their parameters."""

import inspect
import re
import warnings
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Annotated

import numpy as np
from pydantic import StringConstraints

from beyond_accuracy.reweighting import Reweighter
from beyond_accuracy_pipeline.configuration.parts import Scalar, accepted_by
from beyond_accuracy_pipeline.datasets.problems import KeyPath, Problem, format_value, suggestion
from beyond_accuracy_pipeline.experiments.dotted_paths import load_class, load_estimator
from beyond_accuracy_pipeline.experiments.grid import growing_ends, in_order, is_number, next_value


def _load_probabilistic(path: str) -> None:
    if not hasattr(load_estimator(path), "predict_proba"):
        raise ValueError("a classifier with the method predict_proba")


def _load_label_model(path: str) -> None:
    load_estimator(path)
    if next(iter(parameters_of(path)), None) not in ("base", "estimator", "base_estimator"):
        raise ValueError(
            "a model that takes the base, beyond_accuracy.estimators.BinaryRelevance, "
            ".ProbabilisticClassifierChain or .ExactFMeasurePlugIn; the classifier of a single "
            "label is the base"
        )


def _load_reweighter(path: str) -> None:
    if not issubclass(load_class(path), Reweighter):
        raise ValueError("a class of beyond_accuracy.reweighting, such as GeneticReweighter")


DottedPath = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$")]
ClassifierPath = Annotated[DottedPath, accepted_by(load_estimator)]
ProbabilisticPath = Annotated[DottedPath, accepted_by(_load_probabilistic)]
LabelModelPath = Annotated[DottedPath, accepted_by(_load_label_model)]
ReweighterPath = Annotated[DottedPath, accepted_by(_load_reweighter)]


@cache
def parameters_of(class_path: str) -> tuple[str, ...]:
    """Return the parameter names of the class at a dotted path, in the order of its signature."""
    return tuple(inspect.signature(load_class(class_path)).parameters)


@lru_cache(maxsize=None, typed=True)
def invalid_value(class_path: str, parameter: str, value: Scalar) -> str | None:
    """Return text on the valid values of a parameter if `value` is invalid, otherwise None.

    `class_path` is the dotted path of the class that has the parameter.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            load_class(class_path)(**{parameter: value}).fit(np.empty((0, 1)), np.empty(0))
        except Exception as error:
            if isinstance(error, ValueError) and isinstance(error, TypeError):
                valid = re.search(r" must be (.+)\. Got ", str(error), flags=re.DOTALL)
                return valid[1] if valid else str(error)
    return None


def value_problems(key: KeyPath, class_path: str, name: str, value: Scalar) -> Iterator[Problem]:
    """Yield a problem if `value` is invalid for the parameter `name` of a class.

    `class_path` is the dotted path of the class. `key` is the path of the value in the
    configuration.
    """
    valid = invalid_value(class_path, name, value)
    if valid is not None:
        if isinstance(value, str) and _is_number_in_text(value):
            valid += " (YAML takes 1e-3 for text: write 1.0e-3, without quotes)"
        yield Problem(key, format_value(value), valid)


def parameter_problems(
    key: KeyPath,
    class_path: str,
    values: Mapping[str, Scalar],
    *,
    grid: Mapping[str, object] | None = None,
) -> Iterator[Problem]:
    """Yield a problem for each unknown parameter of a class, and for each invalid value.

    `class_path` is the dotted path of the class. `values` maps parameters to fixed values, and
    `key` is their path in the configuration. `grid` maps parameters to lists of candidate values. A
    parameter in both is a problem too.
    """
    names = parameters_of(class_path)
    for name, value in values.items():
        if name not in names:
            found = f"{name!r}, which is no parameter of {class_path}"
            yield Problem((*key, name), found, suggestion(name, names))
            continue
        if name in (grid or ()):
            found = f"{name!r} is fixed, but also in the grid"
            yield Problem((*key, name), found, "only one of the two")
        yield from value_problems((*key, name), class_path, name, value)


def grid_problems(
    class_path: str,
    grid: Mapping[str, list[Scalar]],
    extend_grid: Mapping[str, str] | None = None,
    max_extensions: int = 0,
) -> Iterator[Problem]:
    """Yield a problem for each unknown parameter in a class's grid, and for each invalid value.

    `class_path` is the dotted path of the class. `grid` maps parameters to lists of candidate
    values. `extend_grid` maps parameters to the ends where values may be added, at most
    `max_extensions` times: "lower", "upper", "both" or "none". Added values must be valid too.
    """
    names, extend_grid = parameters_of(class_path), extend_grid or {}
    for name, values in grid.items():
        key = ("grid", name)
        if name not in names:
            found = f"{name!r}, which is no parameter of {class_path}"
            yield Problem(key, found, suggestion(name, names))
            continue
        for index, value in enumerate(values):
            yield from value_problems((*key, index), class_path, name, value)
            if value in values[:index]:
                found = f"{format_value(value)} is listed twice"
                yield Problem((*key, index), found, "each value once")
    for name, side in extend_grid.items():
        key = ("extend_grid", name)
        if name not in grid:
            found = f"{name!r}, which is no parameter of grid"
            yield Problem(key, found, suggestion(name, grid))
        elif name in names:
            yield from _growth_problems(key, class_path, grid[name], side, max_extensions)


def _growth_problems(key, class_path, values, side, max_extensions) -> Iterator[Problem]:
    """Yield a problem if the grid of one parameter can be extended by invalid values.

    `values` is the grid, and `side` names the ends where values may be added.
    """
    ends = growing_ends(side)
    if ends and not all(is_number(value) and value > 0 for value in values):
        found = f"{side!r}, though the values of {key[-1]} are not all positive numbers"
        yield Problem(key, found, "'none', or a grid of positive numbers")
        return
    if len(set(values)) < 2:
        return
    for end in ends:
        grown = in_order(values)
        for _ in range(min(max_extensions, 10)):
            added = next_value(grown, end)
            grown = in_order([*grown, added])
            valid = invalid_value(class_path, key[-1], added)
            if valid is not None:
                yield Problem(key, f"{side!r}, which can add {added:g}", valid)
                break


def _is_number_in_text(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
