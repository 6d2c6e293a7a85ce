"""Prune a C4.5 tree by pessimistic error estimates.

A subtree becomes a leaf, or is replaced by its largest branch. The examples of a leaf are (rows,
weights).
"""

import numpy as np
from scipy.special import ndtri

from beyond_accuracy.compilation import compiled
from beyond_accuracy_pipeline.reproduction.decision_tree.growing import divide_examples
from beyond_accuracy_pipeline.reproduction.decision_tree.tree import Tree
from beyond_accuracy_pipeline.reproduction.matrix_arrays import matrix_arrays

# Confidence of the pessimistic error estimate; smaller values prune more.
_CONFIDENCE = 0.25
_Z = float(ndtri(1 - _CONFIDENCE))
_TOLERANCE = 1e-6
# Subtrees must save this much: training errors when collapsing, estimated errors when pruning.
_COLLAPSE_MARGIN = 1e-3
_PRUNE_MARGIN = 0.1


def collapse_tree(tree: Tree, leaf_examples: dict):
    """Turn subtrees that make as many training errors as a single leaf into leaves, in place.

    `leaf_examples`, a dict from each leaf to the rows and weights of its training examples, is
    updated.
    """
    errors = tree.counts.sum(axis=1) - tree.counts.max(axis=1)
    below = errors.copy()
    for node in range(tree.n_nodes - 1, -1, -1):
        if tree.feature[node] >= 0:
            below[node] = below[tree.children(node)].sum()
    pending = [0]
    while pending:
        node = pending.pop()
        if tree.feature[node] < 0:
            continue
        if below[node] >= errors[node] - _COLLAPSE_MARGIN:
            leaves = [leaf for leaf in _leaves(tree, node) if leaf in leaf_examples]
            leaf_examples[node] = _concatenate([leaf_examples.pop(leaf) for leaf in leaves])
            tree.make_leaf(node)
        else:
            pending.extend(tree.children(node))


def prune_tree(tree: Tree, leaf_examples: dict, X, classes):
    """Replace subtrees by leaves or by their largest branch, bottom-up and in place.

    A replacement may raise the pessimistic estimate of errors by at most 0.1. The largest branch
    gets the examples of all branches. X and the class indices `classes` are training data.
    `leaf_examples`, a dict from each leaf to the rows and weights of its training examples, is
    updated.
    """
    values, estimated = matrix_arrays(X), np.zeros(tree.n_nodes)
    pending = [(0, False)]
    while pending:
        node, children_done = pending.pop()
        if tree.feature[node] < 0:
            estimated[node] = estimated_errors(tree.counts[node], _CONFIDENCE, _Z)
            continue
        children = tree.children(node)
        if not children_done:
            pending.append((node, True))
            pending.extend((child, False) for child in children)
            continue
        parts = [leaf_examples.pop(child) for child in children if child in leaf_examples]
        rows, weights = _concatenate(parts)
        as_leaf = estimated_errors(tree.counts[node], _CONFIDENCE, _Z)
        as_tree = sum(estimated[child] for child in children)
        sizes = tree.counts[children.start : children.stop].sum(axis=1)
        largest = children[np.flatnonzero(sizes >= sizes.max() - _TOLERANCE)[-1]]
        counts = np.empty_like(tree.counts)
        leaves = _send_down(tree, largest, rows, weights, values, classes, counts)
        as_branch = sum(estimated_errors(counts[leaf], _CONFIDENCE, _Z) for leaf, *_ in leaves)
        tolerated = as_tree + _PRUNE_MARGIN + _TOLERANCE
        if as_leaf <= tolerated and as_leaf <= as_branch + _PRUNE_MARGIN + _TOLERANCE:
            tree.make_leaf(node)
            estimated[node] = as_leaf
            leaf_examples[node] = (rows, weights)
        elif as_branch <= tolerated:
            tree.replace_by_child(node, largest)
            leaves = _send_down(tree, node, rows, weights, values, classes, tree.counts)
            leaf_examples.update((leaf, part) for leaf, *part in leaves)
            # The examples below the branch have changed, so that it is pruned afresh.
            pending.append((node, False))
        else:
            estimated[node] = as_tree
            leaf_examples[node] = (rows, weights)


def _leaves(tree, node):
    """Yield the numbers of the leaves below a node, or the node itself if it is a leaf."""
    pending = [node]
    while pending:
        node = pending.pop()
        if tree.feature[node] < 0:
            yield node
        pending.extend(tree.children(node))


def _concatenate(parts):
    empty = (np.empty(0, dtype=np.int64), np.empty(0))
    rows, weights = zip(empty, *parts, strict=True)
    return np.concatenate(rows), np.concatenate(weights)


@compiled
def _send_down(tree, root, rows, weights, values, classes, counts):
    """Send examples down the subtree of `root`; return (leaf, rows, weights) for each leaf.

    The weights by class of the subtree's nodes are written to `counts`.
    """
    branch_of_row = np.empty(len(classes), dtype=np.int64)
    pending, leaves = [(np.int64(root), rows, weights)], []
    while pending:
        node, rows, weights = pending.pop()
        counts[node] = 0.0
        for i in range(len(rows)):
            counts[node, classes[rows[i]]] += weights[i]
        tested, n_branches = tree.feature[node], tree.n_children[node]
        if tested < 0:
            leaves.append((node, rows, weights))
            continue
        test = (tested, tree.threshold[node], tree.n_categories[tested], n_branches)
        starts, rows, weights = divide_examples(values, test, rows, weights, branch_of_row)
        for branch in range(n_branches):
            part = slice(starts[branch], starts[branch + 1])
            pending.append((tree.first_child[node] + branch, rows[part], weights[part]))
    return leaves


@compiled
def extra_errors(weight, errors, confidence, z):
    """Return how much a leaf's pessimistic estimate of errors exceeds its training errors.

    `weight` is the total weight of the leaf's examples. `errors` is the weight of those outside the
    majority class. The estimate is an upper confidence limit, exceeded with probability
    `confidence` (Quinlan 1993, section 4.2). `z` is the normal quantile of 1 − `confidence`. The
    limit is binomial for 0 errors, Wilson's with continuity correction from 1 error on, and
    interpolated in between.
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
    """Return the pessimistic estimate of the errors of a leaf of a C4.5 tree.

    `counts` has the weight of the leaf's training examples per class. `confidence` and `z` are as
    in `extra_errors`.
    """
    weight = counts.sum()
    if weight < 1e-6:
        return 0.0
    # Sums of weights in different order may differ in the last digits.
    errors = weight - counts.max()
    if errors < 1e-9 * weight:
        errors = 0.0
    return errors + extra_errors(weight, errors, confidence, z)
