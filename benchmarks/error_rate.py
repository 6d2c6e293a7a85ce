"""Against LIBLINEAR for the error rate, at equal primal."""

import warnings
from functools import partial

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from benchmarks.report import Section, Target, significant
from benchmarks.timing import median_seconds
from beyond_accuracy.solvers import make_solver

_TOLERANCE = 1e-3
_SLACK = 1e-3
_LADDER = (1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4)
_MOST_ROUNDS = 5000


def measure(tasks, sizes, repetitions, folder) -> Section:
    """One row a task: the cheapest tolerance of LIBLINEAR that is as good."""
    rows, targets = [], []
    for task in tasks:
        enough = solver_fit(task).objective * (1 + _SLACK)
        tol = _cheapest_tolerance(task, enough)
        if tol is None:
            ((ours, solution),) = median_seconds(repetitions, partial(solver_fit, task))
            theirs, primal, ratio = float("nan"), float("nan"), "not reached"
            reached = True
        else:
            (ours, solution), (theirs, model) = median_seconds(
                repetitions, partial(solver_fit, task), partial(liblinear_fit, task, tol)
            )
            primal = objective_of(model, task)
            ratio, reached = f"{significant(theirs / ours)}×", ours <= theirs
        rows.append(
            (
                task.name,
                "none" if tol is None else f"{tol:g}",
                "–" if tol is None else significant(theirs),
                significant(ours),
                ratio,
                "–" if tol is None else f"{primal:.7g}",
                f"{solution.objective:.7g}",
            )
        )
        targets.append(
            Target(f"error rate on {task.name}: time against LinearSVC", "1×", ratio, reached)
        )
    return Section(
        "Error rate against LIBLINEAR",
        f'`LinearSVC(loss="hinge")` with C = 100·C/n over the tolerances '
        f"{', '.join(f'{tol:g}' for tol in _LADDER)} and at most {_MOST_ROUNDS:,} rounds; timed is "
        f"the first whose primal is at most {_SLACK:g} above ours, which is certified to a gap of "
        f"{_TOLERANCE:g}. Both primals are ½‖w‖² + C·(100/n)·Σ max(0, 1 − y·f(x)).",
        ("data", "tolerance", "LinearSVC, s", "this package, s", "ratio", "primal", "our primal"),
        rows,
        targets,
    )


def solver_fit(task):
    """Fit for the error rate with this package."""
    return make_solver(task.X, task.positive, "accuracy").solve(task.C, tol=_TOLERANCE)


def liblinear_fit(task, tol):
    """Fit the same objective with LIBLINEAR."""
    model = LinearSVC(
        loss="hinge",
        dual=True,
        C=100 * task.C / task.X.shape[0],
        tol=tol,
        max_iter=_MOST_ROUNDS,
        random_state=0,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(task.X, task.positive)


def objective_of(model, task) -> float:
    """The primal of a fitted `LinearSVC`, computed without the solvers of this package."""
    w, b = model.coef_[0], model.intercept_[0]
    margins = np.where(task.positive, 1.0, -1.0) * (task.X @ w + b)
    loss = 100.0 / len(margins) * np.maximum(0.0, 1.0 - margins).sum()
    return float(0.5 * (w @ w + b * b) + task.C * loss)


def _cheapest_tolerance(task, enough):
    for tol in _LADDER:
        if objective_of(liblinear_fit(task, tol), task) <= enough:
            return tol
    return None
