"""What a multi-class fit keeps of the cross-validation, and the values of the measures from it."""

from collections.abc import Mapping

import pandas as pd

TRUE_CLASSES = "true_class"
"""Array of the true classes, int16, shape (n,)."""

FOLDS = "fold"
"""Array of the fold in which each example is tested, int16, shape (n,)."""

COST_MATRICES = "cost_matrix"
"""Array of the cost matrices, float64, shape (n_tasks, m, m); row = true class."""

PREDICTION = "prediction."
"""Prefix, before a measure, of predicted classes, int16, shape (n_tasks, n); −1 for none."""

TREE = "tree"
"""Rows of a tree of metaclasses that was fitted to all examples, as JSON."""

SURFACE = "surface"
"""Shares of each class that fixed weights predict rightly, float64, shape (n_weights, m)."""


def class_values(frame: pd.DataFrame, names: list[str], arrays: Mapping) -> list[float]:
    """Average cost of the test examples of each row's fold; NaN where a row is not "ok".

    Rows have `task`, the cost matrix, `measure`, `fold` and `status`. An error rate is the average
    cost when every error costs 1.
    """
    truth, folds, costs = arrays[TRUE_CLASSES], arrays[FOLDS], arrays[COST_MATRICES]
    place = {name: i for i, name in enumerate(names)}
    values = []
    for row in frame.itertuples():
        if row.status != "ok":
            values.append(float("nan"))
            continue
        task, test = place[row.task], folds == row.fold
        predicted = arrays[PREDICTION + row.measure][task, test]
        values.append(float(costs[task, truth[test], predicted].mean()))
    return values
