"""Quinlan's pessimistic estimate of the errors of a decision-tree leaf."""

import numpy as np

from beyond_accuracy.compilation import compiled


@compiled
def extra_errors(weight, errors, confidence, z):
    """Return the upper confidence limit of a leaf's errors, minus its training errors.

    The limit follows Quinlan 1993, section 4.2, as implemented in C4.5 Release 8 and WEKA:

    - Without errors, it is the binomial limit, weight·(1 − confidence^(1/weight)).
    - With at least one error, it is the upper end of Wilson's one-sided interval with continuity
      correction.
    - Between zero and one error, it is interpolated.

    Parameters
    ----------
    weight : float
        Total weight of the leaf's training examples.
    errors : float
        Weight of the misclassified examples.
    confidence : float
        Smaller values give larger limits.
    z : float
        Normal quantile of 1 − confidence.
    """
    if errors < 1:
        without_errors = weight * (1 - confidence ** (1 / weight))
        if errors == 0:
            return without_errors
        return without_errors + errors * (_normal_limit(weight, 1.0, z) - without_errors)
    return _normal_limit(weight, errors, z)


@compiled
def _normal_limit(weight, errors, z):
    """Return the upper end of Wilson's interval for the errors, minus `errors`.

    The parameters are as in `extra_errors`.
    """
    if errors + 0.5 >= weight:
        return max(weight - errors, 0.0)
    f = (errors + 0.5) / weight
    root = np.sqrt(f / weight - f * f / weight + z * z / (4 * weight * weight))
    rate = (f + z * z / (2 * weight) + z * root) / (1 + z * z / weight)
    return rate * weight - errors


@compiled
def estimated_errors(counts, confidence, z):
    """Return the pessimistic estimate of a leaf's errors: training errors plus `extra_errors`.

    `counts`, shape (n_classes,), are the weights of the leaf's examples by class. `z` is the normal
    quantile of 1 − confidence.
    """
    weight = counts.sum()
    if weight < 1e-6:
        return 0.0
    largest = counts[0]
    for count in counts:
        largest = max(largest, count)
    # Sums of weights in different order may differ in the last digits.
    errors = weight - largest
    if errors < 1e-9 * weight:
        errors = 0.0
    return errors + extra_errors(weight, errors, confidence, z)
