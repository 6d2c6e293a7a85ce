"""Fits of SVM-perf's five measures: seconds, and the share of the possible decrease."""

from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from benchmarks.report import Section, percent, show, significant
from benchmarks.timing import median_seconds
from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers import make_solver

MEASURES = ("f1", "prbep", "recall_at_2p", "roc_area", "accuracy")
_TOLERANCES = (1e-3, 1e-6)
_EPS = 0.1
_MOST_ITERATIONS = 3000


class _Reached(Exception):
    pass


@dataclass(frozen=True)
class Decrease:
    """Largest possible decrease of an objective: from w = 0 to the best known lower bound."""

    at_zero: float
    bound: float

    @classmethod
    def of(cls, *solutions) -> "Decrease":
        """Return the possible decrease by the largest dual bound of some fits of one problem."""
        # The history of a fit begins at w = 0.
        bound = max(solution.dual_objective for solution in solutions)
        return cls(solutions[0].history[0].primal, bound)

    def share(self, objective) -> str:
        """Return which share of the decrease is reached at `objective`, in percent.

        If w = 0 is optimal, nothing can decrease, and the text says so.
        """
        if self.at_zero == self.bound:
            return "w = 0"
        return percent((self.at_zero - objective) / (self.at_zero - self.bound))


def fit(task, name, tol, *, line_search=True, **stopping):
    """Fit a task on arrays; return the `Solution`."""
    solver = make_solver(task.X, task.positive, name, line_search=line_search)
    return solver.solve(task.C, tol=tol, **stopping)


def fit_to_primal(task, name, tol, primal):
    """Return the first iteration of a fit with an objective of at most `primal`."""
    last = None

    def stop(iteration):
        nonlocal last
        last = iteration
        if iteration.primal <= primal:
            raise _Reached

    with suppress(_Reached):
        fit(task, name, tol, callback=stop)
    return last


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Measure each task and measure: one row."""
    rows = []
    for task in tasks.values():
        for name in MEASURES:
            rows.append(_row(task, name, repetitions))
            show(rows[-1])
    gaps = [f"gap {tol:g}" for tol in _TOLERANCES]
    return Section(
        "Training for a measure",
        "A fit starts from arrays. The optimum is the best objective found. `SVM-perf's stop` is "
        "the objective at which Algorithm 1 of Joachims (2005) stops by SVM-perf's rule "
        f"(eps = {_EPS:g}, at most {_MOST_ITERATIONS:,} iterations). Algorithm 1 ran here to find "
        "this objective; the seconds are those of this package to an objective at least as low. "
        "Other fits end at a duality gap relative to the objective or to the possible decrease, "
        "whichever is smaller. Rec@2p admits at most 2p predicted positives.",
        (
            "data", "measure", "at w = 0", "optimum", "SVM-perf's stop, share",
            "SVM-perf's stop, s",
            *(f"{gap}, {what}" for gap in gaps for what in ("share", "s")),
        ),
        rows,
    )  # fmt: skip


def _row(task, name, repetitions):
    # Compiled code is loaded before the clock starts.
    fit(task, name, _TOLERANCES[0])
    rule = fit(task, name, 1e-12, line_search=False, eps=_EPS, max_iter=_MOST_ITERATIONS)
    (to_primal, _), *timed = median_seconds(
        repetitions,
        partial(fit_to_primal, task, name, _TOLERANCES[-1], rule.objective),
        *(partial(fit, task, name, tol) for tol in _TOLERANCES),
    )
    solutions = [solution for _, solution in timed]
    decrease = Decrease.of(*solutions)
    best = min(solution.objective for solution in solutions)
    row = [task.name, get_measure(name).label, f"{decrease.at_zero:.7g}", f"{best:.7g}"]
    row += [decrease.share(rule.objective), significant(to_primal)]
    for elapsed, solution in timed:
        row += [decrease.share(solution.objective), significant(elapsed)]
    return row
