"""Quinlan's pessimistic estimate of the errors of a decision-tree leaf."""

import numpy as np

from beyond_accuracy.compilation import compiled


@compiled
def extra_errors(weight, errors, confidence, z):
    """Return the upper confidence limit of a leaf's errors, minus its training errors.

    It is that of Quinlan 1993, section 4.2, as in C4.5 Release 8 and WEKA: without errors the
    binomial limit, with at least one error Wilson's one-sided interval with continuity correction,
    and in between interpolated. `z` is the normal quantile of 1 − confidence.
    """
    if errors < 1:
        without_errors = weight * (1 - confidence ** (1 / weight))
        if errors == 0:
            return without_errors
        return without_errors + errors * (_normal_limit(weight, 1.0, z) - without_errors)
    return _normal_limit(weight, errors, z)


@compiled
def _normal_limit(weight, errors, z):
    """Return the upper end of Wilson's interval for the errors, minus `errors`."""
    if errors + 0.5 >= weight:
        return max(weight - errors, 0.0)
    f = (errors + 0.5) / weight
    root = np.sqrt(f / weight - f * f / weight + z * z / (4 * weight * weight))
    rate = (f + z * z / (2 * weight) + z * root) / (1 + z * z / weight)
    return rate * weight - errors


@compiled
def estimated_errors(counts, confidence, z):
    """Return the pessimistic estimate of a leaf's errors, given its weight by class."""
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
