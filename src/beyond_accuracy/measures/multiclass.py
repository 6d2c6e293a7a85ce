"""Measures of multi-class decisions.

`MULTICLASS_MEASURES` holds losses of predicted classes, for the tables of results; lower is better.
`SCORINGS` holds functions of the confusion matrix that a reweighter of class scores maximizes.
"""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.measures.contingency import ratio
from beyond_accuracy.measures.threshold_measures import find_threshold_measure

# A function of one confusion matrix, or of a batch of them.
ConfusionFunction = Callable[[np.ndarray], Any]


@dataclass(frozen=True)
class MulticlassMeasure:
    """Loss of multi-class predictions, with settings of the experiments that use the loss.

    - `label`: name in tables.
    - `score(y_true, y_pred, cost_matrix)`: returns the loss; lower is better.
    - `under_costs`: whether the experiments evaluate the loss under random cost matrices. If not,
      every error costs 1, and the loss is at most 1.
    - `out_of_fold`: whether the decision rule that turns class scores into predictions is fitted to
      out-of-fold scores of the training data.
    """

    label: str
    score: Callable[[np.ndarray, np.ndarray, np.ndarray], float]
    under_costs: bool = False
    out_of_fold: bool = False


def average_cost(y_true: np.ndarray, y_pred: np.ndarray, cost_matrix: np.ndarray) -> float:
    """Compute the mean of `cost_matrix[true class, predicted class]` over the examples."""
    return float(cost_matrix[y_true, y_pred].mean())


def balanced_error_rate(
    y_true: np.ndarray, y_pred: np.ndarray, cost_matrix: np.ndarray | None = None
) -> float:
    """Average the error rate per class over the classes in `y_true`; `cost_matrix` is ignored."""
    errors = np.bincount(y_true, weights=y_true != y_pred)
    sizes = np.bincount(y_true)
    return float((errors[sizes > 0] / sizes[sizes > 0]).mean())


def macro_f1_of_true_or_predicted_classes(y_true: np.ndarray, y_pred: np.ndarray) -> float:
    """Average F1 per class over the classes that occur in `y_true` or `y_pred`."""
    n_classes = max(y_true.max(), y_pred.max()) + 1
    true, predicted, hits = (
        np.bincount(classes, minlength=n_classes)
        for classes in (y_true, y_pred, y_true[y_true == y_pred])
    )
    total = true + predicted
    return float((2 * hits[total > 0] / total[total > 0]).mean())


MULTICLASS_MEASURES = {
    "error_rate": MulticlassMeasure("Error rate", average_cost),
    "average_cost": MulticlassMeasure("Average cost", average_cost, under_costs=True),
    "error_rate_out_of_fold": MulticlassMeasure(
        "Error rate, out-of-fold scores", average_cost, out_of_fold=True
    ),
    "average_cost_out_of_fold": MulticlassMeasure(
        "Average cost, out-of-fold scores", average_cost, under_costs=True, out_of_fold=True
    ),
    "balanced_error_rate": MulticlassMeasure("Balanced error rate", balanced_error_rate),
    "macro_f1_loss": MulticlassMeasure(
        "1 − macro-F1",
        lambda y_true, y_pred, costs: 1 - macro_f1_of_true_or_predicted_classes(y_true, y_pred),
    ),
}


@dataclass(frozen=True)
class ConfusionMatrixMeasure:
    """Measure computed from confusion matrices, where higher is better.

    `function` takes b confusion matrices, indexed [true, predicted], shape (b, m, m) for m classes,
    and returns b values. If the measure is a weighted mean of F1 per class, `f1_shares` maps the
    numbers of true examples per class to the weights, both of shape (m,). Otherwise `f1_shares` is
    None.
    """

    function: Callable[[np.ndarray], np.ndarray]
    f1_shares: Callable[[np.ndarray], np.ndarray] | None = None

    def __call__(self, confusions: NDArray[np.float64]) -> NDArray[np.float64]:
        values = np.asarray(self.function(confusions), dtype=np.float64)
        wrong = np.flatnonzero(~np.isfinite(values))
        if len(wrong):
            raise ValueError(
                f"the scoring is {values[wrong[0]]} for a confusion matrix that the weights can "
                f"reach, such as {confusions[wrong[0]].tolist()}; let it return a finite number "
                "there"
            )
        return values


def _recalls(confusions):
    return ratio(np.einsum("bii->bi", confusions), confusions.sum(axis=2))


def _true_class_shares(sizes):
    return ratio(sizes > 0, (sizes > 0).sum())


def _mean_f1(shares_of):
    def mean_f1(confusions):
        sizes = confusions.sum(axis=2)
        f1 = ratio(2 * np.einsum("bii->bi", confusions), sizes + confusions.sum(axis=1))
        return (f1 * np.array([shares_of(of_matrix) for of_matrix in sizes])).sum(axis=1)

    return ConfusionMatrixMeasure(mean_f1, shares_of)


def _geometric_mean(confusions):
    present = confusions.sum(axis=2) > 0
    recalls = np.where(present, _recalls(confusions), 1.0)
    return recalls.prod(axis=1) ** (1 / present.sum(axis=1))


