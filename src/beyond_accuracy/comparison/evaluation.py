"""Nested cross-validation: evaluate each method on each outer fold."""

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, check_cv

from beyond_accuracy.comparison.criteria import Costs, Criterion
from beyond_accuracy.comparison.methods import Method
from beyond_accuracy.estimators.out_of_fold import out_of_fold
from beyond_accuracy.operating_points.objectives import expected_savings
from beyond_accuracy.scikit_learn import safe_indexing

PLAIN, TUNED, ROW_BY_ROW = "plain", "tuned threshold", "row by row"
INNER_FOLDS = 3
# Rows of each class, so that every inner part has two of each.
LEAST_TRAIN, LEAST_TEST = 2 * INNER_FOLDS, 2


@dataclass(frozen=True)
class Problem:
    """Data of a comparison.

    Attributes
    ----------
    X : data frame, array or sparse matrix, shape (n, d)
    y : array, shape (n,)
        Labels of two classes.
    pos_label : object
        The positive class.
    costs : array of shape (n, 2, 2), or None
        Costs [row, true, predicted].
    costs_vary : bool
        Whether the user gave a cost matrix per row.
    """

    X: Any
    y: NDArray
    pos_label: Any
    costs: Costs = None
    costs_vary: bool = False

    @property
    def positive(self) -> NDArray[np.bool_]:
        """Whether each row is positive, bool, shape (n,)."""
        return self.y == self.pos_label

    def costs_of(self, rows: NDArray[np.intp]) -> Costs:
        """Return the costs of the given rows, or None if there are no costs."""
        return None if self.costs is None else self.costs[rows]


@dataclass(frozen=True)
class FoldResult:
    """Result of one variant of a method on one outer fold, for one criterion.

    Attributes
    ----------
    method, variant, criterion : str
    test : array of int
        Indices of the test rows.
    decisions : array of float or None
        Decisions on the test rows; above 0 predicts the positive class. None after a failure.
    scores : array of float or None
        Scores of the positive class on the test rows. None after a failure.
    parameters : dict
        Chosen hyperparameters, and "threshold" if it was tuned.
    seconds : float
        CPU seconds that this variant would need alone.
    warnings : tuple of str
        Warnings of the final fit.
    reason : str
        Error message of a failure; empty if there was none.
    """

    method: str
    variant: str
    criterion: str
    test: NDArray[np.intp]
    decisions: NDArray[np.float64] | None = None
    scores: NDArray[np.float64] | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    reason: str = ""


