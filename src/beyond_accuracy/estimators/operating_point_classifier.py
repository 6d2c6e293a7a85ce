"""Binary classifier at the threshold that is best for an objective under constraints."""

import warnings
from dataclasses import replace
from numbers import Integral
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils import check_random_state

from beyond_accuracy.estimators.parameters import ArrayLike
from beyond_accuracy.estimators.threshold_classifier import ThresholdClassifier
from beyond_accuracy.measures.weights import total_weight
from beyond_accuracy.operating_points.certification import explain_uncertified
from beyond_accuracy.operating_points.choice import (
    best_operating_point,
    bootstrap_intervals,
    explain_infeasible,
    table_at,
    weights_in_range,
)
from beyond_accuracy.operating_points.constraints import parse_constraints
from beyond_accuracy.operating_points.objectives import (
    check_costs,
    expected_savings,
    make_objective,
)
from beyond_accuracy.scikit_learn import Interval


class OperatingPointClassifier(ThresholdClassifier):
    """Classifier with the threshold on its scores that is exactly best for an objective.

    All thresholds on the pooled scores are compared, in O(n log n). Equal scores share a threshold.

    Parameters
    ----------
    estimator : classifier with predict_proba or decision_function
    objective : str, Measure, callable or array of shape (2, 2), default "f1"
        A measure of the contingency table, by name or as a function of (TP, FP, FN, TN), which is
        maximized (false_positive_rate and predicted_positive_rate are minimized; 0/0 is 0, as the
        precision of no prediction, in constraints too); or "cost", the
        average cost, which is minimized; a cost matrix is short for "cost" with it. See
        `make_objective`.
    constraints : str, list of str or None, default None
        Such as "precision >= 0.9"; of precision, recall, specificity, false_positive_rate,
        negative_predictive_value, predicted_positive_rate, accuracy, f1, geometric_mean,
        matthews_corrcoef and other measures of the contingency table.
        "predicted_positives <= 500" is a budget of a batch: `predict_batch` keeps to it, and
        `predict`, which decides row by row, refuses. The choice is made under the budget, too.
    batch_size : int or None, default None
        The rows of the batch that a budget is for: of the n examples of `fit` (or of the sum of
        their weights) the share budget / batch_size may be predicted positive. None: a budget is
        for batches as large as the data of `fit`.
    cost_matrix : array, shape (2, 2), or None, default None
        cost_matrix[true, predicted] for objective "cost", of any sign, 1 being the positive class;
        `fit` takes one for each example.
    pos_label : int, float, bool, str or None, default None
        The positive class. None is `classes_[1]`, the greater of the two, with a warning where they
        are strings.
    cv : int, float, splitter, iterable, "prefit" or None, default None
        Where the scores come from. A splitter: out of fold (None: 5 stratified folds; a share such
        as 0.3: one stratified holdout), and `estimator` is then fitted once more to all data. Rows
        in no test part, as of time-ordered splits, are left out; scores of rows in several are
        averaged. `fit(X, y, groups=…)` keeps groups together. "prefit": `estimator` is fitted
        already, is not cloned, and X and y should be data that it has not seen.
    response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
        Which scores; "auto" takes probabilities where there are any.
    confidence : float or None, default None
        Choose the best threshold that meets the constraints on new data with this probability,
        instead of the scores of `fit`. For constraints on rates, such as precision, but no
        budgets; see `certified_thresholds`. With cv="prefit" it is a guarantee for any number of
        examples. Otherwise it is an estimate, since out-of-fold scores are those of other
        classifiers than the final one: five examples count as four.
    n_resamples : int, default 0
        Bootstrap samples of the scores for the intervals, O(n) each.
    random_state : int, RandomState or None, default 0
        Of the bootstrap and of the estimates on new data.
    n_jobs : int or None, default None
        Number of folds fitted in parallel; −1 uses all cores. None is 1, unless a joblib context
        sets it.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    pos_label_
        The positive class.
    estimator_ : classifier
    best_threshold_ : float
        A score above it predicts the positive class; see `scores`.
    best_score_ : float
        The objective on the scores of `fit`, under the budget: the measure, or the average cost.
        As the best of many it is better than what to expect; see `score_interval_`.
    table_ : tuple of float
        TP, FP, FN and TN there.
    by_savings_ : bool
        Whether `best_threshold_` is one of expected savings; see the notes.
    constraint_estimates_ : dict of ConstraintEstimate
        Per constraint that is no budget: its `value` on new data, a 95 % `interval`, and the
        `probability` that it holds. Each fold (with cv="prefit" a random fifth) is counted at the
        threshold chosen on the others.
    constraint_probability_ : float
        Probability that all of them hold on new data; `fit` warns if it is below one half.
    threshold_interval_, score_interval_ : tuple of float
        If `n_resamples` > 0: 95 % intervals of the threshold, and of the objective there on new
        data, so that `best_score_` may be outside; see `bootstrap_intervals`.
    n_features_in_, feature_names_in_
        Of `estimator_`, if it has them.

    Notes
    -----
    `predict` need not agree with `decision_function` > 0, as scikit-learn's `check_estimator`
    expects of most classifiers. For ties among thresholds see `best_operating_point`.

    Where more scores than a budget allows are above the threshold, the highest are predicted
    positive. With costs of each example a budget is filled by expected savings, not by
    probability: (1 − p)·(c[0, 0] − c[0, 1]) + p·(c[1, 0] − c[1, 1]) for the probability p of the
    positive class and the costs c of a row. The threshold is then one of these savings, and
    `predict_batch` needs the costs of its rows.

    `sample_weight` counts in the choice, and goes to the `fit` of `estimator` if that takes it
    (with metadata routing: if that requests it); other keywords go to the `fit` of `estimator`.
    A `Pipeline` passes it to no step by itself: ValueError, which says how to.

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
        **ThresholdClassifier._parameter_constraints,
        "batch_size": [Interval(Integral, 1, None, closed="left"), None],
        "cost_matrix": ["array-like", None],
        "n_resamples": [Interval(Integral, 0, None, closed="left")],
    }

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
            As `estimator` takes them; y of two classes.
        sample_weight : array of float, shape (n,), optional
            Non-negative.
        cost_matrix : array, shape (n, 2, 2), optional
            [true, predicted] of each example; it replaces the parameter.
        **params
            See the notes.

        Raises
        ------
        ValueError
            If parameters or data make no sense, a training part or all test parts of `cv` have one
            class only, no threshold meets the constraints, or none is certain to with `confidence`.
            The message says which value would do.
        """
        self._validate_params()
        constraints = parse_constraints(self.constraints, self.batch_size)
        X, y, sample_weight = self._examples(X, y, sample_weight)
        self._check_options(constraints, sample_weight)
        positive = self._encode(y, sample_weight)
        costs = self.cost_matrix if cost_matrix is None else cost_matrix
        objective = make_objective(self.objective, costs, positive)
        budgets = [each for each in constraints if each.is_budget]
        self.by_savings_: bool = bool(budgets) and np.ndim(costs) == 3
        if self.by_savings_ and self._method() != "predict_proba":
            raise ValueError(
                "with costs of each example a budget is filled by expected savings, which take "
                "probabilities; wrap the classifier in sklearn.calibration.CalibratedClassifierCV, "
                "or give one cost matrix for all examples"
            )
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
        """Predict class labels, shape (n,); ValueError with a budget, which needs a batch."""
        for constraint in parse_constraints(self.constraints):
            if constraint.is_budget:
                raise ValueError(
                    f"predict decides row by row and cannot honour '{constraint}'; use "
                    "predict_batch(X), whose rows are decided together"
                )
        return self._labels(self.scores(X) > self.best_threshold_)

    def predict_batch(self, X: Any, cost_matrix: ArrayLike | None = None) -> np.ndarray:
        """Predict class labels, shape (n,), of rows decided together, so that budgets are met.

        The highest scores above the threshold are positive, as many as the budget allows; of equal
        scores the first rows. It warns if the budget is larger than the batch. `cost_matrix`, shape
        (n, 2, 2) or (2, 2), holds the costs of these rows. It is needed if `by_savings_`, since
        scores are expected savings then. ValueError if it is missing then, or given otherwise.
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

    def _check_options(self, constraints, sample_weight):
        budgets = [each for each in constraints if each.is_budget]
        if self.batch_size is not None and not budgets:
            raise ValueError(
                "batch_size is that of a budget; constraints has none, such as "
                "'predicted_positives <= 500'"
            )
        self._check_confidence(constraints, sample_weight)

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
        if budgets := [each for each in constraints if each.is_budget]:
            size = budgets[0].batch_size or _size(held.sample_weight, len(held.rows))
            constraints = parse_constraints(self.constraints, size)

        def choose(rows):
            chosen = self._point(objective.of(rows), constraints, held.of(rows))[1]
            return (chosen or point).threshold

        def count(threshold, rows):
            part = held.of(rows)
            return table_at(part.ranked().curve(part.relative_weight), threshold, constraints)

        self._estimate(constraints, held, choose, count)

    def _point(self, objective, constraints, held):
        """Return ranked examples, the best operating point or None, and the allowed thresholds."""
        examples, allowed = held.ranked(), None
        if self.confidence is not None:
            certify = self._certify(examples.curve(held.relative_weight), held)
            allowed = certify(constraints, self.confidence)
        point = best_operating_point(examples, objective, constraints, held.sample_weight, allowed)
        return examples, point, allowed

    def _explain(self, examples, objective, constraints, held):
        """Say why there is no operating point."""
        curve = examples.curve(weights_in_range(held.sample_weight, constraints)[0])
        if reason := explain_infeasible(curve, constraints):
            return reason
        if self.confidence is not None:
            certify = self._certify(examples.curve(held.relative_weight), held)
            if not certify(constraints, self.confidence).any():
                return explain_uncertified(certify, constraints, self.confidence)
        return (
            f"the objective {objective.name!r} is NaN or infinite at every threshold"
            f"{' that meets the constraints' if constraints else ''}"
        )


def _size(sample_weight, n):
    return n if sample_weight is None else total_weight(sample_weight)


def _warn_of_loose(budgets, n_rows):
    for budget in budgets:
        if budget.bound > n_rows:
            warnings.warn(f"'{budget}' binds nothing: there are {n_rows:g} rows", stacklevel=3)
