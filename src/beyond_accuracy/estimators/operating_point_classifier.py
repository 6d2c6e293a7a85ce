"""Meta-estimator that chooses the best threshold for an objective under constraints."""

import warnings
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Tags, check_random_state, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import (
    check_is_fitted,
    column_or_1d,
)

from beyond_accuracy.estimators.binary_classifier import encode_binary_labels
from beyond_accuracy.estimators.decision_wrapper import DecisionWrapper
from beyond_accuracy.estimators.parameters import (
    ArrayLike,
)
from beyond_accuracy.estimators.scorers import average_cost, class_indices
from beyond_accuracy.measures.operating_curve import RankedExamples
from beyond_accuracy.measures.weights import total_weight
from beyond_accuracy.operating_points.choice import (
    best_operating_point,
    bootstrap_intervals,
    explain_infeasible,
    weights_in_range,
)
from beyond_accuracy.operating_points.constraints import parse_constraints
from beyond_accuracy.operating_points.guarantee import certified_thresholds
from beyond_accuracy.operating_points.objectives import (
    check_costs,
    expected_savings,
    make_objective,
)
from beyond_accuracy.reweighting.line_objectives import confusion_matrix
from beyond_accuracy.scikit_learn import HasMethods, Interval, StrOptions, check_sample_weight
from beyond_accuracy.solvers.data_matrix import check_structure

# OneVsRestClassifier takes the estimator's scores instead of the decisions.
_FOR_SEVERAL = (
    "For several classes take ReweightedClassifier, with its scoring or costs; for several labels "
    "MultiLabelOperatingPointClassifier. Wrapped in sklearn.multiclass.OneVsRestClassifier the "
    "thresholds would not be used."
)


def _passed_on(name):
    """Return a decorator that makes a method available if the wrapped classifier has `name`."""

    def has_it(classifier):
        getattr(vars(classifier).get("estimator_", classifier.estimator), name)
        return True

    return available_if(has_it)


