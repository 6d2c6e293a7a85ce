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

    The gap is compared with the possible gain of a fit: the objective at w = 0, `at_zero`, minus
    the dual objective. Compared with the objective alone, a fit with few positives would stop at
    once, because even its best w lowers the objective by less than `tol`. If w = 0 is optimal, the
    fit stops once the two objectives are equal up to rounding.
    """
    if is_zero_optimal(dual, at_zero):
        return _ROUNDING * at_zero
    return tol * min(primal, at_zero - dual)


def is_zero_optimal(dual, at_zero) -> bool:
    """Return whether the dual objective proves that no w is better than w = 0, up to rounding."""
    return at_zero - dual <= _ROUNDING * at_zero


@dataclass(frozen=True)
class Iteration:
    """Number of an iteration, seconds since the start, and the best primal and dual objective."""

    iteration: int
    seconds: float
    primal: float
    dual: float


@dataclass(frozen=True)
class Solution:
    """Result of one minimization.

    `w`, shape (d + 1,), holds the weights of the features, followed by the intercept.
    `dual_objective` is a lower bound on the minimum of the objective. `n_searches` counts
    evaluations of the loss. `converged` tells whether the duality gap is within the tolerance, and
    `zero_is_optimal` whether the dual objective proves that w = 0 is optimal, for every C.
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
        """Relative duality gap (primal − dual) / primal; 0 if the primal is 0."""
        if self.objective <= 0:
            return 0.0
        return max(self.objective - self.dual_objective, 0.0) / self.objective


class Stall:
    """Detector of a duality gap that has shrunk by less than 0.1 % in 300 iterations."""

    def __init__(self):
        self._smallest, self._last_progress = np.inf, 0

    def reached(self, iteration, gap) -> bool:
        """Return whether the duality gap has stopped shrinking; call once per iteration."""
        if gap < 0.999 * self._smallest:
            self._smallest, self._last_progress = gap, iteration
        return iteration - self._last_progress > _STALLED_ITERATIONS


class Progress:
    """History of a running minimization; `callback` is called with each `Iteration`."""

    def __init__(self, callback=None):
        self.history = []
        self._callback = callback
        self._started = time.perf_counter()

    def now(self, iteration, primal, dual) -> Iteration:
        """Return the `Iteration` of the current time and the given objectives."""
        return Iteration(iteration, time.perf_counter() - self._started, primal, dual)

    def note(self, iteration, primal, dual):
        """Add an `Iteration` to the history, and pass it to the callback."""
        self.history.append(self.now(iteration, primal, dual))
        if self._callback is not None:
            self._callback(self.history[-1])

    def solution(self, w, converged, at_zero) -> Solution:
        """Build the `Solution` for `w` from the last `Iteration`; each evaluated the loss once."""
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
