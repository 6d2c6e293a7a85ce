"""Measures of binary decisions by name, each with its score, training loss and bootstrap."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from beyond_accuracy.measures import contingency, ranking
from beyond_accuracy.measures.contingency import TableFunction
from beyond_accuracy.measures.losses import (
    AveragePrecisionLoss,
    ContingencyLoss,
    Loss,
    PartialRocAreaLoss,
    RatioLoss,
    RocAreaLoss,
    SeparableLoss,
    SizeAtTop,
    TopLoss,
)
from beyond_accuracy.measures.operating_curve import RankedExamples
from beyond_accuracy.measures.resampling import Resampler, resampled
from beyond_accuracy.measures.suggestions import suggestion
from beyond_accuracy.measures.weights import check_weights

_PARAMETRIC = (
    "f<beta>",
    "precision_at_<k>",
    "recall_at_<k>",
    "recall_at_precision_<p>",
    "precision_at_recall_<r>",
    "partial_roc_area_<a>_<b>",
)


@dataclass(frozen=True)
class Measure:
    """A performance measure of binary decisions.

    Attributes
    ----------
    name : str
        Name in configuration and code, such as "f1" or "recall_at_2p".
    label : str
        Name in tables and figures, such as "Rec@2p".
    scorer : callable
        Function of `positive` (bool), decision values and example weights, each of shape (n,), that
        returns the value.
    loss : Loss or None
        Training loss of a multivariate SVM.
    table_function : callable or None
        The measure as a function of (TP, FP, FN, TN) that broadcasts over arrays. None for measures
        of the ranking.
    least : float, default 0.0
        Smallest possible value; the largest is 1.
    minimized : bool, default False
        Whether lower values are better.

    References
    ----------
    T. Joachims, A Support Vector Method for Multivariate Performance Measures, ICML 2005.
    https://doi.org/10.1145/1102351.1102399

    Examples
    --------
    >>> from beyond_accuracy.measures import get_measure
    >>> f1 = get_measure("f1")
    >>> f1.label, f1.score([1, 1, -1, -1], [0.9, -0.2, 0.4, -0.7])
    ('F1', 0.5)
    >>> f1.best_threshold([1, 1, -1, -1], [0.75, -0.25, 0.5, -0.75])
    -0.5
    """

    name: str
    label: str
    scorer: Callable[..., float]
    loss: Loss | None
    table_function: TableFunction | None = None
    least: float = 0.0
    minimized: bool = False

    def score(
        self, y_true: ArrayLike, decision: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the value of the measure for true labels and decision values.

        Parameters
        ----------
        y_true : array of bool or {-1, +1}, shape (n,)
        decision : array of float, shape (n,)
            A value above 0 predicts the positive class.
        sample_weight : array of float, shape (n,), optional
            Repetition counts of the examples; not negative. Default: 1.
        """
        y_true, decision = np.asarray(y_true), np.asarray(decision)
        if y_true.shape != decision.shape or y_true.ndim != 1:
            raise ValueError(
                f"y_true and decision must be vectors of one length, found shapes "
                f"{y_true.shape} and {decision.shape}"
            )
        if sample_weight is None:
            weight = np.ones(len(y_true))
        else:
            weight = check_weights(sample_weight, len(y_true))
        return self.scorer(y_true > 0, decision.astype(np.float64, copy=False), weight)

    def resampled(self, positive: np.ndarray, scores: np.ndarray) -> Resampler:
        """Return a function that computes the measure on many bootstrap samples at once.

        Its argument, shape (n, n_resamples), says how often each sample contains each example. It
        returns one value per sample, shape (n_resamples,), which is NaN if the sample has no
        positive or no negative example. `positive`, shape (n,), marks the positive examples.
        `scores`, shape (n,), above 0 predict the positive class.
        """
        return resampled(self, positive, scores)

    def best_threshold(self, y_true: ArrayLike, decision: ArrayLike) -> float:
        """Return the threshold on the decision values that maximizes the measure.

        `y_true`, shape (n,), are bool or -1 and +1. The threshold is halfway between two
        neighbouring values. Among equally good thresholds, the one nearest to 0 is chosen. If the
        measure depends only on the ranking, the threshold is 0.
        """
        if self.table_function is None:
            return 0.0
        curve = RankedExamples(np.asarray(y_true) > 0, decision).curve()
        reached = np.asarray(self.table_function(*curve.tables))
        reached = np.where(np.isnan(reached), -np.inf, reached)
        best = curve.thresholds[reached == reached.max()]
        return float(best[np.argmin(abs(best))])


