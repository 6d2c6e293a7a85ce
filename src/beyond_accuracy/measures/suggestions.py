"""Suggestions for unknown names of measures of binary decisions."""

import difflib
from collections.abc import Sequence

# Other names of measures, after "_score" is removed from their end.
_SYNONYMS = {
    "f": "f1",
    "f_measure": "f1",
    "fbeta": "f2",
    "f_beta": "f2",
    "youden": "balanced_accuracy",
    "ppv": "precision",
    "positive_predictive_value": "precision",
    "sensitivity": "recall",
    "tpr": "recall",
    "true_positive_rate": "recall",
    "tnr": "specificity",
    "true_negative_rate": "specificity",
    "fpr": "false_positive_rate",
    "npv": "negative_predictive_value",
    "positive_rate": "predicted_positive_rate",
    "mcc": "matthews_corrcoef",
    "g_mean": "geometric_mean",
    "gmean": "geometric_mean",
    "auc": "roc_area",
    "auroc": "roc_area",
    "roc_auc": "roc_area",
    "ap": "average_precision",
}
# Rates that are 1 minus another rate.
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


def suggestion(name: str, valid: Sequence[str], elsewhere: str) -> str:
    """Return a hint for an unknown name, such as 'did you mean …? ', or an empty string.

    `valid` holds the names that the caller accepts. If the most similar measure is not in `valid`,
    the hint names `elsewhere`, the classifier that accepts it.
    """
    plain = name.lower().replace("-", "_").replace(" ", "_").removesuffix("_score")
    if other := _COMPLEMENTS.get(plain):
        if other not in valid:
            return f"it is 1 − {other}, which {elsewhere} takes; "
        return f"it is 1 − {other}: take {other} (for at most 0.1, '{other} >= 0.9'); "
    if plain in _COUNTS:
        return "counts depend on the number of examples: take a rate; "
    names = [*valid, *_SYNONYMS, *_SYNONYMS.values()]
    close = difflib.get_close_matches(plain, names, n=1)
    if not close:
        return ""
    nearest = _SYNONYMS.get(close[0], close[0])
    return f"did you mean {nearest!r}? " if nearest in valid else f"{elsewhere} takes {nearest!r}; "
