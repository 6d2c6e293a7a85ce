"""Probabilistic classifier with decisions fitted to costs or to a measure."""

import warnings
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_is_fitted,
    has_fit_parameter,
)

from beyond_accuracy.estimators.decision_wrapper import DecisionWrapper
from beyond_accuracy.estimators.folds import CV
from beyond_accuracy.estimators.parameters import (
    ArrayLike,
)
from beyond_accuracy.measures.multiclass import check_scoring, score
from beyond_accuracy.measures.weights import scaled_weights
from beyond_accuracy.operating_points.optimism import score_interval
from beyond_accuracy.reweighting import CoordinateDescentReweighter, ExpectedCostReweighter
from beyond_accuracy.reweighting.line_objectives import confusion_matrix
from beyond_accuracy.reweighting.prices import check_costs, make_prices, without_gains
from beyond_accuracy.scikit_learn import HasMethods, Interval, StrOptions
from beyond_accuracy.solvers.data_matrix import check_structure

# Far below any meaningful probability, and far above underflow when weighted.
_ZERO = 1e-100


class ReweightedClassifier(DecisionWrapper):
    """Classifier whose decision rule on class probabilities is fitted to costs or a measure.

    It handles two or more classes. The class probabilities of `estimator` are unchanged. A
    reweighter turns them into decisions that minimize the average cost (the error rate for 0/1
    cost) or maximize a measure of the confusion matrix.

    Parameters
    ----------
    estimator : classifier with predict_proba
    reweighter : reweighter, "expected_cost" or None, default None
        From beyond_accuracy.reweighting; it is cloned. None is CoordinateDescentReweighter, with
        the `scoring` and `shrinkage` given, which is deterministic and exact for two classes.
        "expected_cost" takes the class of least expected cost under the probabilities, without
        fitting, which is best if they are calibrated; folds are fitted for `best_score_` alone.
    scoring : str, callable or None, default None
        Measure to maximize instead of costs: "accuracy", "balanced_accuracy", "f1_macro",
        "f1_weighted", "geometric_mean", "matthews_corrcoef", or a function of the confusion matrix
        [true, predicted] where more is better; see CoordinateDescentReweighter.
    cost_matrix : array, shape (m, m), or None, default None
        cost_matrix[true, predicted], classes in the sorted order of `classes_`; None is 0/1. A
        gain is a negative cost. `fit` takes one for each example.
    shrinkage : float in [0, 1] or "cross_validation", default 0.0
        Of the weights towards equal ones; see CoordinateDescentReweighter.
    cv : int, float, splitter, iterable, "resubstitution", "prefit" or None, default None
        Where the probabilities come from to which the reweighter is fitted. A splitter: out of
        fold, so that no example is scored by a model that has seen it (None: 5 stratified folds; a
        share such as 0.3: one stratified holdout); `estimator` is then fitted once more to all
        data. Rows in no test part are left out; probabilities of rows in several are averaged.
        "resubstitution": the fitted model's own training data, cheaper and optimistic. "prefit":
        `estimator` is fitted already, is not cloned, and X and y should be data that it has not
        seen.
    n_resamples : int, default 0
        Bootstrap samples of the probabilities for the 95 % interval; the reweighter is fitted to each.
    random_state : int, RandomState or None, default 0
        Of the bootstrap.
    n_jobs : int or None, default None
        Number of folds fitted in parallel; −1 uses all cores. None is 1, unless a joblib context
        sets it.

    Attributes
    ----------
    classes_ : ndarray, shape (m,)
    estimator_ : classifier
        Fitted to all data, or the one given if cv="prefit".
    reweighter_ : reweighter
    best_score_ : float
        The measure, or the average cost, of the decisions on the probabilities of `fit`. (`score`
        is the accuracy, as of all classifiers.) As the best of many it is better than what to
        expect; see `score_interval_`.
    score_interval_ : tuple of float
        If `n_resamples` > 0, the classifier being given: of that value on new data, so that
        `best_score_` may be outside. See `beyond_accuracy.operating_points.bootstrap_intervals`.
    n_features_in_, feature_names_in_
        Of `estimator_`, if it has them.

    Notes
    -----
    `sample_weight` counts in the choice if the reweighter takes it, and goes to the `fit` of
    `estimator` if that takes it (with metadata routing: if that requests it); other keywords of
    `fit` go where metadata routing sends them, with routing disabled to the `fit` of `estimator`.
    The class lacks predict_proba, since its argmax would differ from `predict`:
    estimator_.predict_proba gives the unaltered probabilities. Classes that a fold's training part
    lacks get probability 0 there; scikit-learn warns of it. Rows of zeros, which
    OneVsRestClassifier gives where no class is predicted, count as equal probabilities. A
    probability of exactly 0, as trees and nearest neighbours give, counts as 1e-100 (but by
    expected costs): no weight of a class could make up for a 0, not even where that class costs
    least for all examples.

    References
    ----------
    K. Deng, C. Bourke, S. Scott, N. V. Vinodchandran, New Algorithms for Optimizing Multi-Class
    Classifiers via ROC Surfaces, ROCML 2006; its extended form:
    https://doi.org/10.1007/s10994-008-5056-8

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

    _parameter_constraints: dict[str, list[Any]] = {
        "estimator": [HasMethods(["fit", "predict_proba"])],
        "reweighter": [HasMethods(["fit", "predict"]), StrOptions({"expected_cost"}), None],
        "cost_matrix": ["array-like", None],
        "shrinkage": [Interval(Real, 0, 1, closed="both"), StrOptions({"cross_validation"})],
        "cv": [*CV, StrOptions({"prefit", "resubstitution"})],
        "n_resamples": [Interval(Integral, 0, None, closed="left")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        estimator: Any,
        reweighter: Any | Literal["expected_cost"] | None = None,
        *,
        scoring: Any = None,
        cost_matrix: ArrayLike | None = None,
        shrinkage: float = 0.0,
        cv: Any | Literal["resubstitution", "prefit"] = None,
        n_resamples: int = 0,
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.reweighter = reweighter
        self.scoring = scoring
        self.cost_matrix = cost_matrix
        self.shrinkage = shrinkage
        self.cv = cv
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
        """Fit the estimator, unless cv="prefit", and the reweighter.

        Parameters
        ----------
        X, y
            As `estimator` takes them.
        sample_weight : array of float, shape (n,), optional
            Non-negative.
        cost_matrix : array, shape (n, m, m), optional
            [true, predicted] of each example; it replaces the parameter. The weights are fitted to
            them; "expected_cost" also needs the costs of new examples in `predict`.
        **params
            See the notes.

        Raises
        ------
        ValueError
            If `estimator` has no probabilities, there is one class only, y holds a class that a
            prefit estimator does not know, or parameters contradict each other;
            InvalidCostMatrixError before anything is fitted, and InvalidScoresError from the
            reweighter, which are ValueErrors.
        """
        self._check_probabilities()
        if isinstance(self.reweighter, str) and self.reweighter != "expected_cost":
            raise ValueError(
                f"unknown reweighter {self.reweighter!r}; a measure is given by name, "
                f"ReweightedClassifier(estimator, scoring={self.reweighter!r})"
            )
        self._validate_params()
        reweighter = self._make_reweighter()
        check_classification_targets(y)
        X, y, sample_weight = self._examples(X, y, sample_weight)
        costs = self.cost_matrix if cost_matrix is None else cost_matrix
        if self.scoring is not None and costs is not None:
            raise ValueError("give a scoring or costs; found both")
        if self._is_prefit:
            self._check_prefit(params)
            costs = check_costs(costs, len(y), len(self.estimator.classes_))
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
            costs = check_costs(costs, len(y), len(labels))
            to_fit, to_split = self._with_weights(sample_weight, params)
            self._keep(clone(self.estimator).fit(X, y, **to_fit))
        self.classes_: np.ndarray = self.estimator_.classes_
        labels = self._encode(y)
        rows, scores = self._scores(X, y, to_fit, to_split)
        costs = costs[rows] if costs.ndim == 3 else costs
        sample_weight = None if sample_weight is None else sample_weight[rows]
        scores = _decidable(scores, reweighter)
        self._fit_reweighter(reweighter, scores, labels[rows], costs, sample_weight)
        return self

    def predict(self, X: Any, cost_matrix: ArrayLike | None = None) -> np.ndarray:
        """Predict class labels, shape (n,), by the fitted decision rule.

        `cost_matrix`, shape (m, m) or (n, m, m), is for reweighter="expected_cost" only, and
        replaces the costs of `fit`. Other rules raise ValueError, since they were fitted to their
        costs.
        """
        check_is_fitted(self)
        check_structure(X)
        scores = _decidable(self.estimator_.predict_proba(X), self.reweighter_)
        if cost_matrix is None:
            return self.classes_[self.reweighter_.predict(scores)]
        if not isinstance(self.reweighter_, ExpectedCostReweighter):
            raise ValueError(
                "the decision rule was fitted to the costs of fit; other costs at predict need "
                'reweighter="expected_cost"'
            )
        return self.classes_[self.reweighter_.predict(scores, cost_matrix)]

    def _make_reweighter(self):
        check_scoring(self.scoring)
        if self.reweighter is None:
            return CoordinateDescentReweighter(scoring=self.scoring, shrinkage=self.shrinkage)
        if self.scoring is not None or self.shrinkage != 0.0:
            raise ValueError(
                "scoring and shrinkage are those of the default reweighter; leave reweighter=None, "
                "or give them to CoordinateDescentReweighter itself"
            )
        if isinstance(self.reweighter, str):
            return ExpectedCostReweighter()
        return clone(self.reweighter)

    def _fit_reweighter(self, reweighter, scores, labels, costs, sample_weight):
        takes_weights = has_fit_parameter(reweighter, "sample_weight")
        if not takes_weights:
            if sample_weight is not None:
                warnings.warn(
                    f"{type(reweighter).__name__} counts every example once; of the default "
                    "reweighter the sample weights count in the choice",
                    stacklevel=3,
                )
            if costs.ndim == 3:
                raise ValueError(
                    f"{type(reweighter).__name__} takes one cost matrix for all examples; take the "
                    "default reweighter for costs of each"
                )
        used = None if sample_weight is None else sample_weight > 0
        # If all are 0, the scaling below fails.
        if used is not None and used.any() and not used.all():
            scores, labels, sample_weight = scores[used], labels[used], sample_weight[used]
            costs = costs[used] if costs.ndim == 3 else costs
        scoring = getattr(reweighter, "scoring", None)
        if sample_weight is not None and not callable(scoring):
            sample_weight, _ = scaled_weights(sample_weight)
        # Shifting gains changes no optimum. Expected costs need no shift.
        by_expected_costs = isinstance(reweighter, ExpectedCostReweighter)
        fitted_to = costs if by_expected_costs else without_gains(costs)
        prices = None if scoring else make_prices(costs, labels)

        def fitted(rows):
            params = {}
            if takes_weights and sample_weight is not None:
                params["sample_weight"] = sample_weight[rows]
            own_costs = fitted_to[rows] if fitted_to.ndim == 3 else fitted_to
            own_costs = None if scoring else own_costs
            return clone(reweighter).fit(scores[rows], labels[rows], own_costs, **params)

        def decisions(rule):
            return rule.predict(scores, *((costs,) if by_expected_costs else ()))

        def value(predicted, weights):
            if prices is not None:
                return float(np.average(prices[predicted, np.arange(n)], weights=weights))
            return score(scoring, confusion_matrix(labels, predicted, len(self.classes_), weights))

        n = len(labels)
        weights = np.ones(n) if sample_weight is None else sample_weight
        # All rows, without a copy.
        self.reweighter_: Any = fitted(slice(None))
        self.best_score_: float = value(decisions(self.reweighter_), weights)
        vars(self).pop("score_interval_", None)
        if self.n_resamples:
            self.score_interval_: tuple[float, float] = score_interval(
                lambda rows: decisions(fitted(rows)),
                value,
                weights,
                n_resamples=self.n_resamples,
                random_state=check_random_state(self.random_state),
                minimized=scoring is None,
            )

    def _scores(self, X, y, to_fit, to_split):
        """Return rows and their probabilities, columns in the order of `classes_`."""
        if isinstance(self.cv, str):
            return slice(None), self.estimator_.predict_proba(X)
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


def _decidable(probabilities, reweighter):
    """Make probabilities decidable by weights: rows of zeros become equal, other zeros tiny."""
    probabilities = np.asarray(probabilities, dtype=np.float64)
    if probabilities.ndim != 2:
        return probabilities
    zero = probabilities == 0
    empty = zero.all(axis=1)
    decidable = np.where(empty[:, None], 1.0 / probabilities.shape[1], probabilities)
    if not isinstance(reweighter, ExpectedCostReweighter):
        decidable[zero & ~empty[:, None]] = _ZERO
    return decidable
