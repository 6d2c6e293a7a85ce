"""Growing a C4.5 tree: columns are sorted once and divided among the children."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse
from numba import njit

from beyond_accuracy.solvers.decision_tree.feature_values import FeatureValues, branch_of, value_at
from beyond_accuracy.solvers.decision_tree.split_selection import enters_average, select_split
from beyond_accuracy.solvers.decision_tree.tree import SMALLEST_WEIGHT, Tree


@dataclass(frozen=True)
class GrowingOptions:
    """When and how to split.

    Attributes
    ----------
    min_samples_leaf : float, default 2
        Weight that at least two branches must hold.
    mdl_correction : bool, default True
        Take log2(number of thresholds)/weight off the gain of a numeric feature.
    min_value_difference : float, default 1e-5
        Values closer than this are not separated.
    """

    min_samples_leaf: float = 2.0
    mdl_correction: bool = True
    min_value_difference: float = 1e-5


@dataclass
class _Node:
    number: int
    rows: np.ndarray
    weights: np.ndarray
    columns: tuple | None


def grow_tree(values: FeatureValues, classes, weights, n_classes, n_categories, options):
    """Grow a tree until no split is worth it.

    Parameters
    ----------
    values : FeatureValues
    classes : array of int64, shape (n,)
    weights : ndarray, shape (n,)
        Each > 0.
    n_classes : int
    n_categories : array of int64, shape (d,)
        0 for a numeric feature; the codes of the others are 0 … n_categories − 1.
    options : GrowingOptions

    Returns
    -------
    tree : Tree
    cases : dict
        For every leaf that holds cases: their rows and their weights, which are fractions of a
        row's weight where a missing value sent it down several branches.
    """
    averaged = enters_average(n_categories, len(classes))
    criteria = (
        float(options.min_samples_leaf),
        float(options.min_value_difference),
        bool(options.mdl_correction),
    )
    n = len(classes)
    weight_of_row, branch_of_row = np.zeros(n), np.empty(n, dtype=np.int64)
    sorted_columns = _sort_columns(values.X)
    feature, threshold, first_child, n_children = [-1], [np.nan], [0], [0]
    counts = [np.bincount(classes, weights, n_classes)]
    rows = np.arange(n)
    divisible = _worth_a_test(counts[0], options.min_samples_leaf)
    pending = [_Node(0, rows, weights, sorted_columns if divisible else None)]
    cases = {}
    while pending:
        node = pending.pop()
        chosen = -1
        if node.columns is not None:
            weight_of_row[node.rows] = node.weights
            chosen, below, above = select_split(
                node.columns,
                len(node.rows),
                counts[node.number],
                n_categories,
                averaged,
                weight_of_row,
                classes,
                criteria,
            )
        if chosen < 0:
            if len(node.rows):
                cases[node.number] = (node.rows, node.weights)
            continue
        n_branches = int(n_categories[chosen]) or 2
        if n_categories[chosen] == 0:
            threshold[node.number] = _threshold(sorted_columns, chosen, below, above, n)
        starts, child_rows, child_weights = _divide_cases(
            values.arrays,
            (chosen, threshold[node.number], n_categories[chosen], n_branches),
            node.rows,
            node.weights,
            branch_of_row,
        )
        feature[node.number] = chosen
        first_child[node.number], n_children[node.number] = len(feature), n_branches
        children = []
        for branch in range(n_branches):
            part = slice(starts[branch], starts[branch + 1])
            child = _Node(len(feature), child_rows[part], child_weights[part], None)
            feature.append(-1)
            threshold.append(np.nan)
            first_child.append(0)
            n_children.append(0)
            counts.append(np.bincount(classes[child.rows], child.weights, n_classes))
            children.append(child)
        divisible = np.array(
            [_worth_a_test(counts[child.number], options.min_samples_leaf) for child in children]
        )
        if divisible.any():
            divided = _divide_columns(node.columns, branch_of_row, divisible)
            for child, columns in zip(children, divided, strict=True):
                child.columns = columns if divisible[child.number - children[0].number] else None
        pending.extend(reversed(children))
    tree = Tree(
        np.array(feature, dtype=np.int64),
        np.array(threshold),
        np.array(first_child, dtype=np.int64),
        np.array(n_children, dtype=np.int64),
        np.array(counts),
        np.asarray(n_categories, dtype=np.int64),
    )
    return tree, cases


def _worth_a_test(counts, min_samples_leaf):
    total = counts.sum()
    return total >= 2 * min_samples_leaf - SMALLEST_WEIGHT and total - counts.max() >= 1e-6


def _sort_columns(X):
    """The non-zero values of every column in ascending order, missing values last."""
    columns = scipy.sparse.csc_matrix(X)
    columns.eliminate_zeros()
    starts = columns.indptr.astype(np.int64)
    rows, values = columns.indices.astype(np.int64), columns.data
    for start, stop in zip(starts[:-1], starts[1:], strict=True):
        order = np.argsort(values[start:stop], kind="stable")
        rows[start:stop] = rows[start:stop][order]
        values[start:stop] = values[start:stop][order]
    return starts, rows, values


def _threshold(sorted_columns, feature, below, above, n_samples):
    """The largest value of the whole training data up to the middle between two of a node."""
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


@njit(cache=True, nogil=True)
def _divide_cases(values, test, rows, weights, branch_of_row):
    """Rows and weights of the children, one behind the other; notes the branch of each row."""
    feature, threshold, n_categories, n_branches = test
    branch_weights = np.zeros(n_branches)
    sizes = np.zeros(n_branches, dtype=np.int64)
    n_missing = 0
    for i in range(len(rows)):
        branch = branch_of(value_at(values, rows[i], feature), threshold, n_categories)
        branch_of_row[rows[i]] = branch
        if branch < 0:
            n_missing += 1
        else:
            branch_weights[branch] += weights[i]
            sizes[branch] += 1
    total = 0.0
    for branch in range(n_branches):
        total += branch_weights[branch]
    shares = np.empty(n_branches)
    starts = np.zeros(n_branches + 1, dtype=np.int64)
    ends = np.empty(n_branches, dtype=np.int64)
    for branch in range(n_branches):
        shares[branch] = branch_weights[branch] / total
        if shares[branch] > SMALLEST_WEIGHT:
            sizes[branch] += n_missing
        ends[branch] = starts[branch]
        starts[branch + 1] = starts[branch] + sizes[branch]
    child_rows = np.empty(starts[-1], dtype=np.int64)
    child_weights = np.empty(starts[-1])
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


@njit(cache=True, nogil=True)
def _count_entries(columns, branch_of_row, n_branches):
    starts, rows, _ = columns
    sizes = np.zeros((n_branches, len(starts)), dtype=np.int64)
    for feature in range(len(starts) - 1):
        for i in range(starts[feature], starts[feature + 1]):
            branch = branch_of_row[rows[i]]
            if branch >= 0:
                sizes[branch, feature + 1] += 1
            else:
                for child in range(n_branches):
                    sizes[child, feature + 1] += 1
    return sizes


@njit(cache=True, nogil=True)
def _copy_entries(columns, branch_of_row, branch, out_rows, out_values):
    _, rows, values = columns
    size = 0
    for i in range(len(rows)):
        if branch_of_row[rows[i]] == branch or branch_of_row[rows[i]] < 0:
            out_rows[size] = rows[i]
            out_values[size] = values[i]
            size += 1


def _divide_columns(columns, branch_of_row, wanted):
    """Columns of every wanted child, in the order of the parent's; None for the others."""
    sizes = _count_entries(columns, branch_of_row, len(wanted))
    divided = []
    for branch, needed in enumerate(wanted):
        if not needed:
            divided.append(None)
            continue
        starts = np.cumsum(sizes[branch])
        rows, values = np.empty(starts[-1], dtype=np.int64), np.empty(starts[-1])
        _copy_entries(columns, branch_of_row, branch, rows, values)
        divided.append((starts, rows, values))
    return divided
