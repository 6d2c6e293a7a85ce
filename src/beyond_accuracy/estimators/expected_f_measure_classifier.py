"""Logistic regression whose decisions maximize the expected F_β (LR-F)."""

from numbers import Integral, Real
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
_OF_THE_REGRESSION = ("C", "fit_intercept", "tol", "max_iter")


class ExpectedFMeasureClassifier(BinaryClassifier):
    """Logistic regression whose decisions maximize the expected F_β (Ye et al. 2012).

    The labels of the examples are assumed independent, with the probabilities of the regression.
    For m examples, `inference.meuf` finds the best predictions in O(m·log m) time and O(m) memory.
    The published algorithm takes O(m²) time and memory. The expected F_β of the predictions is
    within a relative 2e-13 of the largest.

    Parameters
    ----------
    beta : float, default 1.0
        Weight of recall against precision.
    C : float, default 1.0
        Inverse strength of the penalty, as in sklearn.linear_model.LogisticRegression.
    fit_intercept : bool, default True
        Whether the regression has an intercept, which is not penalized.
    tol : float, default 1e-4
        Largest entry of the gradient of the regression at which to stop.
    max_iter : int, default 1000
        Maximum number of L-BFGS iterations of the regression.
    pos_label : int, float, bool, str or None, default None
        See `MultivariateSVC`.

    Attributes
    ----------
    classes_, pos_label_
        See `MultivariateSVC`.
    coef_ : ndarray, shape (1, n_features)
    intercept_ : ndarray, shape (1,)
        Intercept of the decision values: the intercept of the regression minus the logit of
        `threshold_`.
    threshold_ : float
        Probability above which `predict` says positive: the best one for the training examples.
    n_iter_ : int
        Number of iterations of the regression.

    References
    ----------
    N. Ye, K. M. A. Chai, W. S. Lee, H. L. Chieu, Optimizing F-Measures: A Tale of Two Approaches,
    ICML 2012. https://arxiv.org/abs/1206.4625

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy import ExpectedFMeasureClassifier
    >>> classifier = ExpectedFMeasureClassifier().fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 1, 1])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "beta": [Interval(Real, 0, 1e100, closed="right")],
        "C": [Interval(Real, 1e-100, None, closed="left")],
        "fit_intercept": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        beta: float = 1.0,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        tol: float = 1e-4,
        max_iter: int = 1000,
        pos_label: Any = None,
    ) -> None:
        self.beta = beta
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.pos_label = pos_label

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes."""
        self._validate_params()
        self.classes_: np.ndarray
        X, positive, self.classes_ = binary_examples(self, X, y, dtype=np.float64)
        options = {name: getattr(self, name) for name in _OF_THE_REGRESSION}
        model = LogisticRegression(**options)
        model.fit(X, positive.astype(np.int64))
        self.coef_: NDArray[np.float64] = self._sign * model.coef_
        self.n_iter_: int = int(model.n_iter_[0])
        self._log_odds = np.asarray(model.intercept_, dtype=np.float64).reshape(1)
        probability = self._probability(X)
        predicted = self._maximize(probability)
        self.threshold_: float = _threshold(probability, predicted)
        self.intercept_: NDArray[np.float64] = self._sign * (
            self._log_odds - logit(self.threshold_)
        )
        return self

    def batch_decision_function(self, X: MatrixLike) -> NDArray[np.float64]:
        """Return decision values, shape (m,), for examples whose labels are predicted together.

        As in `decision_function`, values above 0 predict `classes_[1]`. The predictions maximize
        the expected F_β on these m examples. The threshold adapts to how many of the examples are
        likely to be positive, as in Ye et al. (2012). So the decision on an example depends on the
        others. A single example is decided by `threshold_`.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        probability = self._probability(X)
        if len(probability) < 2:
            return self._sign * (probability - self.threshold_)
        predicted = self._maximize(probability)
        decision = probability - _threshold(probability, predicted)
        # With equal probabilities at the threshold, some may be predicted and others not.
        decision = np.where(predicted, np.maximum(decision, _SMALLEST), np.minimum(decision, 0.0))
        return self._sign * decision

    def _probability(self, X):
        return expit(self._sign * np.asarray(X @ self.coef_[0]).ravel() + self._log_odds[0])

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
