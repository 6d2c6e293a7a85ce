"""Fits of every measure at two tolerances."""

import sys
import time
from contextlib import suppress
from functools import partial

from benchmarks.report import Section, Target, significant
from benchmarks.timing import median_seconds, seconds
from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers import make_solver

MEASURES = ("f1", "f0.5", "jaccard", "prbep", "recall_at_2p", "roc_area", "accuracy")
_TOLERANCES = (1e-3, 1e-6)
_SECONDS_ALLOWED = 10.0
_SECONDS_REPEATED = 2.0


class _Stopped(Exception):
    pass


def fit(task, name, tol, *, line_search=True, **stopping):
    """Fit a task; recall at k over at most k."""
    at_most_k = name == "recall_at_2p"
    solver = make_solver(task.X, task.positive, name, at_most_k=at_most_k, line_search=line_search)
    return solver.solve(task.C, tol=tol, **stopping)


def fit_until(task, name, tol, enough):
    """The last iteration of a fit that ends when `enough(iteration)`, and its solution or None."""
    last = None

    def stop(iteration):
        nonlocal last
        last = iteration
        if enough(iteration):
            raise _Stopped

    solution = None
    with suppress(_Stopped):
        solution = fit(task, name, tol, callback=stop)
    return last, solution


def fit_to_primal(task, name, tol, primal):
    """The first iteration of a fit whose best primal is at most `primal`."""
    return fit_until(task, name, tol, lambda iteration: iteration.primal <= primal)[0]


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
    fits = "all fits" if not missed else "not " + ", ".join(missed)
    what = f"duality gap reached within {_SECONDS_ALLOWED:g} s"
    return Section(
        "Fits of every measure",
        f"From arrays to a certified duality gap. Rec@2p is optimized over at most k. A fit is "
        f"stopped after {_SECONDS_ALLOWED:g} seconds; one of more than {_SECONDS_REPEATED:g} "
        "seconds is not repeated.",
        ("data", "measure", "gap asked", "seconds", "iterations", "searches", "primal", "gap"),
        rows,
        [Target(what, "1e-6 on every task", fits, not missed)],
    )


def _row(task, name, tol, repetitions):
    asked = (task.name, get_measure(name).label, f"{tol:g}")
    end = time.process_time() + _SECONDS_ALLOWED
    elapsed, (last, solution) = seconds(
        partial(fit_until, task, name, tol, lambda _: time.process_time() > end)
    )
    if solution is None:
        gap = (last.primal - last.dual) / last.primal
        reached = (f"> {_SECONDS_ALLOWED:g}", f"{last.iteration}", "–", f"{last.primal:.8g}")
        return (*asked, *reached, f"{gap:.1e}"), False
    if elapsed <= _SECONDS_REPEATED:
        ((elapsed, solution),) = median_seconds(repetitions, partial(fit, task, name, tol))
    work = (significant(elapsed), f"{solution.n_iter}", f"{solution.n_searches}")
    row = (*asked, *work, f"{solution.objective:.8g}", f"{solution.dual_gap:.1e}")
    return row, solution.converged
