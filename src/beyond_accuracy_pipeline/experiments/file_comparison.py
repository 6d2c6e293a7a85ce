"""Nested comparison of methods on one table: what `beyond-accuracy compare` fits."""

import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline

from beyond_accuracy.estimators import CostModelSVC, MultivariateSVC, OperatingPointClassifier
from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.losses import TopLoss
from beyond_accuracy_pipeline.datasets.preprocessing import column_transformer
from beyond_accuracy_pipeline.datasets.steps import Preprocessing
from beyond_accuracy_pipeline.datasets.table import Table

N_FOLDS = 5
_HOLDOUT = 1 / 3
_THRESHOLD_FOLDS = 3
_C = (0.01, 0.1, 1.0, 10.0)
_COSTS = tuple({"C": C, "j": j} for C in (0.1, 1.0) for j in (1.0, 5.0))
_SCALED_C = (0.01, 0.1, 0.5, 3.0)
_LEAVES = (4, 8, 16, 31)
_TREES = 100
# With class weights scikit-learn looks for each limit of each column by itself: with its 255 bins
# that takes ten times as long as the trees.
_BINS = 32
_SCALED = Preprocessing(impute="median", one_hot=True, standardize=True)

LABELS = {
    "logistic_regression": "Logistic regression",
    "logistic_regression_tuned": "Logistic regression, tuned threshold",
    "logistic_regression_weighted": "Logistic regression, class-weighted",
    "cost_svm": "Cost-sensitive SVM",
    "cost_svm_tuned": "Cost-sensitive SVM, tuned threshold",
    "multivariate_svm": "Multivariate SVM",
    "gradient_boosting": "Gradient boosting",
    "gradient_boosting_tuned": "Gradient boosting, tuned threshold",
    "gradient_boosting_weighted": "Gradient boosting, class-weighted",
}
"""Methods, from the simplest on, as reports call them."""

SHARES = {
    "logistic_regression": 2,
    "logistic_regression_tuned": 4,
    "logistic_regression_weighted": 2,
    "cost_svm": 3,
    "cost_svm_tuned": 5,
    "multivariate_svm": 2,
    "gradient_boosting": 12,
    "gradient_boosting_tuned": 25,
    "gradient_boosting_weighted": 36,
}
"""Of the time of a fold on 10,000 rows of 50 columns, by which the time that is left is told."""


RULES = {
    "all_positive": ("every row positive", "predicting every row as positive"),
    "all_negative": ("every row negative", "predicting every row as negative"),
    "one_score": ("one score for all rows", "giving every row the same score"),
    "random_order": ("a random order", "a random order of the rows"),
}
"""Trivial rules, which look at no feature: as tables and as sentences call them."""


class FoldResult(NamedTuple):
    """One method on one outer fold.

    `decisions`, shape (n_test,), are above 0 where positive is predicted; None if the method
    failed, for the `reason`. `parameters` are those chosen, and the tuned `threshold`; `seconds`
    are those of the processor, and `warnings` what the fit with them warned of.
    """

    method: str
    fold: int
    test: np.ndarray
    decisions: np.ndarray | None
    parameters: dict[str, Any]
    seconds: float
    reason: str = ""
    warnings: tuple[str, ...] = ()


def methods_for(measure: str, X: np.ndarray | sp.csr_matrix) -> dict[str, str]:
    """The methods, each with why it is not run on these data, or ""."""
    ranking = get_measure(measure).table_function is None
    reasons = dict.fromkeys(LABELS, "")
    for name in reasons:
        if name.startswith("gradient") and sp.issparse(X):
            reasons[name] = "takes no sparse data"
        elif name.endswith("_tuned") and ranking:
            reasons[name] = f"a threshold changes nothing for {get_measure(measure).label}"
    return reasons


def trivial_decisions(measure: str, n_rows: int, seed: int) -> dict[str, np.ndarray]:
    """Decisions of those of the `RULES` that a measure can be had by, each of shape (n_rows,).

    Measures of the rows at the top count ties against the rule: one score for all has 0 there.
    """
    if get_measure(measure).table_function is not None:
        return {"all_positive": np.ones(n_rows), "all_negative": -np.ones(n_rows)}
    if isinstance(get_measure(measure).loss, TopLoss):
        return {"random_order": np.random.default_rng(seed).random(n_rows)}
    return {"one_score": np.zeros(n_rows)}


def compare_methods(
    table: Table, measure: str, *, seed: int, n_jobs: int = 1
) -> tuple[int, Iterator[FoldResult]]:
    """The sum of the `SHARES` of all results, and the results as they come, in a fixed order.

    Five stratified outer folds. In each training part four candidates of every method are compared
    on a stratified third of it (at the best threshold, where that is tuned), and the best is fitted
    to all of it; a threshold is tuned on out-of-fold scores of three folds. Scaling,
    imputation and encoding are fitted inside each of these parts; gradient boosting takes missing
    values and nominal columns as they are.

    Parameters
    ----------
    table : Table
        With y in {-1, +1}.
    measure : str
        Name of a binary measure.
    seed : int
        Of folds and fits.
    n_jobs : int, default 1
        Processes; results do not depend on it.

    Raises
    ------
    ValueError
        If a class has fewer rows than the nested folds need.
    """
    y = table.y
    rarer = int(min(np.sum(y > 0), np.sum(y < 0)))
    needed = 2 * N_FOLDS
    if rarer < needed:
        raise ValueError(
            f"the rarer class has {rarer} rows; nested folds need at least {needed} of each class"
        )
    splits = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed).split(y, y)
    methods = [name for name, reason in methods_for(measure, table.X).items() if not reason]
    _compile(table.X, measure, methods)
    tasks = [
        delayed(_result)(table, name, measure, fold, train, test, seed)
        for fold, (train, test) in enumerate(splits)
        for name in methods
    ]
    total = N_FOLDS * sum(SHARES[name] for name in methods)
    return total, Parallel(n_jobs, return_as="generator")(tasks)


