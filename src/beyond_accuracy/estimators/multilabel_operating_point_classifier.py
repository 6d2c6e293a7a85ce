"""Meta-estimator that turns label probabilities into the best predictions for an F-measure."""

import warnings
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Tags, check_random_state, get_tags, indexable
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.folds import CV, fold_indices, kept_rows, label_folds
from beyond_accuracy.estimators.multilabel_classifier import check_label_indicator
from beyond_accuracy.estimators.validation import ArrayLike, MatrixLike
from beyond_accuracy.estimators.wrapped_classifier import WrappedClassifier
from beyond_accuracy.inference import gfm_from_samples, joint_from_samples, meuf
from beyond_accuracy.inference.macro_at_k import BELOW_ALL, macro_f_within_budget, top_within_budget
from beyond_accuracy.measures.operating_curve import RankedExamples
from beyond_accuracy.operating_points.choice import best_operating_point
from beyond_accuracy.operating_points.objectives import make_objective
from beyond_accuracy.operating_points.optimism import score_interval
from beyond_accuracy.scikit_learn import (
    HasMethods,
    Interval,
    StrOptions,
    check_sample_weight,
    safe_indexing,
)
from beyond_accuracy.solvers.data_matrix import check_structure

_DEFAULT_FOLDS = 5


class MultiLabelOperatingPointClassifier(WrappedClassifier):
    """Multi-label classifier whose decisions on label probabilities maximize an F-measure.

    Parameters
    ----------
    estimator : multi-label classifier with predict_proba
        A classifier of scikit-learn or of this package. Its probabilities may be one array
        (OneVsRestClassifier) or a list with an array per label (RandomForestClassifier,
        MultiOutputClassifier).
    objective : {"f1_instance", "f1_macro", "f1_micro"}, default "f1_instance"
        The F-measure to maximize:

        - "f1_instance" is the mean over rows of F_β. The prediction for each row maximizes its
          expected F_β, without thresholds.
        - "f1_macro" is the mean over labels of F_β. Each label has its own threshold.
        - "f1_micro" is F_β of all entries of Y together. All labels share one threshold.
    beta : float, default 1.0
        Weight of recall against precision in F_β.
    labels_per_row : int or None, default None
        Largest number of labels to predict per row (a budget). For "f1_instance", the prediction is
        the best one within the budget. Otherwise the thresholds allow for the budget. For
        "f1_macro", an approximate search (Schultheis et al. 2023) also chooses `label_weights_`.
    joint : {"auto", "independent", "sample"}, default "auto"
        How "f1_instance" models the labels of a row. "sample" draws label vectors by the method
        `sample` of `estimator`. "independent" assumes that labels are independent. "auto" is
        "sample" if `estimator` has this method.
    cv : int, float, splitter, iterable, "prefit" or None, default None
        Folds for the out-of-fold probabilities on which thresholds are chosen. Not used for
        "f1_instance", which has no thresholds.

        - An integer is a number of shuffled folds over which the positives of every label are
          spread; None is 5. A share such as 0.3 is one random holdout.
        - For other values, see `OperatingPointClassifier`.
    n_resamples : int, default 0
        Number of bootstrap samples of the rows for the 95 % interval `score_interval_`. Thresholds
        are chosen again on each sample. Must be 0 for "f1_instance".
    random_state : int, RandomState or None, default 0
        Seed for the bootstrap, and for the folds if `cv` is an integer or None.
    n_jobs : int or None, default None
        See `OperatingPointClassifier`.

    Attributes
    ----------
    estimator_ : classifier
        The fitted classifier.
    n_labels_ : int
        Number m of labels.
    classes_ : list of ndarray
        [0, 1] for every label.
    thresholds_ : ndarray, shape (m,)
        A label is predicted if its probability is above the threshold. Not set for "f1_instance".
    label_weights_ : ndarray, shape (m,)
        If more labels are above their thresholds than the budget allows, the labels with the
        largest weight · (probability − threshold) are predicted. All weights are 1, except for
        "f1_macro" with a budget. Not set for "f1_instance".
    best_score_ : float
        The objective on the out-of-fold probabilities. It is optimistic, above all for rare labels;
        see `score_interval_`. Not set for "f1_instance".
    score_interval_ : tuple of float
        95 % interval of the objective on new data; `best_score_` may be outside. Only if
        `n_resamples` > 0. See `operating_points.bootstrap_intervals`.
    n_features_in_, feature_names_in_
        Attributes of `estimator_`, if it has them.

    Notes
    -----
    A label without positive examples is never predicted; its F_β is then 1. If the training set of
    a fold has no positive of a label, its threshold is chosen without the rows of the fold.
    `sample_weight` counts in the choice of thresholds. It is passed to `estimator.fit` if that
    method takes it.

    References
    ----------
    K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An Exact Algorithm for F-Measure
    Maximization, NIPS 2011; Z. C. Lipton, C. Elkan, B. Naryanaswamy, Optimal Thresholding of
    Classifiers to Maximize F1 Measure, ECML PKDD 2014. https://arxiv.org/abs/1402.1892;
    E. Schultheis, M. Wydmuch, W. Kotłowski, R. Babbar, K. Dembczyński, Generalized Test Utilities
    for Long-Tail Performance in Extreme Multi-Label Classification, NeurIPS 2023.
    https://arxiv.org/abs/2311.05081

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(200, n_classes=4, random_state=0)
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from beyond_accuracy import MultiLabelOperatingPointClassifier
    >>> forest = RandomForestClassifier(20, random_state=0)
    >>> classifier = MultiLabelOperatingPointClassifier(forest, "f1_macro", cv=3).fit(X, Y)
    >>> classifier.predict(X[:3]).shape
    (3, 4)
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "estimator": [HasMethods(["fit", "predict_proba"])],
        "objective": [StrOptions({"f1_instance", "f1_macro", "f1_micro"})],
        "beta": [Interval(Real, 0, 1e100, closed="right")],
        "labels_per_row": [Interval(Integral, 1, None, closed="left"), None],
        "joint": [StrOptions({"auto", "independent", "sample"})],
        "cv": [*CV, StrOptions({"prefit"})],
        "n_resamples": [Interval(Integral, 0, None, closed="left")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        estimator: Any,
        objective: Literal["f1_instance", "f1_macro", "f1_micro"] = "f1_instance",
        *,
        beta: float = 1.0,
        labels_per_row: int | None = None,
        joint: Literal["auto", "independent", "sample"] = "auto",
        cv: Any | Literal["prefit"] = None,
        n_resamples: int = 0,
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.objective = objective
        self.beta = beta
        self.labels_per_row = labels_per_row
        self.joint = joint
        self.cv = cv
        self.n_resamples = n_resamples
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self, X: Any, Y: MatrixLike, sample_weight: ArrayLike | None = None, **params: Any
    ) -> Self:
        """Fit the estimator, unless cv="prefit", and choose the thresholds.

        Parameters
        ----------
        X : array, matrix or data frame
            Features in any form that `estimator` takes.
        Y : array of 0 and 1, shape (n, m)
            Dense or sparse.
        sample_weight : array of float, shape (n,), optional
            Non-negative weights of the rows.
        **params
            Keywords for `estimator.fit`, or for the methods that metadata routing chooses.

        Raises
        ------
        ValueError
            If parameters or data are invalid, a prefit classifier has another number of labels, or
            the classifier fails on a fold in which labels are constant; the message names them.
        """
        self._check_parameters()
        X, Y, sample_weight = self._check_data(X, Y, sample_weight)
        to_fit = to_split = {}
        if self._is_prefit:
            self._check_prefit(params)
            self._keep(self.estimator)
        else:
            to_fit, to_split = self._keywords(sample_weight, params)
            self._keep(_fitted(self.estimator, X, Y, to_fit, "Y"))
        for name in ("thresholds_", "label_weights_", "best_score_", "score_interval_"):
            vars(self).pop(name, None)
        if self.objective != "f1_instance":
            marginals, usable, tested = self._held_out(X, Y, to_fit, to_split)
            weights = np.ones(len(Y)) if sample_weight is None else sample_weight
            counted = tested & (weights > 0)
            held_out = [part[counted] for part in (Y.astype(bool), marginals, usable, weights)]
            self.thresholds_: NDArray[np.float64]
            self.label_weights_: NDArray[np.float64]
            self.best_score_: float
            self.thresholds_, self.label_weights_, self.best_score_ = self._choose(*held_out)
            if self.n_resamples:
                self.score_interval_: tuple[float, float] = self._interval(*held_out)
        return self

    def _check_parameters(self):
        # The name of scikit-learn's scorer.
        if self.objective == "f1_samples":
            raise ValueError("unknown objective 'f1_samples'; did you mean 'f1_instance'?")
        self._check_probabilities("MultiOutputClassifier(CalibratedClassifierCV({}))")
        self._validate_params()
        if self.n_resamples and self.objective == "f1_instance":
            raise ValueError(
                f"n_resamples={self.n_resamples} is for the interval of what thresholds reach; "
                '"f1_instance" chooses none: leave n_resamples=0, or take objective="f1_macro" or '
                '"f1_micro"'
            )
        if self.joint == "sample" and not hasattr(self.estimator, "sample"):
            raise ValueError(
                f'joint="sample" needs a classifier with `sample`; {type(self.estimator).__name__} '
                'has none: take joint="independent"'
            )

    def _check_data(self, X, Y, sample_weight):
        """Return checked X, Y and weights; set `n_labels_` and `classes_`."""
        check_structure(X)
        check_structure(Y, "Y")
        X, _ = indexable(X, Y)
        Y = check_label_indicator(Y)
        if len(Y) == 0:
            raise ValueError("found 0 samples; at least one is needed")
        if sample_weight is not None:
            sample_weight = check_sample_weight(
                sample_weight, X, dtype=np.float64, ensure_non_negative=True
            )
        self.n_labels_: int = Y.shape[1]
        if self.labels_per_row is not None and self.labels_per_row > self.n_labels_:
            warnings.warn(
                f"labels_per_row={self.labels_per_row} binds nothing: there are {self.n_labels_} "
                "labels",
                UserWarning,
                stacklevel=3,
            )
        self.classes_: list[np.ndarray] = [np.array([0, 1])] * self.n_labels_
        return X, Y, sample_weight

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the predicted labels as a 0/1 indicator, int64, shape (n, m)."""
        check_is_fitted(self)
        if self.objective != "f1_instance":
            chosen = self.thresholds_, self.label_weights_
            return self._decide(self.predict_proba(X), *chosen).astype(np.int64)
        if self.joint == "independent" or not hasattr(self.estimator_, "sample"):
            chosen, _ = meuf(self.predict_proba(X), self.beta, max_labels=self.labels_per_row)
            return chosen.astype(np.int64)
        samples = self.estimator_.sample(X)
        chosen = gfm_from_samples(samples, self.beta)[0].astype(np.int64)
        if self.labels_per_row is not None:
            for row in np.flatnonzero(chosen.sum(axis=1) > self.labels_per_row):
                (joint,), (p_empty,) = joint_from_samples(samples[[row]])
                chosen[row] = _best_within(self.labels_per_row, joint, p_empty, self.beta)
        return chosen

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the wrapped classifier's probabilities of the m labels, float64, shape (n, m)."""
        check_is_fitted(self)
        check_structure(X)
        return _marginals(self.estimator_, X, self.n_labels_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        return tags

    def _held_out(self, X, Y, to_fit, to_split):
        """Return (held-out marginals, mask of usable marginals, mask of rows in test sets)."""
        if self._is_prefit:
            return self.predict_proba(X), np.ones(Y.shape, dtype=bool), np.ones(len(Y), dtype=bool)
        sums, counts = np.zeros(Y.shape), np.zeros(Y.shape)
        tested = np.zeros(len(Y), dtype=bool)
        splits = self._label_splits(X, Y, to_split)
        predicted = Parallel(self.n_jobs)(
            delayed(_fold_marginals)(self.estimator, X, Y, to_fit, number, *split)
            for number, split in enumerate(splits)
        )
        for (train, test), marginals in zip(splits, predicted, strict=True):
            # Only labels with a positive in the training set are usable.
            has_positives = Y[train].any(axis=0)
            sums[test] += np.where(has_positives, marginals, 0.0)
            counts[test] += has_positives
            tested[test] = True
        return sums / np.maximum(counts, 1), counts > 0, tested

    def _label_splits(self, X, Y, to_split):
        stratified = self.cv is None or isinstance(self.cv, Integral)
        if to_split.get("groups") is not None or not stratified:
            return fold_indices(self.cv, X, Y, **to_split)
        n_folds = _DEFAULT_FOLDS if self.cv is None else self.cv
        folds = label_folds(Y, n_folds, self.random_state)
        return [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(n_folds)]

    def _decide(self, marginals, thresholds, label_weights):
        return top_within_budget(label_weights * (marginals - thresholds), self.labels_per_row)

    def _interval(self, Y, marginals, usable, weights):
        """Return the bootstrap interval (low, high) of F_β on new data from held-out marginals."""
        of_entries = self.objective == "f1_micro"
        square = self.beta**2

        def choose(rows):
            resample = Y[rows], marginals[rows], usable[rows], weights[rows]
            thresholds, label_weights, _ = self._choose(*resample)
            return self._decide(marginals, thresholds, label_weights) & usable

        def value(predicted, weights):
            tp, errors = weights @ (predicted & Y), weights @ (predicted & ~Y)
            misses = weights @ (Y & ~predicted)
            if of_entries:
                tp, errors, misses = tp.sum(), errors.sum(), misses.sum()
            total = (1 + square) * tp + square * misses + errors
            # For a label without positives that is never predicted, F is 1.
            f_beta = np.where(total > 0, (1 + square) * tp / np.where(total > 0, total, 1), 1.0)
            return float(f_beta.mean())

        return score_interval(
            choose,
            value,
            weights,
            n_resamples=self.n_resamples,
            random_state=check_random_state(self.random_state),
        )

    def _choose(self, Y, marginals, usable, weights):
        """Return (thresholds, label weights, F_β on the rows) for the objective.

        Marginals outside the mask `usable`, shape (n, m), do not count in the choice, and positive
        labels there count as missed.
        """
        m, budget = self.n_labels_, self.labels_per_row
        limited = budget is not None and budget < m
        label_weights = np.ones(m)
        if self.objective == "f1_micro":
            candidates = top_within_budget(marginals - BELOW_ALL, budget) if limited else usable
            candidates = candidates & usable
            entries = np.broadcast_to(weights[:, None], Y.shape)
            lost = float(entries[Y & ~candidates].sum())
            threshold, value = self._best(
                Y[candidates], marginals[candidates], entries[candidates], lost
            )
            return np.full(m, threshold), label_weights, value
        lost = weights @ (Y & ~usable)
        points = [
            self._best(Y[rows, j], marginals[rows, j], weights[rows], lost[j])
            for j, rows in enumerate(usable.T)
        ]
        thresholds = np.array([threshold for threshold, _ in points])
        value = float(np.mean([value for _, value in points]))
        if limited:
            label_weights, thresholds, value = macro_f_within_budget(
                Y, marginals, budget, thresholds, self.beta, weights, usable
            )
        return thresholds, label_weights, value

    def _best(self, positive, probabilities, weights, lost=0.0):
        """Return (best threshold, F_β); `lost` is the weight of positives that are never found."""
        if not positive.any():
            return np.inf, float(lost == 0)
        square = self.beta**2

        def f_beta(tp, fp, fn, tn):
            return (1 + square) * tp / ((1 + square) * tp + square * (fn + lost) + fp)

        point = best_operating_point(
            RankedExamples(positive, probabilities),
            make_objective(f_beta, None, positive),
            (),
            weights,
        )
        # Under a budget, labels that are all predicted must still be ranked: no threshold is −inf.
        return max(point.threshold, BELOW_ALL), point.value


def _fitted(estimator, X, Y, to_fit, where):
    """Return a fitted clone; an error names the constant labels of the data called `where`."""
    try:
        return clone(estimator).fit(X, Y, **to_fit)
    except ValueError as error:
        tags = get_tags(estimator)
        of_many = tags.classifier_tags is not None and tags.classifier_tags.multi_label
        if not (of_many or tags.target_tags.multi_output):
            name = type(estimator).__name__
            raise ValueError(
                f"{name} learns one label: take MultiOutputClassifier({name}()), one for each "
                f"({error})"
            ) from error
        constant = np.flatnonzero((Y[:1] == Y).all(axis=0))
        if not len(constant):
            raise
        raise ValueError(
            f"{type(estimator).__name__} failed on {where}, in which labels {constant.tolist()} "
            "are constant, which not every classifier takes: leave rare labels out, lower cv, or "
            f"take OneVsRestClassifier, which does ({error})"
        ) from error


def _fold_marginals(estimator, X, Y, to_fit, number, train, test):
    n = len(Y)
    kept = {name: kept_rows(value, train, n) for name, value in to_fit.items()}
    where = f"the training part of fold {number}"
    model = _fitted(estimator, safe_indexing(X, train), Y[train], kept, where)
    return _marginals(model, safe_indexing(X, test), Y.shape[1])


def _best_within(budget, joint, p_empty, beta):
    """Return the prediction of largest expected F_β with at most `budget` labels, shape (m,).

    For one row, `joint` is P(Y_i = 1, |Y| = s), shape (m, m), and `p_empty` is P(Y = 0).
    """
    m = len(joint)
    sizes = np.arange(1, m + 1)
    # [i, k − 1] is the contribution of label i to the expected F_β of a prediction of size k.
    gains = joint @ ((1 + beta**2) / (beta**2 * sizes[:, None] + sizes))[:, :budget]
    order = np.argsort(-gains, axis=0, kind="stable")
    best, chosen = float(p_empty), order[:0, 0]
    for k in range(1, budget + 1):
        expected = gains[order[:k, k - 1], k - 1].sum()
        if expected > best:
            best, chosen = expected, order[:k, k - 1]
    predicted = np.zeros(m, dtype=np.int64)
    predicted[chosen] = 1
    return predicted


def _marginals(estimator, X, n_labels):
    """Return P(y_j = 1 | x), shape (n, m), from the classifier's `predict_proba`."""
    P = estimator.predict_proba(X)
    # Some classifiers of scikit-learn return a list with one array per label.
    if isinstance(P, list):
        P = np.column_stack(
            [
                # A label that was constant in training has one class only.
                columns[:, list(classes).index(1)] if 1 in classes else np.zeros(len(columns))
                for columns, classes in zip(P, estimator.classes_, strict=True)
            ]
        )
    P = np.asarray(P, dtype=np.float64)
    if P.ndim != 2 or P.shape[1] != n_labels:
        raise ValueError(
            f"the classifier's probabilities have shape {P.shape}; (n, {n_labels}) is needed, one "
            "column for each label of Y"
        )
    wrong = ~((P >= 0) & (P <= 1))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"the classifier's probability of label {column} in row {row} is {P[row, column]}; "
            "it must be in [0, 1]"
        )
    return P
