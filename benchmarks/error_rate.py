"""Against LIBLINEAR for the error rate, at equal primal."""

import warnings
from contextlib import suppress
from functools import partial

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from benchmarks.report import Section, Target, significant
from benchmarks.timing import median_seconds
from beyond_accuracy.solvers import make_solver

_TOLERANCE = 1e-5
_SLACK = 1e-3
_LADDER = (1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4)
_MOST_ROUNDS = 5000


class _Reached(Exception):
    pass


def measure(tasks, sizes, repetitions, folder) -> Section:
    """One row a task: the cheapest tolerance of LIBLINEAR that is good enough, and our time."""
    rows, targets = [], []
    for task in tasks:
        optimum = certified_fit(task).objective
        tol = _cheapest_tolerance(task, optimum * (1 + _SLACK))
        if tol is None:
            rows.append((task.name, "none", "–", "–", "not reached", "–", f"{optimum:.7g}"))
            ratio, reached = "not reached", True
        else:
            primal = objective_of(liblinear_fit(task, tol), task)
            (ours, _), (theirs, _) = median_seconds(
                repetitions, partial(fit_until, task, primal), partial(liblinear_fit, task, tol)
            )
            ratio, reached = f"{significant(theirs / ours)}×", ours <= theirs
            seconds = (significant(theirs), significant(ours))
            rows.append((task.name, f"{tol:g}", *seconds, ratio, f"{primal:.7g}", f"{optimum:.7g}"))
        targets.append(
            Target(f"error rate on {task.name}: time against LinearSVC", "1×", ratio, reached)
        )
    return Section(
        "Error rate against LIBLINEAR",
        f'`LinearSVC(loss="hinge")` with C = 100·C/n over the tolerances '
        f"{', '.join(f'{tol:g}' for tol in _LADDER)} and at most {_MOST_ROUNDS:,} rounds; timed is "
        f"the first whose primal is at most {_SLACK:g} above the optimum, and this package until "
        f"its primal is as low. The optimum is certified to a gap of {_TOLERANCE:g}; primals are "
        "½‖w‖² + C·(100/n)·Σ max(0, 1 − y·f(x)).",
        ("data", "tolerance", "LinearSVC, s", "this package, s", "ratio", "primal", "optimum"),
        rows,
        targets,
    )


def certified_fit(task):
    """Fit for the error rate with this package, to a small gap."""
    return make_solver(task.X, task.positive, "accuracy").solve(task.C, tol=_TOLERANCE)


def fit_until(task, primal):
    """Fit for the error rate with this package until the primal is as low as asked."""

    def stop(iteration):
        if iteration.primal <= primal:
            raise _Reached

    with suppress(_Reached):
        make_solver(task.X, task.positive, "accuracy").solve(task.C, tol=_TOLERANCE, callback=stop)


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
