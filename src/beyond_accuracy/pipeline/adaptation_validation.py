"""Validation of classifier adaptation: auxiliaries, rows and refinement of methods, and sweeps."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from beyond_accuracy.pipeline.locations import KeyPath
from beyond_accuracy.pipeline.method_validation import value_problems
from beyond_accuracy.pipeline.names import Names
from beyond_accuracy.pipeline.problem import Problem, items, keys, nearest, texts, unknown

_MACHINE = "beyond_accuracy.estimators.CoreVectorMachine"


def adaptation_problems(paper: str, section: Mapping[str, Any], names: Names) -> Iterator[Problem]:
    """Yield what is wrong with auxiliaries, rows compared and sweeps of a binary paper."""
    methods = {
        name: method
        for name, method in items(section.get("methods"))
        if isinstance(method, Mapping)
    }
    auxiliaries = [name for name, method in methods.items() if _is_auxiliary(method, names)]
    for name, method in methods.items():
        key = (paper, "methods", name)
        yield from _auxiliary_problems(key, method, methods, auxiliaries, names)
        yield from _comparison_problems(key, method, names)
    for name, settings in items(section.get("sweeps")):
        if isinstance(settings, Mapping):
            key = (paper, "sweeps", name)
            yield from _sweep_problems(key, settings, section, methods, auxiliaries, names)
    settings = section.get("auxiliary_selection")
    if isinstance(settings, Mapping):
        yield from _selection_problems((paper, "auxiliary_selection"), settings, section, names)


def _parameters(method, names: Names) -> set[str]:
    """Parameters of the method's classifier; none if there is no such classifier."""
    try:
        return set(names.parameters(method.get("estimator") or ""))
    except ValueError:
        return set()


def _way(method, names: Names) -> str:
    """The module that fits the method, if it is not that of any classifier."""
    try:
        return names.method_module(method) or ""
    except ValueError:
        return ""


def _is_auxiliary(method, names: Names) -> bool:
    parameters = _parameters(method, names)
    return method.get("grid") == {} and bool(parameters) and "measure" not in parameters


def _auxiliary_problems(
    key: KeyPath,
    method: Mapping[str, Any],
    methods: Iterable[str],
    auxiliaries: list[str],
    names: Names,
) -> Iterator[Problem]:
    place = (*key, "auxiliaries")
    own = method.get("auxiliaries")
    adapts = _way(method, names).endswith(".adaptation")
    if adapts and own in (None, []):
        listing = ", ".join(auxiliaries) or "none; give a classifier an empty grid"
        yield Problem(place, "no auxiliary", f"one or several of: {listing}")
    if own and not adapts:
        found = f"auxiliaries of {method.get('estimator')}, which takes none"
        yield Problem(place, found, "none, or a CAPOClassifier or WeightedEnsemble")
        return
    yield from _known(place, own, "auxiliary", methods, auxiliaries, "with an empty grid")


def _known(place, value, kind, all_names, valid, what) -> Iterator[Problem]:
    """Yield names of the list at `place` that do not exist, or are not of the right kind."""
    yield from unknown(place, value, kind, all_names)
    for index, name in texts(value):
        if name in all_names and name not in valid:
            found = f"{name!r}, which is no {kind} {what}"
            yield Problem((*place, index), found, nearest(name, valid))


def _comparison_problems(key: KeyPath, method: Mapping[str, Any], names: Names):
    given = [name for name in ("selection_rows", "refinement") if method.get(name) is not None]
    if not given:
        return
    if not _way(method, names).endswith(".kernel_methods"):
        for name in given:
            found = f"{name} of a method without a kernel"
            yield Problem((*key, name), found, "nothing: its candidates see all examples")
        return
    refinement = method.get("refinement")
    factors = refinement.get("factors") if isinstance(refinement, Mapping) else None
    grid = keys(method.get("grid"))
    for name in sorted(keys(factors) - grid):
        place = (*key, "refinement", "factors", name)
        yield Problem(place, f"{name!r}, which is not in the grid", nearest(name, grid))


def _sweep_problems(key, settings, section, methods, auxiliaries, names) -> Iterator[Problem]:
    yield from unknown((*key, "data_sets"), settings.get("data_sets"), "data set", names.data_sets)
    measures = [name for _, name in texts(section.get("measures"))]
    yield from unknown((*key, "measures"), settings.get("measures"), "measure", measures)
    if "auxiliaries" in settings:
        yield from _known(
            (*key, "auxiliaries"),
            settings["auxiliaries"],
            "auxiliary",
            methods,
            auxiliaries,
            "with an empty grid",
        )
        return
    adapted = [name for name in methods if _way(methods[name], names).endswith(".adaptation")]
    paths = [
        name
        for name, method in methods.items()
        if "C" in keys(method.get("grid")) and "measure" in _parameters(method, names)
    ]
    valid, what = paths, "whose grid holds C and that is trained on the measure"
    if key[-1] == "by_B":
        valid, what = adapted, "with auxiliaries"
    elif key[-1] == "oracle_calls_by_C":
        valid = [name for name in paths if "gamma" not in keys(methods[name].get("grid"))]
        what = "without a kernel"
    place = (*key, "methods")
    yield from _known(place, settings.get("methods"), "method", methods, valid, what)
    selected = [name for _, name in texts(section.get("methods_selected"))]
    for index, name in texts(settings.get("methods")):
        if name in valid and "gamma" in keys(methods[name].get("grid")) and name not in selected:
            found = f"{name!r}, which is not selected, so that its kernel has no width"
            yield Problem((*place, index), found, f"add {name!r} to methods_selected")


def _selection_problems(key, settings, section, names: Names) -> Iterator[Problem]:
    yield from unknown((*key, "data_sets"), settings.get("data_sets"), "data set", names.data_sets)
    selection = section.get("selection")
    if not isinstance(selection, Mapping) or not selection.get("folds"):
        found = "auxiliaries chosen by cross-validation, but no folds"
        yield Problem(key, found, "selection: {folds: 5}")
    known = set(names.parameters(_MACHINE)) - {"kernel", "gamma"}
    for name, value in items(settings.get("parameters")):
        place = (*key, "parameters", name)
        if name not in known:
            found = f"{name!r}, which is no parameter of the candidates"
            yield Problem(place, found, nearest(name, known))
        else:
            yield from value_problems(place, value, _MACHINE, names)
