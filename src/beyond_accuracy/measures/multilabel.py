"""Measures of multi-label predictions: 0/1 indicators of shape (n, m), dense or sparse."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import scipy
from numpy.typing import ArrayLike

from beyond_accuracy.measures.resampling import Resampler

if TYPE_CHECKING:
    from scipy.sparse import sparray, spmatrix

LabelIndicator: TypeAlias = "ArrayLike | sparray | spmatrix"


@dataclass(frozen=True)
class MultilabelMeasure:
    """Measure that compares true and predicted label sets, given as 0/1 arrays of shape (n, m).

    The arrays have one row per example and one column per label. `score(y_true, y_pred)` returns
    the value of the measure. `resampled(y_true, y_pred)` returns a function that computes the
    measure on r bootstrap samples at once. Its argument, shape (n, r), says how often each sample
    contains each example, and its result has shape (r,). If `minimized`, the measure is a loss from
    0 to 1, where lower is better.
    """

    name: str
    score: Callable[..., float]
    resampled: Callable[[np.ndarray, np.ndarray], Resampler]
    minimized: bool = False


def hamming_loss(y_true: LabelIndicator, y_pred: LabelIndicator) -> float:
    """Compute the share of wrong entries of `y_pred`, over all examples and labels."""
    y_true, y_pred = _checked(y_true, y_pred)
    return float((y_true != y_pred).mean())


def subset_zero_one_loss(y_true: LabelIndicator, y_pred: LabelIndicator) -> float:
    """Compute the share of the examples with at least one wrong label."""
    y_true, y_pred = _checked(y_true, y_pred)
    return float((y_true != y_pred).any(axis=1).mean())


def f_beta_of_counts(
    tp: ArrayLike, true: ArrayLike, predicted: ArrayLike, beta: float, zero_division: float
) -> np.ndarray:
    """Compute F_β elementwise from numbers of true positives, true labels and predicted labels.

    The value is `zero_division` where no label is true or predicted.
    """
    square = beta * beta
    denominator = np.asarray(square * np.asarray(true) + predicted, dtype=np.float64)
    value = np.full(denominator.shape, float(zero_division))
    np.divide((1 + square) * np.asarray(tp), denominator, out=value, where=denominator > 0)
    return value[()]


def f_beta_of_instances(
    y_true: LabelIndicator, y_pred: LabelIndicator, beta: float = 1.0
) -> np.ndarray:
    """Compute F_β of the label set of each example, shape (n_examples,).

    The value is 1 if no label is true or predicted.
    """
    return f_beta_of_counts(*_counts(y_true, y_pred, 1), beta, 1.0)


def f_beta_instance(y_true: LabelIndicator, y_pred: LabelIndicator, beta: float = 1.0) -> float:
    """Compute F_β of the label set of each example, and return the mean over examples.

    F_β is 1 if no label is true or predicted, as in Dembczyński et al. (2011).
    """
    return float(f_beta_of_instances(y_true, y_pred, beta).mean())


def f_beta_micro(y_true: LabelIndicator, y_pred: LabelIndicator, beta: float = 1.0) -> float:
    """Compute micro-averaged F_β, from counts summed over all examples and labels.

    The value is 0 if no label is true or predicted.
    """
    tp, true, predicted = _counts(y_true, y_pred, 0)
    return float(f_beta_of_counts(tp.sum(), true.sum(), predicted.sum(), beta, 0.0))


def macro_f_beta_of_all_labels(
    y_true: LabelIndicator, y_pred: LabelIndicator, beta: float = 1.0
) -> float:
    """Compute F_β of each label over the examples, and return the mean over all labels.

    F_β is 0 for a label that is never true and never predicted.
    """
    return float(f_beta_of_counts(*_counts(y_true, y_pred, 0), beta, 0.0).mean())


def _resampled_mean(values_of: Callable[[np.ndarray, np.ndarray], np.ndarray]):
    """Return `MultilabelMeasure.resampled` of a measure that averages a value per example."""

    def resampled(y_true, y_pred) -> Resampler:
        values = values_of(np.asarray(y_true, dtype=bool), np.asarray(y_pred, dtype=bool))
        return lambda counts: (values @ counts) / counts.sum(axis=0)

    return resampled


def _resampled_f_beta(y_true, y_pred, *, beta: float, pooled: bool) -> Resampler:
    """Return the `Resampler` of F_β of the pooled labels, or else of the mean F_β over labels."""
    y_true, y_pred = np.asarray(y_true, dtype=bool), np.asarray(y_pred, dtype=bool)
    cells = [y_true & y_pred, y_true, y_pred]
    if pooled:
        cells = [cell.sum(axis=1, keepdims=True) for cell in cells]
    cells = [cell.astype(np.float64) for cell in cells]

    def evaluate(counts: np.ndarray) -> np.ndarray:
        weights = counts.T.astype(np.float64)
        return f_beta_of_counts(*(weights @ cell for cell in cells), beta, 0.0).mean(axis=1)

    return evaluate


def _f_measure(name: str, beta: float, average: str) -> MultilabelMeasure:
    if average == "instance":
        score, resampled = f_beta_instance, _resampled_mean(partial(f_beta_of_instances, beta=beta))
    else:
        score = f_beta_micro if average == "micro" else macro_f_beta_of_all_labels
        resampled = partial(_resampled_f_beta, beta=beta, pooled=average == "micro")
    return MultilabelMeasure(name, partial(score, beta=beta), resampled)


def _wrong(y_true, y_pred):
    return (y_true != y_pred).mean(axis=1)


def _any_wrong(y_true, y_pred):
    return (y_true != y_pred).any(axis=1).astype(np.float64)


MULTILABEL_MEASURES = {
    measure.name: measure
    for measure in (
        MultilabelMeasure("hamming_loss", hamming_loss, _resampled_mean(_wrong), minimized=True),
        MultilabelMeasure(
            "subset_zero_one_loss",
            subset_zero_one_loss,
            _resampled_mean(_any_wrong),
            minimized=True,
        ),
        *(_f_measure(f"f1_{average}", 1.0, average) for average in ("macro", "micro", "instance")),
    )
}


def get_multilabel_measure(name: str) -> MultilabelMeasure:
    """Return the multi-label measure with a given name; raise ValueError if the name is unknown.

    Names are "hamming_loss", "subset_zero_one_loss", and F_β with its average, such as "f1_macro"
    (mean over labels), "f1_micro" (summed counts) or "f0.5_instance" (mean over examples).
    """
    if name in MULTILABEL_MEASURES:
        return MULTILABEL_MEASURES[name]
    match = re.fullmatch(r"f(\d+(?:\.\d+)?)_(instance|micro|macro)", name)
    if match is None or not float(match[1]) > 0:
        raise ValueError(
            f"no multi-label measure {name!r}; valid: {', '.join(MULTILABEL_MEASURES)}, and "
            "F of another β, such as 'f0.5_instance'"
        )
    return _f_measure(name, float(match[1]), match[2])


def _checked(y_true, y_pred):
    y_true, y_pred = (
        y.toarray() if scipy.sparse.issparse(y) else np.asarray(y) for y in (y_true, y_pred)
    )
    if y_true.ndim != 2 or y_true.shape != y_pred.shape:
        raise ValueError(
            f"y_true and y_pred must be 0/1 indicators of one shape (n, m), found {y_true.shape} "
            f"and {y_pred.shape}"
        )
    if 0 in y_true.shape:
        raise ValueError(f"no labels to compare: found shape {y_true.shape}")
    for y, name in ((y_true, "y_true"), (y_pred, "y_pred")):
        wrong = (y != 0) & (y != 1)
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            raise ValueError(
                f"{name} must hold 0 and 1 only, found {y[row, column]!r} in row {row}, column "
                f"{column}"
            )
    return y_true.astype(bool), y_pred.astype(bool)


def _counts(y_true, y_pred, axis):
    y_true, y_pred = _checked(y_true, y_pred)
    return (y_true & y_pred).sum(axis=axis), y_true.sum(axis=axis), y_pred.sum(axis=axis)
