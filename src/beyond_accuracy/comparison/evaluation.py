"""Nested cross-validation: evaluate each method on each outer fold."""

import inspect
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import (
    FixedThresholdClassifier,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    TunedThresholdClassifierCV,
)
from sklearn.pipeline import Pipeline

from beyond_accuracy.comparison.criteria import Costs, Criterion
from beyond_accuracy.estimators import OperatingPointClassifier, ReweightedClassifier
from beyond_accuracy.estimators.folds import fold_indices, out_of_fold
from beyond_accuracy.estimators.threshold_classifier import positive_scores
from beyond_accuracy.operating_points.objectives import COST, expected_savings
from beyond_accuracy.scikit_learn import safe_indexing

PLAIN, TUNED, ROW_BY_ROW = "plain", "tuned threshold", "row by row"
INNER_FOLDS = 3
# Rows of each class, so that every inner part has two of each.
LEAST_TRAIN, LEAST_TEST = 2 * INNER_FOLDS, 2
_INNER = {
    StratifiedKFold: "stratified and shuffled",
    StratifiedGroupKFold: "stratified, each group in one fold",
    TimeSeriesSplit: "in the order of the rows",
}
_OWN_DECISIONS = (
    FixedThresholdClassifier,
    OperatingPointClassifier,
    ReweightedClassifier,
    TunedThresholdClassifierCV,
)


@dataclass(frozen=True)
class Problem:
    """Data on which classifiers are compared: features X, labels y, positive class and costs.

    `costs`, shape (n, 2, 2), is [row, true, predicted], or None. `costs_vary` is whether costs
    differ by row. `groups`, shape (n,), holds the group of each row, or is None.
    """

    X: Any
    y: NDArray
    pos_label: Any
    costs: Costs = None
    costs_vary: bool = False
    groups: NDArray | None = None

    @property
    def positive(self) -> NDArray[np.bool_]:
        return self.y == self.pos_label

    @property
    def is_second(self) -> bool:
        """Whether the positive class is the second one in sorted order."""
        return bool(self.pos_label == np.unique(self.y)[1])

    def costs_of(self, rows: NDArray[np.intp]) -> Costs:
        return None if self.costs is None else self.costs[rows]

    def groups_of(self, rows: NDArray[np.intp]) -> NDArray | None:
        return None if self.groups is None else self.groups[rows]


@dataclass(frozen=True)
class FoldResult:
    """Result of one classifier on the test rows of one fold, for one measure or the average cost.

    - `method`: name of the classifier.
    - `criterion`: name of the measure, or "cost".
    - `variant`: "plain" for the classifier's `predict`, "tuned threshold" for the threshold that is
      best on the training rows, or "row by row" for the lowest expected cost of each row.
    - `test`: indices of the test rows.
    - `decisions`: above 0 predict the positive class. None after a failure, as `scores`.
    - `reason`: error message after a failure.
    - `seconds`: CPU seconds that this variant would need without the others.
    """

    test: NDArray[np.intp]
    method: str = ""
    variant: str = ""
    criterion: str = ""
    decisions: NDArray[np.float64] | None = None
    scores: NDArray[np.float64] | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    reason: str = ""


def check_estimators(estimators: Any) -> None:
    """Raise ValueError unless `estimators` maps names to classifiers that give scores."""
    if not isinstance(estimators, Mapping) or not estimators:
        raise ValueError(
            f"estimators: found {estimators!r}; valid is a mapping from names to classifiers, such "
            'as {"logistic": LogisticRegression()}, or None for the default estimators'
        )
    for name, estimator in estimators.items():
        if isinstance(estimator, type):
            raise ValueError(f"estimators: {name!r} is a class; give an instance, {name}(…)")
        if not any(hasattr(estimator, each) for each in ("predict_proba", "decision_function")):
            raise ValueError(
                f"estimators: {name!r}, a {type(estimator).__name__}, has neither predict_proba "
                "nor decision_function, so that it gives no scores; valid are classifiers with "
                "one of them, such as sklearn.linear_model.LogisticRegression"
            )


