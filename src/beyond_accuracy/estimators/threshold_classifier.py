"""Base of the binary classifiers that choose thresholds on the scores of one classifier."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Tags, check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.folds import CV, check_held_out, fold_indices, out_of_fold
from beyond_accuracy.estimators.validation import ArrayLike, choose_positive, encode_binary_labels
from beyond_accuracy.estimators.wrapped_classifier import WrappedClassifier
from beyond_accuracy.measures.operating_curve import RankedExamples
from beyond_accuracy.operating_points.certification import certified_thresholds
from beyond_accuracy.operating_points.constraints import Constraint
from beyond_accuracy.operating_points.optimism import (
    ConstraintEstimate,
    cross_fitted_tables,
    estimate_constraints,
    random_parts,
)
from beyond_accuracy.scikit_learn import HasMethods, Interval, StrOptions
from beyond_accuracy.solvers.data_matrix import check_structure

# OneVsRestClassifier takes the estimator's scores instead of the decisions.
_FOR_SEVERAL = (
    "For several classes take ReweightedClassifier, with its scoring or costs; for several labels "
    "MultiLabelOperatingPointClassifier. Wrapped in sklearn.multiclass.OneVsRestClassifier the "
    "thresholds would not be used."
)
# Five examples count as four: out-of-fold scores come from other classifiers than the final one,
# and estimates on new data from other thresholds.
_FOLD_SCALE = 0.8
_FEWEST_FOLDS = 3


@dataclass(frozen=True)
class HeldOutScores:
    """Scores of training examples by classifiers not fitted to these examples.

    `positive`, `scores` and `sample_weight` have one entry per example. `rows` holds the indices of
    the examples in the training data, and `parts` their fold numbers. `parts` is None if there are
    fewer than three folds, or if a row is in several test sets.
    """

    positive: NDArray[np.bool_]
    scores: NDArray[np.float64]
    sample_weight: NDArray[np.float64] | None
    parts: NDArray[np.intp] | None
    rows: NDArray[np.intp]

    def ranked(self) -> RankedExamples:
        return RankedExamples(self.positive, self.scores)

    @property
    def scale(self) -> float:
        """Factor from a sum of sample weights to an effective sample size; 1 without weights."""
        weight = self.sample_weight
        return 1.0 if weight is None else float(weight.sum() / np.square(weight).sum())

    def of(self, chosen: NDArray[np.intp]) -> "HeldOutScores":
        """Return a copy with only the examples at the positions `chosen`, without fold numbers."""
        weight = None if self.sample_weight is None else self.sample_weight[chosen]
        return HeldOutScores(
            self.positive[chosen], self.scores[chosen], weight, None, self.rows[chosen]
        )


def _passed_on(name):
    """Return a decorator that hides a method if the wrapped classifier has no method `name`."""
    return available_if(
        lambda classifier: hasattr(getattr(classifier, "estimator_", classifier.estimator), name)
    )


def positive_scores(responses: ArrayLike, is_second: bool) -> NDArray[np.float64]:
    """Return the scores of the positive class, shape (n,); raise ValueError unless they are finite.

    `responses` are decision values, shape (n,), or probabilities, shape (n, 2). `is_second` says
    whether the positive class is the second one.
    """
    scores = np.asarray(responses, dtype=np.float64)
    if scores.ndim == 2:
        scores = scores[:, int(is_second)]
    elif not is_second:
        scores = -scores
    if not np.isfinite(scores).all():
        raise ValueError(
            f"{np.count_nonzero(~np.isfinite(scores))} of {len(scores)} scores of the classifier "
            "are NaN or infinite; every example needs a finite score"
        )
    return scores


class ThresholdClassifier(WrappedClassifier):
    """Base class of binary classifiers that compare the scores of `estimator` with thresholds.

    Scores are higher for the positive class. A subclass chooses the thresholds. Its `__init__` must
    have the parameters in `_parameter_constraints`, and `pos_label`.
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "estimator": [
            HasMethods(["fit", "predict_proba"]),
            HasMethods(["fit", "decision_function"]),
        ],
        "cv": [*CV, StrOptions({"prefit"})],
        "response_method": [StrOptions({"auto", "decision_function", "predict_proba"})],
        "confidence": [Interval(Real, 0, 1, closed="neither"), None],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    pos_label: Any
    response_method: Literal["auto", "predict_proba", "decision_function"]
    confidence: float | None
    random_state: int | np.random.RandomState | None

    def scores(self, X: Any) -> NDArray[np.float64]:
        """Compute the scores to compare with thresholds, shape (n,); higher for positives."""
        return self._of_positive(self._response(X, self._method()))

    @_passed_on("predict_proba")
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the wrapped classifier's class probabilities, shape (n, 2)."""
        return self._response(X, "predict_proba")

    @_passed_on("predict_log_proba")
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the wrapped classifier's log-probabilities, shape (n, 2)."""
        return self._response(X, "predict_log_proba")

    @_passed_on("decision_function")
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the wrapped classifier's decision values, (n,); above 0 for `classes_[1]`."""
        return self._response(X, "decision_function")

    def _response(self, X, method):
        check_is_fitted(self)
        check_structure(X)
        return getattr(self.estimator_, method)(X)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _encode(self, y, sample_weight):
        """Set `classes_` and `pos_label_`; return which examples are positive."""
        if len(y) == 0:
            raise ValueError("found 0 samples; at least one of each of two classes is needed")
        classes, positive = encode_binary_labels(y, _FOR_SEVERAL)
        if self._is_prefit:
            check_is_fitted(self.estimator)
            if not np.array_equal(classes, self.estimator.classes_):
                raise ValueError(
                    f"the classes of y are {classes.tolist()}, those of the fitted classifier "
                    f"{list(self.estimator.classes_)}; they must be the same two"
                )
        self.pos_label_: Any
        self.pos_label_, positive = choose_positive(classes, positive, self.pos_label, 4)
        if sample_weight is not None:
            left = np.unique(y[sample_weight > 0]).tolist()
            if len(left) < 2:
                raise ValueError(
                    f"two classes are needed; the examples with positive weight hold {left}"
                )
        self.classes_: np.ndarray = classes
        return positive

    def _labels(self, positive):
        at = positive if self.pos_label_ == self.classes_[1] else ~positive
        return self.classes_[at.astype(int)]

    def _of_positive(self, responses):
        return positive_scores(responses, self.pos_label_ == self.classes_[1])

    def _held_out(self, X, y, positive, sample_weight, params):
        """Fit the estimator, and return the `HeldOutScores` on which thresholds are chosen."""
        parts = None
        if self._is_prefit:
            self._check_prefit(params)
            self._keep(self.estimator)
            rows, scores = np.arange(len(y)), self.scores(X)
        else:
            to_fit, to_split = self._keywords(sample_weight, params)
            splits = fold_indices(self.cv, X, y, classifier=True, **to_split)
            rows, responses = out_of_fold(
                self.estimator, X, y, splits, self._method(), params=to_fit, n_jobs=self.n_jobs
            )
            self._keep(clone(self.estimator).fit(X, y, **to_fit))
            scores = self._of_positive(responses)
            sizes = [len(test) for _, test in splits]
            if len(splits) >= _FEWEST_FOLDS and len(rows) == sum(sizes):
                order = np.argsort(np.concatenate([test for _, test in splits]))
                parts = np.repeat(np.arange(len(splits)), sizes)[order]
        if sample_weight is not None:
            used = sample_weight[rows] > 0
            rows, scores = rows[used], scores[used]
            parts = None if parts is None else np.unique(parts[used], return_inverse=True)[1]
            sample_weight = sample_weight[rows]
        check_held_out(y[rows], self.classes_)
        return HeldOutScores(positive[rows], scores, sample_weight, parts, rows)

    def _method(self):
        if self.response_method != "auto":
            return self.response_method
        has_probabilities = hasattr(self.estimator, "predict_proba")
        return "predict_proba" if has_probabilities else "decision_function"

    def _check_confidence(self, constraints, sample_weight):
        if self.confidence is None:
            return
        if self._is_prefit and sample_weight is not None:
            raise ValueError(
                'confidence is a guarantee with cv="prefit", which takes examples without weights'
            )
        if not constraints or any(constraint.is_budget for constraint in constraints):
            raise ValueError(
                "confidence is for constraints on rates, such as 'precision >= 0.9'; instead of a "
                "budget bound predicted_positive_rate"
            )

    def _certify(self, examples: RankedExamples, held: HeldOutScores):
        """Return a function of (constraints, confidence) that returns the certified thresholds."""
        tables = examples.tables(held.sample_weight)
        start = examples.index(0.5 if self._method() == "predict_proba" else 0.0)
        scale = held.scale if self._is_prefit else _FOLD_SCALE * held.scale
        return partial(certified_thresholds, tables, scale=scale, start=start)

    def _estimate(
        self,
        constraints: Sequence[Constraint],
        held: HeldOutScores,
        choose: Callable[[NDArray[np.intp]], Any],
        count: Callable[[Any, HeldOutScores, NDArray[np.float64]], Sequence[float]],
    ) -> None:
        """Estimate the constrained quantities on new data, and set them as attributes.

        `choose(rows)` returns the threshold or thresholds that are best on some rows, and
        `count(thresholds, examples, weights)` their contingency table on other rows.
        """
        for name in ("constraint_estimates_", "constraint_probability_"):
            vars(self).pop(name, None)
        constraints = [constraint for constraint in constraints if not constraint.is_budget]
        if not constraints:
            return
        random_state = check_random_state(self.random_state)
        parts = random_parts(held.positive, random_state) if held.parts is None else held.parts
        weight = np.ones(len(parts)) if held.sample_weight is None else held.sample_weight
        table = cross_fitted_tables(
            choose, lambda rule, rows: count(rule, held.of(rows), weight[rows]), parts
        ).sum(axis=0)
        self.constraint_estimates_: dict[str, ConstraintEstimate]
        self.constraint_probability_: float
        self.constraint_estimates_, self.constraint_probability_ = estimate_constraints(
            table * (_FOLD_SCALE * held.scale), constraints, random_state
        )
        if self.constraint_probability_ < 0.5:
            advice = "; confidence=0.9 chooses more safely" if self.confidence is None else ""
            warnings.warn(
                "the constraints hold on new data with an estimated probability of "
                f"{self.constraint_probability_:.2g} only; see constraint_estimates_{advice}",
                UserWarning,
                stacklevel=4,
            )
