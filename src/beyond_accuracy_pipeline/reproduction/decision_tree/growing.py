"""Grow a C4.5 tree. Columns are sorted once, and each split divides them among the children."""

import numpy as np
import scipy.sparse

from beyond_accuracy.compilation import compiled
from beyond_accuracy_pipeline.reproduction.decision_tree.split_selection import (
    MANY_CATEGORIES,
    MIN_BRANCH_WEIGHT,
    select_split,
    weighted_logs,
)
from beyond_accuracy_pipeline.reproduction.decision_tree.tree import (
    SMALLEST_WEIGHT,
    Tree,
    branch_of,
)
from beyond_accuracy_pipeline.reproduction.matrix_arrays import matrix_arrays, value_at


def grow_tree(X, classes, n_classes, n_categories):
    """Grow a C4.5 decision tree until no split is useful, without pruning.

    `classes` are class indices, shape (n,). `n_categories` has the number of categories of each
    feature, 0 for a numeric feature. Return the tree, and a dict from each leaf's number to the
    rows and weights of its training examples. A row with a missing value can be in several leaves,
    which share its weight.
    """
    n = len(classes)
    # Features with many categories do not count, unless there are no others.
    in_average = (n_categories == 0) | (n_categories < MANY_CATEGORIES * n)
    in_average |= not in_average.any()
    weights = np.ones(n)
    weight_of_row, branch_of_row = np.zeros(n), np.empty(n, dtype=np.int64)
    logs, values = weighted_logs(n), matrix_arrays(X)
    sorted_columns = _sort_columns(X)
    # Feature, threshold, first child and number of children of each node.
    leaf = (-1, np.nan, 0, 0)
    nodes = [leaf]
    counts = [np.bincount(classes, weights, n_classes)]
    splittable = _can_be_split(counts[0])
    # Nodes with their rows, weights and columns; no columns for nodes that cannot be split.
    pending = [(0, np.arange(n), weights, sorted_columns if splittable else None)]
    leaf_examples = {}
    while pending:
        node, rows, weights, columns = pending.pop()
        chosen = -1
        if columns is not None:
            weight_of_row[rows] = weights
            chosen, below, above = select_split(
                columns, len(rows), counts[node], n_categories, in_average,
                (weight_of_row, classes, logs),
            )  # fmt: skip
        if chosen < 0:
            if len(rows):
                leaf_examples[node] = (rows, weights)
            continue
        n_branches, threshold = int(n_categories[chosen]), np.nan
        if n_branches == 0:
            n_branches, threshold = 2, _threshold(sorted_columns, chosen, below, above, n)
        test = (chosen, threshold, n_categories[chosen], n_branches)
        starts, rows, weights = divide_examples(values, test, rows, weights, branch_of_row)
        nodes[node] = (chosen, threshold, len(nodes), n_branches)
        children = []
        for branch in range(n_branches):
            part = slice(starts[branch], starts[branch + 1])
            counts.append(np.bincount(classes[rows[part]], weights[part], n_classes))
            splittable = _can_be_split(counts[-1])
            kept = _columns_of_branch(columns, branch_of_row, branch) if splittable else None
            children.append((len(nodes) + branch, rows[part], weights[part], kept))
        pending.extend(reversed(children))
        nodes.extend([leaf] * n_branches)
    columns_of_nodes = map(np.array, zip(*nodes, strict=True))
    return Tree(*columns_of_nodes, np.array(counts), n_categories), leaf_examples


def _can_be_split(counts):
    """Return whether a node is large enough for a split and has examples of several classes."""
    total = counts.sum()
    return total >= 2 * MIN_BRANCH_WEIGHT - SMALLEST_WEIGHT and total - counts.max() >= 1e-6


