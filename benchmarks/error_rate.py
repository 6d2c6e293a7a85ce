"""Against LIBLINEAR for the error rate, at equal primal."""

from functools import partial

from benchmarks.fits import Decrease, fit, fit_to_primal
from benchmarks.liblinear import MOST_ROUNDS, cheapest_tolerance, fit_liblinear, objective_of
from benchmarks.report import Section, significant
from benchmarks.timing import median_seconds

_TOLERANCE = 1e-5
_SLACK = 1e-3
_LADDER = (1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4)


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Measure each task: the cheapest tolerance of LIBLINEAR that is good enough, and our time."""
    rows = []
    for task in tasks.values():
        optimum = fit(task, "accuracy", _TOLERANCE)
        C = 100 * task.C / task.X.shape[0]
        tol, reached = cheapest_tolerance(task, C, _LADDER, optimum.objective * (1 + _SLACK))
        if not reached:
            rows.append((task.name, "none", "not reached", *4 * "–"))
            continue
        liblinear = partial(fit_liblinear, task, C, tol)
        primal = objective_of(liblinear(), task)
        package = partial(fit_to_primal, task, "accuracy", _TOLERANCE, primal)
        (ours, last), (theirs, _) = median_seconds(repetitions, package, liblinear)
        share = Decrease.of(optimum).share
        times = (significant(theirs), significant(ours), f"{significant(theirs / ours)}×")
        rows.append((task.name, f"{tol:g}", *times, share(primal), share(last.primal)))
    return Section(
        "Error rate against LIBLINEAR",
        f'`LinearSVC(loss="hinge")` with C = 1 and at most {MOST_ROUNDS:,} rounds. Of tolerances '
        f"{', '.join(f'{tol:g}' for tol in _LADDER)}, the first is timed whose objective is at "
        f"most {_SLACK:g} above the optimum. This package is timed until its objective is as low. "
        f"The optimum has a certified gap of {_TOLERANCE:g}. The objective is "
        "½‖w‖² + C·Σ max(0, 1 − y·f(x)).",
        (
            "data", "tolerance", "LinearSVC, s", "this package, s", "ratio", "LinearSVC, share",
            "this package, share",
        ),
        rows,
    )  # fmt: skip
