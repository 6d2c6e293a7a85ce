"""Measures of multi-label predictions: 0/1 indicators of shape (n, m), dense or sparse."""

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import scipy
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from scipy.sparse import sparray, spmatrix

LabelIndicator: TypeAlias = "ArrayLike | sparray | spmatrix"


def hamming_loss(y_true: LabelIndicator, y_pred: LabelIndicator) -> float:
    """Share of the n·m labels that are wrong, in [0, 1]."""
    y_true, y_pred = _checked(y_true, y_pred)
    return float((y_true != y_pred).mean())


def subset_zero_one_loss(y_true: LabelIndicator, y_pred: LabelIndicator) -> float:
    """Share of the examples with any label wrong, in [0, 1]."""
    y_true, y_pred = _checked(y_true, y_pred)
    return float((y_true != y_pred).any(axis=1).mean())


def f_beta_of_counts(
    tp: ArrayLike, true: ArrayLike, predicted: ArrayLike, beta: float, zero_division: float
) -> np.ndarray:
    """F_β of tables, elementwise; `zero_division` where nothing is true and nothing predicted.

    Raises ValueError unless beta is above 0.
    """
    if not beta > 0:
        raise ValueError(f"beta must be above 0, found {beta!r}")
    square = beta * beta
    denominator = np.asarray(square * np.asarray(true) + predicted, dtype=np.float64)
    value = np.full(denominator.shape, float(zero_division))
    np.divide((1 + square) * np.asarray(tp), denominator, out=value, where=denominator > 0)
    return value[()]


def f_beta_of_instances(
    y_true: LabelIndicator, y_pred: LabelIndicator, beta: float = 1.0
) -> np.ndarray:
    """F_β of each example, shape (n,); 1 where nothing is true and nothing predicted (0/0 = 1)."""
    return f_beta_of_counts(*_counts(y_true, y_pred, 1), beta, 1.0)


def f_beta_instance(y_true: LabelIndicator, y_pred: LabelIndicator, beta: float = 1.0) -> float:
    """Mean of F_β over the examples, with 0/0 = 1, as in Dembczyński et al. 2011."""
    return float(f_beta_of_instances(y_true, y_pred, beta).mean())


def f_beta_micro(y_true: LabelIndicator, y_pred: LabelIndicator, beta: float = 1.0) -> float:
    """F_β of the contingency table of all n·m labels together; 0/0 = 0."""
    tp, true, predicted = _counts(y_true, y_pred, 0)
    return float(f_beta_of_counts(tp.sum(), true.sum(), predicted.sum(), beta, 0.0))


def f_beta_macro(
    y_true: LabelIndicator, y_pred: LabelIndicator, beta: float = 1.0, *, zero_division: float = 0.0
) -> float:
    """Mean over the labels of their F_β.

    A label that no test example has and that is never predicted is 0/0. It counts as 0 here, as
    in all other measures over examples (`contingency`), and so lowers the mean; `zero_division`
    sets another value, and NaN leaves such labels out.
    """
    values = f_beta_of_counts(*_counts(y_true, y_pred, 0), beta, zero_division)
    if np.isnan(values).all():
        return float("nan")
    return float(np.nanmean(values))


MULTILABEL_MEASURES: dict[str, Callable[..., float]] = {
    "hamming_loss": hamming_loss,
    "subset_zero_one_loss": subset_zero_one_loss,
    "f1_macro": f_beta_macro,
    "f1_micro": f_beta_micro,
    "f1_instance": f_beta_instance,
}
F_BETA_NAME = re.compile(r"f(\d+(?:\.\d+)?)_(instance|micro|macro)")


def get_multilabel_measure(name: str) -> Callable[..., float]:
    """The measure of a name: one of `MULTILABEL_MEASURES`, or F of another β, as "f0.5_instance".

    Raises ValueError, which lists the names, if there is none.
    """
    if name in MULTILABEL_MEASURES:
        return MULTILABEL_MEASURES[name]
    match = F_BETA_NAME.fullmatch(name)
    if match is None or not float(match[1]) > 0:
        raise ValueError(
            f"no multi-label measure {name!r}; valid: {', '.join(MULTILABEL_MEASURES)}, and "
            "F of another β, such as 'f0.5_instance'"
        )
    return partial(MULTILABEL_MEASURES[f"f1_{match[2]}"], beta=float(match[1]))


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
