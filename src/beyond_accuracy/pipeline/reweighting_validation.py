"""Validation of a method of a multi-class paper: base classifier, reweighter, their parameters."""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from beyond_accuracy.experiments.class_scores import load_class
from beyond_accuracy.pipeline.locations import KeyPath
from beyond_accuracy.pipeline.problem import Problem, items, nearest, texts
from beyond_accuracy.reweighting import Reweighter


def reweighting_problems(
    key: KeyPath, method: Mapping[str, Any], data_sets: Sequence[str]
) -> Iterator[Problem]:
    """Yield what is wrong with the method at `key`.

    A method may name data sets other than `data_sets`, those of the paper: a variant of the
    configuration selects fewer. Only a method that is left with none is an error; for one that is
    not selected `data_sets` is empty.
    """
    yield from _class_problems(key, method, "estimator", "parameters", "predict_proba")
    yield from _class_problems(key, method, "reweighter", "reweighter_parameters", "predict")
    reweighter = method.get("reweighter")
    if isinstance(reweighter, str):
        if not _is_reweighter(reweighter):
            found = f"{reweighter!r}, which is no reweighter"
            valid = "a class of beyond_accuracy.reweighting, such as GeneticReweighter"
            yield Problem((*key, "reweighter"), found, valid)
        if method.get("decision", "most_probable") != "most_probable":
            found = f"{method['decision']!r} beside a reweighter, which decides by itself"
            yield Problem((*key, "decision"), found, "only one of the two")
    own = [name for _, name in texts(method.get("data_sets"))]
    if own and data_sets and not set(own) & set(data_sets):
        found = f"{', '.join(own)}, none of which the paper selects"
        yield Problem((*key, "data_sets"), found, f"some of: {', '.join(data_sets)}")


def _class_problems(
    key: KeyPath, method: Mapping[str, Any], part: str, parameters: str, needed: str
) -> Iterator[Problem]:
    path = method.get(part)
    if not isinstance(path, str):
        return
    try:
        found = load_class(path)
    except ValueError as error:
        yield Problem((*key, part), repr(path), str(error))
        return
    if not hasattr(found, needed):
        yield Problem((*key, part), repr(path), f"a class with the method {needed}")
        return
    known = set(inspect.signature(found).parameters)
    for name, _ in items(method.get(parameters)):
        if name not in known:
            text = f"{name!r}, which is no parameter of {path}"
            yield Problem((*key, parameters, name), text, nearest(name, known))


def _is_reweighter(path: str) -> bool:
    try:
        return issubclass(load_class(path), Reweighter)
    except ValueError:
        return True