def _compile(X, measure, methods) -> None:
    """Fit a few rows, so that not each process compiles what is not cached yet."""
    few = np.eye(4, min(X.shape[1], 4))
    solvers = {"cost_svm": CostModelSVC(), "multivariate_svm": MultivariateSVC(measure)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in solvers.keys() & set(methods):
            # So few rows have no ten at the top; then each process compiles.
            with suppress(ValueError):
                solvers[name].fit(sp.csr_matrix(few) if sp.issparse(X) else few, [0, 0, 1, 1])


def _result(table, name, measure, fold, train, test, seed) -> FoldResult:
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            decisions, parameters, warned = _nested(table, name, measure, train, test, seed)
        reason = ""
    except (ValueError, MemoryError) as error:
        decisions, parameters, warned, reason = None, {}, (), str(error) or type(error).__name__
    seconds = time.process_time() - start
    return FoldResult(name, fold, test, decisions, parameters, seconds, reason, warned)


def _nested(table, name, measure, train, test, seed):
    X, y = table.X, table.y
    fitted, held_out = train_test_split(
        train, test_size=_HOLDOUT, stratify=y[train], random_state=seed
    )
    tuned = name.endswith("_tuned")
    best, best_score, best_parameters = None, -np.inf, {}
    for parameters, estimator in _candidates(name, table, measure, seed):
        model = clone(estimator).fit(X[fitted], y[fitted])
        if tuned:
            model = OperatingPointClassifier(model, measure, cv="prefit")
            score = model.fit(X[held_out], y[held_out]).best_score_
        else:
            score = get_measure(measure).score(y[held_out] > 0, _decisions(model, X[held_out]))
        if score > best_score:
            best, best_score, best_parameters = estimator, score, parameters
    if tuned:
        folds = StratifiedKFold(_THRESHOLD_FOLDS, shuffle=True, random_state=seed)
        best = OperatingPointClassifier(best, measure, cv=folds)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        model = clone(best).fit(X[train], y[train])
    if tuned:
        best_parameters = best_parameters | {"threshold": float(model.best_threshold_)}
    warned = dict.fromkeys(str(warning.message).partition("\n")[0] for warning in caught)
    return _decisions(model, X[test]), best_parameters, tuple(warned)


def _decisions(model: BaseEstimator, X) -> np.ndarray:
    """Scores that are above 0 where the model predicts the positive class."""
    if isinstance(model, OperatingPointClassifier):
        scores = model.scores(X)
        # A threshold that takes all or nothing is infinite.
        return scores - np.clip(model.best_threshold_, scores.min() - 1, scores.max() + 1)
    if hasattr(model, "predict_proba"):
        return model.predict_proba(X)[:, 1] - 0.5
    return model.decision_function(X)


def _candidates(name, table, measure, seed) -> Iterator[tuple[dict[str, Any], BaseEstimator]]:
    n_features = table.X.shape[1]
    if name.startswith("gradient"):
        # It takes missing values and, up to a number of values, nominal columns as they are.
        native = all(len(values) < _BINS for values in table.categories.values())
        prepared = Preprocessing(one_hot=not native)
        # The transformer puts nominal columns last.
        n_nominal = len(table.categories) if native else 0
        nominal = np.arange(n_features) >= n_features - n_nominal if n_nominal else None
        weight = "balanced" if name.endswith("_weighted") else None
        for leaves in _LEAVES:
            model = HistGradientBoostingClassifier(
                max_iter=_TREES,
                max_bins=_BINS,
                max_leaf_nodes=leaves,
                categorical_features=nominal,
                class_weight=weight,
                early_stopping=False,
                random_state=seed,
            )
            yield {"max_leaf_nodes": leaves}, _pipeline(prepared, table, model)
        return
    if name == "multivariate_svm":
        models = [MultivariateSVC(measure, C=C, C_convention="scaled") for C in _SCALED_C]
        parameters = [{"C": C} for C in _SCALED_C]
    elif name.startswith("cost_svm"):
        models = [CostModelSVC(**costs, random_state=seed) for costs in _COSTS]
        parameters = list(_COSTS)
    else:
        weight = "balanced" if name.endswith("_weighted") else None
        models = [LogisticRegression(C=C, class_weight=weight, max_iter=1000) for C in _C]
        parameters = [{"C": C} for C in _C]
    for chosen, model in zip(parameters, models, strict=True):
        yield chosen, _pipeline(_SCALED, table, model)


def _pipeline(preprocessing, table, model):
    if sp.issparse(table.X):
        return model
    n_features = table.X.shape[1]
    return make_pipeline(column_transformer(preprocessing, table.categories, n_features), model)
