"""Measures of a contingency table (TP, FP, FN, TN).

Every function takes counts as floats or arrays that broadcast against each other and returns
values in [0, 1]. A ratio 0/0 is 0, so that a classifier that finds no positive scores zero.
"""

import numpy as np


def ratio(numerator, denominator):
    """Numerator / denominator, elementwise; 0 where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    return np.divide(numerator, denominator, out=np.zeros(numerator.shape), where=denominator != 0)[
        ()
    ]


def f_beta(tp, fp, fn, tn, beta=1.0):
    """F-measure (1 + β²)·TP / ((1 + β²)·TP + β²·FN + FP); 0 when TP = 0."""
    weight = beta * beta
    return ratio((1 + weight) * tp, (1 + weight) * tp + weight * fn + fp)


def precision(tp, fp, fn, tn):
    """TP / (TP + FP); 0 when nothing is predicted positive."""
    return ratio(tp, tp + fp)


def recall(tp, fp, fn, tn):
    """TP / (TP + FN)."""
    return ratio(tp, tp + fn)


def jaccard(tp, fp, fn, tn):
    """TP / (TP + FP + FN); 0 when TP = 0."""
    return ratio(tp, tp + fp + fn)


def accuracy(tp, fp, fn, tn):
    """(TP + TN) / n."""
    return ratio(tp + tn, tp + fp + fn + tn)


def balanced_accuracy(tp, fp, fn, tn):
    """Mean of the recall of the positives and the recall of the negatives."""
    return (ratio(tp, tp + fn) + ratio(tn, tn + fp)) / 2


def contingency_table(positive, decision, weight):
    """Count (TP, FP, FN, TN), where a decision value above 0, not 0 itself, predicts the positives.

    The arguments are those of the functions in `ranking`.
    """
    predicted = decision > 0
    tp = weight[positive & predicted].sum()
    fp = weight[~positive & predicted].sum()
    fn = weight[positive & ~predicted].sum()
    return tp, fp, fn, weight.sum() - tp - fp - fn