class OperatingPointClassifier(DecisionWrapper):
    """Binary classifier with the threshold on its scores that is best for an objective.

    The objective is a measure such as F1, or the average cost, optionally under constraints. All
    thresholds on the pooled out-of-fold scores are compared, in O(n log n).

    Parameters
    ----------
    estimator : classifier with predict_proba or decision_function
    objective : str, Measure, callable or array of shape (2, 2), default "f1"
        One of the following; see `make_objective`:

        - A measure of the contingency table, by name or as a function of (TP, FP, FN, TN). It is
          maximized, except that "false_positive_rate" and "predicted_positive_rate" are minimized.
          A ratio 0/0 is 0.
        - "cost": the average cost, which is minimized.
        - A cost matrix, [true, predicted], for the average cost.
    constraints : str, list of str or None, default None
        Constraints such as "precision >= 0.9". The left side is precision, recall, specificity,
        false_positive_rate, negative_predictive_value, predicted_positive_rate, accuracy, f1,
        geometric_mean, matthews_corrcoef or another measure of the contingency table.

        "predicted_positives <= 500" is a budget for a batch of rows. The threshold is chosen under
        the budget, and `predict_batch` respects it. `predict`, which decides row by row, raises
        ValueError.
    batch_size : int or None, default None
        Number of rows in a batch with a budget. In `fit`, the share budget / batch_size of the n
        examples (of the sum of weights) may be predicted positive. None is a batch as large as the
        data of `fit`.
    cost_matrix : array, shape (2, 2), or None, default None
        cost_matrix[true, predicted] for objective "cost", where index 1 is the positive class.
        Costs may be negative. `fit` also takes one matrix per example, but `ReweightedClassifier`
        decides better by such costs.
    pos_label : int, float, bool, str or None, default None
        The positive class. None is `classes_[1]`, the second class in sorted order, with a warning
        if the classes are strings.
    cv : int, splitter, iterable, "prefit" or None, default None
        Source of the scores on which the threshold is chosen. For a splitter, they are out-of-fold
        scores, and `estimator` is fitted again to all data; None is 5 stratified folds. For
        "prefit", `estimator` is already fitted and not cloned, and X and y should be data that it
        has not seen.
    response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
        Method of `estimator` that gives the scores. "auto" is predict_proba if available, otherwise
        decision_function.
    guarantee : float or None, default None
        Probability with which the constraints hold on new data; see `certified_thresholds`.
        Requires cv="prefit", no sample weights, and constraints on rates without a budget.
    n_resamples : int, default 0
        Number of bootstrap samples of the scores for the intervals. Each takes O(n).
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    random_state : int, RandomState or None, default 0
        Seed for the bootstrap and the guarantee.
    n_jobs : int or None, default None
        Number of folds fitted in parallel; −1 uses all cores. None is 1, unless a joblib context
        sets it.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    pos_label_
        The positive class.
    estimator_ : classifier
        The fitted classifier.
    best_threshold_ : float
        A score above the threshold predicts the positive class.
    best_score_ : float
        Value of the measure or the average cost on the scores on which the threshold was chosen. It
        is optimistic, as the best of many values; see `score_interval_`.
    table_ : tuple of float
        TP, FP, FN and TN at the threshold on these scores.
    by_savings_ : bool
        Whether `best_threshold_` is a threshold on expected savings instead of scores; see the
        notes.
    needs_costs_ : bool
        Whether `fit` got costs, so that `score` needs the costs of its rows.
    threshold_interval_, score_interval_ : tuple of float
        Confidence intervals, for the fitted classifier, of the threshold and of the objective on
        new data; `best_score_` may be outside. Only if `n_resamples` > 0. With a guarantee, all
        resamples choose among the same certified thresholds. See `bootstrap_intervals`.
    infeasible_share_ : float
        Share of the bootstrap samples in which no threshold meets the constraints.
    n_features_in_, feature_names_in_
        Attributes of `estimator_`, if it has them.

    Notes
    -----
    If several thresholds are best, those with avoidable errors are excluded first. Of the others,
    the one with the widest gap between neighbouring scores is chosen. `predict` need not agree with
    `decision_function` > 0, as scikit-learn's `check_estimator` expects of most classifiers.

    If more scores are above the threshold than a budget allows, the highest ones are predicted
    positive. If costs vary by example, a budget is spent on the rows with the largest expected
    savings instead. The expected savings of a row are (1 − p)·(c[0, 0] − c[0, 1]) + p·(c[1, 0] −
    c[1, 1]), where p is the probability of the positive class and c the cost matrix of the row. The
    threshold is then on expected savings. It is 0, or, if there are constraints besides the budget,
    the best threshold that meets them. `predict_batch` needs the costs of its rows.

    Without a budget, one threshold decides all rows, whatever their costs are. If costs vary by
    row, `ReweightedClassifier(estimator, "expected_cost")` costs less, and `fit` warns.

    `sample_weight` counts in the choice of the threshold. It is passed to `estimator.fit` if that
    method takes it (with metadata routing: requests it). Other keywords are passed to
    `estimator.fit`. A `Pipeline` passes sample weights to none of its steps; `fit` then raises a
    ValueError that says what to do.

    References
    ----------
    Z. C. Lipton, C. Elkan, B. Naryanaswamy, Optimal Thresholding of Classifiers to Maximize F1
    Measure, ECML PKDD 2014. https://arxiv.org/abs/1402.1892; beside it scikit-learn's
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

    _parameter_constraints: dict[str, list[Any]] = {
        "estimator": [
            HasMethods(["fit", "predict_proba"]),
            HasMethods(["fit", "decision_function"]),
        ],
        "batch_size": [Interval(Integral, 1, None, closed="left"), None],
        "cost_matrix": ["array-like", None],
        "cv": ["cv_object", StrOptions({"prefit"})],
        "response_method": [StrOptions({"auto", "decision_function", "predict_proba"})],
        "guarantee": [Interval(Real, 0, 1, closed="neither"), None],
        "n_resamples": [Interval(Integral, 0, None, closed="left")],
        "confidence_level": [Interval(Real, 0, 1, closed="neither")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    # With metadata routing, costs reach `fit` and `score` without set_fit_request.
    __metadata_request__fit = {"cost_matrix": True}
    __metadata_request__score = {"cost_matrix": True}

    def __init__(
        self,
        estimator: Any,
        objective: Any = "f1",
        *,
        constraints: Any = None,
        batch_size: int | None = None,
        cost_matrix: ArrayLike | None = None,
        pos_label: Any = None,
        cv: Any | Literal["prefit"] = None,
        response_method: Literal["auto", "predict_proba", "decision_function"] = "auto",
        guarantee: float | None = None,
        n_resamples: int = 0,
        confidence_level: float = 0.95,
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.objective = objective
        self.constraints = constraints
        self.batch_size = batch_size
        self.cost_matrix = cost_matrix
        self.pos_label = pos_label
        self.cv = cv
        self.response_method = response_method
        self.guarantee = guarantee
        self.n_resamples = n_resamples
        self.confidence_level = confidence_level
        self.random_state = random_state
        self.n_jobs = n_jobs

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
            Features and labels in any form that `estimator` takes. y has two classes.
        sample_weight : array of float, shape (n,), optional
            Non-negative weights of the examples.
        cost_matrix : array, shape (n, 2, 2), optional
            Costs of each example, [true, predicted]. They replace the parameter `cost_matrix`.
        **params
            Keywords for `estimator.fit`; see the notes of the class.

        Raises
        ------
        ValueError
            If a parameter is invalid; if the examples with positive weight do not have two classes,
            one of which is `pos_label`; if `cv` has a training set of one class, or test sets that
            do not contain each example once; if scores or the sum of weights are not finite; or if
            no threshold meets the constraints, or can be guaranteed to meet them.
        """
        self._validate_params()
        constraints = parse_constraints(self.constraints, self.batch_size)
        check_structure(X)
        X, y = indexable(X, column_or_1d(y, warn=True))
        self._check_options(constraints, sample_weight)
        if sample_weight is not None:
            sample_weight = check_sample_weight(
                sample_weight, X, dtype=np.float64, ensure_non_negative=True
            )
        classes, positive = self._encode(y, sample_weight)
        costs = self.cost_matrix if cost_matrix is None else cost_matrix
        objective = make_objective(self.objective, costs, positive)
        budgets = [each for each in constraints if each.is_budget]
        self.needs_costs_: bool = cost_matrix is not None
        self.by_savings_: bool = bool(budgets) and np.ndim(costs) == 3
        if not constraints and np.ndim(costs) == 3 and np.ptp(costs, axis=0).any():
            warnings.warn(
                "costs differ from row to row, but one threshold decides all rows; "
                'ReweightedClassifier(estimator, "expected_cost") decides by the costs of each '
                "row, which costs less if probabilities are calibrated",
                UserWarning,
                stacklevel=2,
            )
        if self.by_savings_ and self._method() != "predict_proba":
            raise ValueError(
                "with costs of each example a budget is filled by expected savings, which take "
                "probabilities; wrap the classifier in sklearn.calibration.CalibratedClassifierCV, "
                "or give one cost matrix for all examples"
            )
        self.classes_: np.ndarray = classes
        scores = self._scores(X, y, positive, sample_weight, params)
        if self.by_savings_:
            scores = expected_savings(scores, check_costs(costs, len(scores)))
        if sample_weight is not None and not (sample_weight > 0).all():
            used = sample_weight > 0
            positive, scores, sample_weight = positive[used], scores[used], sample_weight[used]
            objective = objective.of(used)
        n_rows = self.batch_size
        if budgets and n_rows is None:
            n_rows = len(scores) if sample_weight is None else total_weight(sample_weight)
        _warn_of_loose(budgets, n_rows)
        self._choose(objective, constraints, positive, scores, sample_weight)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return predicted class labels, shape (n,).

        Raises ValueError if there is a budget, which needs `predict_batch`.
        """
        for constraint in parse_constraints(self.constraints):
            if constraint.is_budget:
                raise ValueError(
                    f"predict decides row by row and cannot honour '{constraint}'; use "
                    "predict_batch(X), whose rows are decided together"
                )
        return self._labels(self.scores(X) > self.best_threshold_)

    def predict_batch(self, X: Any, cost_matrix: ArrayLike | None = None) -> np.ndarray:
        """Return class labels, shape (n,), of rows that are decided together, under the budget.

        The highest scores above the threshold are predicted positive, as many as the budget allows.
        Among equal scores, the first rows are chosen. A warning says if the budget is larger than
        the batch.

        `cost_matrix`, shape (n, 2, 2) or (2, 2), holds the costs of these rows. It is required if
        `by_savings_` is True, and not allowed otherwise; ValueError is raised in both cases.
        """
        scores = self.scores(X)
        if self.by_savings_:
            if cost_matrix is None:
                raise ValueError(
                    "fit was given costs of each example, so that a budget is filled by expected "
                    "savings: give those of these rows, predict_batch(X, cost_matrix)"
                )
            scores = expected_savings(scores, check_costs(cost_matrix, len(scores)))
        elif cost_matrix is not None:
            raise ValueError(
                "costs count in predict_batch only with a budget and costs of each example in fit; "
                'without a budget take ReweightedClassifier(estimator, "expected_cost")'
            )
        chosen = np.flatnonzero(scores > self.best_threshold_)
        budgets = [each for each in parse_constraints(self.constraints) if each.is_budget]
        _warn_of_loose(budgets, len(scores))
        for budget in budgets:
            ranked = np.argsort(-scores[chosen], kind="stable")
            chosen = chosen[ranked[: int(budget.bound)]]
        predicted = np.zeros(len(scores), dtype=bool)
        predicted[chosen] = True
        return self._labels(predicted)

    def score(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        cost_matrix: ArrayLike | None = None,
    ) -> float:
        """Return the objective on X and y, or minus it if less is better, so that more is better.

        `GridSearchCV` selects by this score unless it is given another one. Constraints other than
        budgets do not count. With costs, here or as parameters, it is minus the average cost.
        `cost_matrix` has shape (2, 2) or (n, 2, 2). ValueError without it if `needs_costs_`.
        """
        costs = self._costs_to_score(cost_matrix)
        if any(each.is_budget for each in parse_constraints(self.constraints)):
            predicted = self.predict_batch(X, costs if self.by_savings_ else None)
        else:
            predicted = self.predict(X)
        classes = [self.classes_[self.classes_ != self.pos_label_][0], self.pos_label_]
        if costs is None and np.ndim(self.objective) == 2:
            costs = self.objective
        if costs is not None:
            return -average_cost(y, predicted, classes, costs, sample_weight)
        labels, decisions = class_indices(y, classes), class_indices(predicted, classes)
        objective = make_objective(self.objective, None, labels == 1)
        table = confusion_matrix(labels, decisions, 2, sample_weight)
        value = float(objective.table_function(table[1, 1], table[0, 1], table[1, 0], table[0, 0]))
        return -value if objective.minimized else value

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Return scores of the positive class, shape (n,), by the method `response_method`.

        They are compared with `best_threshold_`, unless `by_savings_` is True.
        """
        check_is_fitted(self)
        check_structure(X)
        return self._of_positive(getattr(self.estimator_, self._method())(X))

    @_passed_on("predict_proba")
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the wrapped classifier's class probabilities, shape (n, 2)."""
        check_is_fitted(self)
        check_structure(X)
        return self.estimator_.predict_proba(X)

    @_passed_on("predict_log_proba")
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the wrapped classifier's log-probabilities, shape (n, 2)."""
        check_is_fitted(self)
        check_structure(X)
        return self.estimator_.predict_log_proba(X)

    @_passed_on("decision_function")
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the wrapped classifier's decision values, (n,); positive for `classes_[1]`."""
        check_is_fitted(self)
        check_structure(X)
        return self.estimator_.decision_function(X)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _check_options(self, constraints, sample_weight):
        budgets = [each for each in constraints if each.is_budget]
        if self.batch_size is not None and not budgets:
            raise ValueError(
                "batch_size is that of a budget; constraints has none, such as "
                "'predicted_positives <= 500'"
            )
        if self.guarantee is None:
            return
        if not self._is_prefit or sample_weight is not None:
            raise ValueError(
                'a guarantee needs cv="prefit", and data that the classifier has not seen, without '
                "weights: out-of-fold scores are those of other classifiers"
            )
        if len(budgets) == len(constraints):
            raise ValueError("a guarantee is one of constraints; found none on a rate")
        if budgets:
            raise ValueError(
                f"a guarantee is one of thresholds, which '{budgets[0]}' moves from batch to "
                "batch; bound predicted_positive_rate instead"
            )

    def _encode(self, y, sample_weight):
        if len(y) == 0:
            raise ValueError("found 0 samples; at least one of each of two classes is needed")
        classes, positive = encode_binary_labels(y, _FOR_SEVERAL)
        if self._is_prefit:
            check_is_fitted(self.estimator)
            if not np.array_equal(classes, self.estimator.classes_):
                raise ValueError(
                    f"the classes of y are {classes.tolist()}, those of the fitted classifier "
                    f"{list(self.estimator.classes_)}; they must be the same two"
                )
        self.pos_label_: Any = classes[1] if self.pos_label is None else self.pos_label
        if self.pos_label_ not in classes.tolist():
            raise ValueError(
                f"pos_label={self.pos_label!r} is not a valid label: it should be one of "
                f"{classes.tolist()}"
            )
        if self.pos_label is None and classes.dtype.kind not in "biuf":
            warnings.warn(
                f"the positive class is {classes.tolist()[1]!r}, the last in sorted order; choose "
                "it, or the other, by pos_label",
                UserWarning,
                stacklevel=3,
            )
        if self.pos_label_ == classes[0]:
            positive = ~positive
        if sample_weight is not None:
            left = np.unique(y[sample_weight > 0]).tolist()
            if len(left) < 2:
                raise ValueError(
                    f"two classes are needed; the examples with positive weight hold {left}"
                )
        return classes, positive

    def _labels(self, positive):
        at = positive if self.pos_label_ == self.classes_[1] else ~positive
        return self.classes_[at.astype(int)]

    def _of_positive(self, responses):
        """Return scores of the positive class, (n,), from probabilities or decision values."""
        is_second = self.pos_label_ == self.classes_[1]
        scores = np.asarray(responses, dtype=np.float64)
        if scores.ndim == 2:
            scores = scores[:, int(is_second)]
        elif not is_second:
            scores = -scores
        return _finite(scores)

    def _scores(self, X, y, positive, sample_weight, params):
        """Fit the estimator, and return the scores for the choice of the threshold, shape (n,)."""
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
        return self._of_positive(responses)

    def _method(self):
        if self.response_method != "auto":
            return self.response_method
        has_probabilities = hasattr(self.estimator, "predict_proba")
        return "predict_proba" if has_probabilities else "decision_function"

    def _choose(self, objective, constraints, positive, scores, sample_weight):
        for name in ("threshold_interval_", "score_interval_", "infeasible_share_"):
            vars(self).pop(name, None)
        random_state = check_random_state(self.random_state)
        examples = RankedExamples(positive, scores)
        allowed = None
        if self.by_savings_ and all(each.is_budget for each in constraints):
            # Positive savings are worth it. A fitted threshold is worse on new data.
            allowed = np.zeros(1)
        if self.guarantee is not None:
            allowed = certified_thresholds(
                positive, scores, constraints, self.guarantee, random_state
            )
        point = best_operating_point(examples, objective, constraints, sample_weight, allowed)
        if point is None:
            curve = examples.curve(weights_in_range(sample_weight, constraints)[0])
            reason = explain_infeasible(curve, constraints)
            if reason is None and self.guarantee is None:
                reason = (
                    f"the objective {objective.name!r} is NaN or infinite at every threshold"
                    f"{' that meets the constraints' if constraints else ''}"
                )
            elif reason is None:
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
                allowed=allowed,
            )
            self.infeasible_share_: float
            self.score_interval_: tuple[float, float]
            self.threshold_interval_: tuple[float, float]
            self.threshold_interval_, self.score_interval_, self.infeasible_share_ = intervals


def _finite(scores):
    if not np.isfinite(scores).all():
        raise ValueError(
            f"{np.count_nonzero(~np.isfinite(scores))} of {len(scores)} scores of the classifier "
            "are NaN or infinite; every example needs a finite score"
        )
    return scores


def _warn_of_loose(budgets, n_rows):
    for budget in budgets:
        if budget.bound > n_rows:
            warnings.warn(f"'{budget}' binds nothing: there are {n_rows:g} rows", stacklevel=3)
