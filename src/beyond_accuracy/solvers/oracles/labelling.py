"""A labelling in a few numbers: which positives are kept and which negatives are flipped.

Scores are stored positives first. For every measure of the contingency table, the most violated
labelling predicts the highest-scored positives and the highest-scored negatives as positive. So per
class it is described by a threshold, and by the number of examples on the threshold that are
predicted positive.
"""

from typing import NamedTuple

import numpy as np

from beyond_accuracy.compilation import compiled


class Labelling(NamedTuple):
    """A labelling ȳ, given by thresholds on one vector of scores.

    Attributes
    ----------
    value : float
        Loss Δ(ȳ, y) minus scale·Σ y_i·f_i over the examples on which ȳ differs from the true labels
        y.
    loss : float
        Loss Δ(ȳ, y) in percent.
    shift : float
        Number subtracted from the score of a positive before it is compared.
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


@compiled(fastmath=_REASSOCIATE)
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
def _slope(
    scores, direction, n_positives, scale, shift, positive_threshold, positive_ties,
    negative_threshold, negative_ties,
):  # fmt: skip
    total = 0.0
    for value in direction[:n_positives]:
        total -= value
    total += _sum_above(
        scores[:n_positives], direction[:n_positives], shift, positive_threshold, positive_ties
    )
    total += _sum_above(
        scores[n_positives:], direction[n_positives:], 0.0, negative_threshold, negative_ties
    )
    return scale * total


def _set_above(scores, shift, threshold, ties, above, below, out):
    worth = scores - shift if shift else scores
    np.multiply(worth > threshold, above - below, out=out)
    out += below
    if ties > 0:
        out[np.flatnonzero(worth == threshold)[:ties]] = above


def top_threshold(descending, count):
    """Return (threshold, ties) that select the first `count` of values in descending order.

    `ties` is the number of selected values that equal the threshold.
    """
    if count == 0:
        return np.inf, 0
    threshold = float(descending[count - 1])
    return threshold, int(np.count_nonzero(descending[:count] == threshold))


class LabellingOracle:
    """Base class of searches for the labelling that maximizes loss − scale·Σ y_i·f_i.

    The sum is over the examples whose label is flipped, for scores f. Both classes must have an
    example.
    """

    weight_type = np.int8

    def __init__(self, n_positives: int, n_negatives: int):
        self.n_positives = n_positives
        self.scale = 100.0 / (n_positives + n_negatives)

    def slope(self, labelling, scores, direction) -> float:
        """Compute the derivative of the labelling's value along a direction of the scores."""
        return _slope(scores, direction, self.n_positives, self.scale, *labelling[2:])

    def weights(self, labelling, scores, out):
        """Write each example's coefficient in the labelling's value into `out` and return it.

        The coefficient is −scale·y_i if the example is flipped, else 0.
        """
        shift, positive_threshold, positive_ties, negative_threshold, negative_ties = labelling[2:]
        n, scale = self.n_positives, self.scale
        _set_above(scores[:n], shift, positive_threshold, positive_ties, 0.0, -scale, out[:n])
        _set_above(scores[n:], 0.0, negative_threshold, negative_ties, scale, 0.0, out[n:])
        return out
