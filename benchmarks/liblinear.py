"""LIBLINEAR on the same objective: its fits, and the first tolerance that is good enough."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

MOST_ROUNDS = 5000


def fit_liblinear(task, C, tol, class_weight=None):
    """Return a fitted `LinearSVC` with the hinge loss; `class_weight` has the keys 0 and 1."""
    model = LinearSVC(
        loss="hinge",
        C=C,
        class_weight=class_weight,
        tol=tol,
        max_iter=MOST_ROUNDS,
        random_state=0,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(task.X, task.positive.astype(np.int64))


def objective_of(model, task) -> float:
    """Return the objective of a fitted `LinearSVC`, without the solvers of this package."""
    w, b = model.coef_[0], model.intercept_[0]
    margins = np.where(task.positive, 1.0, -1.0) * (task.X @ w + b)
    weights = model.class_weight or {0: 1.0, 1: 1.0}
    costs = model.C * np.where(task.positive, weights[1], weights[0])
    return float(0.5 * (w @ w + b * b) + costs @ np.maximum(0.0, 1.0 - margins))


def cheapest_tolerance(task, C, tolerances, enough, class_weight=None):
    """Return the first tolerance with an objective of at most `enough`, and whether it exists."""
    for tol in tolerances:
        model = fit_liblinear(task, C, tol, class_weight)
        if objective_of(model, task) <= enough:
            return tol, True
        if model.n_iter_ >= MOST_ROUNDS:
            break
    return tol, False
