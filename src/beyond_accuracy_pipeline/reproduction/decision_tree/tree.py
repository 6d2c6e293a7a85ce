"""Decision tree stored in arrays, and its predictions."""

from typing import NamedTuple

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy_pipeline.reproduction.matrix_arrays import matrix_arrays, value_at

# Examples of smaller weight do not count.
SMALLEST_WEIGHT = 1e-6


class Tree(NamedTuple):
    """Decision tree stored in arrays with one entry per node; node 0 is the root.

    - `feature` is the tested feature, or −1 at a leaf.
    - `threshold` is the largest value that goes to the first of two children. For a categorical
      feature there is one child per category.
    - `first_child` is the node number of the first child; the other children follow.
    - `counts`, shape (n_nodes, n_classes), is the weight of the training examples per class.
    - `n_categories` has one entry per feature, 0 if the feature is numeric.
    """

    feature: np.ndarray
    threshold: np.ndarray
    first_child: np.ndarray
    n_children: np.ndarray
    counts: np.ndarray
    n_categories: np.ndarray

    @property
    def n_nodes(self) -> int:
        """Number of nodes, including leaves and nodes that pruning has cut off."""
        return len(self.feature)

    def children(self, node: int) -> range:
        """Return the numbers of a node's children; an empty range for a leaf."""
        if self.feature[node] < 0:
            return range(0)
        first = self.first_child[node]
        return range(first, first + self.n_children[node])

    def make_leaf(self, node: int) -> None:
        self.feature[node] = -1
        self.threshold[node] = np.nan
        self.first_child[node] = self.n_children[node] = 0

    def replace_by_child(self, node: int, child: int) -> None:
        """Replace a node by one of its children, in place, but keep the node's `counts`."""
        for array in (self.feature, self.threshold, self.first_child, self.n_children):
            array[node] = array[child]

    def compact(self) -> "Tree":
        """Return a copy without nodes that pruning has cut off. Parents precede children."""
        order, new_first = [0], np.zeros(self.n_nodes, dtype=np.int64)
        for node in order:
            new_first[node] = len(order)
            order.extend(self.children(node))
        order = np.array(order)
        inner = self.feature[order] >= 0
        return Tree(
            self.feature[order],
            self.threshold[order],
            np.where(inner, new_first[order], 0),
            self.n_children[order],
            self.counts[order],
            self.n_categories,
        )

    def predict_proba(self, X) -> np.ndarray:
        """Return the class frequencies in the leaf of each row, shape (n, n_classes).

        A row with a missing value takes all branches, weighted by their training examples. A branch
        without training examples predicts its parent's frequencies.
        """
        probabilities = np.zeros((X.shape[0], self.counts.shape[1]))
        _predict(self, matrix_arrays(X), probabilities)
        return probabilities


@compiled
def branch_of(value, threshold, n_categories):
    """Return the index of the child to which a feature's value leads at a node.

    For a categorical feature, the index is the category. For a numeric feature (`n_categories` is
    0), it is 0 up to the threshold, else 1. For a missing value (NaN), it is −1.
    """
    if np.isnan(value):
        return -1
    if n_categories > 0:
        return int(value)
    return 0 if value <= threshold else 1


@compiled
def _predict(tree, values, out):
    """Write the class frequencies of each row to `out`, zeros of shape (n, n_classes)."""
    feature, counts, n_nodes = tree.feature, tree.counts, len(tree.feature)
    totals, shares = np.empty(n_nodes), np.empty(n_nodes)
    for node in range(n_nodes):
        totals[node] = counts[node].sum()
    nodes = np.empty(n_nodes, dtype=np.int64)
    for row in range(len(out)):
        nodes[0], shares[0], top = 0, 1.0, 1
        while top > 0:
            top -= 1
            node, share = nodes[top], shares[top]
            tested, first, branch = feature[node], tree.first_child[node], np.int64(-1)
            if tested >= 0:
                value = value_at(values, row, tested)
                branch = branch_of(value, tree.threshold[node], tree.n_categories[tested])
            if tested < 0 or (branch >= 0 and totals[first + branch] <= SMALLEST_WEIGHT):
                for k in range(out.shape[1]):
                    out[row, k] += share * counts[node, k] / totals[node]
                continue
            if branch >= 0:
                nodes[top], shares[top] = first + branch, share
                top += 1
                continue
            weight = 0.0
            for child in range(first, first + tree.n_children[node]):
                weight += totals[child] * (totals[child] > SMALLEST_WEIGHT)
            for child in range(first, first + tree.n_children[node]):
                if totals[child] > SMALLEST_WEIGHT:
                    nodes[top], shares[top] = child, share * totals[child] / weight
                    top += 1