def _score_table(positive, decision, weight, *, function):
    return float(function(*contingency.contingency_table(positive, decision, weight)))


def contingency_measure(name: str, function: TableFunction, label: str | None = None) -> Measure:
    """Make a measure from a function of the contingency table.

    Parameters
    ----------
    name : str
        Name of the measure in code and configuration.
    function : callable
        Function of (TP, FP, FN, TN) that broadcasts over arrays and returns values of at most 1.
    label : str or None
        Name in tables and figures; `name` by default.

    References
    ----------
    https://scikit-learn.org/stable/modules/model_evaluation.html#classification-metrics

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.measures import contingency_measure
    >>> from beyond_accuracy.measures.contingency import precision, recall
    >>> fowlkes_mallows = contingency_measure(
    ...     "fowlkes_mallows", lambda *table: np.sqrt(precision(*table) * recall(*table))
    ... )
    >>> fowlkes_mallows.score([1, 1, -1, -1], [0.9, -0.2, 0.4, -0.7])
    0.5
    """
    return table_measure(name, label or name, function, ContingencyLoss(function))


def table_measure(
    name: str, label: str, function: TableFunction, loss: Loss | None = None, **options: Any
) -> Measure:
    """Make a measure from a function of (TP, FP, FN, TN).

    The other arguments are attributes of `Measure`.
    """
    scorer = partial(_score_table, function=function)
    return Measure(name, label, scorer, loss, function, **options)


def _f_measure(name, beta):
    function = partial(contingency.f_beta, beta=beta)
    label = "F1" if beta == 1 else f"F{beta:g}"
    return table_measure(name, label, function, RatioLoss.f_beta(beta))


def _score_at_top(positive, decision, weight, *, function, size):
    k = size.count(weight[positive].sum(), weight.sum())
    return function(positive, decision, weight, k)


def _at_top(name, kind, text):
    size = SizeAtTop(float(text.removesuffix("p") or 1), text.endswith("p"))
    function = ranking.precision_at_k if kind == "precision" else ranking.recall_at_k
    label = f"{'Prec' if kind == 'precision' else 'Rec'}@{size}"
    relative_to = "predicted" if kind == "precision" else "positives"
    scorer = partial(_score_at_top, function=function, size=size)
    return Measure(name, label, scorer, TopLoss(size, relative_to))


def _at_rate(name, kind, rate):
    if not 0 < rate <= 1:
        raise ValueError(f"the rate of {name!r} must be above 0 and at most 1")
    if kind == "recall_at_precision":
        label, scorer = "Rec@Prec", partial(ranking.recall_at_precision, precision=rate)
    else:
        label, scorer = "Prec@Rec", partial(ranking.precision_at_recall, recall=rate)
    return Measure(name, f"{label} {rate:g}", scorer, None)


def _partial_roc_area(name, lowest_rate, highest_rate):
    loss = PartialRocAreaLoss(lowest_rate, highest_rate)
    scorer = partial(ranking.partial_roc_area, lowest_rate=lowest_rate, highest_rate=highest_rate)
    label = f"ROC area {lowest_rate:g}–{highest_rate:g}"
    return Measure(name, label, scorer, loss)


def _error_costs(n_positives, n_negatives):
    return 1 / (n_positives + n_negatives), 1 / (n_positives + n_negatives)


def _balanced_costs(n_positives, n_negatives):
    return 1 / (2 * n_positives), 1 / (2 * n_negatives)


