"""Binary relevance: one classifier per label, and decisions as if labels were independent."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from beyond_accuracy.estimators.multilabel_classifier import MultiLabelClassifier
from beyond_accuracy.estimators.validation import MatrixLike
from beyond_accuracy.inference import meuf, meuf_approx
from beyond_accuracy.scikit_learn import HasMethods


class BinaryRelevance(MultiLabelClassifier):
    """Multi-label classifier that fits a classifier per label, as if labels were independent.

    Parameters
    ----------
    base : estimator or None, default None
        Binary classifier with `predict_proba`. None is `RidgeLogisticRegression()`, with which
        all labels are fitted at once.

    Attributes
    ----------
    n_labels_ : int
        Number m of labels.
    classes_ : list of ndarray
        [0, 1] for every label.
    estimators_ : list
        Fitted classifier of each label, or the value as a float if the label is constant in
        training. The list is empty with `RidgeLogisticRegression`.
    regressions_ : LabelRegressions
        With `RidgeLogisticRegression` only: the regressions of all labels.

    References
    ----------
    https://scikit-learn.org/stable/modules/multiclass.html#multioutputclassifier

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(100, n_classes=3, random_state=0)
    >>> from beyond_accuracy import BinaryRelevance
    >>> BinaryRelevance().fit(X, Y).predict(X[:2])
    array([[0, 1, 0],
           [0, 1, 0]])
    """

    _criteria = ("f1", "f1_approx", "hamming", "subset")
    _parameter_constraints: dict[str, list[Any]] = {
        "base": [HasMethods(["fit", "predict_proba"]), None],
    }

    def __init__(self, base: Any | None = None) -> None:
        self.base = base

    def fit(self, X: MatrixLike, Y: MatrixLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and a 0/1 indicator Y, shape (n, m)."""
        X, Y = self._check_labelled(X, Y)
        self.estimators_: list[Any] = self._fit_base(
            Y, lambda ridge: ridge.fit_labels(X, Y, chained=False), lambda j: X
        )
        return self

    def predict_proba(self, X: MatrixLike) -> NDArray[np.float64]:
        """Compute the marginal probability of each label, P(y_j = 1 | x), float64, shape (n, m)."""
        X = self._check_features(X)
        if hasattr(self, "regressions_"):
            scores = np.asarray(X @ self.regressions_.coef.T) + self.regressions_.intercept
            return expit(scores)
        columns = [
            np.full(X.shape[0], estimator)
            if isinstance(estimator, float)
            else estimator.predict_proba(X)[:, 1]
            for estimator in self.estimators_
        ]
        return np.column_stack(columns)

    def predict(
        self,
        X: MatrixLike,
        criterion: Literal["f1", "f1_approx", "hamming", "subset"] = "f1",
        beta: float = 1.0,
    ) -> NDArray[np.int64]:
        """Predict the label vectors that are best for a measure if labels are independent.

        Parameters
        ----------
        X : array or CSR matrix, shape (n, d)
        criterion : {"f1", "f1_approx", "hamming", "subset"}, default "f1"
            "f1" maximizes the expected F_β of each example, by `inference.meuf`. "f1_approx" does
            so approximately, by `inference.meuf_approx`. "hamming" and "subset" both predict the
            labels with a probability of at least ½.
        beta : float, default 1.0
            Weight of recall against precision; only for "f1" and "f1_approx".

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
        marginals = self.predict_proba(X)
        if criterion in ("hamming", "subset"):
            return (marginals >= 0.5).astype(np.int64)
        maximize = meuf if criterion == "f1" else meuf_approx
        return maximize(marginals, beta)[0].astype(np.int64)