def outer_folds(cv: Any, problem: Problem, seed: int) -> list[tuple[NDArray, NDArray]]:
    """Return (training rows, test rows) of each outer fold of a nested cross-validation.

    `cv` is a number of stratified folds, shuffled by `seed`, or else an argument of `fold_indices`.
    Raises ValueError if a fold has too few rows of a class.
    """
    positive = problem.positive
    if isinstance(cv, int | np.integer):
        cv = _stratified(cv, problem, seed)
        rarer, needed = min(positive.sum(), (~positive).sum()), LEAST_TEST * cv.n_splits
        if rarer < needed:
            raise ValueError(
                f"the rarer class has {rarer} rows; {cv.n_splits} nested folds need at least "
                f"{needed} of each class"
            )
        _check_groups(problem.groups_of(np.arange(len(positive))), cv.n_splits)
    folds = fold_indices(cv, problem.X, positive, classifier=True, groups=problem.groups)
    for number, (train, test) in enumerate(folds):
        for part, rows, least in (("training", train, LEAST_TRAIN), ("test", test, LEAST_TEST)):
            fewest = min(positive[rows].sum(), (~positive[rows]).sum())
            if fewest < least:
                raise ValueError(
                    f"cv: the {part} part of fold {number} has {fewest} rows of the rarer class; "
                    f"valid are {least} or more: take fewer folds, or stratified ones"
                )
    return folds


def _stratified(n_folds, problem, seed):
    splitter = StratifiedKFold if problem.groups is None else StratifiedGroupKFold
    return splitter(n_folds, shuffle=True, random_state=seed)


def inner_splitter(folds: Sequence[tuple[NDArray, NDArray]], problem: Problem, seed: int) -> Any:
    """Return the splitter that makes inner folds of the training rows of each outer fold.

    Groups stay together. Without groups, outer folds whose training rows all come before the test
    rows show that the order is time; the inner folds then follow it.
    """
    in_order = (np.all(np.diff(train) > 0) and train[-1] < test.min() for train, test in folds)
    if problem.groups is None and all(in_order):
        return TimeSeriesSplit(INNER_FOLDS)
    return _stratified(INNER_FOLDS, problem, seed)


def describe_inner(inner: Any) -> str:
    """Return a description of the inner folds that the splitter `inner` makes."""
    return f"{INNER_FOLDS} inner folds, {_INNER[type(inner)]}"


def check_inner_folds(
    inner: Any, folds: Sequence[tuple[NDArray, NDArray]], problem: Problem
) -> None:
    """Raise ValueError if inner folds lack a class in a training part or in all test parts."""
    for number, (train, _) in enumerate(folds):
        positive = problem.positive[train]
        _check_groups(problem.groups_of(train), INNER_FOLDS, f" in training part {number} of cv")
        fitted, tested = zip(*_inner_folds(inner, problem, train), strict=True)
        parts = [positive[rows] for rows in (*fitted, np.concatenate(tested))]
        if any(part.all() or not part.any() for part in parts):
            remedy = "take fewer folds, or shuffle the rows if their order is not time"
            if problem.groups is not None:
                remedy = "give finer groups, or other folds"
            raise ValueError(
                f"cv: the training part of fold {number} is divided into {describe_inner(inner)}, "
                f"and one of them has one class only; {remedy}"
            )


def _check_groups(groups, n_folds, where=""):
    if groups is not None and (n_groups := len(np.unique(groups))) < n_folds:
        raise ValueError(
            f"groups: found {n_groups} groups{where}; {n_folds} folds need {n_folds} or more: "
            "give finer groups, or other folds"
        )


def _inner_folds(inner, problem, train) -> list[tuple[NDArray, NDArray]]:
    groups = problem.groups_of(train)
    return list(inner.split(np.empty((len(train), 0)), problem.y[train], groups))


def evaluate_fold(
    name: str,
    estimator: BaseEstimator,
    problem: Problem,
    criteria: Sequence[Criterion],
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    inner: Any,
) -> list[FoldResult]:
    """Evaluate a classifier on the test rows of one outer fold of a nested cross-validation.

    Return one result per criterion (measure or average cost) and variant. The variants are the
    classifier's `predict`, a tuned threshold, and the lowest expected cost of each row, if they
    apply. Thresholds are tuned on out-of-fold scores of the training rows `train`, in the folds of
    the splitter `inner`. `name` is the name of the classifier in the results.
    """
    variants = [(of, each) for of in criteria for each in _variants(estimator, of, problem)]
    # Estimators of others raise errors of any class, and must not end the comparison.
    try:
        fitted = _fit(estimator, problem, train, test)
        rows, held_out, tuning_seconds = train, None, 0.0
        if any(variant == TUNED for _, variant in variants):
            rows, held_out, tuning_seconds = _out_of_fold_scores(estimator, problem, train, inner)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".partition("\n")[0]
        failed = {"method": name, "test": test, "reason": reason}
        return [FoldResult(variant=each, criterion=of.name, **failed) for of, each in variants]
    results = []
    for criterion, variant in variants:
        changes: dict[str, Any] = {}
        if variant == TUNED:
            positive, costs = problem.positive[rows], problem.costs_of(rows)
            threshold = float(criterion.best_point(positive, held_out, costs).threshold)
            changes["decisions"] = np.where(fitted.scores > threshold, 1.0, -1.0)
            changes["parameters"] = fitted.parameters | {"threshold": threshold}
            changes["seconds"] = fitted.seconds + tuning_seconds
        elif variant == ROW_BY_ROW:
            changes["decisions"] = expected_savings(fitted.scores, problem.costs_of(test))
        elif not criterion.has_threshold:
            changes["decisions"] = fitted.scores
        names = {"method": name, "variant": variant, "criterion": criterion.name}
        results.append(replace(fitted, **names, **changes))
    return results


