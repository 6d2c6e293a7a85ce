"""Select the feature that a C4.5 node tests.

It is the feature with the largest gain ratio among the features of at least average gain (Quinlan,
C4.5: Programs for Machine Learning, 1993). Numeric gains are corrected as in Quinlan, Improved use
of continuous attributes in C4.5, JAIR 4, 1996. Tolerances equal WEKA's, so that ties are broken in
the same way.

A column has the nonzero values of a node's examples in ascending order, missing values last.
"""

import numpy as np

from beyond_accuracy.compilation import compiled

# Weight of the examples that at least two branches of a test must hold.
MIN_BRANCH_WEIGHT = 2.0
# Neighbouring numeric values are not separated if they differ by less.
_MIN_DIFFERENCE = 1e-5
_TOLERANCE = 1e-6
_GAIN_TOLERANCE = 1e-3
_MOST_MINIMUM = 25.0
# Features with more categories per example than this do not enter the average gain.
MANY_CATEGORIES = 0.3


@compiled
def weighted_logs(n):
    """Return a table of k·log₂(k) for k = 0 … n, which saves computing logarithms."""
    logs = np.zeros(n + 1)
    for k in range(2, n + 1):
        logs[k] = k * np.log2(np.float64(k))
    return logs


@compiled
def _weighted_log(weight, logs):
    """Return weight·log₂(weight), from the table `logs` if the weight is an integer."""
    if weight <= _TOLERANCE:
        return 0.0
    if weight < len(logs) and weight == int(weight):
        return logs[int(weight)]
    return weight * np.log2(weight)


@compiled
def _weighted_entropy(counts, logs):
    """Return the entropy of the class weights `counts` in bits, times their sum."""
    value = 0.0
    for weight in counts:
        value -= _weighted_log(weight, logs)
    return value + _weighted_log(counts.sum(), logs)


@compiled
def _relative_gain(before, after, weight, total):
    """Return the gain of a split per example, times the share of examples without missing value.

    `before` and `after` are entropies times `weight`.
    """
    gain = weight / total * (before - after)
    return gain / weight if abs(gain) > _TOLERANCE else 0.0


@compiled
def _gain_ratio(gain, branches, weight, total, logs):
    """Return the gain divided by the split's entropy. Missing values count as another branch."""
    split = _weighted_log(total, logs) - _weighted_log(max(total - weight, 0.0), logs)
    for k in range(len(branches)):
        split -= _weighted_log(branches[k], logs)
    split /= total
    return gain / split if split > _TOLERANCE else 0.0


@compiled
def _score_threshold(rows, values, n_zeros, zero_counts, present_counts, node):
    """Return (gain, gain ratio, below, above) of the best threshold on a numeric column.

    The gain is −1 if no threshold is valid. `rows` and `values` are the nonzero values in ascending
    order. `zero_counts` and `present_counts` are class weights: of examples with the value zero,
    and of examples with any value. `node` is (weights, classes, weight of the node, logs).
    """
    weights, classes, total, logs = node
    n_classes = len(present_counts)
    present = present_counts.sum()
    minimum = min(max(0.1 * present / n_classes, MIN_BRANCH_WEIGHT), _MOST_MINIMUM)
    if present < 2 * minimum - _TOLERANCE:
        return -1.0, 0.0, 0.0, 0.0
    before = _weighted_entropy(present_counts, logs)
    left, right = np.zeros(n_classes), present_counts.copy()
    left_weight, right_weight = 0.0, present
    best, below, above, best_left, n_thresholds = 0.0, 0.0, 0.0, 0.0, 0
    previous, i, zeros_left = -np.inf, 0, n_zeros > 0
    while i < len(rows) or zeros_left:
        at_zero = zeros_left and (i == len(rows) or values[i] > 0.0)
        value = 0.0 if at_zero else values[i]
        if previous + _MIN_DIFFERENCE < value and (
            left_weight >= minimum - _TOLERANCE and right_weight >= minimum - _TOLERANCE
        ):
            after = _weighted_log(left_weight, logs) + _weighted_log(right_weight, logs)
            for k in range(n_classes):
                after -= _weighted_log(left[k], logs) + _weighted_log(right[k], logs)
            gain = _relative_gain(before, after, present, total)
            n_thresholds += 1
            if gain > best + _TOLERANCE:
                best, below, above, best_left = gain, previous, value, left_weight
        previous = value
        if at_zero:
            zeros_left = False
            for k in range(n_classes):
                left[k] += zero_counts[k]
                right[k] -= zero_counts[k]
                left_weight += zero_counts[k]
                right_weight -= zero_counts[k]
        else:
            weight, k = weights[rows[i]], classes[rows[i]]
            left[k] += weight
            right[k] -= weight
            left_weight += weight
            right_weight -= weight
            i += 1
    if n_thresholds == 0:
        return -1.0, 0.0, 0.0, 0.0
    best -= np.log2(n_thresholds) / total
    if best < _TOLERANCE:
        return -1.0, 0.0, 0.0, 0.0
    branches = np.array([best_left, present - best_left])
    return best, _gain_ratio(best, branches, present, total, logs), below, above


