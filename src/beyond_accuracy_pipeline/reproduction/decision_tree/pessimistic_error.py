"""Quinlan's pessimistic estimate of a leaf's errors."""

import numpy as np

from beyond_accuracy.compilation import compiled


@compiled
def extra_errors(total, errors, confidence, z):
    """Return the upper confidence limit of a leaf's errors, minus its training errors.

    `total` is the weight of the leaf's cases and `z` the normal quantile of 1 − confidence. Without
    errors the limit is the binomial limit, total·(1 − confidence^(1/total)). From one error on it
    is the upper end of Wilson's one-sided interval with continuity correction; between the two it
    is interpolated (Quinlan 1993, section 4.2, as in C4.5 Release 8 and WEKA).
    """
    if errors < 1:
        none = total * (1 - confidence ** (1 / total))
        if errors == 0:
            return none
        return none + errors * (_normal_limit(total, 1.0, z) - none)
    return _normal_limit(total, errors, z)


@compiled
def _normal_limit(total, errors, z):
    if errors + 0.5 >= total:
        return max(total - errors, 0.0)
    f = (errors + 0.5) / total
    root = np.sqrt(f / total - f * f / total + z * z / (4 * total * total))
    rate = (f + z * z / (2 * total) + z * root) / (1 + z * z / total)
    return rate * total - errors


@compiled
def estimated_errors(counts, confidence, z):
    """Return training errors plus extra errors of a leaf with these class weights."""
    total = counts.sum()
    if total < 1e-6:
        return 0.0
    largest = counts[0]
    for count in counts:
        largest = max(largest, count)
    # Sums of weights in different order may differ in the last digits.
    errors = total - largest
    if errors < 1e-9 * total:
        errors = 0.0
    return errors + extra_errors(total, errors, confidence, z)
