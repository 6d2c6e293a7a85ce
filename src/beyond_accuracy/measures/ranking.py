"""Measures of a ranking: only the order of the decision values matters.

Every function takes `positive` (bool), `decision` (values by which the examples are ranked) and
`weight` (repetition counts of the examples, float64), each of shape (n,).

Tied decision values are treated as follows:

- precision-recall break-even point, precision at k and recall at k rank the negatives first among
  equal values (the pessimistic order);
- ROC area and partial ROC area count a tied pair as one half;
- average precision, recall at a precision and precision at a recall only allow thresholds between
  different values.
"""

import numpy as np
from numpy.typing import NDArray

from beyond_accuracy.measures.operating_curve import RankedExamples

Mask = NDArray[np.bool_]
Vector = NDArray[np.float64]
_ROUNDING = 1e-12


def _positives_in_top(positive, decision, weight, size):
    """Return the weight of the positives among the `size` highest values; ties count as errors."""
    order = np.lexsort((positive, -decision))
    room = np.clip(size - (np.cumsum(weight[order]) - weight[order]), 0, weight[order])
    return room[positive[order]].sum()


def precision_recall_break_even_point(positive: Mask, decision: Vector, weight: Vector) -> float:
    """Compute the precision if the number of predicted positives equals the number of positives.

    The examples with the highest decision values are predicted positive. Among equal decision
    values, negatives come first.
    """
    return recall_at_k(positive, decision, weight, weight[positive].sum())


def expected_precision_recall_break_even_point(
    positive: Mask, decision: Vector, weight: Vector
) -> float:
    """Compute the precision-recall break-even point, averaged over all orders of tied examples."""
    size = weight[positive].sum()
    if size == 0:
        return 0.0
    values, block = np.unique(-decision, return_inverse=True)
    examples = np.bincount(block, weights=weight, minlength=len(values))
    positives = np.bincount(block, weights=weight * positive, minlength=len(values))
    room = np.clip(size - (np.cumsum(examples) - examples), 0, examples)
    held = examples > 0
    return float((positives[held] * room[held] / examples[held]).sum() / size)


def precision_at_k(positive: Mask, decision: Vector, weight: Vector, k: float) -> float:
    """Compute the share of positives among the k examples with the highest decision values.

    An example counts as often as its `weight` says. Among equal decision values, negatives come
    first.
    """
    return float(_positives_in_top(positive, decision, weight, k) / k)


def recall_at_k(positive: Mask, decision: Vector, weight: Vector, k: float) -> float:
    """Compute the share of all positives that are among the k highest decision values.

    An example counts as often as its `weight` says. Among equal decision values, negatives come
    first. Without positives, the value is 0.
    """
    total = weight[positive].sum()
    if total == 0:
        return 0.0
    return float(_positives_in_top(positive, decision, weight, k) / total)


def recall_at_precision(
    positive: Mask, decision: Vector, weight: Vector, precision: float
) -> float:
    """Return the largest recall of any threshold whose precision is at least `precision`, or 0."""
    tp, fp, fn, _ = RankedExamples(positive, decision).tables(weight)
    met = (tp > 0) & (tp >= (precision - _ROUNDING) * (tp + fp))
    return float(np.max(tp[met] / (tp[met] + fn[met]), initial=0.0))


def precision_at_recall(positive: Mask, decision: Vector, weight: Vector, recall: float) -> float:
    """Return the largest precision of any threshold whose recall is at least `recall`, or 0."""
    tp, fp, fn, _ = RankedExamples(positive, decision).tables(weight)
    met = (tp > 0) & (tp >= (recall - _ROUNDING) * (tp + fn))
    return float(np.max(tp[met] / (tp[met] + fp[met]), initial=0.0))


def roc_area(positive: Mask, decision: Vector, weight: Vector) -> float:
    """Compute the share of (positive, negative) pairs in the right order; a tie counts one half.

    The value is NaN if there is no positive or no negative.
    """
    values, block = np.unique(decision, return_inverse=True)
    positives = np.bincount(block, weights=weight * positive, minlength=len(values))
    negatives = np.bincount(block, weights=weight * ~positive, minlength=len(values))
    pairs = positives.sum() * negatives.sum()
    if pairs == 0:
        return float("nan")
    below = np.cumsum(negatives) - negatives
    return float((positives * (below + negatives / 2)).sum() / pairs)


def partial_roc_area(
    positive: Mask, decision: Vector, weight: Vector, lowest_rate: float, highest_rate: float
) -> float:
    """Compute the mean true positive rate over false positive rates in an interval.

    The interval is from `lowest_rate` to `highest_rate`. The value is NaN if there is no positive
    or no negative.
    """
    tp, fp, _, _ = (table[::-1] for table in RankedExamples(positive, decision).tables(weight))
    if tp[-1] * fp[-1] == 0:
        return float("nan")
    start, stop = lowest_rate * fp[-1], highest_rate * fp[-1]
    left, right = np.clip(fp[:-1], start, stop), np.clip(fp[1:], start, stop)
    width = np.diff(fp)
    risen = np.divide(
        (left + right) / 2 - fp[:-1], width, out=np.zeros(len(width)), where=width > 0
    )
    area = ((right - left) * (tp[:-1] + risen * np.diff(tp))).sum()
    return float(area / (tp[-1] * (stop - start)))


def average_precision(positive: Mask, decision: Vector, weight: Vector) -> float:
    """Compute average precision as scikit-learn defines it; 0 if there is no positive."""
    tp, fp, _, _ = (table[::-1] for table in RankedExamples(positive, decision).tables(weight))
    if tp[-1] == 0:
        return 0.0
    gained = np.diff(tp)
    held = np.flatnonzero(gained)
    precision = tp[held + 1] / (tp + fp)[held + 1]
    return float((gained[held] * precision).sum() / tp[-1])
