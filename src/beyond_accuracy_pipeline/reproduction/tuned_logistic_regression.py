"""Logistic regression with a threshold tuned for F_β by cross-validation."""

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from scipy.special import logit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import StratifiedKFold, TunedThresholdClassifierCV

from beyond_accuracy.estimators.binary_classifier import BinaryClassifier
from beyond_accuracy.estimators.folds import fitting_number
from beyond_accuracy.estimators.validation import ArrayLike, MatrixLike, binary_examples
from beyond_accuracy.scikit_learn import Interval


def _f_score(y_true, y_pred, beta):
    """Return F_β of 0/1 labels, equal to scikit-learn's `fbeta_score` in every bit.

    scikit-learn's checks take twenty times as long, and there are a hundred thresholds per fold.
    """
    hits = float(np.count_nonzero(y_true & y_pred))
    total = beta**2 * float(np.count_nonzero(y_true)) + float(np.count_nonzero(y_pred))
    return (1 + beta**2) * hits / total if total else 0.0


class TunedLogisticRegression(BinaryClassifier):
    """Logistic regression whose threshold is tuned for F_β by scikit-learn.

    The threshold is chosen by sklearn.model_selection.TunedThresholdClassifierCV.

    Parameters
    ----------
    beta, C
        See `ExpectedFMeasureClassifier`.
    cv : int, default 5
        Number of stratified folds for the choice of the threshold. If the rarer class has fewer
        examples, there are fewer folds and a warning.
    random_state : int, RandomState or None, default 0
        Seed for the folds.

    Attributes
    ----------
    threshold_ : float
        Probability above which `predict` says positive.

    References
    ----------
    https://scikit-learn.org/stable/modules/classification_threshold.html
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "beta": [Interval(Real, 0, 1e100, closed="right")],
        "C": [Interval(Real, 1e-100, None, closed="left")],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        beta: float = 1.0,
        *,
        C: float = 1.0,
        cv: int = 5,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.beta = beta
        self.C = C
        self.cv = cv
        self.random_state = random_state

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        Raises ValueError if X has NaN or infinity, y has not two classes, a parameter is invalid, a
        class has a single example, or all predicted probabilities are equal.
        """
        self._validate_params()
        X, positive, self.classes_ = binary_examples(self, X, y, dtype=np.float64)
        n_rarer = min(np.bincount(positive))
        if n_rarer < 2:
            raise ValueError(
                "a class has a single example, so that a fold would be without it; at least 2 are "
                "needed"
            )
        n_folds = fitting_number(self.cv, n_rarer, stacklevel=3)
        regression = LogisticRegression(C=self.C, max_iter=1000)
        scoring = make_scorer(_f_score, beta=self.beta)
        folds = StratifiedKFold(n_folds, shuffle=True, random_state=self.random_state)
        tuned = TunedThresholdClassifierCV(
            regression, scoring=scoring, response_method="predict_proba", cv=folds
        ).fit(X, positive.astype(np.int64))
        self.threshold_: float = float(np.clip(tuned.best_threshold_, 1e-15, 1 - 1e-15))
        model = tuned.estimator_
        self.coef_, self.n_iter_ = model.coef_, int(model.n_iter_[0])
        self.intercept_ = model.intercept_ - logit(self.threshold_)
        return self
