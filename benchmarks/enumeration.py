"""Against the enumeration of all contingency tables, with Algorithm 1 of Joachims (2005)."""

import sys
from functools import partial

from benchmarks.enumerating_oracles import make_enumerating_oracle
from benchmarks.fits import Decrease, fit
from benchmarks.report import Section, significant
from benchmarks.tasks import gaussians
from benchmarks.timing import median_seconds, seconds
from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers import CuttingPlaneSolver
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.multivariate_svm import training_loss

_MEASURES = ("f1", "prbep", "recall_at_2p")
_TOLERANCE = 1e-3
_TOLERANCE_OF_BOUND = 1e-6
_MOST_ITERATIONS = 1000


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Measure fits of each task and measure, on few enough rows for the enumeration."""
    tiny = gaussians(60, 3, positive_share=0.2)
    for name in _MEASURES:
        fit_by_enumeration(tiny, name)
        fit(tiny, name, _TOLERANCE)
    rows = []
    for task in tasks.values():
        small = task.sample(sizes.enumerated_rows)
        for name in _MEASURES:
            rows.append(_row(small, name, repetitions))
            print("  " + "  ".join(rows[-1]), file=sys.stderr, flush=True)
    return Section(
        "Against the enumeration of contingency tables",
        "The rival does what the public codes do: Algorithm 1 of Joachims (2005), which searches "
        "all (P + 1)(N + 1) contingency tables in each iteration, here in a compiled double loop. "
        "Everything else is the solver of this package. All fits aim at the same relative gap, "
        f"{_TOLERANCE:g}; the enumeration has at most {_MOST_ITERATIONS:,} iterations and is timed "
        "once.",
        (
            "data", "measure", "enumeration, s", "this package, s", "ratio",
            "enumeration, share", "this package, share",
        ),
        rows,
    )  # fmt: skip


def fit_by_enumeration(task, name):
    """Fit with Algorithm 1 and a search through all contingency tables."""
    n_negatives = len(task.positive) - task.n_positives
    oracle = make_enumerating_oracle(training_loss(name), task.n_positives, n_negatives)
    solver = CuttingPlaneSolver(DataMatrix(task.X, task.positive), oracle, line_search=False)
    return solver.solve(task.C, tol=_TOLERANCE, max_iter=_MOST_ITERATIONS)


def _row(task, name, repetitions):
    ((ours, solution),) = median_seconds(repetitions, partial(fit, task, name, _TOLERANCE))
    theirs, other = seconds(partial(fit_by_enumeration, task, name))
    share = Decrease.of(fit(task, name, _TOLERANCE_OF_BOUND)).share
    times = (significant(theirs), significant(ours), f"{significant(theirs / ours)}×")
    shares = (share(other.objective), share(solution.objective))
    return (task.name, get_measure(name).label, *times, *shares)
