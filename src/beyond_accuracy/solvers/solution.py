"""Parts of all solvers: stopping rules, the solution with its duality gap, and the history."""

import time
from dataclasses import dataclass, field

import numpy as np
from threadpoolctl import ThreadpoolController

# Solvers keep BLAS to one thread. Their products of vectors gain nothing from threads, which wait
# for each other on a busy machine, and the rounding would depend on the number of threads.
one_blas_thread = ThreadpoolController().wrap(limits=1, user_api="blas")

# Beyond this, C times a loss in percent overflows.
_LARGEST_C = 1e300
# Share of the objective at w = 0 below which a gain is only rounding.
_ROUNDING = 1e-12
_STALLED_ITERATIONS = 300


def check_regularization(C):
    """Raise ValueError unless C is a number above 0 and at most 1e300."""
    if not 0 < C <= _LARGEST_C:
        raise ValueError(f"C must be a number above 0 and at most {_LARGEST_C:g}, found {C!r}")


def accepted_gap(tol, primal, dual, at_zero) -> float:
    """Return the largest duality gap at which a minimization may stop.

    The duality gap is the primal minus the dual objective. It may be at most `tol` times the
    smaller of `primal` and the possible gain of a fit, which is `at_zero` − `dual`. `at_zero` is
    the objective at w = 0. Without the possible gain in this rule, a fit with few positives would
    stop at once, because even its best w lowers the objective by less than `tol`. If `dual` proves
    that w = 0 is optimal, the accepted gap is only 1e-12 times `at_zero`.
    """
    if is_zero_optimal(dual, at_zero):
        return _ROUNDING * at_zero
    return tol * min(primal, at_zero - dual)


def is_zero_optimal(dual, at_zero) -> bool:
    """Return whether the dual objective proves that no w is better than w = 0, up to rounding.

    `dual` is a lower bound on the minimum of the objective, and `at_zero` the objective at w = 0.
    """
    return at_zero - dual <= _ROUNDING * at_zero


@dataclass(frozen=True)
class Iteration:
    """State of a minimization after one iteration, as recorded in its history.

    `iteration` is the number of the iteration and `seconds` the time since the start. `primal` is
    the lowest objective so far, and `dual` the highest lower bound on the minimum so far.
    """

    iteration: int
    seconds: float
    primal: float
    dual: float


@dataclass(frozen=True)
class Solution:
    """Fitted weights of a linear model, with the objective, a lower bound and the history.

    `w`, shape (d + 1,), holds the weights of the d features, followed by the weight of the
    intercept. `dual_objective` is a lower bound on the minimum of the objective. `n_searches`
    counts evaluations of the loss. `converged` tells whether the duality gap is within the
    tolerance. `zero_is_optimal` tells whether the dual objective proves that w = 0 is optimal,
    which then holds for every C. `history` has one record per iteration.
    """

    w: np.ndarray
    objective: float
    dual_objective: float
    n_iter: int
    n_searches: int
    converged: bool
    zero_is_optimal: bool
    history: list[Iteration] = field(repr=False)

    @property
    def dual_gap(self) -> float:
        """Relative duality gap, (primal − dual) / primal objective; 0 if the primal is 0."""
        if self.objective <= 0:
            return 0.0
        return max(self.objective - self.dual_objective, 0.0) / self.objective


class Stall:
    """Stopping test for a duality gap that shrinks by less than 0.1 % in 300 iterations."""

    def __init__(self):
        self._smallest, self._last_progress = np.inf, 0

    def reached(self, iteration, gap) -> bool:
        """Return whether `gap` has shrunk by less than 0.1 % in more than 300 iterations.

        Call this method once per iteration, with the number of the iteration and its duality gap.
        """
        if gap < 0.999 * self._smallest:
            self._smallest, self._last_progress = gap, iteration
        return iteration - self._last_progress > _STALLED_ITERATIONS


class Progress:
    """Recorder of the iterations of a running minimization.

    `history` is the list of all `Iteration` records so far. `callback`, if given, is called with
    each new record.
    """

    def __init__(self, callback=None):
        self.history = []
        self._callback = callback
        self._started = time.perf_counter()

    def now(self, iteration, primal, dual) -> Iteration:
        """Return an `Iteration` record of the given number and objectives, at the current time."""
        return Iteration(iteration, time.perf_counter() - self._started, primal, dual)

    def note(self, iteration, primal, dual):
        """Add an `Iteration` record to the history, and call the callback with it."""
        self.history.append(self.now(iteration, primal, dual))
        if self._callback is not None:
            self._callback(self.history[-1])

    def solution(self, w, converged, at_zero) -> Solution:
        """Build the `Solution` of a minimization that has ended at the weights `w`.

        The objectives and the number of iterations are those of the last record in the history.
        `converged` tells whether the duality gap is within the tolerance. `at_zero` is the
        objective at w = 0.
        """
        last = self.history[-1]
        return Solution(
            w=w,
            objective=last.primal,
            dual_objective=last.dual,
            n_iter=last.iteration,
            n_searches=len(self.history),
            converged=converged,
            zero_is_optimal=is_zero_optimal(last.dual, at_zero),
            history=self.history,
        )