@compiled
def _score_categories(rows, values, zero_counts, present_counts, n_categories, node):
    """Return (gain, gain ratio) of a split with one branch per category.

    The gain is −1 if fewer than two branches are large enough.
    """
    weights, classes, total, logs = node
    table = np.zeros((n_categories, len(present_counts)))
    # A loop, since `table[0] = zero_counts` takes three seconds to compile.
    for k in range(len(zero_counts)):
        table[0, k] = zero_counts[k]
    for i in range(len(rows)):
        table[int(values[i]), classes[rows[i]]] += weights[rows[i]]
    branches = np.zeros(n_categories)
    n_large, after = 0, 0.0
    for branch in range(n_categories):
        branches[branch] = table[branch].sum()
        n_large += branches[branch] >= MIN_BRANCH_WEIGHT - _TOLERANCE
        after += _weighted_entropy(table[branch], logs)
    if n_large < 2:
        return -1.0, 0.0
    present = present_counts.sum()
    gain = _relative_gain(_weighted_entropy(present_counts, logs), after, present, total)
    return gain, _gain_ratio(gain, branches, present, total, logs)


@compiled
def select_split(columns, n_examples, counts, n_categories, in_average, examples):
    """Select the feature, and the threshold if it is numeric, by which a C4.5 node is split.

    Return (feature, below, above). The feature has the largest gain ratio among the features of at
    least average information gain; −1 means that no split is useful. The threshold lies between the
    neighbouring values `below` and `above`.

    - `columns` is (starts, rows, values): for each feature, the nonzero values of the node's
      `n_examples` examples in ascending order.
    - `counts` has the weight of these examples per class.
    - `n_categories` has the number of categories of each feature, 0 for a numeric feature.
    - `in_average` says which features count in the average gain.
    - `examples` is (weights, classes, table from `weighted_logs`) for all training examples.
    """
    starts, rows, values = columns
    n_features, n_classes = len(n_categories), len(counts)
    weights, classes, logs = examples
    node = (weights, classes, counts.sum(), logs)
    gains, ratios = np.empty(n_features), np.zeros(n_features)
    below, above = np.zeros(n_features), np.zeros(n_features)
    # Class weights of the examples with a value, and of the examples with the value zero.
    present_counts, zero_counts = np.zeros(n_classes), np.zeros(n_classes)
    gain_sum, n_averaged = 0.0, 0
    for feature in range(n_features):
        gains[feature] = -1.0
        start, stop = starts[feature], starts[feature + 1]
        if start == stop:
            continue
        n_zeros = n_examples - (stop - start)
        for k in range(n_classes):
            present_counts[k] = counts[k]
        while stop > start and np.isnan(values[stop - 1]):
            stop -= 1
            present_counts[classes[rows[stop]]] -= weights[rows[stop]]
        for k in range(n_classes):
            zero_counts[k] = present_counts[k] if n_zeros > 0 else 0.0
        if n_zeros > 0:
            for i in range(start, stop):
                zero_counts[classes[rows[i]]] -= weights[rows[i]]
        column_rows, column = rows[start:stop], values[start:stop]
        if n_categories[feature] > 0:
            gains[feature], ratios[feature] = _score_categories(
                column_rows, column, zero_counts, present_counts, n_categories[feature], node
            )
        else:
            gains[feature], ratios[feature], below[feature], above[feature] = _score_threshold(
                column_rows, column, n_zeros, zero_counts, present_counts, node
            )
        if gains[feature] >= 0.0 and in_average[feature]:
            gain_sum += gains[feature]
            n_averaged += 1
    least = gain_sum / n_averaged - _GAIN_TOLERANCE if n_averaged > 0 else -np.inf
    best, best_ratio = -1, 0.0
    for feature in range(n_features):
        valid = gains[feature] >= 0.0 and gains[feature] >= least
        if valid and ratios[feature] > best_ratio + _TOLERANCE:
            best, best_ratio = feature, ratios[feature]
    if best < 0:
        return -1, 0.0, 0.0
    return best, below[best], above[best]
