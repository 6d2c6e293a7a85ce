"""A labelling in a few numbers: which positives are kept and which negatives are flipped.

Scores are stored positives first. For every measure of the contingency table, the most violated
labelling predicts the highest-scored positives and the highest-scored negatives as positive. So per
class it is described by a threshold, and by the number of examples on the threshold that are
predicted positive. If the loss is a sum over examples, each example flips independently.
"""

from typing import NamedTuple

import numpy as np

from beyond_accuracy.compilation import compiled, compiled_part
from beyond_accuracy.measures.losses import SeparableLoss


class Labelling(NamedTuple):
    """Vector of predicted labels, given by one threshold per class on a vector of scores.

    Before anything else, `shift` is subtracted from the scores of positives. An example is
    predicted positive if its score exceeds the threshold of its true class. Of the examples on the
    threshold, the first `positive_ties` or `negative_ties` are predicted positive too. `loss` is
    the loss of the predicted labels in percent. `value` is loss − 100/n·Σ y_i·score_i, where the
    sum is over the examples whose predicted label differs from the true label y_i.
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
def _slope(labelling, scores, direction, n_positives, scale):
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
def _weights(labelling, scores, n_positives, scale, out):
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

    The selection is all values above the threshold, and `ties` values equal to the threshold.
    """
    if count == 0:
        return np.inf, 0
    threshold = descending[count - 1]
    ties = 0
    while ties < count and descending[count - 1 - ties] == threshold:
        ties += 1
    return threshold, ties


class LabellingOracle:
    """Base class of searches for the most violated labelling, a vector of predicted labels.

    Given the scores f of all examples, the positive ones first, the search maximizes the value loss
    − scale·Σ y_i·f_i. The loss is in percent. The sum is over the examples whose predicted label
    differs from the true label y_i, which is −1 or 1. `scale` is 100/n. The maximum is the training
    loss of a multivariate SVM. There must be at least one example of each class.
    """

    weight_type = np.int8

    def __init__(self, n_positives: int, n_negatives: int):
        self.n_positives = n_positives
        self.scale = 100.0 / (n_positives + n_negatives)

    def slope(self, labelling, scores, direction) -> float:
        """Return how fast the value of a labelling changes if the scores move along `direction`.

        A labelling is a vector of predicted labels. Its value is its loss minus 100/n·Σ y_i·score_i
        over the examples whose predicted label differs from the true label y_i. `scores` are the
        scores for which the labelling was found.
        """
        return _slope(labelling, scores, direction, self.n_positives, self.scale)

    def weights(self, labelling, scores, out):
        """Write the derivative of a labelling's value in each score into `out`, and return `out`.

        A labelling is a vector of predicted labels. Entry i is −100/n·y_i if the predicted label
        differs from the true label y_i, and 0 otherwise. `scores` are the scores for which the
        labelling was found.
        """
        _weights(labelling, scores, self.n_positives, self.scale, out)
        return out


@compiled(fastmath=_REASSOCIATE)
def _search_separable(scores, n_positives, scale, false_negative, false_positive):
    positive_threshold = false_negative / scale
    negative_threshold = -false_positive / scale
    total = 0.0
    missed = 0
    for score in scores[:n_positives]:
        flips = score <= positive_threshold
        total -= score * flips
        missed += flips
    wrong = 0
    for score in scores[n_positives:]:
        flips = score > negative_threshold
        total += score * flips
        wrong += flips
    loss = false_negative * missed + false_positive * wrong
    return Labelling(loss + scale * total, loss, 0.0, positive_threshold, 0, negative_threshold, 0)


class SeparableOracle(LabellingOracle):
    """Search for the most violated label vector if the loss is a sum over examples.

    The most violated label vector maximizes loss − 100/n·Σ y_i·score_i, where Σ is over the
    examples whose predicted label differs from the true label y_i. Each label is decided
    independently, by comparing the score with a threshold per class.
    """

    def __init__(self, loss: SeparableLoss, n_positives: int, n_negatives: int):
        super().__init__(n_positives, n_negatives)
        false_negative, false_positive = loss.costs(n_positives, n_negatives)
        self.costs = (100.0 * false_negative, 100.0 * false_positive)

    def search(self, scores) -> Labelling:
        return _search_separable(scores, self.n_positives, self.scale, *self.costs)
