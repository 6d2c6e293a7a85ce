"""Validation of a multi-label paper: its data sets, models, parameters and decisions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from beyond_accuracy.experiments.label_decisions import Decision
from beyond_accuracy.pipeline.locations import KeyPath
from beyond_accuracy.pipeline.method_validation import grid_problems, value_problems
from beyond_accuracy.pipeline.names import Names
from beyond_accuracy.pipeline.problem import Problem, items, keys, nearest, repeated, texts, unknown


def label_paper_problems(paper: str, section: Mapping[str, Any], names: Names) -> Iterator[Problem]:
    """Yield what is wrong with data sets and models of the multi-label paper `paper`."""
    suitable = [
        name
        for name, entry in names.data_sets.items()
        if entry.task == "multilabel" and entry.split.kind != "none"
    ]
    selected = [name for _, name in texts(section.get("data_sets"))]
    for index, name in texts(section.get("data_sets")):
        if name in names.data_sets and name not in suitable:
            found = f"{name!r}, which is no multi-label data set with a test part"
            valid = f"one of: {', '.join(suitable)}"
            yield Problem((paper, "data_sets", index), found, valid)
    for index, measure in texts(section.get("measures")):
        try:
            names.check_label_measure(measure)
        except ValueError as error:
            yield Problem((paper, "measures", index), f"unknown measure {measure!r}", str(error))
    methods_selected = {name for _, name in texts(section.get("methods_selected"))}
    for name, method in items(section.get("methods")):
        if isinstance(method, Mapping):
            # What is not selected may be for other data sets than those of the paper.
            valid = selected if name in methods_selected else list(names.data_sets)
            yield from _method_problems((paper, "methods", name), method, names, valid)


def _method_problems(
    key: KeyPath, method: Mapping[str, Any], names: Names, data_sets: Sequence[str]
) -> Iterator[Problem]:
    yield from _parameter_problems(key, method, "estimator", ("parameters",), names)
    yield from _parameter_problems(key, method, "base", ("base_parameters", "grid"), names)
    for name in sorted(keys(method.get("grid")) & keys(method.get("base_parameters"))):
        found = f"{name!r} is fixed, but also in the grid"
        yield Problem((*key, "base_parameters", name), found, "only one of the two")
    for index, name in texts(method.get("inference")):
        try:
            Decision.of(name)
        except ValueError as error:
            yield Problem((*key, "inference", index), repr(name), str(error))
    yield from repeated((*key, "inference"), method.get("inference"))
    yield from unknown((*key, "data_sets"), method.get("data_sets"), "data set", data_sets)


def _parameter_problems(
    key: KeyPath, method: Mapping[str, Any], role: str, parts: tuple[str, ...], names: Names
) -> Iterator[Problem]:
    estimator = method.get(role)
    if not isinstance(estimator, str):
        return
    try:
        known = set(names.parameters(estimator))
    except ValueError as error:
        yield Problem((*key, role), repr(estimator), str(error))
        return
    for part in parts:
        for name, value in items(method.get(part)):
            if name not in known:
                found = f"{name!r}, which is no parameter of {estimator}"
                yield Problem((*key, part, name), found, nearest(name, known))
                continue
            if part == "grid":
                yield from grid_problems((*key, part, name), value, estimator, names)
            else:
                yield from value_problems((*key, part, name), value, estimator, names)