def outer_folds(cv: Any, problem: Problem, seed: int) -> list[tuple[NDArray, NDArray]]:
    """Return (training rows, test rows) of each outer fold.

    `cv` is a number of stratified folds, shuffled by `seed`, or a splitter or iterable as in
    scikit-learn. Raises ValueError if a training or test set has too few rows of a class.
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
    method: Method,
    problem: Problem,
    criteria: Sequence[Criterion],
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    seed: int,
) -> list[FoldResult]:
    """Evaluate a method on one outer fold: one result per criterion and variant.

    Hyperparameters are chosen on the first inner fold. Thresholds are tuned on the out-of-fold
    scores of all inner folds. Each candidate is fitted at most once per inner fold and once to the
    whole training set, for any number of criteria. `train` and `test` are row indices.
    """
    X, y = safe_indexing(problem.X, train), problem.y[train]
    positive, costs = problem.positive[train], problem.costs_of(train)
    splitter = StratifiedKFold(INNER_FOLDS, shuffle=True, random_state=seed)
    splits = list(splitter.split(positive, positive))
    second = np.unique(y)[1] == problem.pos_label
    has_probabilities = hasattr(method.candidates[0][1], "predict_proba")
    response = "predict_proba" if has_probabilities else "decision_function"

    @cache
    def held_out(candidate, fold):
        """Fit a candidate on the training set of an inner fold; return (test scores, seconds).

        The scores are decision values or probabilities of the positive class, shape (n_test,).
        """
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            estimator = method.candidates[candidate][1]
            _, responses = out_of_fold(estimator, X, y, [splits[fold]], response)
        return _of_positive(responses, second), time.process_time() - start

    @cache
    def final(candidate):
        """Return (scores, decisions, seconds, warnings) of a candidate on the outer test set."""
        start = time.process_time()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            model = clone(method.candidates[candidate][1]).fit(X, y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            new = safe_indexing(problem.X, test)
            scores = _of_positive(getattr(model, response)(new), second)
            predicted = np.where(model.predict(new) == problem.pos_label, 1.0, -1.0)
        told = dict.fromkeys(str(warning.message).partition("\n")[0] for warning in caught)
        return scores, predicted, time.process_time() - start, tuple(told)

    def choose(criterion, variant):
        """Return the index of the candidate that is best on the first inner fold."""
        rows = splits[0][1]
        some_costs = None if costs is None else costs[rows]

        def gain(candidate):
            scores, _ = held_out(candidate, 0)
            if variant == TUNED:
                point = criterion.best_point(positive[rows], scores, some_costs)
                return criterion.sign * point.value
            decisions = scores - (0.5 if response == "predict_proba" else 0.0)
            if variant == ROW_BY_ROW:
                decisions = expected_savings(scores, some_costs)
            return criterion.sign * criterion.value(positive[rows], decisions, some_costs)

        return max(range(len(method.candidates)), key=gain)

    def result(criterion, variant):
        several = len(method.candidates) > 1
        chosen = choose(criterion, variant) if several else 0
        parameters = dict(method.candidates[chosen][0])
        scores, predicted, seconds, told = final(chosen)
        needed = {(each, 0) for each in range(len(method.candidates))} if several else set()
        decisions = predicted if criterion.has_threshold else scores
        if variant == TUNED:
            needed |= {(chosen, fold) for fold in range(INNER_FOLDS)}
            pooled = np.empty(len(train))
            for fold, (_, rows) in enumerate(splits):
                pooled[rows] = held_out(chosen, fold)[0]
            threshold = criterion.best_point(positive, pooled, costs).threshold
            parameters["threshold"] = float(threshold)
            decisions = np.where(scores > threshold, 1.0, -1.0)
        elif variant == ROW_BY_ROW:
            decisions = expected_savings(scores, problem.costs_of(test))
        seconds += sum(held_out(*each)[1] for each in needed)
        found = {"decisions": decisions, "scores": scores, "parameters": parameters}
        return found | {"seconds": seconds, "warnings": told}

    results = []
    for criterion in criteria:
        for variant in _variants(method, criterion, response, problem):
            # Estimators of others raise errors of any class, and must not end the comparison.
            try:
                found = result(criterion, variant)
            except Exception as error:
                found = {"reason": f"{type(error).__name__}: {error}".partition("\n")[0]}
            results.append(FoldResult(method.name, variant, criterion.name, test, **found))
    return results


def _variants(method, criterion, response, problem) -> list[str]:
    if method.only_for not in (None, criterion.name):
        return []
    variants = [PLAIN]
    if method.tunable and criterion.has_threshold:
        variants.append(TUNED)
        if criterion.measure is None and problem.costs_vary and response == "predict_proba":
            variants.append(ROW_BY_ROW)
    return variants


def _of_positive(responses, second) -> NDArray[np.float64]:
    """Return the scores of the positive class, shape (n,); raise ValueError if one is not finite.

    `responses` are probabilities, shape (n, 2), or decision values. `second` is whether the
    positive class is the second class.
    """
    scores = np.asarray(responses, dtype=np.float64)
    if scores.ndim == 2:
        scores = scores[:, int(second)]
    elif not second:
        scores = -scores
    if not np.isfinite(scores).all():
        n_bad = np.count_nonzero(~np.isfinite(scores))
        raise ValueError(f"{n_bad} of {len(scores)} scores are NaN or infinite")
    return scores
