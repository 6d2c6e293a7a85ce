"""MetaClass: a tree of metaclasses with a threshold per node (Deng et al. 2006, Algorithm 1)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.reweighting.base import Reweighter
from beyond_accuracy.reweighting.meta_class_tree import MetaClassNode, describe, draw
from beyond_accuracy.reweighting.objective import scale_rows
from beyond_accuracy.reweighting.threshold import best_threshold, log_ratio
from beyond_accuracy.scikit_learn import StrOptions

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class MetaClassReweighter(Reweighter):
    """Reweighter that decides by a tree of binary decisions (MetaClass, Deng et al. 2006).

    Algorithm 1 of the paper. At each node the classes are split into two metaclasses of roughly the
    same number of examples. The score of a metaclass is the sum of its classes' scores. An example
    goes to the left metaclass if the ratio of left to right is at least a threshold. The threshold
    minimizes the cost on the node's examples (whose true class belongs to the node) and is the
    average of neighbouring ratios. A mistake costs the average of the costs between the classes of
    the two metaclasses, in its direction. Fitting takes O(n·m + n·log n·depth).

    Details that the paper leaves open: the average over pairs of classes is unweighted, and
    examples without a score for either side go to the right.

    Parameters
    ----------
    split : {"alternating", "balanced"}, default "alternating"
        "alternating" deals the classes to two sides in turn, from the most frequent on; the left
        metaclass is the one without that. On nursery it gives the metaclasses of the paper's
        Figure 1. "balanced" makes the sides' numbers of examples differ as little as possible; of
        equally balanced splits it takes the one whose left side prefers frequent classes, and the
        left side has more examples.

    Attributes
    ----------
    tree_ : MetaClassNode
    objective_, n_classes_
        As in all reweighters.

    References
    ----------
    K. Deng, C. Bourke, S. Scott, N. V. Vinodchandran, New Algorithms for Optimizing Multi-Class
    Classifiers via ROC Surfaces, ROCML 2006; its extended form:
    https://doi.org/10.1007/s10994-008-5056-8

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.5, 0.1, 0.4], [0.7, 0.2, 0.1]]
    >>> scores.append(scores[0])  # and with another label
    >>> y = [0, 1, 2, 0, 1]
    >>> costs = [[0, 1, 1], [4, 0, 1], [4, 1, 0]]
    >>> rule = reweighting.MetaClassReweighter().fit(scores, y, costs)
    >>> rule.predict(scores)
    array([1, 1, 2, 0, 1])
    >>> round(rule.objective_, 6)
    0.2
    """

    _parameter_constraints = {"split": [StrOptions({"alternating", "balanced"})]}

    def __init__(self, split: Literal["alternating", "balanced"] = "alternating") -> None:
        self.split = split

    def _fit(self, scores, labels, costs):
        divide = balanced_split if self.split == "balanced" else alternating_split
        frequencies = np.bincount(labels, minlength=len(costs))
        classes = np.argsort(-frequencies, kind="stable")
        # Cost of a prediction above the right one, which is all that a decision can change.
        excess = costs - np.diag(costs)[:, None]
        self.tree_: MetaClassNode = _grow(
            classes, scale_rows(scores), labels, excess, frequencies, divide
        )
        self.objective_: float = float(costs[labels, self._predict(scores)].mean())

    def _predict(self, scores):
        scores = scale_rows(scores)
        predicted = np.empty(len(scores), dtype=np.int64)
        pending = [(self.tree_, np.arange(len(scores)))]
        while pending:
            node, rows = pending.pop()
            if node.left is None:
                predicted[rows] = node.classes[0]
                continue
            ratio = _log_ratio(scores[rows], node.left.classes, node.right.classes)
            goes_left = ratio >= node.threshold
            pending += [(node.left, rows[goes_left]), (node.right, rows[~goes_left])]
        return predicted

    def export_text(self, class_names: Sequence[str] | None = None) -> str:
        """Return the tree as indented lines, one per node; `class_names` are m strings."""
        return describe(self._named_tree(class_names), class_names)

    def plot_tree(
        self, ax: "Axes | None" = None, class_names: Sequence[str] | None = None
    ) -> "Axes":
        """Draw the tree into matplotlib axes, new ones if `ax` is None, and return them."""
        return draw(self._named_tree(class_names), ax, class_names)

    def _named_tree(self, class_names):
        check_is_fitted(self)
        if class_names is not None and len(class_names) != self.n_classes_:
            raise ValueError(
                f"class_names has {len(class_names)} entries; there are {self.n_classes_} classes"
            )
        return self.tree_


def alternating_split(
    classes: np.ndarray, frequencies: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Split `classes`, sorted by descending frequency, into the second, fourth, … and others."""
    return classes[1::2], classes[0::2]


def balanced_split(classes: np.ndarray, frequencies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Split classes into two non-empty groups of nearly equal numbers of examples.

    `classes` come in descending frequency. The sums that subsets reach are kept as the bits of an
    integer, so the split is exact in O(len(classes)·examples/64).
    """
    counts = [int(frequencies[c]) for c in classes]
    if sum(counts[1:]) == 0:
        return classes[:1], classes[1:]
    total = sum(counts)
    reached = [1]
    for count in counts:
        reached.append(reached[-1] | reached[-1] << count)
    # The larger half: some subset reaches `total`, so the search ends.
    target = (total + 1) // 2
    while not reached[-1] >> target & 1:
        target += 1
    left = []
    for position in range(len(counts) - 1, -1, -1):
        if not reached[position] >> target & 1:
            left.append(position)
            target -= counts[position]
    chosen = sorted(left)
    others = [position for position in range(len(counts)) if position not in chosen]
    if len(others) == 0:
        chosen, others = chosen[:1], chosen[1:]
    return classes[chosen], classes[others]


def _grow(classes, scores, labels, costs, frequencies, divide):
    """Grow the node of some classes from the scores and labels of their examples."""
    count = len(labels)
    if len(classes) == 1:
        return MetaClassNode((int(classes[0]),), count)
    left, right = divide(classes, frequencies)
    of_left = np.zeros(len(costs), dtype=bool)
    of_left[left] = True
    is_left = of_left[labels]
    threshold = 0.0
    if count:
        ratio = _log_ratio(scores, left, right)
        # `changes` are for examples below the threshold, which go right.
        if_right, if_left = costs[np.ix_(left, right)].mean(), costs[np.ix_(right, left)].mean()
        changes = np.where(is_left, if_right, -if_left)
        threshold, _ = best_threshold(ratio, changes, average_ratios=True)
    return MetaClassNode(
        tuple(sorted(classes.tolist())),
        count,
        threshold,
        _grow(left, scores[is_left], labels[is_left], costs, frequencies, divide),
        _grow(right, scores[~is_left], labels[~is_left], costs, frequencies, divide),
    )


def _log_ratio(scores, left, right):
    """Compute the log of the left side's score over the right side's; −inf if both vanish."""
    with np.errstate(divide="ignore"):
        return log_ratio(*(np.log(scores[:, list(side)].sum(axis=1)) for side in (left, right)))
