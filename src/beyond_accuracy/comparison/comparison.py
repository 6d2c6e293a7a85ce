"""The function `compare`, which compares classifiers by nested cross-validation, and its result."""

import re
import reprlib
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state, indexable
from sklearn.utils.validation import column_or_1d

from beyond_accuracy.comparison.criteria import make_criteria
from beyond_accuracy.comparison.defaults import default_estimators
from beyond_accuracy.comparison.evaluation import (
    FoldResult,
    Problem,
    check_estimators,
    check_inner_folds,
    describe_inner,
    evaluate_fold,
    inner_splitter,
    outer_folds,
)
from beyond_accuracy.comparison.intervals import (
    MARGIN,
    compared_values,
    paired_differences,
    resampled_values,
)
from beyond_accuracy.comparison.page import comparison_page, measure_sections
from beyond_accuracy.comparison.recommendation import label, recommend
from beyond_accuracy.estimators.validation import choose_positive
from beyond_accuracy.operating_points.objectives import check_costs
from beyond_accuracy.readers.column_checks import identifier_columns

RULE = "trivial rule"
COLUMNS = ["measure", "method", "variant", "value", "low", "high"]
COLUMNS += ["difference", "difference_low", "difference_high", "probability", "within"]
COLUMNS += ["recommended", "seconds", "reason", "parameters", "warnings"]
DIFFERENCES = ["measure", "method", "other", "difference", "low", "high", "probability"]


@dataclass(frozen=True)
class Comparison:
    """Result of `compare`, which compares classifiers by nested cross-validation.

    Attributes
    ----------
    table : DataFrame
        One row per measure, method and variant. A method is a classifier. The variant is "plain"
        for the classifier's `predict`, "tuned threshold" for the threshold that is best for the
        measure, and "row by row" for the lowest expected cost of each row. The variant "trivial
        rule" is the best rule that ignores the features, such as predicting every row positive. The
        other columns are:

        - "value", and its 95 % interval in "low" and "high";
        - "difference" from the best method, and its 95 % interval in "difference_low" and
          "difference_high";
        - "probability" that the method is within 0.01 of the best;
        - "within": whether it is within 0.01 of the best, as "yes", "no" or "too few rows to tell";
        - "recommended": whether the method is recommended;
        - "seconds" of CPU time, "reason" of a failure, chosen "parameters", and "warnings".
    differences : DataFrame
        One row per measure and pair of methods. "difference" is the value of "method" minus the
        value of "other". "low" and "high" are its 95 % interval. "probability" is the probability
        that "method" is better. A tie counts as one half.
    recommendation : dict of str to str
        One sentence per measure: the method to use, the reason, and whether a tuned threshold is
        enough.
    held_out_scores : DataFrame
        Scores of the positive class on test rows. The index holds row numbers, and there is one
        column per method that did not fail. A row in several test sets has its last score.
    positive : ndarray of bool, shape (n,)
        Whether each row is positive.
    costs : ndarray of shape (n, 2, 2), or None
        Costs of each row, [row, true, predicted].
    facts : dict of str to str
        Descriptions of the data and the protocol for the HTML page, such as the number of rows.

    References
    ----------
    B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap, 1993.
    https://doi.org/10.1201/9780429246593

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from beyond_accuracy import compare
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> comparison = compare({"Bayes": GaussianNB()}, X, y)
    >>> comparison.held_out_scores.shape
    (569, 1)
    >>> comparison.differences[["method", "other", "probability"]].head(1)
      method                   other  probability
    0  Bayes  Bayes, tuned threshold        0.588
    """

    table: pd.DataFrame
    differences: pd.DataFrame
    recommendation: dict[str, str]
    held_out_scores: pd.DataFrame
    positive: NDArray[np.bool_]
    costs: NDArray[np.float64] | None
    facts: dict[str, str]

    def _repr_html_(self) -> str:
        return measure_sections(self)

    def to_html(
        self,
        path: str | PathLike,
        *,
        title: str = "Which classifier?",
        notes: Sequence[str] = (),
    ) -> None:
        """Write an HTML page with tables, charts and an interactive choice of thresholds.

        The page is one file that needs no network. An existing file at `path` is replaced. `notes`
        are lines of text about the data.
        """
        Path(path).write_text(comparison_page(self, title, notes), encoding="utf-8")