def _recall_costs(n_positives, n_negatives):
    return 1 / n_positives, 0.0


_FIXED = {
    measure.name: measure
    for measure in (
        table_measure("accuracy", "accuracy", contingency.accuracy, SeparableLoss(_error_costs)),
        table_measure(
            "balanced_accuracy",
            "balanced accuracy",
            contingency.balanced_accuracy,
            SeparableLoss(_balanced_costs),
        ),
        _f_measure("f1", 1.0),
        table_measure("jaccard", "Jaccard", contingency.jaccard, RatioLoss.jaccard()),
        table_measure(
            "precision", "precision", contingency.precision, ContingencyLoss(contingency.precision)
        ),
        table_measure("recall", "recall", contingency.recall, SeparableLoss(_recall_costs)),
        Measure(
            "prbep",
            "PRBEP",
            ranking.precision_recall_break_even_point,
            TopLoss(SizeAtTop(1.0, True)),
        ),
        Measure("roc_area", "ROC area", ranking.roc_area, RocAreaLoss()),
        Measure(
            "average_precision",
            "average precision",
            ranking.average_precision,
            AveragePrecisionLoss(),
        ),
    )
}
MEASURE_NAMES = tuple(_FIXED)


def get_measure(measure: str | Measure | TableFunction) -> Measure:
    """Return the measure of binary decisions with a given name or function.

    Parameters
    ----------
    measure : str, Measure or callable
        One of the following. An unknown name raises ValueError.

        - One of MEASURE_NAMES.
        - "f<beta>", such as "f0.5".
        - "precision_at_<k>" or "recall_at_<k>"; k is a count ("10") or a multiple of the number of
          positives ("2p").
        - "recall_at_precision_<p>" or "precision_at_recall_<r>", with a rate in (0, 1].
        - "partial_roc_area_<a>_<b>", between the false positive rates a and b.
        - A `Measure`, which is returned unchanged.
        - A function of (TP, FP, FN, TN) that broadcasts over arrays.

    References
    ----------
    T. Joachims, A Support Vector Method for Multivariate Performance Measures, ICML 2005.
    https://doi.org/10.1145/1102351.1102399

    Examples
    --------
    >>> from beyond_accuracy.measures import get_measure
    >>> get_measure("recall_at_precision_0.9").label
    'Rec@Prec 0.9'
    >>> get_measure("precision_at_2").score([1, 1, -1, -1], [0.9, -0.2, 0.4, -0.7])
    0.5
    """
    if isinstance(measure, Measure):
        return measure
    if callable(measure):
        return contingency_measure(getattr(measure, "__name__", type(measure).__name__), measure)
    if not isinstance(measure, str):
        raise ValueError(f"a measure is a name, a Measure or a function, found {measure!r}")
    if measure in _FIXED:
        return _FIXED[measure]
    number = r"(\d+(?:\.\d+)?|\.\d+)"
    if (match := re.fullmatch(rf"f{number}", measure)) and float(match[1]) > 0:
        return _f_measure(measure, float(match[1]))
    if match := re.fullmatch(rf"(precision|recall)_at_([1-9]\d*|{number}?p)", measure):
        return _at_top(measure, match[1], match[2])
    if match := re.fullmatch(rf"(recall_at_precision|precision_at_recall)_{number}", measure):
        return _at_rate(measure, match[1], float(match[2]))
    if match := re.fullmatch(rf"partial_roc_area_{number}_{number}", measure):
        return _partial_roc_area(measure, float(match[1]), float(match[2]))
    examples = ("f2", "recall_at_2p", "recall_at_precision_0.9", "partial_roc_area_0_0.1")
    hint = suggestion(measure, (*MEASURE_NAMES, *examples), "OperatingPointClassifier")
    known = ", ".join((*MEASURE_NAMES, *_PARAMETRIC))
    raise ValueError(f"unknown measure {measure!r}; {hint}known are {known}.")
