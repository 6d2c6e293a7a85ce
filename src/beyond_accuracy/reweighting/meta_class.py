"""MetaClass: a tree of binary decisions between groups of classes (Deng et al. 2006)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.reweighting.base import Reweighter
from beyond_accuracy.reweighting.objective import scale_rows
from beyond_accuracy.reweighting.threshold import best_threshold, log_ratio
from beyond_accuracy.scikit_learn import StrOptions


@dataclass(frozen=True)
class MetaClassNode:
    """Node of the decision tree of MetaClassReweighter, for one or more classes.

    An example goes to the left child if log(left score / right score) is at least `threshold`. A
    leaf has one class and no children. `n_examples` counts the training examples of the classes.
    """

    classes: tuple[int, ...]
    n_examples: int
    threshold: float | None = None
    left: "MetaClassNode | None" = None
    right: "MetaClassNode | None" = None


class MetaClassReweighter(Reweighter):
    """Decision rule that finds a class by a tree of binary decisions (MetaClass, Deng et al. 2006).

    Each node splits its classes into a left and a right group with similar numbers of examples. The
    score of a group is the sum of the scores of its classes. An example goes left if the ratio of
    the left to the right score is at least the threshold of the node.

    The threshold minimizes the total cost on the examples whose true class is in the node. The cost
    of an example on the wrong side is the average of costs[true, predicted] over the true classes
    of its right side and the predicted classes of the wrong side. This is Algorithm 1 of Deng et
    al. (2006).

    Parameters
    ----------
    split : {"alternating", "balanced"}, default "alternating"
        How the classes of a node are split. "alternating" assigns the classes, in order of
        frequency, alternately to the right and the left group. "balanced" makes the numbers of
        examples per group as equal as possible; the left group has more examples.

    Attributes
    ----------
    tree_ : MetaClassNode
        Root of the tree.
    objective_, n_classes_
        See `Reweighter`.

    References
    ----------
    K. Deng et al., ROCML 2006; its extended form: https://doi.org/10.1007/s10994-008-5056-8

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[.6, .3, .1], [.5, .4, .1], [.5, .1, .4], [.7, .2, .1], [.6, .3, .1]]
    >>> y, costs = [0, 1, 2, 0, 1], [[0, 1, 1], [4, 0, 1], [4, 1, 0]]
    >>> rule = reweighting.MetaClassReweighter().fit(scores, y, costs)
    >>> rule.predict(scores), round(rule.objective_, 6)
    (array([1, 1, 2, 0, 1]), 0.2)
    """

    _parameter_constraints = {"split": [StrOptions({"alternating", "balanced"})]}

    def __init__(self, split: Literal["alternating", "balanced"] = "alternating") -> None:
        self.split = split

    def _fit(self, scores, labels, costs):
        frequencies = np.bincount(labels, minlength=len(costs))
        classes = np.argsort(-frequencies, kind="stable")
        # Cost of a prediction above the right one, which is all that a decision can change.
        excess = costs - np.diag(costs)[:, None]
        self.tree_: MetaClassNode = _grow(
            classes, scale_rows(scores), labels, excess, frequencies, self.split
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
        """Return the fitted tree of class decisions as text, with one indented line per node.

        `class_names` has one string per class. If None, the text shows class indices.
        """
        check_is_fitted(self)
        if class_names is None:
            class_names = range(self.n_classes_)
        if len(class_names) != self.n_classes_:
            raise ValueError(
                f"class_names has {len(class_names)} entries; there are {self.n_classes_} classes"
            )
        return _describe(self.tree_, class_names, 0)


def balanced_split(classes: np.ndarray, frequencies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Split classes into two groups whose numbers of examples are as similar as possible.

    `classes` are in descending order of frequency. Return the class indices of the left group,
    which has at least half of the examples, and of the right group.
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
    is_left = np.zeros(len(counts), dtype=bool)
    for position in range(len(counts) - 1, -1, -1):
        if not reached[position] >> target & 1:
            is_left[position] = True
            target -= counts[position]
    if is_left.all():
        is_left[1:] = False
    return classes[is_left], classes[~is_left]


def _grow(classes, scores, labels, costs, frequencies, split):
    """Return the fitted `MetaClassNode` of some classes, with its children."""
    count = len(labels)
    if len(classes) == 1:
        return MetaClassNode((int(classes[0]),), count)
    if split == "balanced":
        left, right = balanced_split(classes, frequencies)
    else:
        left, right = classes[1::2], classes[0::2]
    of_left = np.zeros(len(costs), dtype=bool)
    of_left[left] = True
    is_left = of_left[labels]
    threshold = 0.0
    if count:
        ratio = _log_ratio(scores, left, right)
        # `changes` are for examples below the threshold, which go right.
        if_right, if_left = costs[np.ix_(left, right)].mean(), costs[np.ix_(right, left)].mean()
        changes = np.where(is_left, if_right, -if_left)
        threshold, _, width = best_threshold(ratio, changes)
        # log((e^a + e^b)/2) for the ratios a and b = a + width on both sides.
        threshold += 0.5 * width + np.log1p(np.exp(-width)) - np.log(2.0)
    return MetaClassNode(
        tuple(sorted(classes.tolist())),
        count,
        threshold,
        _grow(left, scores[is_left], labels[is_left], costs, frequencies, split),
        _grow(right, scores[~is_left], labels[~is_left], costs, frequencies, split),
    )


def _log_ratio(scores, left, right):
    """Return log(score of the left classes / score of the right classes); −inf if both are 0."""
    with np.errstate(divide="ignore"):
        return log_ratio(*(np.log(scores[:, list(side)].sum(axis=1)) for side in (left, right)))


def _describe(node, class_names, depth):
    """Return a tree as text, with one line per node; `node` is indented to the level `depth`."""
    names = ", ".join(str(class_names[c]) for c in node.classes)
    names = names if node.left is None else "{" + names + "}"
    text = f"{'|   ' * depth}{names}  ({node.n_examples} examples)"
    if node.left is None:
        return text
    text += f"  left if score ratio ≥ {math.exp(node.threshold):.4g}"
    below = (_describe(child, class_names, depth + 1) for child in (node.left, node.right))
    return "\n".join([text, *below])
