"""Measures of multi-class decisions by name, or by a function of the confusion matrix."""

import difflib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.reweighting.line_objectives import ConfusionMatrixMeasure

# Of one confusion matrix, or of a batch of them, and what it returns for these.
ConfusionFunction = Callable[[np.ndarray], Any]


def _ratio(numerator, denominator):
    return np.divide(
        numerator, denominator, out=np.zeros(np.shape(numerator)), where=denominator > 0
    )


def _recalls(confusions):
    return _ratio(np.einsum("bii->bi", confusions), confusions.sum(axis=2))


def _occurring(sizes):
    return _ratio((sizes > 0).astype(float), np.full(len(sizes), (sizes > 0).sum(), dtype=float))


def _mean_f1(shares_of):
    def mean_f1(confusions):
        sizes = confusions.sum(axis=2)
        f1 = _ratio(2 * np.einsum("bii->bi", confusions), sizes + confusions.sum(axis=1))
        return (f1 * np.array([shares_of(each) for each in sizes])).sum(axis=1)

    return ConfusionMatrixMeasure(mean_f1, shares_of)


def _geometric_mean(confusions):
    present = confusions.sum(axis=2) > 0
    recalls = np.where(present, _recalls(confusions), 1.0)
    return recalls.prod(axis=1) ** (1 / present.sum(axis=1))


def _matthews(confusions):
    total = confusions.sum(axis=(1, 2))
    true, predicted = confusions.sum(axis=2), confusions.sum(axis=1)
    hits = np.einsum("bii->b", confusions)
    covariance = hits * total - (true * predicted).sum(axis=1)
    spread = (total**2 - (true**2).sum(axis=1)) * (total**2 - (predicted**2).sum(axis=1))
    return _ratio(covariance, np.sqrt(np.maximum(spread, 0.0)))


# As scikit-learn's scorers of these names; classes that do not occur among the labels do not count.
SCORINGS = {
    "f1_macro": _mean_f1(_occurring),
    "f1_weighted": _mean_f1(lambda sizes: sizes / sizes.sum()),
    "geometric_mean": ConfusionMatrixMeasure(_geometric_mean),
    "matthews_corrcoef": ConfusionMatrixMeasure(_matthews),
}
# Those that are averages of prices of single examples.
AVERAGES = ("accuracy", "balanced_accuracy")
# What others call them: multi-label objectives, measures of two classes, scikit-learn's functions.
_KNOWN_AS = {
    "f1": "f1_macro",
    "f1_score": "f1_macro",
    "macro_f1": "f1_macro",
    "weighted_f1": "f1_weighted",
    "mcc": "matthews_corrcoef",
    "g_mean": "geometric_mean",
    "geometric_mean_score": "geometric_mean",
    "accuracy_score": "accuracy",
    "balanced_accuracy_score": "balanced_accuracy",
    "recall_macro": "balanced_accuracy",
    # Of one label an example they are the accuracy.
    "f1_micro": "accuracy",
    "precision_micro": "accuracy",
    "recall_micro": "accuracy",
}


def make_measure(scoring: str | ConfusionFunction, n_classes: int) -> ConfusionMatrixMeasure:
    """The measure of a name in SCORINGS, or of a function of the confusion matrix.

    A function is given arrays of shape (b, m, m) at once if it treats these as it treats each
    matrix, and one matrix at a time otherwise, which is slower.

    Raises ValueError if the name is unknown, or the function returns no number for a matrix.
    """
    if isinstance(scoring, str):
        check_scoring(scoring)
        return SCORINGS[scoring]
    examples = np.arange(1.0, 2 * n_classes**2 + 1).reshape(2, n_classes, n_classes) ** 1.5
    try:
        single = np.array([float(scoring(each)) for each in examples])
    except (TypeError, ValueError, IndexError) as error:
        name = _KNOWN_AS.get(getattr(scoring, "__name__", ""))
        hint = f"; that function has the name {name!r} here" if name else ""
        raise ValueError(
            f"a scoring must return a number for a confusion matrix of shape {examples[0].shape}, "
            f"[true, predicted]; it failed with: {error}{hint}"
        ) from error
    try:
        together = np.asarray(scoring(examples.copy()))
        batched = together.shape == (2,) and np.allclose(together, single, rtol=1e-12, atol=0.0)
    # Whatever it is: the function does not take batches.
    except Exception:
        batched = False
    if batched:
        return ConfusionMatrixMeasure(scoring)
    return ConfusionMatrixMeasure(lambda many: np.array([float(scoring(each)) for each in many]))


def check_scoring(scoring: object) -> None:
    """Raise ValueError if it is neither None, a name of a measure nor a callable."""
    if scoring is None or callable(scoring) or scoring in (*AVERAGES, *SCORINGS):
        return
    plain = str(scoring).lower().replace("-", "_")
    close = difflib.get_close_matches(plain, (*AVERAGES, *SCORINGS), n=1, cutoff=0.8)
    nearest = _KNOWN_AS.get(plain) or next(iter(close), None)
    hint = f"did you mean {nearest!r}? " if nearest else ""
    names = ", ".join((*AVERAGES, *SCORINGS))
    raise ValueError(
        f"unknown scoring {scoring!r}; {hint}choose one of {names}, or give "
        "a function of the confusion matrix [true, predicted], of which more is better"
    )


def score(scoring: str | ConfusionFunction, confusion: NDArray[np.float64]) -> float:
    """The measure of one confusion matrix, shape (m, m)."""
    confusion = np.asarray(confusion, dtype=np.float64)
    if isinstance(scoring, str) and scoring == "accuracy":
        return float(np.trace(confusion) / confusion.sum())
    if isinstance(scoring, str) and scoring == "balanced_accuracy":
        return float(_recalls(confusion[None])[0] @ _occurring(confusion.sum(axis=1)))
    return float(make_measure(scoring, len(confusion))(confusion[None])[0])
