"""Logistic regression whose decisions maximize the expected F_β (LR-F)."""

from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.binary_classifier import BinaryClassifier
from beyond_accuracy.estimators.validation import (
    ArrayLike,
    MatrixLike,
    binary_examples,
    validate_data,
)
from beyond_accuracy.inference import meuf
from beyond_accuracy.scikit_learn import Interval

# Bound on the relative error of every expected F_β; see `inference.meuf`.
TOLERANCE = 1e-13
_SMALLEST = float(np.finfo(np.float64).tiny)


class ExpectedFMeasureClassifier(BinaryClassifier):
    """Logistic regression whose decisions maximize the expected F_β (Ye et al. 2012).

    `fit` chooses the threshold on probabilities that maximizes the expected F_β of the training
    examples, and `predict` uses this threshold. In contrast, `batch_decision_function` chooses the
    best threshold for the given examples. Labels are assumed independent, with the probabilities of
    the regression.

    The best threshold for m examples takes O(m·log m) time, instead of O(m²) as published. Its
    expected F_β is within a relative 2e-13 of the largest.

    Parameters
    ----------
    beta : float, default 1.0
        Weight of recall against precision.
    C : float, default 1.0
        Inverse strength of the penalty, as in sklearn.linear_model.LogisticRegression.
    fit_intercept : bool, default True
        Whether the regression has an intercept, which is not penalized.

    Attributes
    ----------
    threshold_ : float
        Probability above which `predict` says positive.

    References
    ----------
    N. Ye, K. M. A. Chai, W. S. Lee, H. L. Chieu, Optimizing F-Measures: A Tale of Two Approaches,
    ICML 2012. https://arxiv.org/abs/1206.4625
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "beta": [Interval(Real, 0, 1e100, closed="right")],
        "C": [Interval(Real, 1e-100, None, closed="left")],
        "fit_intercept": ["boolean"],
    }

    def __init__(self, beta: float = 1.0, *, C: float = 1.0, fit_intercept: bool = True) -> None:
        self.beta = beta
        self.C = C
        self.fit_intercept = fit_intercept

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes."""
        self._validate_params()
        X, positive, self.classes_ = binary_examples(self, X, y, dtype=np.float64)
        model = LogisticRegression(C=self.C, fit_intercept=self.fit_intercept, max_iter=1000)
        model.fit(X, positive.astype(np.int64))
        self.coef_, self.n_iter_ = model.coef_, int(model.n_iter_[0])
        self._log_odds = np.asarray(model.intercept_, dtype=np.float64).reshape(1)
        probability = self._probability(X)
        predicted = self._maximize(probability)
        self.threshold_: float = _threshold(probability, predicted)
        self.intercept_ = self._log_odds - logit(self.threshold_)
        return self

    def batch_decision_function(self, X: MatrixLike) -> NDArray[np.float64]:
        """Return decision values, shape (m,), for examples whose labels are predicted together.

        Values above 0 predict `classes_[1]`. The predictions maximize the expected F_β on these m
        examples, so the decision on one example depends on the others (Ye et al. 2012). A single
        example is decided by `threshold_`.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        probability = self._probability(X)
        if len(probability) < 2:
            return probability - self.threshold_
        predicted = self._maximize(probability)
        decision = probability - _threshold(probability, predicted)
        # With equal probabilities at the threshold, some may be predicted and others not.
        return np.where(predicted, np.maximum(decision, _SMALLEST), np.minimum(decision, 0.0))

    def _probability(self, X):
        return expit(np.asarray(X @ self.coef_[0]).ravel() + self._log_odds[0])

    def _maximize(self, probability):
        predicted, _ = meuf(probability, self.beta, "exponential_sum", tolerance=TOLERANCE)
        return predicted.astype(bool)


def _threshold(probability, predicted):
    """Return a threshold halfway between predicted positives and predicted negatives.

    `probability` and `predicted` (bool) have shape (n,).
    """
    lowest = probability[predicted].min(initial=1.0)
    highest = probability[~predicted].max(initial=0.0)
    return float(np.clip((lowest + highest) / 2, 1e-15, 1 - 1e-15))
