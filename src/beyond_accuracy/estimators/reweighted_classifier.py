"""Any probabilistic classifier, with its decisions fitted to a cost matrix."""

from dataclasses import KW_ONLY
from typing import Literal

import numpy as np
from sklearn.base import clone
from sklearn.utils import indexable
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from beyond_accuracy.estimators.decision_wrapper import DecisionWrapper
from beyond_accuracy.estimators.parameters import (
    ArrayLike,
    CrossValidation,
    ProbabilisticClassifier,
    Reweighter,
    with_parameters,
)
from beyond_accuracy.reweighting import SequentialReweighter
from beyond_accuracy.reweighting.validation import check_cost_matrix


@with_parameters
class ReweightedClassifier(DecisionWrapper):
    """Fits the decision rule of a probabilistic classifier to costs, for two or more classes.

    The class probabilities of `estimator` stay as they are; a reweighter turns them into decisions
    that minimize the average cost, or with 0/1 cost the error rate.

    Parameters
    ----------
    estimator : classifier with predict_proba
    reweighter : reweighter or None, default None
        From beyond_accuracy.reweighting; it is cloned. None is SequentialReweighter(), which is
        deterministic, the fastest, and exact for two classes.
    cost_matrix : array, shape (m, m), or None, default None
        cost_matrix[true, predicted] ≥ 0, classes in the sorted order of `classes_`; None is 0/1.
    cv : int, splitter, iterable, "resubstitution", "prefit" or None, default None
        Where the probabilities come from to which the reweighter is fitted. A splitter: out of
        fold, so that no example is scored by a model that has seen it (None: 5 stratified folds);
        `estimator` is then fitted once more to all data. "resubstitution": the fitted model's own
        training data, cheaper and optimistic. "prefit": `estimator` is fitted already, is not
        cloned, and X and y should be data that it has not seen.

    Attributes
    ----------
    classes_ : ndarray, shape (m,)
    estimator_ : classifier
        Fitted to all data, or the one given if cv="prefit".
    reweighter_ : reweighter
    n_features_in_, feature_names_in_
        Of `estimator_`, if it has them.

    Notes
    -----
    Keywords of `fit`, such as sample_weight or groups, go where metadata routing sends them; with
    routing disabled all go to the `fit` of `estimator`. The reweighter counts every example once.
    There is no predict_proba, since its argmax would not be `predict`: estimator_.predict_proba
    gives the unaltered probabilities. Classes that a fold's training part lacks get probability 0
    there; scikit-learn warns of it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> from sklearn.linear_model import LogisticRegression
    >>> from beyond_accuracy import ReweightedClassifier
    >>> classifier = ReweightedClassifier(LogisticRegression(max_iter=1000)).fit(X, y)
    >>> classifier.predict(X[::50])
    array([0, 1, 2])
    """

    estimator: ProbabilisticClassifier
    reweighter: Reweighter | None = None
    _: KW_ONLY
    cost_matrix: ArrayLike | None = None
    cv: CrossValidation | Literal["resubstitution", "prefit"] = None

    def fit(self, X, y, **params):
        """Fit the estimator, unless cv="prefit", and the reweighter.

        X and y are as `estimator` takes them; `params` are described in the notes.

        Raises ValueError if there is one class only, or y holds a class that a prefit estimator
        does not know; InvalidCostMatrixError before anything is fitted, and InvalidScoresError from
        the reweighter, which are ValueErrors.
        """
        self._validate_params()
        check_classification_targets(y)
        X, y = indexable(X, column_or_1d(y, warn=True))
        if self._is_prefit:
            self._check_prefit(params)
            check_cost_matrix(self.cost_matrix, len(self.estimator.classes_))
            self._keep(self.estimator)
            to_split = to_fit = {}
        else:
            labels = np.unique(y)
            if len(labels) == 0:
                raise ValueError("found 0 samples; at least one of each of two classes is needed")
            if len(labels) < 2:
                raise ValueError(
                    f"y holds only one class, {labels[0]}; at least two classes are needed"
                )
            check_cost_matrix(self.cost_matrix, len(labels))
            to_fit, to_split = self._routed(params)
            self._keep(clone(self.estimator).fit(X, y, **to_fit))
        self.classes_ = self.estimator_.classes_
        labels = self._encode(y)
        scores = self._scores(X, y, to_fit, to_split)
        reweighter = SequentialReweighter() if self.reweighter is None else clone(self.reweighter)
        self.reweighter_ = reweighter.fit(scores, labels, self.cost_matrix)
        return self

    def predict(self, X):
        """Class labels, shape (n,), that the fitted decision rule gives."""
        check_is_fitted(self)
        return self.classes_[self.reweighter_.predict(self.estimator_.predict_proba(X))]

    def _scores(self, X, y, to_fit, to_split):
        """Probabilities for the reweighter, columns as `classes_`."""
        if isinstance(self.cv, str):
            return self.estimator_.predict_proba(X)
        splits = self._splits(X, y, to_split)
        return self._out_of_fold(X, y, splits, "predict_proba", to_fit)

    def _encode(self, y):
        unknown = np.setdiff1d(y, self.classes_)
        if unknown.size:
            raise ValueError(
                f"y holds the class {unknown[0]}, which the fitted estimator does not know; it "
                f"knows {self.classes_.tolist()}"
            )
        return np.searchsorted(self.classes_, y)
