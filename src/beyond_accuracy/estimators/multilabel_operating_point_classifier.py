"""Any multi-label classifier, with the decisions that are best for an F-measure."""

from dataclasses import KW_ONLY
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import Tags, _safe_indexing, indexable
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from beyond_accuracy.estimators.decision_wrapper import DecisionWrapper
from beyond_accuracy.estimators.label_indicator import check_label_indicator
from beyond_accuracy.estimators.parameters import (
    ArrayLike,
    Count,
    CrossValidation,
    MatrixLike,
    Positive,
    ProbabilisticClassifier,
    with_parameters,
)
from beyond_accuracy.inference import gfm_from_samples, independent_joint, joint_from_samples, meuf
from beyond_accuracy.measures.operating_curve import RankedExamples
from beyond_accuracy.operating_points.choice import best_operating_point
from beyond_accuracy.operating_points.objectives import make_objective
from beyond_accuracy.solvers.data_matrix import check_structure


@with_parameters
class MultiLabelOperatingPointClassifier(DecisionWrapper):
    """Predicts the labels that are best for an F-measure under a classifier's probabilities.

    Parameters
    ----------
    estimator : multi-label classifier with predict_proba
        Of scikit-learn, whose list of arrays (RandomForestClassifier, MultiOutputClassifier) is
        understood as well as an array (OneVsRestClassifier), or of this package.
    objective : {"instance_f1", "macro_f1", "micro_f1"}, default "instance_f1"
        "instance_f1", the mean over rows of the labels' F_β, is decided row by row, without
        thresholds: by GFM on samples of the labels where `estimator` has `sample`, and by MEUF,
        which takes labels for independent given the row, elsewhere. "macro_f1", the mean over
        labels, takes the best threshold of each label, and "micro_f1", of all entries, one
        threshold: both exact on the pooled out-of-fold probabilities.
    beta : float, default 1.0
        Of F_β.
    labels_per_row : int or None, default None
        A budget: of more predicted labels so many are kept, those that surpass their thresholds
        most; with "instance_f1" the best of all predictions within the budget are made.
    joint : {"auto", "independent", "sample"}, default "auto"
        For "instance_f1": "auto" samples where the classifier can.
    cv : int, splitter, iterable, "prefit" or None, default None
        Where the probabilities come from that the thresholds are chosen on. A splitter: out of fold
        (None: 5 folds), and `estimator` is then fitted once more to all data. "prefit": `estimator`
        is fitted already, and X and Y should be data that it has not seen. "instance_f1" chooses
        nothing, and never refits.

    Attributes
    ----------
    estimator_ : classifier
    n_labels_ : int
    classes_ : list of ndarray
        [0, 1] for every label.
    thresholds_ : ndarray, shape (m,)
        A probability above it predicts the label. Not with "instance_f1".
    best_score_ : float
        The objective on the probabilities of `fit`, without budget. Not with "instance_f1".
    n_features_in_, feature_names_in_
        Of `estimator_`, if it has them.

    Notes
    -----
    Of a label without positive examples F_β is 1 if it is never predicted, and nothing is known of
    its threshold: it is never predicted. `sample_weight` counts in the choice of thresholds, and
    goes to the `fit` of `estimator` if that takes it.

    References
    ----------
    K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure
    Maximization, NIPS 2011; Z. C. Lipton, C. Elkan, B. Naryanaswamy, Optimal Thresholding of
    Classifiers to Maximize F1 Measure, ECML PKDD 2014. https://arxiv.org/abs/1402.1892

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(200, n_classes=4, random_state=0)
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from beyond_accuracy import MultiLabelOperatingPointClassifier
    >>> forest = RandomForestClassifier(20, random_state=0)
    >>> classifier = MultiLabelOperatingPointClassifier(forest, "macro_f1", cv=3).fit(X, Y)
    >>> classifier.predict(X[:3]).shape
    (3, 4)
    """

    estimator: ProbabilisticClassifier
    objective: Literal["instance_f1", "macro_f1", "micro_f1"] = "instance_f1"
    _: KW_ONLY
    beta: Positive = 1.0
    labels_per_row: Count | None = None
    joint: Literal["auto", "independent", "sample"] = "auto"
    cv: CrossValidation | Literal["prefit"] = None

    def fit(
        self, X: Any, Y: MatrixLike, sample_weight: ArrayLike | None = None, **params: Any
    ) -> Self:
        """Fit the estimator, unless cv="prefit", and choose the thresholds.

        Parameters
        ----------
        X
            As `estimator` takes it.
        Y : array of 0 and 1, shape (n, m)
            Dense or sparse.
        sample_weight : array of float, shape (n,), optional
            Non-negative.
        **params
            For the `fit` of `estimator`, or where metadata routing sends them.

        Raises
        ------
        ValueError
            If Y is no indicator of two labels or more, a prefit classifier has another number of
            them, probabilities are no numbers of [0, 1], or joint="sample" and there is no
            `sample`.
        """
        self._validate_params()
        check_structure(X)
        check_structure(Y, "Y")
        X, _ = indexable(X, Y)
        Y = check_label_indicator(Y)
        if len(Y) == 0:
            raise ValueError("found 0 samples; at least one is needed")
        if self.joint == "sample" and not hasattr(self.estimator, "sample"):
            raise ValueError(
                f'joint="sample" needs a classifier with `sample`; {type(self.estimator).__name__} '
                'has none: take joint="independent"'
            )
        if sample_weight is not None:
            sample_weight = _check_sample_weight(
                sample_weight, X, dtype=np.float64, ensure_non_negative=True
            )
        self.n_labels_: int = Y.shape[1]
        self.classes_: list[np.ndarray] = [np.array([0, 1])] * self.n_labels_
        to_fit = to_split = {}
        if self._is_prefit:
            self._check_prefit(params)
            self._keep(self.estimator)
        else:
            to_fit, to_split = self._with_weights(sample_weight, params)
            self._keep(clone(self.estimator).fit(X, Y, **to_fit))
        for name in ("thresholds_", "best_score_"):
            vars(self).pop(name, None)
        if self.objective != "instance_f1":
            marginals = self._held_out(X, Y, to_fit, to_split)
            self._choose(Y.astype(bool), marginals, sample_weight)
        return self

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Label indicator, int64, shape (n, m)."""
        check_is_fitted(self)
        marginals = self.predict_proba(X)
        if self.objective != "instance_f1":
            surplus = marginals - self.thresholds_
            return _within_budget(surplus > 0, surplus, self.labels_per_row)
        sampled = self.joint != "independent" and hasattr(self.estimator_, "sample")
        samples = self.estimator_.sample(X) if sampled else None
        chosen = gfm_from_samples(samples, self.beta) if sampled else meuf(marginals, self.beta)
        chosen = chosen[0].astype(np.int64)
        if self.labels_per_row is not None:
            for row in np.flatnonzero(chosen.sum(axis=1) > self.labels_per_row):
                if sampled:
                    joint, p_empty = (each[0] for each in joint_from_samples(samples[[row]]))
                else:
                    joint, p_empty = independent_joint(marginals[row])
                chosen[row] = _best_within(self.labels_per_row, joint, p_empty, self.beta)
        return chosen

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Marginals P(y_j = 1 | x) of the classifier, float64, shape (n, m)."""
        check_is_fitted(self)
        check_structure(X)
        return _marginals(self.estimator_, X, self.n_labels_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        return tags

    def get_metadata_routing(self) -> MetadataRouter:
        """Where keywords of `fit` go under metadata routing."""
        return super().get_metadata_routing().add_self_request(self)

    def _held_out(self, X, Y, to_fit, to_split):
        """Marginals that the thresholds are chosen on, shape (n, m)."""
        if self._is_prefit:
            return self.predict_proba(X)
        marginals = np.full(Y.shape, np.nan)
        n = len(Y)
        for train, test in check_cv(self.cv).split(X, Y, **to_split):
            kept = {
                name: _safe_indexing(value, train)
                if hasattr(value, "__len__") and not isinstance(value, str) and len(value) == n
                else value
                for name, value in to_fit.items()
            }
            model = clone(self.estimator).fit(_safe_indexing(X, train), Y[train], **kept)
            marginals[test] = _marginals(model, _safe_indexing(X, test), self.n_labels_)
        missing = np.isnan(marginals[:, 0])
        if missing.any():
            raise ValueError(
                f"{missing.sum()} rows are in no test part of cv; every row needs to be in one"
            )
        return marginals

    def _choose(self, Y, marginals, sample_weight):
        weights = np.ones(len(Y)) if sample_weight is None else sample_weight
        Y, marginals, weights = Y[weights > 0], marginals[weights > 0], weights[weights > 0]
        if self.objective == "micro_f1":
            self.best_score_: float
            threshold, self.best_score_ = self._best(
                Y.ravel(), marginals.ravel(), np.repeat(weights, self.n_labels_)
            )
            self.thresholds_: NDArray[np.float64] = np.full(self.n_labels_, threshold)
            return
        points = [self._best(Y[:, j], marginals[:, j], weights) for j in range(self.n_labels_)]
        self.thresholds_ = np.array([threshold for threshold, _ in points])
        self.best_score_ = float(np.mean([value for _, value in points]))

    def _best(self, positive, probabilities, weights):
        if not positive.any():
            return np.inf, 1.0
        square = self.beta**2

        def f_beta(tp, fp, fn, tn):
            return (1 + square) * tp / ((1 + square) * tp + square * fn + fp)

        point = best_operating_point(
            RankedExamples(positive, probabilities),
            make_objective(f_beta, None, positive),
            (),
            weights,
        )
        return point.threshold, point.value


def _best_within(budget, joint, p_empty, beta):
    """Labels of largest expected F_β among those of at most `budget`, shape (m,); as in GFM."""
    m = len(joint)
    sizes = np.arange(1, m + 1)
    # [i, k − 1] is what label i adds to the expected F_β of a prediction of size k.
    gains = joint @ ((1 + beta**2) / (beta**2 * sizes[:, None] + sizes))[:, :budget]
    order = np.argsort(-gains, axis=0, kind="stable")
    best, chosen = float(p_empty), order[:0, 0]
    for k in range(1, budget + 1):
        expected = gains[order[:k, k - 1], k - 1].sum()
        if expected > best:
            best, chosen = expected, order[:k, k - 1]
    predicted = np.zeros(m, dtype=np.int64)
    predicted[chosen] = 1
    return predicted


def _within_budget(chosen, order_by, labels_per_row):
    """The chosen labels, at most so many a row: of the largest values, the first of equals."""
    if labels_per_row is not None and labels_per_row < chosen.shape[1]:
        values = np.where(chosen, order_by, -np.inf)
        dropped = np.argsort(-values, axis=1, kind="stable")[:, labels_per_row:]
        chosen = chosen.copy()
        np.put_along_axis(chosen, dropped, False, axis=1)
    return chosen.astype(np.int64)


def _marginals(estimator, X, n_labels):
    """P(y_j = 1 | x), shape (n, m), of an array or of a list of arrays, one a label."""
    found = estimator.predict_proba(X)
    if isinstance(found, list):
        known = estimator.classes_
        found = np.column_stack(
            [
                # A label that was constant in training has one class only.
                columns[:, list(classes).index(1)] if 1 in classes else np.zeros(len(columns))
                for columns, classes in zip(found, known, strict=True)
            ]
        )
    found = np.asarray(found, dtype=np.float64)
    if found.ndim != 2 or found.shape[1] != n_labels:
        raise ValueError(
            f"the classifier's probabilities have shape {found.shape}; (n, {n_labels}) is needed, "
            "one column for each label of Y"
        )
    wrong = ~((found >= 0) & (found <= 1))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"the classifier's probability of label {column} in row {row} is {found[row, column]}; "
            "it must be in [0, 1]"
        )
    return found
