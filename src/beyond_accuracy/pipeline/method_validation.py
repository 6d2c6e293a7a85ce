"""Validation of a method of the configuration: its classifier, its parameters and its grid."""

from collections.abc import Iterator, Mapping
from typing import Any

from beyond_accuracy.pipeline.locations import KeyPath
from beyond_accuracy.pipeline.names import Names
from beyond_accuracy.pipeline.problem import Problem, items, keys, nearest


def parameter_problems(key: KeyPath, method: Mapping[str, Any], names: Names) -> Iterator[Problem]:
    """Yield what is wrong with classifier, parameters and grid of the method at `key`."""
    estimator = method.get("estimator")
    if not isinstance(estimator, str):
        return
    try:
        parameters = set(names.parameters(estimator))
    except ValueError as error:
        yield Problem((*key, "estimator"), repr(estimator), str(error))
        return
    grid = keys(method.get("grid"))
    for part in ("parameters", "selection_parameters", "grid", "extend_grid"):
        owner, known = ("grid", grid) if part == "extend_grid" else (estimator, parameters)
        for name in sorted(keys(method.get(part)) - known):
            found = f"{name!r}, which is no parameter of {owner}"
            yield Problem((*key, part, name), found, nearest(name, known))
    for part in ("parameters", "selection_parameters"):
        for name in sorted(grid & keys(method.get(part))):
            found = f"{name!r} is fixed, but also in the grid"
            yield Problem((*key, part, name), found, "only one of the two")
    yield from _value_problems(key, method, estimator, parameters, names)


def _value_problems(
    key: KeyPath, method: Mapping[str, Any], estimator: str, parameters: set[str], names: Names
) -> Iterator[Problem]:
    fixed = [
        ((*key, part, name), name, value)
        for part in ("parameters", "selection_parameters")
        for name, value in items(method.get(part))
    ]
    tried = [
        ((*key, "grid", name, index), name, float(value))
        for name, values in items(method.get("grid"))
        for index, value in enumerate(values if isinstance(values, list) else ())
        # The model of the configuration reports the others.
        if isinstance(value, int | float) and value > 0
    ]
    for place, name, value in [*fixed, *tried]:
        if name in parameters:
            try:
                names.check_parameter(estimator, name, value)
            except ValueError as error:
                yield Problem(place, repr(value), str(error))
    # Each alone, so that the one at fault is named.
    for place, name, value in fixed:
        if name in parameters:
            alone = {"estimator": estimator, place[-2]: {name: value}, "grid": {"C": [1.0]}}
            yield from _method_problems(place, repr(value), alone, names)
    grid = dict(items(method.get("grid")))
    if grid and parameters.issuperset(grid):
        found = f"a grid of {', '.join(map(str, grid))}"
        yield from _method_problems(
            (*key, "grid"), found, {"estimator": estimator, "grid": grid}, names
        )


def _method_problems(
    place: KeyPath, found: str, method: Mapping[str, Any], names: Names
) -> Iterator[Problem]:
    try:
        names.check_method(method)
    except ValueError as error:
        yield Problem(place, found, str(error))
