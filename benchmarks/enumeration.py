"""Against the enumeration of all contingency tables, with Algorithm 1 of Joachims (2005).

The enumeration replaces the search of a solver and leaves the rest of the solver unchanged.
"""

from functools import partial

import numpy as np
from numba import njit

from benchmarks.fits import Decrease, fit
from benchmarks.report import Section, show, significant
from benchmarks.tasks import gaussians
from benchmarks.timing import median_seconds, seconds
from beyond_accuracy.measures import get_measure
from beyond_accuracy.measures.losses import RatioLoss
from beyond_accuracy.solvers import CuttingPlaneSolver
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.multivariate_svm import training_loss
from beyond_accuracy.solvers.oracles.labelling import Labelling, RatioOracle, top_threshold
from beyond_accuracy.solvers.oracles.top import TopOracle

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
            show(rows[-1])
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


@njit(cache=True, nogil=True)
def _enumerate_ratio(kept_total, flipped_total, scale, gain, offset, slope):
    best, best_kept, best_flipped = -np.inf, 0, 0
    for a in range(len(kept_total)):
        for b in range(len(flipped_total)):
            loss = 100.0 * (1.0 - gain * a / (offset + slope * a + b))
            value = loss + scale * (kept_total[a] + flipped_total[b])
            if value > best:
                best, best_kept, best_flipped = value, a, b
    return best, best_kept, best_flipped


@njit(cache=True, nogil=True)
def _enumerate_top(kept_total, flipped_total, scale, gain, size, at_most):
    best, best_kept, best_flipped = -np.inf, 0, 0
    for a in range(len(kept_total)):
        for b in range(len(flipped_total)):
            if a + b == size or (at_most and a + b < size):
                value = 100.0 - gain * a + scale * (kept_total[a] + flipped_total[b])
                if value > best:
                    best, best_kept, best_flipped = value, a, b
    return best, best_kept, best_flipped


class _Enumeration:
    """Search through all (P + 1)(N + 1) contingency tables, as in public codes."""

    def search(self, scores) -> Labelling:
        positives = np.sort(scores[: self.n_positives])[::-1]
        negatives = np.sort(scores[self.n_positives :])[::-1]
        kept_total = np.concatenate(([0.0], np.cumsum(positives)))
        kept_total -= kept_total[-1]
        flipped_total = np.concatenate(([0.0], np.cumsum(negatives)))
        value, kept, flipped = self._enumerate(kept_total, flipped_total)
        return Labelling(
            value,
            value - self.scale * (kept_total[kept] + flipped_total[flipped]),
            0.0,
            *top_threshold(positives, kept),
            *top_threshold(negatives, flipped),
        )


class _EnumeratingRatioOracle(_Enumeration, RatioOracle):
    def _enumerate(self, kept_total, flipped_total):
        gain, offset, slope, scale = self.delta
        return _enumerate_ratio(kept_total, flipped_total, scale, gain, offset, slope)


class _EnumeratingTopOracle(_Enumeration, TopOracle):
    def _enumerate(self, kept_total, flipped_total):
        return _enumerate_top(
            kept_total, flipped_total, self.scale, self.gain, self.size, self.at_most
        )


def make_enumerating_oracle(loss, n_positives: int, n_negatives: int):
    """Return the enumeration for a RatioLoss or a TopLoss."""
    oracle = _EnumeratingRatioOracle if isinstance(loss, RatioLoss) else _EnumeratingTopOracle
    return oracle(loss, n_positives, n_negatives)
