"""Measures of the contingency table by name, for use as objective or constraint of a threshold."""

import re
from collections.abc import Callable
from functools import partial

from beyond_accuracy.measures import suggestions
from beyond_accuracy.measures.contingency import (
    Counts,
    Shares,
    geometric_mean,
    matthews_corrcoef,
    ratio,
)
from beyond_accuracy.measures.registry import MEASURE_NAMES, Measure, get_measure, table_measure

RATES: dict[str, Callable[..., tuple[Counts, Counts]]] = {
    "precision": lambda tp, fp, fn, tn: (tp, tp + fp),
    "recall": lambda tp, fp, fn, tn: (tp, tp + fn),
    "specificity": lambda tp, fp, fn, tn: (tn, fp + tn),
    "false_positive_rate": lambda tp, fp, fn, tn: (fp, fp + tn),
    "negative_predictive_value": lambda tp, fp, fn, tn: (tn, fn + tn),
    "predicted_positive_rate": lambda tp, fp, fn, tn: (tp + fp, tp + fp + fn + tn),
    "accuracy": lambda tp, fp, fn, tn: (tp + tn, tp + fp + fn + tn),
}
"""Successes and trials of each rate as functions of (TP, FP, FN, TN).

Given the trials, the successes on held-out data are binomial.
"""


def _rate(*table: Counts, name: str) -> Shares:
    return ratio(*RATES[name](*table))


_MEASURES = {
    name: table_measure(
        name,
        name.replace("_", " "),
        partial(_rate, name=name),
        minimized=name in ("false_positive_rate", "predicted_positive_rate"),
    )
    for name in RATES
    if name not in MEASURE_NAMES
}
_MEASURES["geometric_mean"] = table_measure("geometric_mean", "geometric mean", geometric_mean)
_MEASURES["matthews_corrcoef"] = table_measure(
    "matthews_corrcoef", "Matthews correlation", matthews_corrcoef, least=-1.0
)
NAMES = (
    *RATES,
    "f1",
    "f<beta>",
    "jaccard",
    "balanced_accuracy",
    "geometric_mean",
    "matthews_corrcoef",
)


def find_threshold_measure(name: str) -> Measure | None:
    """Return the measure with a given name if it is a function of (TP, FP, FN, TN), else None.

    Examples of names are "specificity" and "f1".
    """
    if name in _MEASURES:
        return _MEASURES[name]
    try:
        measure = get_measure(name)
    except ValueError:
        return None
    return None if measure.table_function is None else measure


def suggestion(name: str) -> str:
    """Return a hint for the error message about an unknown measure name.

    The hint names the most similar measure, as in "did you mean 'recall'? ", or is an empty string.
    """
    return suggestions.suggestion(name, (*NAMES, "f2"), "MultivariateSVC")


def objective_and_constraint(measure: Measure) -> tuple[str, str] | None:
    """Return the objective and the constraint that express a measure.

    For "recall_at_precision_0.9", they are ("recall", "precision >= 0.9"). For measures without a
    required precision or recall, return None.
    """
    match = re.fullmatch(r"(\w+)_at_(precision|recall)_([\d.]+)", measure.name)
    return match and (match[1], f"{match[2]} >= {match[3]}")


def as_constraint(measure: Measure) -> str | None:
    """Return the arguments of `OperatingPointClassifier` that express a measure, as text.

    For "recall_at_precision_0.9", the text is 'objective="recall", constraints="precision >= 0.9"'.
    For measures without a required precision or recall, return None.
    """
    parts = objective_and_constraint(measure)
    return parts and f'objective="{parts[0]}", constraints="{parts[1]}"'
