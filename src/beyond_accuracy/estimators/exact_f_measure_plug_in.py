"""Exact F-measure plug-in (EFP): multinomial regressions, then the general F-measure maximizer."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.estimators.multilabel_classifier import MultiLabelClassifier
from beyond_accuracy.estimators.validation import MatrixLike
from beyond_accuracy.inference import gfm, gfm_threshold
from beyond_accuracy.scikit_learn import HasMethods


class ExactFMeasurePlugIn(MultiLabelClassifier):
    """Multi-label classifier for F_β by the exact F-measure plug-in (EFP).

    It estimates P(Y_i = 1, |Y| = s | x), the probability that label i is positive and that s labels
    are positive in total. The general F-measure maximizer (`inference.gfm`) turns the estimates
    into predictions. For each label, a multinomial regression predicts the number s of positive
    labels if the label is positive, and 0 otherwise. A binary regression estimates P(Y = 0 | x).

    Parameters
    ----------
    base : estimator or None, default None
        Multi-class classifier with `predict_proba`. None is `RidgeLogisticRegression()`, with which
        all regressions are fitted at once.

    Attributes
    ----------
    n_labels_, classes_
        See `BinaryRelevance`.
    regressions_ : MultinomialRegressions
        With `RidgeLogisticRegression` only: the regressions of the labels and, last, of y = 0.
    estimators_ : list
        Otherwise: the fitted classifiers of the labels and, last, of y = 0. If a target is constant
        in training, its value as a float.

    References
    ----------
    W. Waegeman, K. Dembczyński, A. Jachnik, W. Cheng, E. Hüllermeier, On the Bayes-Optimality of
    F-Measure Maximizers, Journal of Machine Learning Research 15, 2014.
    https://www.jmlr.org/papers/v15/waegeman14a.html

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(100, n_classes=3, random_state=0)
    >>> from beyond_accuracy import ExactFMeasurePlugIn
    >>> ExactFMeasurePlugIn().fit(X, Y).predict(X[:2])
    array([[0, 1, 0],
           [0, 1, 0]])
    """

    _criteria = ("f1", "hamming", "threshold")
    _parameter_constraints: dict[str, list[Any]] = {
        "base": [HasMethods(["fit", "predict_proba"]), None],
    }

    def __init__(self, base: Any | None = None) -> None:
        self.base = base

    def fit(self, X: MatrixLike, Y: MatrixLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and a 0/1 indicator Y, shape (n, m)."""
        X, Y = self._check_labelled(X, Y)
        size = Y.sum(axis=1, dtype=np.int64)
        Z = np.column_stack([Y * size[:, None], size == 0]).astype(np.int64)
        self.estimators_: list[Any] = self._fit_base(
            Z, lambda ridge: ridge.fit_multinomials(X, Z), lambda j: X
        )
        return self

    def joint(self, X: MatrixLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Estimate the probabilities of each label together with the number of positive labels.

        Return two arrays, as `ProbabilisticClassifierChain.joint` does. The probabilities of all
        numbers of positive labels are scaled to sum to 1. If all estimates are 0, P(Y = 0 | x) is
        1.
        """
        joint, p_empty = self._estimates(X)
        total = p_empty + joint.sum(axis=1) @ (1.0 / np.arange(1, self.n_labels_ + 1))
        # Each regression may be certain, as trees are, and together they may exclude every outcome.
        nothing = total == 0
        total, p_empty = np.where(nothing, 1.0, total), np.where(nothing, 1.0, p_empty)
        return joint / total[:, None, None], p_empty / total

    def predict_proba(self, X: MatrixLike) -> NDArray[np.float64]:
        """Compute the marginal probability of each label, P(y_j = 1 | x), float64, shape (n, m)."""
        return np.clip(self._estimates(X)[0].sum(axis=2), 0.0, 1.0)

    def predict(
        self,
        X: MatrixLike,
        criterion: Literal["f1", "hamming", "threshold"] = "f1",
        beta: float = 1.0,
    ) -> NDArray[np.int64]:
        """Predict the label vectors that are best for a measure.

        Parameters
        ----------
        X : array or CSR matrix, shape (n, d)
        criterion : {"f1", "hamming", "threshold"}, default "f1"
            "f1" maximizes the expected F_β of each example, by `inference.gfm`. "threshold" does so
            among thresholds on the marginal probabilities, by `inference.gfm_threshold`. "hamming"
            predicts the labels with a probability of at least ½.
        beta : float, default 1.0
            Weight of recall against precision; only for "f1" and "threshold".

        Returns
        -------
        ndarray of int64, shape (n, m)
            0/1 indicator of the predicted labels.

        Raises
        ------
        ValueError
            If the criterion or beta is invalid, or X is empty or holds NaN.
        """
        self._check_criterion(criterion)
        if criterion == "hamming":
            return (self.predict_proba(X) >= 0.5).astype(np.int64)
        maximize = gfm if criterion == "f1" else gfm_threshold
        return maximize(*self.joint(X), beta)[0].astype(np.int64)

    def _estimates(self, X):
        X = self._check_features(X)
        joint = np.zeros((X.shape[0], self.n_labels_, self.n_labels_))
        *of_labels, (outcomes, p) = self._probabilities(X)
        for i, (sizes, probabilities) in enumerate(of_labels):
            for size, probability in zip(sizes, probabilities.T, strict=True):
                if size > 0:
                    joint[:, i, size - 1] = probability
        return joint, p[:, list(outcomes).index(1)] if 1 in outcomes else np.zeros(X.shape[0])

    def _probabilities(self, X):
        """Return (classes, probabilities) of each regression, of shapes (K,) and (n, K)."""
        if hasattr(self, "regressions_"):
            fits = self.regressions_
            return list(zip(fits.classes, fits.predict_proba(X), strict=True))
        return [
            (np.array([int(estimator)]), np.ones((X.shape[0], 1)))
            if isinstance(estimator, float)
            else (estimator.classes_, estimator.predict_proba(X))
            for estimator in self.estimators_
        ]