def _fit(estimator, problem, train, test) -> FoldResult:
    """Fit to the training rows; the result has scores, and decisions 1 or −1, on the test rows."""
    start = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        # `_costs` already takes care of the order.
        warnings.filterwarnings("ignore", "costs are given in the sorted order")
        X, y = safe_indexing(problem.X, train), problem.y[train]
        model = clone(estimator).fit(X, y, **_costs(estimator, "fit", problem, train))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X = safe_indexing(problem.X, test)
        scores = positive_scores(getattr(model, _response(estimator))(X), problem.is_second)
        labels = model.predict(X, **_costs(model, "predict", problem, test))
        predicted = np.where(labels == problem.pos_label, 1.0, -1.0)
    return FoldResult(
        test=test,
        decisions=predicted,
        scores=scores,
        parameters=dict(getattr(_last_step(model), "best_params_", {})),
        seconds=time.process_time() - start,
        warnings=tuple(dict.fromkeys(str(each.message).partition("\n")[0] for each in caught)),
    )


def _out_of_fold_scores(
    estimator, problem, train, inner
) -> tuple[NDArray[np.intp], NDArray[np.float64], float]:
    """Return (rows, scores of these rows by cross-validation in inner folds, CPU seconds).

    `rows` are the training rows that are tested in inner folds.
    """
    start = time.process_time()
    X, y = safe_indexing(problem.X, train), problem.y[train]
    splits = _inner_folds(inner, problem, train)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tested, responses = out_of_fold(
            estimator,
            X,
            y,
            splits,
            _response(estimator),
            params=_costs(estimator, "fit", problem, train),
        )
    scores = positive_scores(responses, problem.is_second)
    return train[tested], scores, time.process_time() - start


def _costs(estimator, method, problem, rows) -> dict[str, Any]:
    """Return the costs of `rows` as a keyword of "fit" or "predict", or {} if it takes none."""
    classifier = _last_step(estimator)
    if problem.costs is None or not _takes_costs(classifier, method):
        return {}
    costs = problem.costs_of(rows)
    if not problem.costs_vary:
        costs = costs[0]
    # Without `pos_label`, index 1 is the second class in sorted order.
    second = getattr(classifier, "pos_label", None)
    if (np.unique(problem.y)[1] if second is None else second) != problem.pos_label:
        costs = costs[..., ::-1, ::-1]
    name = "cost_matrix"
    if classifier is not estimator and method == "fit":
        routing = get_config()["enable_metadata_routing"]
        name = name if routing else f"{estimator.steps[-1][0]}__{name}"
    return {name: costs}


def _takes_costs(classifier, method) -> bool:
    """Return whether a method takes costs and the classifier has no costs or measure of its own."""
    rule = getattr(classifier, "reweighter", None)
    own = [getattr(classifier, "cost_matrix", None)]
    own += [getattr(each, "scoring", None) for each in (classifier, rule)]
    objective = getattr(classifier, "objective", COST)
    if any(each is not None for each in own) or not isinstance(objective, str) or objective != COST:
        return False
    if method == "predict":
        classifier = getattr(classifier, "reweighter_", classifier)
    return "cost_matrix" in inspect.signature(getattr(classifier, method)).parameters


def _response(estimator) -> str:
    return "predict_proba" if hasattr(estimator, "predict_proba") else "decision_function"


def _variants(estimator, criterion, problem) -> list[str]:
    if not criterion.has_threshold or isinstance(_last_step(estimator), _OWN_DECISIONS):
        return [PLAIN]
    if criterion.measure or not problem.costs_vary or not hasattr(estimator, "predict_proba"):
        return [PLAIN, TUNED]
    return [PLAIN, TUNED, ROW_BY_ROW]


def _last_step(estimator):
    return estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator
