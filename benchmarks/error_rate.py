"""Against LIBLINEAR for the error rate, at equal primal."""

from functools import partial

from benchmarks.liblinear import MOST_ROUNDS, cheapest_tolerance, fit_liblinear, objective_of
from benchmarks.report import Section, Target, significant
from benchmarks.times_of_fits import fit, fit_to_primal
from benchmarks.timing import median_seconds

_TOLERANCE = 1e-5
_SLACK = 1e-3
_LADDER = (1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4)


def measure(tasks, sizes, repetitions, folder) -> Section:
    """One row a task: the cheapest tolerance of LIBLINEAR that is good enough, and our time."""
    rows, targets = [], []
    for task in tasks:
        optimum = fit(task, "accuracy", _TOLERANCE).objective
        C = 100 * task.C / task.X.shape[0]
        tol, reached = cheapest_tolerance(task, C, _LADDER, optimum * (1 + _SLACK))
        if not reached:
            rows.append((task.name, "none", "–", "–", "not reached", "–", f"{optimum:.7g}"))
            ratio, faster = "not reached", True
        else:
            liblinear = partial(fit_liblinear, task, C, tol)
            primal = objective_of(liblinear(), task)
            package = partial(fit_to_primal, task, "accuracy", _TOLERANCE, primal)
            (ours, _), (theirs, _) = median_seconds(repetitions, package, liblinear)
            ratio, faster = f"{significant(theirs / ours)}×", ours <= theirs
            seconds = (significant(theirs), significant(ours))
            rows.append((task.name, f"{tol:g}", *seconds, ratio, f"{primal:.7g}", f"{optimum:.7g}"))
        targets.append(
            Target(f"error rate on {task.name}: time against LinearSVC", "1×", ratio, faster)
        )
    return Section(
        "Error rate against LIBLINEAR",
        f'`LinearSVC(loss="hinge")` with C = 100·C/n over the tolerances '
        f"{', '.join(f'{tol:g}' for tol in _LADDER)} and at most {MOST_ROUNDS:,} rounds; timed is "
        f"the first whose primal is at most {_SLACK:g} above the optimum, and this package until "
        f"its primal is as low. The optimum is certified to a gap of {_TOLERANCE:g}; primals are "
        "½‖w‖² + C·(100/n)·Σ max(0, 1 − y·f(x)).",
        ("data", "tolerance", "LinearSVC, s", "this package, s", "ratio", "primal", "optimum"),
        rows,
        targets,
    )
