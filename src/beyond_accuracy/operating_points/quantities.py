"""Quantities of a contingency table by name: each can be an objective, and can be bounded."""

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from beyond_accuracy.measures import Measure, get_measure
from beyond_accuracy.measures.contingency import Counts, Shares, TableFunction, ratio

# Successes and trials of each rate as functions of (TP, FP, FN, TN). Given the trials, the
# successes among examples that were not used for the threshold are binomial.
RATES: dict[str, Callable[..., tuple[Counts, Counts]]] = {
    "precision": lambda tp, fp, fn, tn: (tp, tp + fp),
    "recall": lambda tp, fp, fn, tn: (tp, tp + fn),
    "specificity": lambda tp, fp, fn, tn: (tn, fp + tn),
    "false_positive_rate": lambda tp, fp, fn, tn: (fp, fp + tn),
    "negative_predictive_value": lambda tp, fp, fn, tn: (tn, fn + tn),
    "predicted_positive_rate": lambda tp, fp, fn, tn: (tp + fp, tp + fp + fn + tn),
    "accuracy": lambda tp, fp, fn, tn: (tp + tn, tp + fp + fn + tn),
}
_MINIMIZED = ("false_positive_rate", "predicted_positive_rate")


def geometric_mean(tp: Counts, fp: Counts, fn: Counts, tn: Counts) -> Shares:
    """√(recall · specificity)."""
    return np.sqrt(ratio(tp, tp + fn) * ratio(tn, fp + tn))


def matthews_corrcoef(tp: Counts, fp: Counts, fn: Counts, tn: Counts) -> Shares:
    """Correlation of predictions and labels, in [−1, 1]; 0 where all predictions are the same."""
    # The product of all four sums would leave the range of floats first.
    spread = np.sqrt((tp + fp) * (fn + tn)) * np.sqrt((tp + fn) * (fp + tn))
    return ratio(tp * tn - fp * fn, spread)


@dataclass(frozen=True)
class Quantity:
    """A function of (TP, FP, FN, TN) that broadcasts, the least value it has (the largest is 1),
    and whether, as an objective, less of it is better."""

    name: str
    function: TableFunction
    least: float = 0.0
    minimized: bool = False


_OTHERS = {
    "geometric_mean": Quantity("geometric_mean", geometric_mean),
    "matthews_corrcoef": Quantity("matthews_corrcoef", matthews_corrcoef, least=-1.0),
}
_OTHERS["matthews_correlation"] = _OTHERS["matthews_corrcoef"]
NAMES = (*RATES, "f1", "f<beta>", "jaccard", "balanced_accuracy", *_OTHERS)
# What others call them.
_KNOWN_AS = {
    "f1_score": "f1",
    "f_score": "f1",
    "f_measure": "f1",
    "fbeta": "f2",
    "fbeta_score": "f2",
    "f_beta": "f2",
    "accuracy_score": "accuracy",
    "balanced_accuracy_score": "balanced_accuracy",
    "youden": "balanced_accuracy",
    "precision_score": "precision",
    "ppv": "precision",
    "positive_predictive_value": "precision",
    "recall_score": "recall",
    "sensitivity": "recall",
    "tpr": "recall",
    "true_positive_rate": "recall",
    "tnr": "specificity",
    "true_negative_rate": "specificity",
    "fpr": "false_positive_rate",
    "npv": "negative_predictive_value",
    "jaccard_score": "jaccard",
    "mcc": "matthews_corrcoef",
    "g_mean": "geometric_mean",
    "gmean": "geometric_mean",
    "geometric_mean_score": "geometric_mean",
}

# Less of these is more of others.
_COMPLEMENTS = {
    "false_negative_rate": "recall",
    "fnr": "recall",
    "miss_rate": "recall",
    "false_discovery_rate": "precision",
    "fdr": "precision",
    "false_omission_rate": "negative_predictive_value",
    "error_rate": "accuracy",
    "error": "accuracy",
}
_COUNTS = ("true_positives", "false_positives", "false_negatives", "true_negatives")


def find_quantity(name: str) -> Quantity | None:
    """Look a quantity up; None for what is unknown, or no function of the contingency table."""
    if name in RATES:

        def function(*table):
            return ratio(*RATES[name](*table))

        return Quantity(name, function, minimized=name in _MINIMIZED)
    if name in _OTHERS:
        return _OTHERS[name]
    try:
        measure = get_measure(name)
    except ValueError:
        return None
    return None if measure.table_function is None else Quantity(name, measure.table_function)


def suggestion(name: str) -> str:
    """'did you mean …? ' of an unknown name, or what says the same; or nothing."""
    lower = name.lower().replace("-", "_").replace(" ", "_")
    if lower in _COMPLEMENTS:
        other = _COMPLEMENTS[lower]
        return f"it is 1 − {other}: take {other} (for at most 0.1, '{other} >= 0.9'); "
    if lower in _COUNTS:
        return "numbers of examples hang on how many there are: take a rate; "
    known = [each for each in NAMES if each != "f<beta>"]
    nearest = _KNOWN_AS.get(lower) or next(iter(difflib.get_close_matches(lower, known, n=1)), None)
    return f"did you mean {nearest!r}? " if nearest else ""


def rate_at_rate(measure: Measure) -> str | None:
    """How to ask for recall at a precision, or the reverse, of a measure of the ranking."""
    match = re.fullmatch(r"(\w+)_at_(precision|recall)_([\d.]+)", measure.name)
    return match and f'objective="{match[1]}", constraints="{match[2]} >= {match[3]}"'