def _sort_columns(X):
    """Return (starts, rows, values) of X's nonzero entries, each column sorted with NaN last."""
    columns = scipy.sparse.csc_matrix(X)
    columns.sum_duplicates()
    columns.eliminate_zeros()
    starts = columns.indptr.astype(np.int64)
    rows, values = columns.indices.astype(np.int64), columns.data
    for start, stop in zip(starts[:-1], starts[1:], strict=True):
        order = np.argsort(values[start:stop], kind="stable")
        rows[start:stop] = rows[start:stop][order]
        values[start:stop] = values[start:stop][order]
    return starts, rows, values


def _threshold(sorted_columns, feature, below, above, n_samples):
    """Return the numeric threshold of a split: a value of the training data, or −inf.

    It is the largest training value up to the middle between `below` and `above`, two neighbouring
    values in the node. If the middle is rounded to `above`, the threshold is `below`.
    """
    starts, _, values = sorted_columns
    column = values[starts[feature] : starts[feature + 1]]
    middle = below / 2 + above / 2
    if middle >= above:
        return below
    n_values = len(column) - np.count_nonzero(np.isnan(column))
    rank = np.searchsorted(column[:n_values], middle, side="right")
    threshold = column[rank - 1] if rank > 0 else -np.inf
    if len(column) < n_samples and middle >= 0.0:
        threshold = max(threshold, 0.0)
    return float(threshold)


@compiled
def divide_examples(values, test, rows, weights, branch_of_row):
    """Divide the training examples of a node among its children; return (starts, rows, weights).

    - Child k has the rows from position starts[k] to starts[k + 1] − 1, and their weights.
    - `values` is the result of `matrix_arrays(X)`.
    - `test` is (feature, threshold, number of categories or 0, number of children).
    - `branch_of_row`, an output array, gets the child index of each row, −1 for a missing value.

    An example with a missing value (NaN) goes to all children. Its weight is shared in proportion
    to the weights of the other examples.
    """
    feature, threshold, n_categories, n_branches = test
    shares, sizes = np.zeros(n_branches), np.zeros(n_branches, dtype=np.int64)
    n_missing = 0
    for i in range(len(rows)):
        branch = branch_of(value_at(values, rows[i], feature), threshold, n_categories)
        branch_of_row[rows[i]] = branch
        if branch < 0:
            n_missing += 1
        else:
            shares[branch] += weights[i]
            sizes[branch] += 1
    total = shares.sum()
    starts = np.zeros(n_branches + 1, dtype=np.int64)
    for branch in range(n_branches):
        shares[branch] = shares[branch] / total if total > SMALLEST_WEIGHT else 1.0 / n_branches
        takes_missing = shares[branch] > SMALLEST_WEIGHT
        starts[branch + 1] = starts[branch] + sizes[branch] + n_missing * takes_missing
    ends = starts[:-1].copy()
    child_rows, child_weights = np.empty(starts[-1], dtype=np.int64), np.empty(starts[-1])
    for i in range(len(rows)):
        branch = branch_of_row[rows[i]]
        if branch >= 0:
            child_rows[ends[branch]] = rows[i]
            child_weights[ends[branch]] = weights[i]
            ends[branch] += 1
        else:
            for child in range(n_branches):
                if shares[child] > SMALLEST_WEIGHT:
                    child_rows[ends[child]] = rows[i]
                    child_weights[ends[child]] = weights[i] * shares[child]
                    ends[child] += 1
    return starts, child_rows, child_weights


@compiled
def _columns_of_branch(columns, branch_of_row, branch):
    """Return the sorted columns of those examples that take `branch` or have no value."""
    starts, rows, values = columns
    child_starts = np.zeros_like(starts)
    child_rows, child_values = np.empty_like(rows), np.empty_like(values)
    size = 0
    for feature in range(len(starts) - 1):
        for i in range(starts[feature], starts[feature + 1]):
            if branch_of_row[rows[i]] == branch or branch_of_row[rows[i]] < 0:
                child_rows[size], child_values[size] = rows[i], values[i]
                size += 1
        child_starts[feature + 1] = size
    return child_starts, child_rows[:size].copy(), child_values[:size].copy()
