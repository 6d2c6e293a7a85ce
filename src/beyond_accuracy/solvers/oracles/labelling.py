"""A labelling in a few numbers: which positives are kept and which negatives are flipped.

Scores are stored positives first. For every measure of the contingency table the most violated
labelling predicts the highest-scored positives and the highest-scored negatives as positive, so
that one threshold and one count of ties a class describe it.
"""

from typing import NamedTuple

import numpy as np
from numba import njit


class Labelling(NamedTuple):
    """A labelling ȳ of one score vector.

    Attributes
    ----------
    value : float
        Δ(ȳ, y) − scale·Σ y_i f_i over the flipped examples.
    loss : float
        Δ(ȳ, y) in percent.
    shift : float
        What is taken off the score of a positive before it is compared.
    positive_threshold, negative_threshold : float
        An example is predicted positive if its score exceeds the threshold of its class.
    positive_ties, negative_ties : int
        How many of the examples on the threshold, in storage order, are predicted positive too.
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


@njit(cache=True, nogil=True, fastmath=_REASSOCIATE)
def _sum_above(scores, direction, start, stop, shift, threshold, ties):
    total = 0.0
    for i in range(start, stop):
        total += direction[i] * (scores[i] - shift > threshold)
    if ties > 0:
        for i in range(start, stop):
            if scores[i] - shift == threshold:
                total += direction[i]
                ties -= 1
                if ties == 0:
                    break
    return total


@njit(cache=True, nogil=True, fastmath=_REASSOCIATE)
def slope(labelling, scores, direction, n_positives, scale):
    """Derivative of the labelling's value when the scores move along `direction`."""
    total = 0.0
    for i in range(n_positives):
        total -= direction[i]
    total += _sum_above(
        scores,
        direction,
        0,
        n_positives,
        labelling.shift,
        labelling.positive_threshold,
        labelling.positive_ties,
    )
    total += _sum_above(
        scores,
        direction,
        n_positives,
        len(scores),
        0.0,
        labelling.negative_threshold,
        labelling.negative_ties,
    )
    return scale * total


@njit(cache=True, nogil=True)
def weights(labelling, scores, n_positives, scale, out):
    """Write what each example's score contributes to the value: −scale·y_i if it is flipped."""
    for i in range(n_positives):
        out[i] = -scale * (scores[i] - labelling.shift <= labelling.positive_threshold)
    ties = labelling.positive_ties
    i = 0
    while ties > 0:
        if scores[i] - labelling.shift == labelling.positive_threshold:
            out[i] = 0.0
            ties -= 1
        i += 1
    for i in range(n_positives, len(scores)):
        out[i] = scale * (scores[i] > labelling.negative_threshold)
    ties = labelling.negative_ties
    i = n_positives
    while ties > 0:
        if scores[i] == labelling.negative_threshold:
            out[i] = scale
            ties -= 1
        i += 1


def top_threshold(descending, count):
    """Threshold and ties that select the first `count` of values sorted in descending order."""
    if count == 0:
        return np.inf, 0
    threshold = descending[count - 1]
    return threshold, count - int(np.searchsorted(-descending, -threshold, side="left"))


class LabellingOracle:
    """What the searches for a `Labelling` share; they set `n_positives` and `scale`."""

    weight_type = np.int8
    nearly_smooth = False

    def slope(self, labelling, scores, direction) -> float:
        """Derivative of the labelling's value along a direction of the scores."""
        return slope(labelling, scores, direction, self.n_positives, self.scale)

    def weights(self, labelling, scores, out):
        """Write each example's coefficient in the labelling's value into `out`."""
        weights(labelling, scores, self.n_positives, self.scale, out)
