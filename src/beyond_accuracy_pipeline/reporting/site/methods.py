"""Collect the contents of methods' pages: description, settings, chosen values and results."""

import ast
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import pandas as pd

from ..cells import describe_cells, ranked_cells
from ..formats import decimals
from ..html_tables import plain_table
from ..names import NAMES, data_set_name, decision_name, measure_name, spaced
from ..report import Report

_FORM = decimals(4)
# The key of a tuned threshold among the values chosen.
_THRESHOLD = "threshold"


def description(configuration: Mapping[str, Any], label: Callable[[str], str] = str) -> str:
    """Describe a method in a few sentences, from its entry in the configuration.

    `configuration` has keys such as "estimator" and "parameters". The function `label` returns the
    name of another method by its id.
    """
    reweighter = configuration.get("reweighter")
    estimator = configuration.get("estimator") or ""
    own = _summary(reweighter or estimator)
    parts = [own or f"{(reweighter or estimator).rpartition('.')[2]}."]
    if reweighter:
        parts.append(f"On the scores of {_in_a_sentence(_summary(estimator) or estimator)}")
    if base := configuration.get("base"):
        of_a_label = _in_a_sentence(_summary(base) or base.rpartition(".")[2])
        parts.append(f"The classifier of each label: {of_a_label}")
    values = dict(configuration)
    for name in ("parameters", "reweighter_parameters"):
        values |= configuration.get(name) or {}
    parts += [
        text
        for name, value, text in NAMES["additions"]
        if (values.get(name) == value if isinstance(value, str) else values.get(name))
    ]
    if auxiliaries := configuration.get("auxiliaries"):
        parts.append(f"Here on {', '.join(map(label, auxiliaries))}.")
    parts = [part.replace("`", "") for part in parts if part]
    return " ".join(part if part.endswith(".") else f"{part}." for part in parts)


def _in_a_sentence(text: str) -> str:
    plain = text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text
    return plain.split(": ")[0].rstrip(".")


def method_rows(report: Report) -> list[str]:
    """Return the ids of a paper's methods that have measurements in this run."""
    measured = set(report.results.measurements["method"])
    return [method for method in report.methods() if method in measured]


def method_page(report: Report, method: str) -> dict[str, Any]:
    """Return the template's variables for a method's page: description, settings, results."""
    configuration: Mapping[str, Any] = report.configuration["methods"][method]
    estimator = configuration.get("reweighter") or configuration.get("estimator") or ""
    settings = {
        title: _text(value)
        for key, title in NAMES["settings"].items()
        if (value := configuration.get(key))
    }
    if grids := configuration.get("extend_grid"):
        ends = "; ".join(f"{name} {NAMES['ends'][end]}" for name, end in grids.items())
        settings["Beyond these"] = f"{ends} while the best value is the last"
    values = ranked_cells(report)
    own = values[values["method"] == method]
    cell = ["data_set", "measure"]
    return {
        "id": f"{report.paper.id}-{method}",
        "name": method,
        "label": report.method_label(method),
        "paper": {"id": report.paper.id, "title": report.paper.title, "name": report.paper.name},
        "estimator": estimator,
        "summary": description(configuration, lambda name: spaced(report.method_label(name))),
        "settings": settings,
        "chosen": _chosen(report, method),
        "results": _table(report, own),
        "substituted": bool(report.substitutes(list(dict.fromkeys(own["data_set"])))),
        "aggregate": describe_cells(report),
        "best": own[own["rank"] == 1].groupby(cell).ngroups,
        "cells": own.groupby(cell).ngroups,
    }


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_text(one)}" for name, one in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _table(report: Report, own: pd.DataFrame) -> dict[str, Any]:
    if own.empty:
        return {}
    shown = own.assign(
        text=[f"{_FORM(row.value)} ({row.rank:.0f} of {row.of:.0f})" for row in own.itertuples()]
    )
    index = ["data_set", "decision"] if own["decision"].any() else ["data_set"]
    wide = shown.pivot(index=index, columns="measure", values="text").fillna("")
    order = list(dict.fromkeys(own[index].itertuples(index=False, name=None)))
    order.sort(key=lambda key: report.data_sets.index(key[0]))
    rows = order if len(index) > 1 else [name for (name,) in order]
    wide = wide.loc[rows, list(dict.fromkeys(own["measure"]))]
    titles = {"data_set": "Data set", "decision": "Decision"}
    names = [titles[name] for name in index]
    wide.columns = [measure_name(measure) for measure in wide.columns]
    is_best = wide.map(lambda text: "(1 of " in text)
    wide = wide.rename_axis(names).reset_index()
    wide["Data set"] = wide["Data set"].map(report.label)
    if "Decision" in wide:
        wide["Decision"] = wide["Decision"].map(decision_name)
    return plain_table(wide, names, is_best)


def _chosen(report: Report, method: str) -> list[dict[str, str]]:
    """Return, by data set, the hyperparameters that most fits chose and the range of thresholds."""
    try:
        fits = report.results.fits
    except FileNotFoundError:
        # The reference has none.
        return []
    fits = fits[(fits["method"] == method) & fits["selected"].notna() & (fits["status"] == "ok")]
    measures: dict[tuple[str, str], list[str]] = {}
    for (data_set, measure), group in fits.groupby(["data_set", "measure"], sort=False):
        chosen = [json.loads(text) for text in group["selected"]]
        # No two fits have the same threshold.
        thresholds = [values.pop(_THRESHOLD) for values in chosen if _THRESHOLD in values]
        shown = [_most_often(chosen)]
        if thresholds:
            ends = dict.fromkeys(f"{end(thresholds):.4g}" for end in (min, max))
            shown.append(f"{_THRESHOLD} {' to '.join(ends)}")
        if any(shown):
            values = "; ".join(filter(None, shown))
            measures.setdefault((data_set, values), []).append(measure_name(measure))
    return [
        {"data_set": data_set, "label": data_set_name(data_set)}
        | {"measure": ", ".join(names), "values": values}
        for (data_set, values), names in measures.items()
    ]


def _most_often(chosen: Sequence[Mapping[str, Any]]) -> str:
    """Return the most frequent hyperparameters and the number of fits that chose them."""
    texts = Counter(
        _text({name: _value(value) for name, value in values.items()}) for values in chosen
    )
    most, count = texts.most_common(1)[0]
    return most if not most or len(chosen) == 1 else f"{most} ({count} of {len(chosen)} fits)"


def _value(value: Any) -> Any:
    """Return a hyperparameter's value for display; for a list with one value per label, counts."""
    if isinstance(value, list):
        of_labels = Counter(map(_value, value)).most_common()
        return ", ".join(
            f"{'none' if single is None else single} for {count} label{'s' if count > 1 else ''}"
            for single, count in of_labels
        )
    return f"{value:.6g}" if isinstance(value, float) else value


@cache
def _summary(estimator: str) -> str:
    """Return the first line of a class's docstring, without importing the class."""
    package, _, name = estimator.rpartition(".")
    if not package.startswith(("beyond_accuracy.", "beyond_accuracy_pipeline.")):
        return NAMES["classes"].get(name, "")
    for file in sorted(resources.files(package).iterdir(), key=lambda file: file.name):
        if not file.name.endswith(".py"):
            continue
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name == name:
                return (ast.get_docstring(node) or "").split("\n")[0]
    return ""
