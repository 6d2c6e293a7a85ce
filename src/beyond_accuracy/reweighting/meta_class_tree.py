"""Text and plot of the tree of metaclasses."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class MetaClassNode:
    """Node of the decision tree of MetaClassReweighter, for one or more classes.

    An example goes to the left child if log(left score / right score) is at least `threshold`. The
    score of a child is the sum of the scores of its classes. A leaf has one class and no children.
    `n_examples` counts the training examples of the node's classes.
    """

    classes: tuple[int, ...]
    n_examples: int
    threshold: float | None = None
    left: "MetaClassNode | None" = None
    right: "MetaClassNode | None" = None


def describe(node: MetaClassNode, class_names: Sequence[str] | None = None, depth: int = 0) -> str:
    """Return a tree of class decisions as text, with one line per node and indented children.

    `class_names` has one string per class. If None, the text shows class indices. `depth` is the
    level at which the root `node` is indented.
    """
    text = f"{'|   ' * depth}{_names(node, class_names)}  ({node.n_examples} examples)"
    if node.left is None:
        return text
    text += f"  left if score ratio ≥ {math.exp(node.threshold):.4g}"
    below = (describe(child, class_names, depth + 1) for child in (node.left, node.right))
    return "\n".join([text, *below])


def draw(
    tree: MetaClassNode, ax: "Axes | None" = None, class_names: Sequence[str] | None = None
) -> "Axes":
    """Draw a tree of class decisions into matplotlib axes, and return the axes.

    Leaves are side by side, and parents centred above their children. If `ax` is None, the current
    axes are used. `class_names` has one string per class. If None, the plot shows class indices.
    """
    # Matplotlib is an optional dependency.
    import matplotlib.pyplot as plt

    if ax is None:
        ax = plt.gca()
    ax.set_axis_off()
    positions = _positions(tree)
    for node, (x, y) in positions.items():
        for child, side in ((node.left, "≥"), (node.right, "<")):
            if child is None:
                continue
            cx, cy = positions[child]
            ax.plot([x, cx], [y, cy], color="0.6", zorder=1)
            label = f"{side} {math.exp(node.threshold):.3g}"
            ax.annotate(label, ((x + cx) / 2, (y + cy) / 2), ha="center", fontsize="small")
        leaf = node.left is None
        ax.annotate(
            f"{_names(node, class_names)}\n{node.n_examples}",
            (x, y),
            ha="center",
            va="center",
            bbox={"boxstyle": "round", "facecolor": "0.92" if leaf else "white"},
            zorder=2,
        )
    ax.set_xlim(-0.6, max(x for x, _ in positions.values()) + 0.6)
    ax.set_ylim(min(y for _, y in positions.values()) - 0.4, 0.4)
    return ax


def _positions(tree):
    """Return the (x, y) position of each node: leaves at x = 0, 1, …, and the root at y = 0."""
    positions = {}
    n_leaves = 0

    def lay_out(node, depth):
        nonlocal n_leaves
        if node.left is None:
            x = float(n_leaves)
            n_leaves += 1
        else:
            x = (lay_out(node.left, depth + 1) + lay_out(node.right, depth + 1)) / 2
        positions[node] = (x, -float(depth))
        return x

    lay_out(tree, 0)
    return positions


def _names(node, class_names):
    names = [str(c) if class_names is None else str(class_names[c]) for c in node.classes]
    return "{" + ", ".join(names) + "}" if len(names) > 1 else names[0]
