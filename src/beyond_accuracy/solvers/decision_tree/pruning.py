"""Pruning by pessimistic errors: subtrees become leaves, or give way to their largest branch."""

import numpy as np
from numba import njit
from scipy.special import ndtri

from beyond_accuracy.solvers.decision_tree.feature_values import FeatureValues, branch_of, value_at
from beyond_accuracy.solvers.decision_tree.pessimistic_error import estimated_errors
from beyond_accuracy.solvers.decision_tree.tree import SMALLEST_WEIGHT, Tree

_TOLERANCE = 1e-6
# Subtrees must save this much: training errors when collapsing, estimated errors when pruning.
_COLLAPSE_MARGIN = 1e-3
_PRUNE_MARGIN = 0.1


def collapse_tree(tree: Tree, cases: dict):
    """Turn subtrees that make no fewer training errors than a leaf into leaves, in place.

    `cases` are those of `grow_tree`; they move to the new leaves.
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
            cases[node] = _merge([cases.pop(leaf) for leaf in _leaves(tree, node) if leaf in cases])
            tree.make_leaf(node)
        else:
            pending.extend(tree.children(node))


def prune_tree(tree: Tree, cases: dict, values: FeatureValues, classes, confidence, raising=True):
    """Replace subtrees bottom-up by leaves or by their largest branch, in place.

    Parameters
    ----------
    tree, cases
        See `grow_tree`.
    values : FeatureValues
    classes : array of int64, shape (n,)
    confidence : float
        In (0, 0.5]; the smaller, the smaller the tree.
    raising : bool, default True
        Consider the largest branch, to which the cases of its siblings then move.
    """
    z = float(ndtri(1 - confidence))
    estimated = np.zeros(tree.n_nodes)
    scratch = np.zeros_like(tree.counts)
    pending = [(0, False)]
    while pending:
        node, children_done = pending.pop()
        if tree.feature[node] < 0:
            estimated[node] = estimated_errors(tree.counts[node], confidence, z)
            continue
        children = tree.children(node)
        if not children_done:
            pending.append((node, True))
            pending.extend((child, False) for child in children)
            continue
        rows, weights = _merge([cases.pop(child) for child in children if child in cases])
        as_leaf = estimated_errors(tree.counts[node], confidence, z)
        as_tree = sum(estimated[child] for child in children)
        as_branch = np.inf
        if raising:
            sizes = tree.counts[children.start : children.stop].sum(axis=1)
            largest = children[np.flatnonzero(sizes >= sizes.max() - _TOLERANCE)[-1]]
            leaves, *_ = _distribute(
                tree.arrays, largest, rows, weights, values.arrays, classes, scratch
            )
            as_branch = sum(estimated_errors(scratch[leaf], confidence, z) for leaf in leaves)
        tolerated = as_tree + _PRUNE_MARGIN + _TOLERANCE
        if as_leaf <= tolerated and as_leaf <= as_branch + _PRUNE_MARGIN + _TOLERANCE:
            tree.make_leaf(node)
            estimated[node] = as_leaf
            cases[node] = (rows, weights)
        elif as_branch <= tolerated:
            tree.replace_by_child(node, largest)
            leaves, starts, rows, weights = _distribute(
                tree.arrays, node, rows, weights, values.arrays, classes, tree.counts
            )
            for leaf, start, stop in zip(leaves, starts[:-1], starts[1:], strict=True):
                cases[leaf] = (rows[start:stop], weights[start:stop])
            # With other cases below it, the branch is pruned afresh.
            pending.append((node, False))
        else:
            estimated[node] = as_tree
            cases[node] = (rows, weights)


def _leaves(tree, node):
    pending = [node]
    while pending:
        node = pending.pop()
        if tree.feature[node] < 0:
            yield node
        else:
            pending.extend(tree.children(node))


def _merge(parts):
    none = (np.empty(0, dtype=np.int64), np.empty(0))
    rows, weights = zip(none, *parts, strict=True)
    return np.concatenate(rows), np.concatenate(weights)


@njit(cache=True, nogil=True)
def _with_room(array, size):
    """The array, or if it is shorter than `size` a copy of twice that length."""
    if size <= len(array):
        return array
    larger = np.empty(2 * size, dtype=array.dtype)
    for i in range(len(array)):
        larger[i] = array[i]
    return larger


@njit(cache=True, nogil=True)
def _shares(branches, weights, n_branches):
    """Share of each branch in the weight of the cases whose branch is known (not −1)."""
    shares = np.zeros(n_branches)
    for i in range(len(branches)):
        if branches[i] >= 0:
            shares[branches[i]] += weights[i]
    total = 0.0
    for branch in range(n_branches):
        total += shares[branch]
    for branch in range(n_branches):
        shares[branch] = shares[branch] / total if total > SMALLEST_WEIGHT else 1.0 / n_branches
    return shares


@njit(cache=True, nogil=True)
def _distribute(tree, root, rows, weights, values, classes, counts):
    """Send cases down a subtree, writing the class weights of its nodes into `counts`.

    Returns the leaves, where the cases of each start, and their rows and weights.
    """
    feature, threshold, first_child, n_children, n_categories = tree
    n_nodes = len(feature)
    # Pending nodes, and where their cases are in the buffer.
    nodes, starts = np.empty(n_nodes, dtype=np.int64), np.empty(n_nodes + 1, dtype=np.int64)
    nodes[0], starts[0], starts[1], n_pending = root, 0, len(rows), 1
    buffer_rows, buffer_weights = rows.copy(), weights.copy()
    leaves, leaf_starts = np.empty(n_nodes, dtype=np.int64), np.zeros(n_nodes + 1, dtype=np.int64)
    out_rows, out_weights = np.empty_like(rows), np.empty_like(weights)
    n_leaves, n_out = 0, np.int64(0)
    while n_pending > 0:
        # The cases of the node taken last are the end of the buffer: its children replace them.
        n_pending -= 1
        node, start, size = nodes[n_pending], starts[n_pending], starts[n_pending + 1]
        size -= start
        node_rows, node_weights = np.empty(size, dtype=np.int64), np.empty(size)
        for k in range(counts.shape[1]):
            counts[node, k] = 0.0
        for i in range(size):
            node_rows[i], node_weights[i] = buffer_rows[start + i], buffer_weights[start + i]
            counts[node, classes[node_rows[i]]] += node_weights[i]
        tested = feature[node]
        if tested < 0:
            out_rows = _with_room(out_rows, n_out + size)
            out_weights = _with_room(out_weights, n_out + size)
            for i in range(size):
                out_rows[n_out], out_weights[n_out] = node_rows[i], node_weights[i]
                n_out += 1
            leaves[n_leaves] = node
            n_leaves += 1
            leaf_starts[n_leaves] = n_out
            continue
        branches = np.empty(size, dtype=np.int64)
        for i in range(size):
            value = value_at(values, node_rows[i], tested)
            branches[i] = branch_of(value, threshold[node], n_categories[tested])
        shares = _shares(branches, node_weights, n_children[node])
        end = start
        for branch in range(n_children[node]):
            buffer_rows = _with_room(buffer_rows, end + size)
            buffer_weights = _with_room(buffer_weights, end + size)
            for i in range(size):
                share = 1.0 if branches[i] == branch else 0.0
                if branches[i] < 0:
                    share = shares[branch]
                if share > SMALLEST_WEIGHT:
                    buffer_rows[end] = node_rows[i]
                    buffer_weights[end] = share * node_weights[i]
                    end += 1
            nodes[n_pending] = first_child[node] + branch
            n_pending += 1
            starts[n_pending] = end
    return leaves[:n_leaves], leaf_starts[: n_leaves + 1], out_rows[:n_out], out_weights[:n_out]
