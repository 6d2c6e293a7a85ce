"""Any binary classifier, at the threshold that is best for an objective under constraints."""

import warnings
from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Tags, check_random_state, indexable
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    column_or_1d,
)

from beyond_accuracy.estimators.binary_classifier import encode_binary_labels
from beyond_accuracy.estimators.decision_wrapper import DecisionWrapper
from beyond_accuracy.estimators.parameters import (
    ArrayLike,
    CrossValidation,
    NotNegativeCount,
    RandomState,
    ScoringClassifier,
    between,
    with_parameters,
)
from beyond_accuracy.measures.operating_curve import RankedExamples
from beyond_accuracy.operating_points.choice import (
    best_operating_point,
    bootstrap_intervals,
    explain_infeasible,
)
from beyond_accuracy.operating_points.constraints import parse_constraints
from beyond_accuracy.operating_points.guarantee import certified_thresholds
from beyond_accuracy.operating_points.objectives import make_objective
from beyond_accuracy.solvers.data_matrix import check_structure


def _passed_on(name):
    """Make a method available where the classifier has it."""

    def has_it(classifier):
        getattr(vars(classifier).get("estimator_", classifier.estimator), name)
        return True

    return available_if(has_it)


@with_parameters
class OperatingPointClassifier(DecisionWrapper):
    """Predicts with the threshold on a classifier's scores that is best, exactly, for an objective.

    All thresholds on the pooled scores are compared, in O(n log n), ties being one threshold.

    Parameters
    ----------
    estimator : classifier with predict_proba or decision_function
    objective : str, Measure or callable, default "f1"
        A measure of the contingency table, by name or as a function of (TP, FP, FN, TN) that
        broadcasts, which is maximized; or "cost", the average cost, which is minimized.
    constraints : str, list of str or None, default None
        Such as "precision >= 0.9"; of precision, recall, specificity, false_positive_rate,
        negative_predictive_value, predicted_positive_rate, accuracy and other measures of the
        contingency table. "predicted_positives <= 500" is a budget of a batch: `predict_batch`
        keeps to it, and `predict`, which decides row by row, refuses.
    cost_matrix : array, shape (2, 2), or None, default None
        cost_matrix[true, predicted] for objective "cost", of any sign; `fit` takes one for each
        example.
    cv : int, splitter, iterable, "prefit" or None, default None
        Where the scores come from. A splitter: out of fold (None: 5 stratified folds), and
        `estimator` is then fitted once more to all data. "prefit": `estimator` is fitted already,
        is not cloned, and X and y should be data that it has not seen.
    response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
        Which scores; "auto" takes probabilities where there are any.
    guarantee : float or None, default None
        The probability with which the constraints hold on new data; see `certified_thresholds`.
        For cv="prefit" and examples without weights only.
    n_resamples : int, default 0
        Bootstrap samples of the scores for the intervals, O(n) each.
    confidence_level : float, default 0.95
        Of the intervals.
    random_state : int, RandomState or None, default 0
        Of bootstrap and guarantee.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The second class is the positive one.
    estimator_ : classifier
    best_threshold_ : float
        A score above it predicts `classes_[1]`.
    best_score_ : float
        The objective on the scores: the measure, or the average cost.
    table_ : tuple of float
        TP, FP, FN and TN there.
    threshold_interval_, score_interval_ : tuple of float
        Bootstrap intervals, if `n_resamples` > 0: of the choice, the classifier being given.
    infeasible_share_ : float
        Share of the bootstrap samples in which no threshold meets the constraints.
    n_features_in_, feature_names_in_
        Of `estimator_`, if it has them.

    Notes
    -----
    Of equally good thresholds the one with the widest gap between the scores around it is taken.
    `sample_weight` counts in the choice, and goes to the `fit` of `estimator` if that takes it
    (with metadata routing: if that requests it); other keywords go to the `fit` of `estimator`.

    References
    ----------
    https://scikit-learn.org/stable/modules/classification_threshold.html

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from sklearn.linear_model import LogisticRegression
    >>> from beyond_accuracy import OperatingPointClassifier
    >>> classifier = OperatingPointClassifier(LogisticRegression(), "f1").fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 1, 1])
    """

    estimator: ScoringClassifier
    objective: Any = "f1"
    _: KW_ONLY
    constraints: Any = None
    cost_matrix: ArrayLike | None = None
    cv: CrossValidation | Literal["prefit"] = None
    response_method: Literal["auto", "predict_proba", "decision_function"] = "auto"
    guarantee: Annotated[float, between(0, 1)] | None = None
    n_resamples: NotNegativeCount = 0
    confidence_level: Annotated[float, between(0, 1)] = 0.95
    random_state: RandomState = 0

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        cost_matrix: ArrayLike | None = None,
        **params: Any,
    ) -> Self:
        """Fit the estimator, unless cv="prefit", and choose the threshold.

        Parameters
        ----------
        X, y
            As `estimator` takes them; y of two classes.
        sample_weight : array of float, shape (n,), optional
            Non-negative.
        cost_matrix : array, shape (n, 2, 2), optional
            [true, predicted] of each example, in place of the parameter.
        **params
            See the notes.

        Raises
        ------
        ValueError
            If objective, constraints or costs make no sense, y has not two classes, a training part
            of `cv` has one class only, scores are not finite, no threshold meets the constraints
            (it says how near they come), or none can be guaranteed to.
        """
        self._validate_params()
        constraints = parse_constraints(self.constraints)
        rates = [each for each in constraints if not each.is_budget]
        check_structure(X)
        X, y = indexable(X, column_or_1d(y, warn=True))
        if self.guarantee is not None and (not self._is_prefit or sample_weight is not None):
            raise ValueError(
                'a guarantee needs cv="prefit", and data that the classifier has not seen, without '
                "weights: out-of-fold scores are those of other classifiers"
            )
        if self.guarantee is not None and not rates:
            raise ValueError("a guarantee is one of constraints; found none on a rate")
        if sample_weight is not None:
            sample_weight = _check_sample_weight(
                sample_weight, X, dtype=np.float64, ensure_non_negative=True
            )
        classes, positive = self._encode(y)
        costs = self.cost_matrix if cost_matrix is None else cost_matrix
        objective = make_objective(self.objective, costs, positive)
        scores = self._scores(X, y, positive, sample_weight, params)
        self.classes_: np.ndarray = classes
        if sample_weight is not None and not (sample_weight > 0).all():
            used = sample_weight > 0
            positive, scores, sample_weight = positive[used], scores[used], sample_weight[used]
            objective = objective.of(used)
        self._choose(objective, rates, positive, scores, sample_weight)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Class labels, shape (n,); ValueError if there is a budget, which is one of a batch."""
        for constraint in parse_constraints(self.constraints):
            if constraint.is_budget:
                raise ValueError(
                    f"predict decides row by row and cannot honour '{constraint}'; use "
                    "predict_batch(X), whose rows are decided together"
                )
        scores = self.scores(X)
        return self.classes_[(scores > self.best_threshold_).astype(int)]

    def predict_batch(self, X: Any) -> np.ndarray:
        """Class labels, shape (n,), of rows decided together, so that budgets are kept.

        Positive are the highest scores above the threshold, as many as the budget allows; of equal
        scores the first rows. It warns if the budget is larger than the batch.
        """
        scores = self.scores(X)
        chosen = np.flatnonzero(scores > self.best_threshold_)
        for constraint in parse_constraints(self.constraints):
            if not constraint.is_budget:
                continue
            if constraint.bound > len(scores):
                warnings.warn(
                    f"'{constraint}' binds nothing: there are {len(scores)} rows", stacklevel=2
                )
            ranked = np.argsort(-scores[chosen], kind="stable")
            chosen = chosen[ranked[: int(constraint.bound)]]
        predicted = np.zeros(len(scores), dtype=int)
        predicted[chosen] = 1
        return self.classes_[predicted]

    def scores(self, X: Any) -> NDArray[np.float64]:
        """What is compared with `best_threshold_`, shape (n,): see `response_method`."""
        check_is_fitted(self)
        check_structure(X)
        return _finite(getattr(self.estimator_, self._method())(X))

    @_passed_on("predict_proba")
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Those of the classifier, shape (n, 2), unaltered."""
        check_is_fitted(self)
        check_structure(X)
        return self.estimator_.predict_proba(X)

    @_passed_on("predict_log_proba")
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Those of the classifier, shape (n, 2), unaltered."""
        check_is_fitted(self)
        check_structure(X)
        return self.estimator_.predict_log_proba(X)

    @_passed_on("decision_function")
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Those of the classifier, shape (n,), unaltered; `best_threshold_` may not be 0."""
        check_is_fitted(self)
        check_structure(X)
        return self.estimator_.decision_function(X)

    def get_metadata_routing(self) -> MetadataRouter:
        """Where keywords of `fit` go under metadata routing."""
        return super().get_metadata_routing().add_self_request(self)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _encode(self, y):
        if len(y) == 0:
            raise ValueError("found 0 samples; at least one of each of two classes is needed")
        classes, positive = encode_binary_labels(y)
        if self._is_prefit:
            check_is_fitted(self.estimator)
            if not np.array_equal(classes, self.estimator.classes_):
                raise ValueError(
                    f"the classes of y are {classes.tolist()}, those of the fitted classifier "
                    f"{list(self.estimator.classes_)}; they must be the same two"
                )
        return classes, positive

    def _scores(self, X, y, positive, sample_weight, params):
        """Fit the estimator and return the scores to choose the threshold on, shape (n,)."""
        if self._is_prefit:
            self._check_prefit(params)
            self._keep(self.estimator)
            return self.scores(X)
        to_fit, to_split = self._with_weights(sample_weight, params)
        splits = self._splits(X, y, to_split)
        for number, (train, _) in enumerate(splits):
            if positive[train].all() or not positive[train].any():
                raise ValueError(
                    f"the training part of fold {number} has one class only; take fewer folds or "
                    "stratified ones"
                )
        responses = self._out_of_fold(X, y, splits, self._method(), to_fit)
        self._keep(clone(self.estimator).fit(X, y, **to_fit))
        return _finite(responses)

    def _method(self):
        if self.response_method != "auto":
            return self.response_method
        has_probabilities = hasattr(self.estimator, "predict_proba")
        return "predict_proba" if has_probabilities else "decision_function"

    def _choose(self, objective, constraints, positive, scores, sample_weight):
        random_state = check_random_state(self.random_state)
        examples = RankedExamples(positive, scores)
        allowed = None
        if self.guarantee is not None:
            allowed = certified_thresholds(
                positive, scores, constraints, self.guarantee, random_state
            )
        point = best_operating_point(examples, objective, constraints, sample_weight, allowed)
        if point is None:
            curve = examples.curve(sample_weight)
            reason = explain_infeasible(curve, constraints)
            if reason is None:
                listed = ", ".join(f"'{constraint}'" for constraint in constraints)
                reason = (
                    f"thresholds meet {listed} on these {len(scores)} examples, but none can be "
                    f"guaranteed to with probability {self.guarantee:g}; more examples, a lower "
                    "probability or a looser bound are needed"
                )
            raise ValueError(reason)
        self.best_score_: float
        self.best_threshold_: float
        self.best_threshold_, self.best_score_ = point.threshold, point.value
        self.table_: tuple[float, float, float, float] = point.table
        if self.n_resamples:
            intervals = bootstrap_intervals(
                examples,
                objective,
                constraints,
                sample_weight,
                n_resamples=self.n_resamples,
                confidence_level=self.confidence_level,
                random_state=random_state,
            )
            self.infeasible_share_: float
            self.score_interval_: tuple[float, float]
            self.threshold_interval_: tuple[float, float]
            self.threshold_interval_, self.score_interval_, self.infeasible_share_ = intervals


def _finite(responses):
    scores = np.asarray(responses, dtype=np.float64)
    scores = scores[:, 1] if scores.ndim == 2 else scores
    if not np.isfinite(scores).all():
        raise ValueError(
            f"{np.count_nonzero(~np.isfinite(scores))} of {len(scores)} scores of the classifier "
            "are NaN or infinite; every example needs a finite score"
        )
    return scores
