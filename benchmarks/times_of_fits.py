"""Fits of every measure at two tolerances."""

import sys
import time
from functools import partial

from benchmarks.report import Section, Target, significant
from benchmarks.timing import median_seconds, seconds
from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers import make_solver

MEASURES = ("f1", "f0.5", "jaccard", "prbep", "recall_at_2p", "roc_area", "accuracy")
_TOLERANCES = (1e-3, 1e-6)
_SECONDS_ALLOWED = 10.0
_SECONDS_REPEATED = 2.0


class _OutOfTime(Exception):
    pass


def fit(task, name, tol, callback=None):
    """Fit a task; recall at k over at most k."""
    at_most_k = name.startswith("recall_at_")
    solver = make_solver(task.X, task.positive, name, at_most_k=at_most_k)
    return solver.solve(task.C, tol=tol, callback=callback)


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Seconds, iterations and gaps."""
    rows, missed = [], []
    for task in tasks:
        for name in MEASURES:
            fit(task, name, 0.5)
            for tol in _TOLERANCES:
                row, reached = _row(task, name, tol, repetitions)
                rows.append(row)
                print("  " + "  ".join(row), file=sys.stderr, flush=True)
                if not reached:
                    missed.append(f"{get_measure(name).label} on {task.name} at {tol:g}")
    found = "all fits" if not missed else "not " + ", ".join(missed)
    return Section(
        "Fits of every measure",
        f"From arrays to a certified duality gap. Rec@2p is optimized over at most k. A fit is "
        f"stopped after {_SECONDS_ALLOWED:g} seconds; one of more than {_SECONDS_REPEATED:g} "
        "seconds is not repeated.",
        ("data", "measure", "gap asked", "seconds", "iterations", "searches", "primal", "gap"),
        rows,
        [
            Target(
                f"duality gap reached within {_SECONDS_ALLOWED:g} s",
                "1e-6 on every task",
                found,
                not missed,
            )
        ],
    )


def _row(task, name, tol, repetitions):
    label = get_measure(name).label
    last = None
    end = time.process_time() + _SECONDS_ALLOWED

    def stop(iteration):
        nonlocal last
        last = iteration
        if time.process_time() > end:
            raise _OutOfTime

    try:
        elapsed, solution = seconds(partial(fit, task, name, tol, stop))
    except _OutOfTime:
        gap = (last.primal - last.dual) / last.primal
        found = (f"> {_SECONDS_ALLOWED:g}", f"{last.iteration}", "–", f"{last.primal:.8g}")
        return (task.name, label, f"{tol:g}", *found, f"{gap:.1e}"), False
    if elapsed <= _SECONDS_REPEATED:
        ((elapsed, solution),) = median_seconds(repetitions, partial(fit, task, name, tol))
    found = (
        significant(elapsed),
        f"{solution.n_iter}",
        f"{solution.n_searches}",
        f"{solution.objective:.8g}",
        f"{solution.dual_gap:.1e}",
    )
    return (task.name, label, f"{tol:g}", *found), solution.converged
