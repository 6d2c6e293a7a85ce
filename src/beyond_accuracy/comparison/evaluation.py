"""Nested cross-validation: evaluate each method on each outer fold."""

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import (
    FixedThresholdClassifier,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    check_cv,
)
from sklearn.pipeline import Pipeline

from beyond_accuracy.comparison.criteria import Costs, Criterion
from beyond_accuracy.estimators import OperatingPointClassifier, ReweightedClassifier
from beyond_accuracy.estimators.folds import out_of_fold
from beyond_accuracy.estimators.threshold_classifier import positive_scores
from beyond_accuracy.operating_points.objectives import expected_savings
from beyond_accuracy.scikit_learn import safe_indexing

PLAIN, TUNED, ROW_BY_ROW = "plain", "tuned threshold", "row by row"
INNER_FOLDS = 3
# Rows of each class, so that every inner part has two of each.
LEAST_TRAIN, LEAST_TEST = 2 * INNER_FOLDS, 2
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
    differ by row.
    """

    X: Any
    y: NDArray
    pos_label: Any
    costs: Costs = None
    costs_vary: bool = False

    @property
    def positive(self) -> NDArray[np.bool_]:
        return self.y == self.pos_label

    @property
    def is_second(self) -> bool:
        """Whether the positive class is the second one in sorted order."""
        return bool(self.pos_label == np.unique(self.y)[1])

    def costs_of(self, rows: NDArray[np.intp]) -> Costs:
        return None if self.costs is None else self.costs[rows]


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

    `cv` is a number of stratified folds, shuffled by `seed`, or a splitter or iterable as in
    scikit-learn. Raises ValueError if a fold has too few rows of a class.
    """
    positive = problem.positive
    if isinstance(cv, int | np.integer):
        cv = StratifiedKFold(cv, shuffle=True, random_state=seed)
        rarer, needed = min(positive.sum(), (~positive).sum()), LEAST_TEST * cv.n_splits
        if rarer < needed:
            raise ValueError(
                f"the rarer class has {rarer} rows; {cv.n_splits} nested folds need at least "
                f"{needed} of each class"
            )
    splits = check_cv(cv, positive, classifier=True).split(problem.X, positive)
    folds = [(np.asarray(train), np.asarray(test)) for train, test in splits]
    for number, (train, test) in enumerate(folds):
        for part, rows, least in (("training", train, LEAST_TRAIN), ("test", test, LEAST_TEST)):
            fewest = min(positive[rows].sum(), (~positive[rows]).sum())
            if fewest < least:
                raise ValueError(
                    f"cv: the {part} part of fold {number} has {fewest} rows of the rarer class; "
                    f"valid are {least} or more: take fewer folds, or stratified ones"
                )
    return folds


def evaluate_fold(
    name: str,
    estimator: BaseEstimator,
    problem: Problem,
    criteria: Sequence[Criterion],
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    seed: int,
) -> list[FoldResult]:
    """Evaluate a classifier on the test rows of one outer fold of a nested cross-validation.

    Return one result per criterion (measure or average cost) and variant. The variants are the
    classifier's `predict`, a tuned threshold, and the lowest expected cost of each row, if they
    apply. Thresholds are tuned on out-of-fold scores of the training rows `train`. `name` is the
    name of the classifier in the results.
    """
    variants = [(of, each) for of in criteria for each in _variants(estimator, of, problem)]
    # Estimators of others raise errors of any class, and must not end the comparison.
    try:
        fitted = _fit(estimator, problem, train, test)
        held_out, tuning_seconds = None, 0.0
        if any(variant == TUNED for _, variant in variants):
            held_out, tuning_seconds = _out_of_fold_scores(estimator, problem, train, seed)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".partition("\n")[0]
        failed = {"method": name, "test": test, "reason": reason}
        return [FoldResult(variant=each, criterion=of.name, **failed) for of, each in variants]
    results = []
    for criterion, variant in variants:
        changes: dict[str, Any] = {}
        if variant == TUNED:
            positive, costs = problem.positive[train], problem.costs_of(train)
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
        model = clone(estimator).fit(safe_indexing(problem.X, train), problem.y[train])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X = safe_indexing(problem.X, test)
        scores = positive_scores(getattr(model, _response(estimator))(X), problem.is_second)
        predicted = np.where(model.predict(X) == problem.pos_label, 1.0, -1.0)
    return FoldResult(
        test=test,
        decisions=predicted,
        scores=scores,
        parameters=dict(getattr(_last_step(model), "best_params_", {})),
        seconds=time.process_time() - start,
        warnings=tuple(dict.fromkeys(str(each.message).partition("\n")[0] for each in caught)),
    )


def _out_of_fold_scores(estimator, problem, train, seed) -> tuple[NDArray[np.float64], float]:
    """Return (scores of the training rows by cross-validation in inner folds, CPU seconds)."""
    start = time.process_time()
    X, y = safe_indexing(problem.X, train), problem.y[train]
    inner = StratifiedKFold(INNER_FOLDS, shuffle=True, random_state=seed)
    splits = list(inner.split(np.empty((len(y), 0)), y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        responses = out_of_fold(estimator, X, y, splits, _response(estimator))[1]
    return positive_scores(responses, problem.is_second), time.process_time() - start


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