def _matthews(confusions):
    total = confusions.sum(axis=(1, 2))
    true, predicted = confusions.sum(axis=2), confusions.sum(axis=1)
    hits = np.einsum("bii->b", confusions)
    covariance = hits * total - (true * predicted).sum(axis=1)
    spread = (total**2 - (true**2).sum(axis=1)) * (total**2 - (predicted**2).sum(axis=1))
    return ratio(covariance, np.sqrt(np.maximum(spread, 0.0)))


def _accuracy(confusions):
    return np.array([np.trace(confusion) / confusion.sum() for confusion in confusions])


def _balanced_accuracy(confusions):
    pairs = zip(_recalls(confusions), confusions.sum(axis=2), strict=True)
    return np.array([recalls @ _true_class_shares(sizes) for recalls, sizes in pairs])


macro_f1_of_true_classes = _mean_f1(_true_class_shares)
SCORINGS = {
    # The first two are averages of costs of single examples.
    "accuracy": ConfusionMatrixMeasure(_accuracy),
    "balanced_accuracy": ConfusionMatrixMeasure(_balanced_accuracy),
    "f1_macro": macro_f1_of_true_classes,
    "f1_weighted": _mean_f1(lambda sizes: sizes / sizes.sum()),
    "geometric_mean": ConfusionMatrixMeasure(_geometric_mean),
    "matthews_corrcoef": ConfusionMatrixMeasure(_matthews),
}
"""Scorings that equal scikit-learn's; classes without a true example are ignored."""
# Other names of these scorings, for error messages.
_SYNONYMS = {
    "f1": "f1_macro",
    "f1_score": "f1_macro",
    "macro_f1": "f1_macro",
    "weighted_f1": "f1_weighted",
    "mcc": "matthews_corrcoef",
    "g_mean": "geometric_mean",
    "geometric_mean_score": "geometric_mean",
    "accuracy_score": "accuracy",
    "balanced_accuracy_score": "balanced_accuracy",
    "recall_macro": "balanced_accuracy",
    # With one label per example, these equal the accuracy.
    "f1_micro": "accuracy",
    "precision_micro": "accuracy",
    "recall_micro": "accuracy",
}


def get_scoring(scoring: str | ConfusionFunction, n_classes: int) -> ConfusionMatrixMeasure:
    """Return the multi-class measure for a name such as "f1_macro", or for a function.

    The function takes a confusion matrix, indexed [true, predicted], and returns a number, where
    higher is better. It may also take a batch of matrices, shape (b, n_classes, n_classes), which
    is faster.
    """
    if isinstance(scoring, str):
        check_scoring(scoring)
        return SCORINGS[scoring]
    examples = np.arange(1.0, 2 * n_classes**2 + 1).reshape(2, n_classes, n_classes) ** 1.5
    try:
        single = np.array([float(scoring(example)) for example in examples])
    except (TypeError, ValueError, IndexError) as error:
        name = _SYNONYMS.get(getattr(scoring, "__name__", ""))
        hint = f"; that function has the name {name!r} here" if name else ""
        raise ValueError(
            f"a scoring must return a number for a confusion matrix of shape {examples[0].shape}, "
            f"[true, predicted]; it failed with: {error}{hint}"
        ) from error
    try:
        together = np.asarray(scoring(examples.copy()))
        batched = together.shape == (2,) and np.allclose(together, single, rtol=1e-12, atol=0.0)
    # Any error means that the function takes no batches.
    except Exception:
        batched = False
    if batched:
        return ConfusionMatrixMeasure(scoring)
    return ConfusionMatrixMeasure(lambda many: np.array([float(scoring(one)) for one in many]))


def check_scoring(scoring: object) -> None:
    """Raise ValueError unless `scoring` is None, a known name such as "f1_macro", or a callable."""
    if scoring is None or callable(scoring) or scoring in tuple(SCORINGS):
        return
    plain = str(scoring).lower().replace("-", "_")
    close = difflib.get_close_matches(plain, SCORINGS, n=1, cutoff=0.8)
    nearest = _SYNONYMS.get(plain) or next(iter(close), None)
    hint = f"did you mean {nearest!r}? " if nearest else ""
    if find_threshold_measure(of_two := plain.removesuffix("_score")):
        hint += f"for two classes take OperatingPointClassifier(estimator, {of_two!r}); "
    raise ValueError(
        f"unknown scoring {scoring!r}; {hint}choose one of {', '.join(SCORINGS)}, or give "
        "a function of the confusion matrix [true, predicted], of which more is better"
    )


def score(scoring: str | ConfusionFunction, confusion: NDArray[np.float64]) -> float:
    """Return the value of a multi-class measure for one confusion matrix.

    `scoring` is a name such as "f1_macro", or a function of the matrix. `confusion` is indexed
    [true, predicted], shape (n_classes, n_classes).
    """
    confusion = np.asarray(confusion, dtype=np.float64)
    return float(get_scoring(scoring, len(confusion))(confusion[None])[0])
