"""Meta-estimator that fits the decisions on class probabilities to costs or to a measure."""

import warnings
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from beyond_accuracy.estimators.folds import CV, check_held_out, fold_indices, out_of_fold
from beyond_accuracy.estimators.scorers import average_cost, class_indices
from beyond_accuracy.estimators.validation import ArrayLike
from beyond_accuracy.estimators.wrapped_classifier import WrappedClassifier, checked_examples
from beyond_accuracy.measures.multiclass import check_scoring, score
from beyond_accuracy.operating_points.optimism import score_interval
from beyond_accuracy.reweighting import CoordinateDescentReweighter, ExpectedCostReweighter
from beyond_accuracy.reweighting.line_objectives import confusion_matrix
from beyond_accuracy.reweighting.validation import check_costs, make_prices, without_gains
from beyond_accuracy.scikit_learn import HasMethods, Interval, StrOptions
from beyond_accuracy.solvers.data_matrix import check_structure

# Far below any meaningful probability, and far above underflow when weighted.
_ZERO = 1e-100


def _has_probabilities(classifier):
    """Return whether `estimator_` has predict_proba, or will have it after `fit`."""
    return classifier.calibrate is not None or hasattr(classifier.estimator, "predict_proba")


class ReweightedClassifier(WrappedClassifier):
    """Classifier whose decision rule on class probabilities is fitted to costs or a measure.

    It handles two or more classes. A reweighter turns the class probabilities of `estimator` into
    decisions that minimize the average cost (the error rate for 0/1 cost) or maximize a measure of
    the confusion matrix.

    Parameters
    ----------
    estimator : classifier with predict_proba (or decision_function, if `calibrate` is given)
    reweighter : reweighter, "expected_cost" or None, default None
        A reweighter from beyond_accuracy.reweighting, which is cloned. None is
        CoordinateDescentReweighter with `scoring` and `shrinkage`. "expected_cost" predicts the
        class of least expected cost for each row, which is best if the probabilities are
        calibrated. It needs no folds: with cv=None and n_resamples=0, `estimator` is fitted once,
        and there is no `best_score_`.
    scoring : str, callable or None, default None
        Measure to maximize instead of costs: "accuracy", "balanced_accuracy", "f1_macro",
        "f1_weighted", "geometric_mean", "matthews_corrcoef", or a function of the confusion matrix
        [true, predicted] where higher is better; see CoordinateDescentReweighter.
    cost_matrix : array, shape (m, m), or None, default None
        cost_matrix[true, predicted], with classes in the order of `classes_`, which is sorted; for
        two classes with names, a warning says which is first. Negative costs are allowed. None
        costs 1 for every error. `fit` also takes one matrix per example.
    shrinkage : float in [0, 1], "cross_validation" or None, default None
        Shrinkage of the class weights towards equal weights; see CoordinateDescentReweighter. None
        is "cross_validation" if `scoring` is given, and 0 otherwise.
    cv : int, float, splitter, iterable, "resubstitution", "prefit" or None, default None
        Folds for the out-of-fold probabilities to which the reweighter is fitted; see
        `OperatingPointClassifier`. "resubstitution" takes probabilities on the training data
        instead, which is cheaper but optimistic.
    calibrate : {"sigmoid", "isotonic"} or None, default None
        If given, scikit-learn's CalibratedClassifierCV wraps `estimator` and calibrates its
        probabilities by this method. Not available with cv="prefit".
    n_resamples : int, default 0
        Number of bootstrap samples of the probabilities for the 95 % interval `score_interval_`.
        The reweighter is fitted to each sample.
    random_state : int, RandomState or None, default 0
        Seed for the bootstrap.
    n_jobs : int or None, default None
        See `OperatingPointClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (m,)
    estimator_ : classifier
        The fitted classifier. With `calibrate`, a CalibratedClassifierCV.
    reweighter_ : reweighter
        The fitted reweighter.
    needs_costs_ : bool
        Whether `fit` got costs, so that `score` needs the costs of its rows.
    best_score_ : float
        Measure or average cost on the probabilities to which the reweighter was fitted. It is
        optimistic, as the best of many values; see `score_interval_`.
    score_interval_ : tuple of float
        95 % interval of the measure or cost on new data; `best_score_` may be outside. Only if
        `n_resamples` > 0. See `operating_points.bootstrap_intervals`.
    n_features_in_, feature_names_in_
        Attributes of `estimator_`, if it has them.

    Notes
    -----
    The argmax of `predict_proba` need not agree with `predict`. `sample_weight` is passed to the
    reweighter and to `estimator.fit` if they take it (with metadata routing: if `estimator`
    requests it). Other keywords of `fit` are passed to `estimator.fit`.

    If the training set of a fold lacks one of several classes, the probability of the class is 0 in
    that fold, with a warning. A training set of one class raises ValueError. A row of zeros counts
    as equal probabilities.

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
        "estimator": [
            HasMethods(["fit", "predict_proba"]),
            HasMethods(["fit", "decision_function"]),
        ],
        "reweighter": [HasMethods(["fit", "predict"]), StrOptions({"expected_cost"}), None],
        "cost_matrix": ["array-like", None],
        "shrinkage": [Interval(Real, 0, 1, closed="both"), StrOptions({"cross_validation"}), None],
        "cv": [*CV, StrOptions({"prefit", "resubstitution"})],
        "calibrate": [StrOptions({"sigmoid", "isotonic"}), None],
        "n_resamples": [Interval(Integral, 0, None, closed="left")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    # With metadata routing, costs reach these methods without set_fit_request.
    __metadata_request__fit = {"cost_matrix": True}
    __metadata_request__predict = {"cost_matrix": True}
    __metadata_request__score = {"cost_matrix": True}

    def __init__(
        self,
        estimator: Any,
        reweighter: Any | Literal["expected_cost"] | None = None,
        *,
        scoring: Any = None,
        cost_matrix: ArrayLike | None = None,
        shrinkage: float | Literal["cross_validation"] | None = None,
        cv: Any | Literal["resubstitution", "prefit"] = None,
        calibrate: Literal["sigmoid", "isotonic"] | None = None,
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
        self.calibrate = calibrate
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
        """Fit the estimator, unless cv="prefit", and the rule that decides by its probabilities.

        Parameters
        ----------
        X, y
            Features and labels in any form that `estimator` takes.
        sample_weight : array of float, shape (n,), optional
            Non-negative weights of the examples.
        cost_matrix : array, shape (n, m, m), optional
            Costs of each example, [true, predicted]. They replace the parameter `cost_matrix`. With
            "expected_cost", `predict` then needs the costs of the new examples.
        **params
            Keywords for `estimator.fit`; see the notes of the class.

        Raises
        ------
        ValueError
            If parameters or data are invalid, `estimator` has no probabilities, y holds a class
            that a prefit estimator does not know, or the rows to which the reweighter is fitted
            lack a class.
        InvalidCostMatrixError
            If the costs are invalid; a ValueError.
        InvalidScoresError
            If the probabilities are invalid; a ValueError.
        """
        self._check_parameters()
        reweighter = self._make_reweighter()
        check_classification_targets(y)
        X, y, sample_weight = checked_examples(X, y, sample_weight)
        given = costs = self.cost_matrix if cost_matrix is None else cost_matrix
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
            to_fit, to_split = self._keywords(sample_weight, params)
            self._keep(self._unfitted().fit(X, y, **to_fit))
        self.classes_: np.ndarray = self.estimator_.classes_
        labels = class_indices(y, self.classes_)
        self.needs_costs_: bool = cost_matrix is not None
        if given is not None and len(self.classes_) == 2 and self.classes_.dtype.kind not in "biuf":
            warnings.warn(
                "costs are given in the sorted order of the labels: index 0 is "
                f"{self.classes_.tolist()[0]!r}, index 1 is {self.classes_.tolist()[1]!r}; with "
                "boolean labels, y == <positive class>, index 1 is the positive class",
                UserWarning,
                stacklevel=2,
            )
        for name in ("best_score_", "score_interval_"):
            vars(self).pop(name, None)
        needs_scores = not isinstance(reweighter, ExpectedCostReweighter)
        if not (needs_scores or self.n_resamples) and self.cv is None:
            self.reweighter_: Any = reweighter.store_costs(costs, len(self.classes_))
            return self
        rows, scores = self._scores(X, y, to_fit, to_split)
        costs = costs[rows] if costs.ndim == 3 else costs
        sample_weight = None if sample_weight is None else sample_weight[rows]
        scores = _decidable(scores, reweighter)
        self._fit_reweighter(reweighter, scores, labels[rows], costs, sample_weight)
        return self

    def predict(self, X: Any, cost_matrix: ArrayLike | None = None) -> np.ndarray:
        """Return predicted class labels, shape (n,), by the fitted decision rule.

        `cost_matrix`, shape (m, m) or (n, m, m), replaces the costs of `fit`. It is only for
        reweighter="expected_cost"; otherwise ValueError is raised.
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

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return class probabilities, shape (n, m), calibrated if `calibrate` is not None."""
        check_is_fitted(self)
        check_structure(X)
        return self.estimator_.predict_proba(X)

    def score(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        cost_matrix: ArrayLike | None = None,
    ) -> float:
        """Return minus the average cost on X and y, or a measure.

        If costs are given, as argument or as parameter of the class, the score is minus the average
        cost. Otherwise it is the measure `scoring`, or the accuracy if `scoring` is None.
        `cost_matrix` has shape (m, m) or (n, m, m), and is required if `needs_costs_` is True.
        """
        costs = self._costs_to_score(cost_matrix)
        by_expected_cost = isinstance(self.reweighter_, ExpectedCostReweighter)
        predicted = self.predict(X, costs if by_expected_cost else None)
        if costs is not None:
            return -average_cost(y, predicted, self.classes_, costs, sample_weight)
        labels, decisions = class_indices(y, self.classes_), class_indices(predicted, self.classes_)
        confusion = confusion_matrix(labels, decisions, len(self.classes_), sample_weight)
        return score(getattr(self.reweighter_, "scoring", None) or "accuracy", confusion)

    def _unfitted(self):
        if self.calibrate is None:
            return clone(self.estimator)
        return CalibratedClassifierCV(clone(self.estimator), method=self.calibrate)

    def _check_parameters(self):
        if self.calibrate is None:
            self._check_probabilities()
        elif self._is_prefit:
            raise ValueError(
                'calibrate fits the classifier, which cv="prefit" does not; give '
                "CalibratedClassifierCV(FrozenEstimator(classifier)) fitted to other data"
            )
        if isinstance(self.reweighter, str) and self.reweighter != "expected_cost":
            raise ValueError(
                f"unknown reweighter {self.reweighter!r}; a measure is given by name, "
                f"ReweightedClassifier(estimator, scoring={self.reweighter!r})"
            )
        self._validate_params()

    def _make_reweighter(self):
        check_scoring(self.scoring)
        if self.reweighter is None:
            default = 0.0 if self.scoring is None else "cross_validation"
            shrinkage = default if self.shrinkage is None else self.shrinkage
            return CoordinateDescentReweighter(scoring=self.scoring, shrinkage=shrinkage)
        if self.scoring is not None or self.shrinkage is not None:
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
        by_expected_costs = isinstance(reweighter, ExpectedCostReweighter)
        if costs.ndim == 3 and not by_expected_costs and np.ptp(costs, axis=0).any():
            warnings.warn(
                "costs differ from row to row, but the weights of the classes are the same for all "
                'rows; reweighter="expected_cost" decides by the costs of each row, which costs '
                "less if probabilities are calibrated",
                UserWarning,
                stacklevel=3,
            )
        used = None if sample_weight is None else sample_weight > 0
        # If all are 0, the reweighter raises ValueError.
        if used is not None and used.any() and not used.all():
            scores, labels, sample_weight = scores[used], labels[used], sample_weight[used]
            costs = costs[used] if costs.ndim == 3 else costs
        # The rule of expected costs is not fitted to the rows.
        if not by_expected_costs:
            check_held_out(self.classes_[labels], self.classes_)
        scoring = getattr(reweighter, "scoring", None)
        # Shifting gains changes no optimum. Expected costs need no shift.
        fitted_to = costs if by_expected_costs else without_gains(costs)
        prices = None if scoring else make_prices(costs, labels)

        def fitted(rows):
            params = {}
            if takes_weights and sample_weight is not None:
                params["sample_weight"] = sample_weight[rows]
            row_costs = fitted_to[rows] if fitted_to.ndim == 3 else fitted_to
            row_costs = None if scoring else row_costs
            return clone(reweighter).fit(scores[rows], labels[rows], row_costs, **params)

        def decisions(rule):
            return rule.predict(scores, *((costs,) if by_expected_costs else ()))

        def value(predicted, weights):
            if prices is not None:
                return float(np.average(prices[predicted, np.arange(n)], weights=weights))
            return score(scoring, confusion_matrix(labels, predicted, len(self.classes_), weights))

        n = len(labels)
        weights = np.ones(n) if sample_weight is None else sample_weight
        # All rows, without a copy.
        self.reweighter_ = fitted(slice(None))
        self.best_score_: float = value(decisions(self.reweighter_), weights)
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
        """Return (rows, their class probabilities), to which the reweighter is fitted."""
        if isinstance(self.cv, str):
            return slice(None), self.estimator_.predict_proba(X)
        splits = fold_indices(self.cv, X, y, classifier=True, **to_split)
        return out_of_fold(
            self._unfitted(), X, y, splits, "predict_proba", params=to_fit, n_jobs=self.n_jobs
        )


def _decidable(probabilities, reweighter):
    """Return probabilities that class weights can act on, without zeros.

    A row of zeros becomes equal probabilities. A zero in any other row becomes 1e-100, or stays 0
    if the reweighter is "expected_cost".
    """
    probabilities = np.asarray(probabilities, dtype=np.float64)
    if probabilities.ndim != 2:
        return probabilities
    zero = probabilities == 0
    empty = zero.all(axis=1)
    decidable = np.where(empty[:, None], 1.0 / probabilities.shape[1], probabilities)
    if not isinstance(reweighter, ExpectedCostReweighter):
        decidable[zero & ~empty[:, None]] = _ZERO
    return decidable
