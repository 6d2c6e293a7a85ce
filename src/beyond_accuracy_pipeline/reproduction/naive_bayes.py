"""Naive Bayes for numeric and nominal columns, as WEKA's default fits it."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.validation import ArrayLike, MatrixLike, validate_data

_DEFAULT_PRECISION = 0.01
_SMALLEST_DEVIATION = 1e-10
_SMALLEST_PROBABILITY = 1e-75
_ROWS = {"dtype": np.float64, "ensure_all_finite": "allow-nan"}


class NaiveBayes(ClassifierMixin, BaseEstimator):
    """Naive Bayes with normal distributions for numbers and Laplace's rule for nominal columns.

    The classifier follows WEKA's NaiveBayes with default options:

    - Numbers are rounded to the column's precision, the average gap between the sorted distinct
      values (0.01 if there are fewer than two). Each class has a normal distribution whose standard
      deviation is at least precision/6. The probability of a value is the mass within ±precision/2
      of its rounded value, and at least 1e-75.
    - The probability of a nominal value is (count + 1)/(total + number of values).
    - The prior of a class is (count + 1)/(n + number of classes).
    - Missing values (NaN) are left out, in `fit` and in `predict`.

    Parameters
    ----------
    nominal : sequence of int or bool, default ()
        Indices, or a mask, of the nominal columns, whose values are coded 0, 1, ….
    n_values : None or int array, shape (n_features,), default None
        Number of values of each nominal column; by default the highest code plus one. Higher codes
        in `predict` are treated like values that did not occur in `fit`.

    References
    ----------
    G. H. John, P. Langley, Estimating Continuous Distributions in Bayesian Classifiers, UAI 1995.
    https://arxiv.org/abs/1302.4964
    """

    _parameter_constraints: dict[str, list[Any]] = {}

    def __init__(
        self, nominal: Sequence[int | bool] = (), n_values: Sequence[int] | None = None
    ) -> None:
        self.nominal = nominal
        self.n_values = n_values

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Fit to X, shape (n, d), float, with NaN for missing values, and labels y, shape (n,)."""
        X, y = validate_data(self, X, y, **_ROWS)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        m, d = len(self.classes_), X.shape[1]
        weights = np.zeros((m, len(y)))
        weights[labels, np.arange(len(y))] = 1.0
        counts = weights.sum(axis=1)
        self.class_log_prior_: NDArray[np.float64] = np.log((counts + 1) / (counts.sum() + m))
        self.precision_: NDArray[np.float64] = np.full(d, np.nan)
        self.mean_: NDArray[np.float64] = np.full((m, d), np.nan)
        self.standard_deviation_: NDArray[np.float64] = np.full((m, d), np.nan)
        self.value_log_probability_: dict[int, NDArray[np.float64]] = {}
        nominal = np.arange(d)[list(self.nominal)]
        for column in range(d):
            present = ~np.isnan(X[:, column])
            values = X[present, column]
            if column in nominal:
                codes = values.astype(np.int64)
                size = codes.max(initial=-1) + 1 if self.n_values is None else self.n_values[column]
                self.value_log_probability_[column] = _laplace(codes, weights[:, present], size)
            else:
                (
                    self.precision_[column],
                    self.mean_[:, column],
                    self.standard_deviation_[:, column],
                ) = _normal(values, weights[:, present])
        return self

    def _log_joint(self, X):
        """Return log P(class) + Σ log P(value | class) for each row, shape (n, n_classes)."""
        check_is_fitted(self)
        X = validate_data(self, X, **_ROWS, reset=False)
        joint = np.tile(self.class_log_prior_, (len(X), 1))
        for column in range(X.shape[1]):
            present = ~np.isnan(X[:, column])
            table, index = self._log_probabilities(X[present, column], column)
            joint[present] += table.take(index, axis=0)
        return joint

    def predict_proba(self, X: MatrixLike) -> NDArray[np.float64]:
        return softmax(self._log_joint(X), axis=1)

    def predict(self, X: MatrixLike) -> np.ndarray:
        joint = self._log_joint(X)
        return self.classes_[joint.argmax(axis=1)]

    def _log_probabilities(self, values, column):
        """Return (log P(value | class) per distinct value, index of each value in this table)."""
        if column in self.value_log_probability_:
            table = self.value_log_probability_[column].T
            return table, np.minimum(values.astype(np.int64), len(table) - 1)
        precision = self.precision_[column]
        # Few values differ once they are rounded: the normal distribution is evaluated for those.
        steps, index = np.unique(np.rint(values / precision), return_inverse=True)
        distance = (steps * precision)[:, None] - self.mean_[:, column]
        deviation = self.standard_deviation_[:, column]
        mass = ndtr((distance + precision / 2) / deviation)
        mass -= ndtr((distance - precision / 2) / deviation)
        return np.log(np.maximum(mass, _SMALLEST_PROBABILITY)), index

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _normal(values, weights):
    """Return (precision, means by class, standard deviations by class) of a numeric column."""
    distinct = np.unique(values)
    precision = _DEFAULT_PRECISION
    if len(distinct) > 1:
        # Summed gap by gap, as in WEKA: the last bit decides how halves are rounded.
        precision = np.add.accumulate(np.diff(distinct))[-1] / (len(distinct) - 1)
    smallest = precision / 6
    rounded = np.rint(values / precision) * precision
    counts = weights.sum(axis=1)
    some = np.maximum(counts, np.finfo(float).tiny)
    means = np.where(counts > 0, weights @ rounded / some, 0.0)
    centre = rounded.mean() if len(rounded) else 0.0
    shifts = means - centre
    squares = weights @ (rounded - centre) ** 2 / some
    deviations = np.sqrt(np.abs(squares - np.where(counts > 0, shifts, 0.0) ** 2))
    # Without any spread the scale is unknown: use the smallest deviation.
    deviations = np.where(
        (deviations > _SMALLEST_DEVIATION) & (counts > 0),
        np.maximum(deviations, smallest),
        smallest,
    )
    return precision, means, deviations


def _laplace(codes, weights, size):
    """Return log P(code | class) by Laplace's rule. The last column is for unseen codes."""
    counts = np.stack([np.bincount(codes, weights=row, minlength=size + 1) for row in weights])
    return np.log((counts + 1) / (counts.sum(axis=1, keepdims=True) + max(size, 1)))
