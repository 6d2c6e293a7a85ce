"""A decision tree as indented text, in the manner of C4.5."""


def tree_as_text(tree, feature_names, class_names, category_names) -> str:
    """One line a branch; a leaf shows its class and (weight of its cases/weight of the others).

    `category_names` has for each categorical feature's index the names of its categories.
    """
    if tree.feature[0] < 0:
        return f": {_leaf(tree, 0, 0, class_names)}\n"
    lines = []
    pending = [(0, child, 0) for child in reversed(tree.children(0))]
    while pending:
        parent, node, depth = pending.pop()
        line = "|   " * depth + _condition(tree, parent, node, feature_names, category_names)
        if tree.feature[node] < 0:
            line += f": {_leaf(tree, node, parent, class_names)}"
        lines.append(line)
        pending.extend((node, child, depth + 1) for child in reversed(tree.children(node)))
    return "\n".join(lines) + "\n"


def _condition(tree, parent, node, feature_names, category_names):
    feature = int(tree.feature[parent])
    branch = node - tree.first_child[parent]
    if tree.n_categories[feature] > 0:
        return f"{feature_names[feature]} = {category_names[feature][branch]}"
    sign = "<=" if branch == 0 else ">"
    return f"{feature_names[feature]} {sign} {tree.threshold[parent] + 0.0:.6g}"


def _leaf(tree, node, parent, class_names):
    counts = tree.counts[node]
    total = counts.sum()
    # An empty branch answers with its parent's class.
    deciding = counts if total > 0 else tree.counts[parent]
    errors = total - counts.max()
    suffix = f"/{_weight(errors)}" if errors > 0.005 else ""
    return f"{class_names[deciding.argmax()]} ({_weight(total)}{suffix})"


def _weight(value):
    rounded = round(float(value), 2)
    return f"{rounded:.1f}" if rounded == round(rounded, 1) else f"{rounded:.2f}"
