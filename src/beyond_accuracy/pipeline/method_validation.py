"""Validation of a method of the configuration: its classifier, its parameters and its grid."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from beyond_accuracy.datasets.explain import shown
from beyond_accuracy.experiments.grid import growing_ends, in_order, is_number, next_value
from beyond_accuracy.pipeline.configuration import MethodConfiguration
from beyond_accuracy.pipeline.locations import KeyPath
from beyond_accuracy.pipeline.names import Names
from beyond_accuracy.pipeline.problem import (
    Problem,
    items,
    keys,
    nearest,
    repeated,
    texts,
    unknown,
)
from beyond_accuracy.pipeline.reweighting_configuration import MulticlassMeasure

# Values beyond these would be far from all that are written.
_MOST_EXTENSIONS_CHECKED = 10


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


def measure_problems(
    key: KeyPath,
    method: Mapping[str, Any],
    paper: Mapping[str, Any],
    names: Names,
    *,
    selected: bool,
) -> Iterator[Problem]:
    """Yield measures that the method at `key` cannot be fitted for.

    A method that is not selected may have measures that the paper does not select.
    """
    own = texts(method.get("measures"))
    of_paper = [measure for _, measure in texts(paper.get("measures"))]
    if paper.get("protocol") == "multiclass":
        valid = of_paper if selected else get_args(MulticlassMeasure)
        yield from unknown((*key, "measures"), method.get("measures"), "measure", valid)
        return
    place = (*key, "measures") if own else (key[0], "measures")
    if own and selected:
        yield from unknown(place, method.get("measures"), "measure", of_paper)
    elif own:
        yield from repeated(place, method.get("measures"))
    for index, measure in own or (texts(paper.get("measures")) if selected else ()):
        try:
            names.check_measure(measure)
        except ValueError as error:
            # Those of the paper are checked once, and not for each method.
            if own and not selected:
                yield Problem((*place, index), f"unknown measure {measure!r}", str(error))
            continue
        if not _is_estimator(method.get("estimator"), names):
            continue
        parameters = dict(items(method.get("parameters")))
        try:
            names.check_training({**method, "parameters": parameters}, measure)
        except ValueError as error:
            found = f"{measure!r}, for which {key[-1]} is to be trained"
            yield Problem((*place, index), found, str(error))


def _is_estimator(path: object, names: Names) -> bool:
    try:
        return isinstance(path, str) and bool(names.parameters(path))
    except ValueError:
        return False


def _value_problems(
    key: KeyPath, method: Mapping[str, Any], estimator: str, parameters: set[str], names: Names
) -> Iterator[Problem]:
    fixed = [
        ((*key, part, name), name, value)
        for part in ("parameters", "selection_parameters")
        for name, value in items(method.get(part))
    ]
    for place, name, value in fixed:
        if name in parameters:
            yield from value_problems(place, value, estimator, names)
    for name, values in items(method.get("grid")):
        if name in parameters:
            yield from grid_problems((*key, "grid", name), values, estimator, names)
            yield from _growth_problems(key, method, name, estimator, names)
    # Each alone, so that the one at fault is named; but a kernel makes another method.
    grid = dict(items(method.get("grid")))
    given = dict(items(method.get("parameters")))
    kernel = {"kernel": given["kernel"]} if "kernel" in given and "gamma" in grid else {}
    one = {"C": [1.0], **({"gamma": [1.0]} if kernel else {})}
    for place, name, value in fixed:
        if name in parameters:
            alone = {"estimator": estimator, "parameters": kernel, "grid": one}
            alone[place[-2]] = {**alone.get(place[-2], {}), name: value}
            yield from _method_problems(place, repr(value), alone, names)
    if parameters.issuperset(grid):
        found = f"a grid of {', '.join(map(str, grid)) or 'nothing'}"
        alone = {"estimator": estimator, "parameters": kernel, "grid": grid}
        yield from _method_problems((*key, "grid"), found, alone, names)


def value_problems(
    place: KeyPath, value: object, estimator: str, names: Names
) -> Iterator[Problem]:
    """Yield what is wrong with one value of the parameter that `place` ends with."""
    name = next(str(part) for part in reversed(place) if not isinstance(part, int))
    # The model of the configuration reports what is no single value.
    if not isinstance(value, bool | int | float | str | None):
        return
    try:
        names.check_parameter(estimator, name, value)
    except ValueError as error:
        valid = str(error)
        if isinstance(value, str) and _is_number_in_text(value):
            valid += " (YAML takes 1e-3 for text: write 1.0e-3, without quotes)"
        yield Problem(place, shown(value), valid)


def grid_problems(key: KeyPath, values: object, estimator: str, names: Names) -> Iterator[Problem]:
    """Yield what is wrong with the values of the grid's parameter at `key`."""
    values = values if isinstance(values, list) else []
    seen: list[object] = []
    for index, value in enumerate(values):
        yield from value_problems((*key, index), value, estimator, names)
        if isinstance(value, bool) and any(map(is_number, values)):
            yield Problem((*key, index), f"{shown(value)} beside numbers", "numbers alone")
        elif value in seen:
            yield Problem((*key, index), f"{shown(value)} is listed twice", "each value once")
        seen.append(value)


def _growth_problems(
    key: KeyPath, method: Mapping[str, Any], name: str, estimator: str, names: Names
) -> Iterator[Problem]:
    """Yield why the values of the grid's parameter `name` cannot grow."""
    side = dict(items(method.get("extend_grid"))).get(name)
    values = method["grid"][name]
    ends = growing_ends(side) if isinstance(side, str) else []
    if not ends or not isinstance(values, list):
        return
    place = (*key, "extend_grid", name)
    if not all(is_number(value) and value > 0 for value in values):
        found = f"{side!r}, though the values of {name} are not all positive numbers"
        yield Problem(place, found, "'none', or a grid of positive numbers")
        return
    most = method.get("max_extensions", MethodConfiguration.model_fields["max_extensions"].default)
    if len(set(values)) < 2 or not is_number(most):
        return
    for end in ends:
        grown = in_order(values)
        for _ in range(min(int(most), _MOST_EXTENSIONS_CHECKED)):
            added = next_value(grown, end)
            grown = in_order([*grown, added])
            try:
                names.check_parameter(estimator, name, added)
            except ValueError as error:
                yield Problem(place, f"{side!r}, which can add {added:g}", str(error))
                break


def _is_number_in_text(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _method_problems(
    place: KeyPath, found: str, method: Mapping[str, Any], names: Names
) -> Iterator[Problem]:
    try:
        names.check_method(method)
    except ValueError as error:
        yield Problem(place, found, str(error))
