"""A labelling in a few numbers: which positives are kept and which negatives are flipped.

Scores are stored positives first. For every measure of the contingency table, the most violated
labelling predicts the highest-scored positives and the highest-scored negatives as positive. So per
class it is described by a threshold, and by the number of examples on the threshold that are
predicted positive.
"""

from typing import NamedTuple

import numpy as np

from beyond_accuracy.compilation import compiled, compiled_part


class Labelling(NamedTuple):
    """A labelling ȳ, given by thresholds on one vector of scores.

    A labelling predicts one class per example. It flips an example if the prediction differs from
    the true label y_i, which is −1 or 1.

    Attributes
    ----------
    value : float
        Loss Δ(ȳ, y) minus scale·Σ y_i·f_i over the flipped examples, for scores f.
    loss : float
        Loss Δ(ȳ, y) in percent.
    shift : float
        Number that is subtracted from the score of each positive before the comparison with the
        threshold.
    positive_threshold, negative_threshold : float
        An example is predicted positive if its score exceeds the threshold of its class.
    positive_ties, negative_ties : int
        Number of examples exactly on the threshold that are predicted positive; the first ones in
        storage order.
    """

    value: float
    loss: float
    shift: float
    positive_threshold: float
    positive_ties: int
    negative_threshold: float
    negative_ties: int


# Sums may be reassociated, which lets them run in vector registers; no value is NaN or infinite.
_REASSOCIATE = {"reassoc", "contract", "nsz"}


@compiled_part(fastmath=_REASSOCIATE)
def _sum_above(scores, direction, shift, threshold, ties):
    total = 0.0
    for i in range(len(scores)):
        total += direction[i] if scores[i] - shift > threshold else 0.0
    if ties > 0:
        for i in range(len(scores)):
            if scores[i] - shift == threshold:
                total += direction[i]
                ties -= 1
                if ties == 0:
                    break
    return total


# The two classes are slices: counting from n_positives on, the compiler could not rule out negative
# indices, which would keep the loops out of vector registers.
@compiled(fastmath=_REASSOCIATE)
def slope(labelling, scores, direction, n_positives, scale):
    """Return the derivative of a labelling's value when the scores move along `direction`.

    The value is loss − scale·Σ y_i·f_i over the flipped examples, for scores f and true labels y.
    The labelling stays the same. `scores` and `direction` have shape (n,), with the positives
    first.
    """
    total = 0.0
    for value in direction[:n_positives]:
        total -= value
    total += _sum_above(
        scores[:n_positives],
        direction[:n_positives],
        labelling.shift,
        labelling.positive_threshold,
        labelling.positive_ties,
    )
    total += _sum_above(
        scores[n_positives:],
        direction[n_positives:],
        0.0,
        labelling.negative_threshold,
        labelling.negative_ties,
    )
    return scale * total


@compiled_part
def _set_above(scores, shift, threshold, ties, above, below, out):
    for i in range(len(scores)):
        out[i] = above if scores[i] - shift > threshold else below
    i = 0
    while ties > 0:
        if scores[i] - shift == threshold:
            out[i] = above
            ties -= 1
        i += 1


@compiled
def weights(labelling, scores, n_positives, scale, out):
    """Write the gradient of a labelling's value with respect to the scores into `out`.

    Entry i is −scale·y_i if the labelling flips example i, and 0 otherwise. Here y_i is the true
    label, −1 or 1. `scores` and `out` have shape (n,), with the positives first.
    """
    _set_above(
        scores[:n_positives],
        labelling.shift,
        labelling.positive_threshold,
        labelling.positive_ties,
        0.0,
        -scale,
        out[:n_positives],
    )
    _set_above(
        scores[n_positives:],
        0.0,
        labelling.negative_threshold,
        labelling.negative_ties,
        scale,
        0.0,
        out[n_positives:],
    )


@compiled
def top_threshold(descending, count):
    """Return (threshold, ties) that select the first `count` of values in descending order.

    `ties` is the number of selected values that equal the threshold.
    """
    if count == 0:
        return np.inf, 0
    threshold = descending[count - 1]
    ties = 0
    while ties < count and descending[count - 1 - ties] == threshold:
        ties += 1
    return threshold, ties


class LabellingOracle:
    """Base class of searches for the most violated labelling of a multivariate SVM.

    A labelling predicts a class, −1 or 1, for each of the n training examples. The most violated
    labelling has the largest value at the current scores f:

        value = loss − scale·Σ y_i·f_i

    The sum is over the examples that the labelling flips: its prediction differs from the true
    label y_i. The loss is in percent, and `scale` is 100/n. There must be at least one example of
    each class.
    """

    weight_type = np.int8

    def __init__(self, n_positives: int, n_negatives: int):
        self.n_positives = n_positives
        self.scale = 100.0 / (n_positives + n_negatives)

    def slope(self, labelling, scores, direction) -> float:
        """Return the derivative of a labelling's value when the scores move along `direction`.

        The value is loss − scale·Σ y_i·f_i over the flipped examples, for scores f and true labels
        y. The labelling stays the same. `scores` and `direction` have shape (n,), with the
        positives first.
        """
        return slope(labelling, scores, direction, self.n_positives, self.scale)

    def weights(self, labelling, scores, out):
        """Write the gradient of a labelling's value with respect to the scores into `out`.

        Entry i is −scale·y_i if the labelling flips example i, and 0 otherwise. Here y_i is the
        true label, −1 or 1. `scores` and `out` have shape (n,), with the positives first. Return
        `out`.
        """
        weights(labelling, scores, self.n_positives, self.scale, out)
        return out
