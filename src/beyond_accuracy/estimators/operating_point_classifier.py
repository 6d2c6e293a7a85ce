"""Meta-estimator that chooses the best threshold for an objective under constraints."""

import warnings
from dataclasses import replace
from numbers import Integral
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils import check_random_state

from beyond_accuracy.estimators.scorers import average_cost, class_indices
from beyond_accuracy.estimators.threshold_classifier import ThresholdClassifier
from beyond_accuracy.estimators.validation import ArrayLike
from beyond_accuracy.estimators.wrapped_classifier import checked_examples
from beyond_accuracy.operating_points.certification import explain_uncertified
from beyond_accuracy.operating_points.choice import (
    best_operating_point,
    bootstrap_intervals,
    explain_infeasible,
    table_at,
)
from beyond_accuracy.operating_points.constraints import parse_constraints
from beyond_accuracy.operating_points.objectives import (
    check_costs,
    expected_savings,
    make_objective,
)
from beyond_accuracy.reweighting.line_objectives import confusion_matrix
from beyond_accuracy.scikit_learn import Interval


class OperatingPointClassifier(ThresholdClassifier):
    """Binary classifier that chooses the best threshold on another classifier's scores.

    The best threshold optimizes an objective, which is a measure such as F1 or the average cost,
    optionally under constraints. All thresholds on the pooled out-of-fold scores are compared.

    Parameters
    ----------
    estimator : classifier with predict_proba or decision_function
    objective : str, Measure, callable or array of shape (2, 2), default "f1"
        One of the following; see `make_objective`:

        - A measure of the contingency table, by name or as a function of (TP, FP, FN, TN). It is
          maximized, except that "false_positive_rate" and "predicted_positive_rate" are minimized.
        - "cost": the average cost, which is minimized.
        - A cost matrix, [true, predicted], for the average cost.
    constraints : str, list of str or None, default None
        Constraints such as "precision >= 0.9". The left side is precision, recall, specificity,
        false_positive_rate, negative_predictive_value, predicted_positive_rate, accuracy, f1,
        geometric_mean, matthews_corrcoef or another measure of the contingency table.

        "predicted_positives <= 500" is a budget for a batch of rows. The threshold is chosen under
        the budget. Predict with `predict_batch`, since `predict` decides row by row and raises
        ValueError.
    batch_size : int or None, default None
        Number of rows in a batch with a budget. In `fit`, the share budget / batch_size of the
        examples may be predicted positive. None is a batch as large as the data of `fit`.
    cost_matrix : array, shape (2, 2), or None, default None
        cost_matrix[true, predicted] for objective "cost", where index 1 is the positive class
        (`pos_label`). Costs may be negative. `fit` also takes one matrix per example; see the
        notes.
    pos_label : int, float, bool, str or None, default None
        The positive class. None is `classes_[1]`, the second class in sorted order, with a warning
        if the classes are strings.
    cv : int, float, splitter, iterable, "prefit" or None, default None
        Folds for the out-of-fold scores on which the threshold is chosen. `estimator` is then
        fitted again to all data.

        - None is 5 stratified folds, and a share such as 0.3 is one stratified holdout.
        - Rows in no test set are left out. Scores of rows in several test sets are averaged.
        - `fit(X, y, groups=…)` keeps groups together.
        - For "prefit", `estimator` is already fitted. X and y should be data that it has not seen,
          and all of them are used to choose the threshold.
    response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
        Method of `estimator` that gives the scores. "auto" is predict_proba if available, otherwise
        decision_function.
    confidence : float or None, default None
        If given, choose the best threshold that meets the constraints on new data with this
        probability. Constraints must be on rates, such as precision; see `certified_thresholds`.
        With cv="prefit", the probability is guaranteed for any number of examples. Otherwise it is
        an estimate, since out-of-fold scores come from other classifiers than the final one.
    n_resamples : int, default 0
        Number of bootstrap samples of the scores for the intervals.
    random_state : int, RandomState or None, default 0
        Seed for the bootstrap and for the estimates on new data.
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
        A score above the threshold predicts the positive class; see `scores`.
    best_score_ : float
        Measure or average cost on the scores on which the threshold was chosen. It is optimistic,
        as the best of many values; see `score_interval_`.
    table_ : tuple of float
        TP, FP, FN and TN at the threshold on these scores.
    by_savings_ : bool
        Whether `best_threshold_` is on expected savings instead of scores; see the notes.
    needs_costs_ : bool
        Whether `fit` got costs, so that `score` needs the costs of its rows.
    constraint_estimates_ : dict of ConstraintEstimate
        Estimates for new data by the text of the constraint, such as "precision >= 0.9": the
        `value` of the measure, a 95 % `interval`, and the `probability` that the constraint holds.
        Budgets are left out.
    constraint_probability_ : float
        Probability that all these constraints hold on new data. Below one half, `fit` warns.
    threshold_interval_, score_interval_ : tuple of float
        95 % intervals of the threshold, and of the objective on new data; `best_score_` may be
        outside. Only if `n_resamples` > 0. See `bootstrap_intervals`.
    n_features_in_, feature_names_in_
        Attributes of `estimator_`, if it has them.

    Notes
    -----
    `predict` need not agree with `decision_function` > 0. For ties, see `best_operating_point`.

    If more scores are above the threshold than a budget allows, the highest ones are predicted
    positive. If costs vary by row, the rows with the largest expected savings are predicted
    positive instead. The expected savings of a row are (1 − p)·(c[0, 0] − c[0, 1]) + p·(c[1, 0] −
    c[1, 1]), where p is the probability of the positive class and c the cost matrix of the row. The
    threshold is then on expected savings, and `predict_batch` needs the costs of its rows.

    Without a budget, one threshold decides all rows. If costs vary by row,
    `ReweightedClassifier(estimator, "expected_cost")` costs less, and `fit` warns.

    `sample_weight` counts in the choice of the threshold. It is passed to `estimator.fit` if that
    method takes it (with metadata routing: requests it). Other keywords are passed to
    `estimator.fit`.

    References
    ----------
    Z. C. Lipton, C. Elkan, B. Naryanaswamy, Optimal Thresholding of Classifiers to Maximize F1
    Measure, ECML PKDD 2014. https://arxiv.org/abs/1402.1892

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
        **ThresholdClassifier._parameter_constraints,
        "batch_size": [Interval(Integral, 1, None, closed="left"), None],
        "cost_matrix": ["array-like", None],
        "n_resamples": [Interval(Integral, 0, None, closed="left")],
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
        confidence: float | None = None,
        n_resamples: int = 0,
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
        self.confidence = confidence
        self.n_resamples = n_resamples
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
            If a parameter or the data are invalid, a training set or all test sets of `cv` have one
            class only, or no threshold meets the constraints (with `confidence`, if given). The
            message names bounds or a confidence that can be met.
        """
        self._validate_params()
        constraints = parse_constraints(self.constraints, self.batch_size)
        X, y, sample_weight = checked_examples(X, y, sample_weight)
        if self.batch_size is not None and not _budgets(constraints):
            raise ValueError(
                "batch_size is that of a budget; constraints has none, such as "
                "'predicted_positives <= 500'"
            )
        self._check_confidence(constraints, sample_weight)
        positive = self._encode(y, sample_weight)
        costs = self.cost_matrix if cost_matrix is None else cost_matrix
        objective = make_objective(self.objective, costs, positive)
        budgets = _budgets(constraints)
        self.needs_costs_: bool = cost_matrix is not None
        self.by_savings_: bool = bool(budgets) and np.ndim(costs) == 3
        self._check_costs(costs, constraints)
        held = self._held_out(X, y, positive, sample_weight, params)
        if self.by_savings_:
            savings = expected_savings(held.scores, check_costs(costs, len(y))[held.rows])
            held = replace(held, scores=savings)
        if len(held.rows) < len(y):
            objective = objective.of(held.rows)
        if budgets:
            n_rows = self.batch_size or _size(sample_weight, len(y))
            _warn_of_loose(budgets, n_rows)
            if len(held.rows) < len(y):
                constraints = parse_constraints(self.constraints, n_rows)
        self._choose(objective, constraints, held)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return predicted class labels, shape (n,).

        Raises ValueError if the constraints have a budget, which needs `predict_batch`.
        """
        for budget in _budgets(parse_constraints(self.constraints)):
            raise ValueError(
                f"predict decides row by row and cannot honour '{budget}'; use predict_batch(X), "
                "whose rows are decided together; a Pipeline has no predict_batch: wrap the whole "
                "pipeline instead, OperatingPointClassifier(make_pipeline(...), ...)"
            )
        return self._labels(self.scores(X) > self.best_threshold_)

    def predict_batch(self, X: Any, cost_matrix: ArrayLike | None = None) -> np.ndarray:
        """Return class labels, shape (n,), of a batch of rows, under the budget.

        The highest scores above the threshold are predicted positive, as many as the budget allows.
        Among equal scores, the first rows are chosen.

        `cost_matrix`, shape (n, 2, 2) or (2, 2), holds the costs of these rows. It is required if
        `by_savings_` is True, and must be None otherwise.
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
        budgets = _budgets(parse_constraints(self.constraints))
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
        """Return the objective on X and y, negated if lower values are better.

        If costs are given, as argument or as parameter of the class, the score is minus the average
        cost. `cost_matrix` has shape (2, 2) or (n, 2, 2), and is required if `needs_costs_` is
        True. Predictions respect a budget. Whether X and y meet other constraints is not checked.
        """
        costs = self._costs_to_score(cost_matrix)
        if _budgets(parse_constraints(self.constraints)):
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

    def _check_costs(self, costs, constraints):
        """Warn, or raise ValueError, if costs of each example need another decision rule."""
        if not constraints and np.ndim(costs) == 3 and np.ptp(costs, axis=0).any():
            warnings.warn(
                "costs differ from row to row, but one threshold decides all rows; "
                'ReweightedClassifier(estimator, "expected_cost") decides by the costs of each '
                "row, which costs less if probabilities are calibrated",
                UserWarning,
                stacklevel=3,
            )
        if self.by_savings_ and self._method() != "predict_proba":
            raise ValueError(
                "with costs of each example a budget is filled by expected savings, which take "
                "probabilities; wrap the classifier in sklearn.calibration.CalibratedClassifierCV, "
                "or give one cost matrix for all examples"
            )

    def _choose(self, objective, constraints, held):
        for name in ("threshold_interval_", "score_interval_"):
            vars(self).pop(name, None)
        examples, point, allowed = self._point(objective, constraints, held)
        if point is None:
            raise ValueError(self._explain(examples, objective, constraints, held))
        self.best_score_: float
        self.best_threshold_: float
        self.best_threshold_, self.best_score_ = point.threshold, point.value
        self.table_: tuple[float, float, float, float] = point.table
        if self.n_resamples:
            intervals = bootstrap_intervals(
                examples,
                objective,
                constraints,
                held.sample_weight,
                n_resamples=self.n_resamples,
                random_state=check_random_state(self.random_state),
                allowed=allowed,
            )
            self.score_interval_: tuple[float, float]
            self.threshold_interval_: tuple[float, float]
            self.threshold_interval_, self.score_interval_ = intervals
        if budgets := _budgets(constraints):
            size = budgets[0].batch_size or _size(held.sample_weight, len(held.rows))
            constraints = parse_constraints(self.constraints, size)

        def choose(rows):
            chosen = self._point(objective.of(rows), constraints, held.of(rows))[1]
            return (chosen or point).threshold

        def count(threshold, part, weight):
            examples = part.ranked()
            return table_at(examples.tables(weight), examples.index(threshold), constraints)

        self._estimate(constraints, held, choose, count)

    def _point(self, objective, constraints, held):
        """Return ranked examples, the best operating point or None, and the allowed thresholds."""
        examples, allowed = held.ranked(), None
        if self.confidence is not None:
            allowed = self._certify(examples, held)(constraints, self.confidence)
        decides_by_savings = self.by_savings_ and len(_budgets(constraints)) == len(constraints)
        if decides_by_savings:
            # Positive savings are worth it. A fitted threshold is worse on new data.
            allowed = np.arange(len(examples.values) + 1) == examples.index(0.0)
        point = best_operating_point(examples, objective, constraints, held.sample_weight, allowed)
        if decides_by_savings and point is not None:
            point = replace(point, threshold=0.0)
        return examples, point, allowed

    def _explain(self, examples, objective, constraints, held):
        """Return a text that says why no threshold can be chosen."""
        curve = examples.curve(held.sample_weight)
        if reason := explain_infeasible(curve, constraints):
            return reason
        if self.confidence is not None:
            certify = self._certify(examples, held)
            if not certify(constraints, self.confidence).any():
                return explain_uncertified(certify, constraints, self.confidence)
        return (
            f"the objective {objective.name!r} is NaN or infinite at every threshold"
            f"{' that meets the constraints' if constraints else ''}"
        )


def _budgets(constraints):
    return [constraint for constraint in constraints if constraint.is_budget]


def _size(sample_weight, n):
    return n if sample_weight is None else sample_weight.sum()


def _warn_of_loose(budgets, n_rows):
    for budget in budgets:
        if budget.bound > n_rows:
            warnings.warn(f"'{budget}' binds nothing: there are {n_rows:g} rows", stacklevel=3)