def compare(
    estimators: Mapping[str, BaseEstimator] | None,
    X: Any,
    y: ArrayLike,
    *,
    measures: Sequence[str] | str | None = None,
    costs: ArrayLike | None = None,
    pos_label: Any = None,
    cv: Any = 5,
    groups: ArrayLike | None = None,
    keep: Sequence[str] = (),
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Compare classifiers on your data by nested cross-validation.

    Each classifier is evaluated unchanged. If the measure depends on a threshold, the classifier is
    also evaluated with the threshold that is best on out-of-fold scores of the training set. If
    costs vary by row, classifiers with probabilities are also evaluated with the decision of lowest
    expected cost for each row.

    Parameters
    ----------
    estimators : mapping from str to classifier, or None
        Binary classifiers with `predict_proba` or `decision_function`. List the simplest first,
        since the first of equally good methods is recommended. No threshold is tuned for
        classifiers that choose their own, such as `OperatingPointClassifier`.

        None compares `default_estimators`.
    X : data frame, array or sparse matrix, shape (n, d)
        Identifiers are left out of a data frame, with a UserWarning: columns in which each row has
        a different whole number, or most rows have different texts.
    y : array, shape (n,)
        Class labels of the n rows.
    measures : sequence of str, optional
        Names that `get_measure` takes, and "cost", the average cost per row. Default: ["cost"] if
        costs are given, and ["f1"] otherwise.
    costs : array, shape (2, 2) or (n, 2, 2), optional
        Costs [true, predicted], where index 1 is the positive class: one matrix for all rows, or
        one per row. Classifiers that take them as `cost_matrix` in `fit` or `predict`, such as
        `ReweightedClassifier`, get them unless they have costs or a measure of their own.
    pos_label : object, optional
        The positive class; all other classes are negative. Default: the second of two classes in
        sorted order. Required for more than two classes.
    cv : int, float, splitter or iterable, default 5
        Outer folds. An integer is a number of stratified, shuffled folds, and a float such as 0.3
        the share of one holdout. If all training rows come before the test rows, as in
        TimeSeriesSplit, the inner folds that choose thresholds are in the order of the rows, too.
    groups : array, shape (n,), optional
        Group of each row, such as its customer. Outer and inner folds keep groups together. Folds
        inside a classifier, such as a search, do not. Intervals are too narrow, since they treat
        the rows of a group as independent.
    keep : sequence of str, default ()
        Columns of X that are kept, although they look like identifiers.
    random_state : int, RandomState or None, default 0
        Seed for folds, default estimators and bootstrap intervals.
    n_jobs : int or None, default None
        Number of fits that run in parallel. It does not change the results.
    progress : callable, optional
        Called as progress(finished, total) after each evaluation of a method on a fold.

    Returns
    -------
    comparison : Comparison
        Its attributes `table` and `recommendation` hold the results.

    Raises
    ------
    ValueError
        If an estimator gives no scores, a measure is unknown, or costs or groups have a wrong
        shape. Also if y has one class, or a class has too few rows, or `pos_label` is missing for
        more than two classes.

    Notes
    -----
    Intervals are bootstrap percentiles over test rows. They do not include the variance from other
    training data, and the best of several methods looks slightly better than it is. Methods within
    a margin of 0.01 of the best count as equally good. For costs, the margin is one percent of the
    cost of the best trivial rule, which ignores the features.

    References
    ----------
    S. Varma, R. Simon, Bias in Error Estimation when Using Cross-Validation for Model Selection,
    BMC Bioinformatics 7, 2006. https://doi.org/10.1186/1471-2105-7-91

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from beyond_accuracy import compare
    >>> X, y = make_classification(400, weights=[0.9], random_state=0)
    >>> models = {"logistic": LogisticRegression(), "Bayes": GaussianNB()}
    >>> comparison = compare(models, X, y, measures=["f1", "roc_area"])
    >>> comparison.table.query("measure == 'f1'")[["method", "variant", "value"]].round(2)
                   method          variant  value
    0            logistic            plain   0.55
    1            logistic  tuned threshold   0.57
    2               Bayes            plain   0.58
    3               Bayes  tuned threshold   0.58
    4  every row positive     trivial rule   0.19
    """
    X, left_out = without_identifiers(X, keep)
    problem = make_problem(X, y, costs, pos_label, groups, recode=estimators is None)
    criteria = make_criteria(measures, problem.costs)
    if costs is not None and all(criterion.measure for criterion in criteria):
        warnings.warn(
            'costs: found costs, but no "cost" among the measures; add it to compare by costs',
            UserWarning,
            stacklevel=2,
        )
    seed = random_state
    if not isinstance(seed, int | np.integer):
        seed = int(check_random_state(random_state).randint(2**31))
    if estimators is None:
        names = [criterion.name for criterion in criteria]
        estimators = default_estimators(problem.X, names, random_state=seed)
    check_estimators(estimators)
    folds = outer_folds(cv, problem, seed)
    inner = inner_splitter(folds, problem, seed)
    if any(criterion.has_threshold for criterion in criteria):
        check_inner_folds(inner, folds, problem)
    tasks = [(*pair, *fold) for fold in folds for pair in estimators.items()]
    results: list[FoldResult] = []
    evaluated = Parallel(n_jobs, return_as="generator")(
        delayed(evaluate_fold)(str(name), estimator, problem, criteria, train, test, inner)
        for name, estimator, train, test in tasks
    )
    for number, each in enumerate(evaluated, start=1):
        results += each
        if progress:
            progress(number, len(tasks))
    tables, pairs, sentences = [], [], {}
    for criterion in criteria:
        of_criterion = [result for result in results if result.criterion == criterion.name]
        table, differences, sentences[criterion.name] = _summary(
            criterion, of_criterion, problem, seed
        )
        tables.append(table)
        pairs.append(differences)
    return Comparison(
        table=pd.concat(tables, ignore_index=True),
        differences=pd.concat(pairs, ignore_index=True),
        recommendation=sentences,
        held_out_scores=_held_out(results),
        positive=problem.positive,
        costs=problem.costs,
        facts=_facts(problem, y, criteria, len(folds), inner, seed) | left_out,
    )


def without_identifiers(X: Any, keep: Sequence[str]) -> tuple[Any, dict[str, str]]:
    """Remove columns from a data frame that only identify the rows, such as customer numbers.

    Return (X without these columns, facts). `facts` is {"Left out": text}, where the text names the
    removed columns, or {} if no column is removed. Columns in `keep` stay. A UserWarning names each
    column that is removed.
    """
    if not isinstance(X, pd.DataFrame):
        return X, {}
    left_out = identifier_columns(X, keep)
    named = "; ".join(f"{name!r}: {reason}" for name, reason in left_out.items())
    if len(left_out) == X.shape[1]:
        raise ValueError(f"X: found only columns that name the rows ({named}); keep= keeps one")
    for name, reason in left_out.items():
        warnings.warn(
            f"X: left out {name!r}: {reason}; to keep it: keep=[{name!r}]",
            UserWarning,
            stacklevel=3,
        )
    return X.drop(columns=list(left_out)), {"Left out": named} if named else {}


def make_problem(
    X: Any, y: ArrayLike, costs: Any, pos_label: Any, groups: Any = None, *, recode: bool
) -> Problem:
    """Check the data for `compare`, and return features, labels, costs and groups as a `Problem`.

    If `recode` is True or there are more than two classes, the labels become 1 for the class
    `pos_label` and 0 for all others. Otherwise y is unchanged.
    """
    X, y = indexable(X if hasattr(X, "shape") else np.asarray(X), column_or_1d(y))
    if pd.isna(y).any():
        raise ValueError(f"y: found {pd.isna(y).sum()} missing values; leave these rows out")
    classes = np.unique(y)
    listed = reprlib.repr(classes.tolist())
    if len(classes) < 2:
        raise ValueError(f"y: found one class, {listed}; two are needed")
    if pos_label is None and len(classes) > 2:
        raise ValueError(
            f"y: found {len(classes)} classes, {listed}; say by pos_label which one is positive, "
            "against all others"
        )
    if pos_label is None:
        pos_label, _ = choose_positive(classes, y == classes[1], None, stacklevel=4)
    positive = y == pos_label
    if not np.any(positive):
        raise ValueError(f"pos_label: found {pos_label!r}; valid are {listed}")
    if recode or len(classes) > 2:
        y, pos_label = positive.astype(int), 1
    try:
        checked = None if costs is None else check_costs(costs, len(y))
    except ValueError as error:
        raise ValueError(f"costs: {error}") from error
    if groups is not None:
        groups = _checked_groups(groups, len(y))
    return Problem(X, y, pos_label, checked, costs_vary=np.ndim(costs) == 3, groups=groups)


def _checked_groups(groups, n_rows) -> NDArray:
    groups = np.asarray(groups)
    if groups.shape != (n_rows,):
        raise ValueError(f"groups: found the shape {groups.shape}; valid is ({n_rows},), one a row")
    if pd.isna(groups).any():
        raise ValueError(f"groups: found {pd.isna(groups).sum()} missing values; fill them")
    return groups


def _summary(criterion, results, problem, seed) -> tuple[pd.DataFrame, pd.DataFrame, str]:
    """Return (table, paired differences, recommendation) of one criterion from its fold results."""
    by_variant: dict[tuple[str, str], list[FoldResult]] = {}
    for result in results:
        by_variant.setdefault((result.method, result.variant), []).append(result)
    rows = pd.DataFrame([_description(each) for each in by_variant.values()])
    fitted = [each for each in by_variant.values() if not any(result.reason for result in each)]
    if not fitted:
        said = "No method could be fitted; the table says why."
        return rows.reindex(columns=COLUMNS), pd.DataFrame(columns=DIFFERENCES), said

    def with_costs(folds):
        return [(problem.positive[test], values, problem.costs_of(test)) for test, values in folds]

    tests = [result.test for result in fitted[0]]
    rules = {
        name: with_costs((test, decisions[test]) for test in tests)
        for name, decisions in criterion.trivial_decisions(len(problem.y), seed).items()
    }
    means = {
        name: np.mean([criterion.scorer(*fold)(np.ones(len(fold[0]))) for fold in folds])
        for name, folds in rules.items()
    }
    rule = max(means, key=lambda name: criterion.sign * means[name])
    trivial = {"measure": criterion.name, "method": rule, "variant": RULE}
    rows.loc[len(rows)] = trivial | dict.fromkeys(("reason", "parameters", "warnings"), "")
    methods = [with_costs((each.test, each.decisions) for each in folds) for folds in fitted]
    margin = MARGIN if criterion.measure else MARGIN * abs(means[rule])
    values = resampled_values([*methods, rules[rule]], criterion, seed)
    known = rows[rows["reason"] == ""].index
    names = [label(row) for _, row in rows.loc[known].iterrows()]
    differences = paired_differences(values, names, criterion.sign)
    differences.insert(0, "measure", criterion.name)
    rows = rows.join(compared_values(values, criterion.sign, margin).set_index(known))
    used, said = recommend(rows.loc[known[:-1]], rows.loc[known[-1]], criterion, margin)
    rows["recommended"] = rows.index == used
    failed = rows[rows["reason"] != ""]
    if len(failed):
        listed = "; ".join(failed["method"].unique())
        said = f"{said.removesuffix('.')} (not compared, as fits failed: {listed})."
    return rows[COLUMNS], differences, said


def _description(folds: Sequence[FoldResult]) -> dict[str, Any]:
    return {
        "measure": folds[0].criterion,
        "method": folds[0].method,
        "variant": folds[0].variant,
        "seconds": sum(result.seconds for result in folds),
        "reason": next((result.reason for result in folds if result.reason), ""),
        "parameters": _parameters(folds),
        "warnings": _warnings(folds),
    }


def _held_out(results: Sequence[FoldResult]) -> pd.DataFrame:
    """Return the scores on test rows: one column for each method that never failed."""
    scores = pd.DataFrame(index=np.unique(np.concatenate([result.test for result in results])))
    for result in results:
        values = np.nan if result.scores is None else result.scores
        scores.loc[result.test, result.method] = values
    return scores.dropna(axis=1)


def _parameters(folds: Sequence[FoldResult]) -> str:
    """Describe the most frequent parameters and the range of thresholds."""
    chosen = [dict(fold.parameters) for fold in folds]
    thresholds = [each.pop("threshold") for each in chosen if "threshold" in each]
    texts = [", ".join(f"{key} {value}" for key, value in each.items()) for each in chosen]
    most, count = Counter(texts).most_common(1)[0]
    parts = [f"{most} ({count} of {len(folds)} folds)"] if most else []
    if thresholds:
        parts.append(f"threshold {min(thresholds):.3g} to {max(thresholds):.3g}")
    return "; ".join(parts)


def _warnings(folds: Sequence[FoldResult]) -> str:
    """Return the most frequent warning of the folds, or "". Numbers in warnings are ignored."""
    texts = [{re.sub(r"[\d.]+", "", text): text for text in fold.warnings} for fold in folds]
    counts = Counter(key for each in texts for key in each)
    if not counts:
        return ""
    most, count = counts.most_common(1)[0]
    first = next(each[most] for each in texts if most in each)
    return f"warned in {count} of {len(folds)} folds: {first}"


def _facts(problem, y, criteria, n_folds, inner, seed) -> dict[str, str]:
    X, positive = problem.X, problem.positive
    n_missing = 0 if sp.issparse(X) else int(np.asarray(pd.isna(X)).sum())
    return {
        "Rows": f"{len(y):,}, of which {positive.sum():,} positive ({np.asarray(y)[positive][0]})",
        "Columns": f"{X.shape[1]:,}",
        "Missing values": f"{n_missing:,}",
        "Measures": ", ".join(criterion.label for criterion in criteria),
        "Protocol": (
            f"{n_folds} outer fold{'s' * (n_folds > 1)}; in each training part, thresholds are "
            f"chosen on the out-of-fold scores of {describe_inner(inner)}"
        ),
        "Seed": str(seed),
        "Made": datetime.now(UTC).strftime("%Y-%m-%d"),
    }
