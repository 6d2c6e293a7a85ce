"""Parts of iterative solvers: stopping rules, solution and history, directions and step lengths."""

import math
import time
from collections import deque
from dataclasses import dataclass, field

import numpy as np
from threadpoolctl import ThreadpoolController

from beyond_accuracy.compilation import compiled, compiled_part

# Solvers keep BLAS to one thread. Their products of vectors gain nothing from threads, which wait
# for each other on a busy machine, and the rounding would depend on the number of threads.
one_blas_thread = ThreadpoolController().wrap(limits=1, user_api="blas")

# Beyond this, C times a loss in percent overflows.
_LARGEST_C = 1e300
# Share of the objective at w = 0 below which a gain is only rounding.
_ROUNDING = 1e-12
_STALLED_ITERATIONS = 300
# Pairs of steps and gradient changes.
PAIRS_KEPT = 20
# Steps within which the squared gradient must halve, or the directions are given up.
_PATIENCE = 5
# Curvature of R falls as w grows: from one C to another by this power of their ratio.
_FALL = 0.3


def check_regularization(C):
    """Raise ValueError unless C is a number above 0 and at most 1e300."""
    if not 0 < C <= _LARGEST_C:
        raise ValueError(f"C must be a number above 0 and at most {_LARGEST_C:g}, found {C!r}")


def accepted_gap(tol, primal, dual, at_zero) -> float:
    """Return the largest duality gap (primal − dual objective) at which a solver may stop.

    It is `tol` times `primal`, or times `at_zero` − `dual` if that is smaller. `at_zero` is the
    objective at w = 0, so this difference bounds the possible gain of a fit. If `dual` proves that
    w = 0 is optimal, the accepted gap is 1e-12 times `at_zero`.
    """
    if is_zero_optimal(dual, at_zero):
        return _ROUNDING * at_zero
    return tol * min(primal, at_zero - dual)


def is_zero_optimal(dual, at_zero) -> bool:
    """Return whether the lower bound `dual` proves that no w is better than w = 0, up to rounding.

    `at_zero` is the objective at w = 0.
    """
    return at_zero - dual <= _ROUNDING * at_zero


@dataclass(frozen=True)
class Iteration:
    """State of a minimization after one iteration, as recorded in its history.

    `seconds` is the time since the start. `primal` is the lowest objective so far, and `dual` the
    highest lower bound on the minimum.
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
    tolerance. `zero_is_optimal` tells whether w = 0 is proven to be optimal; if so, it is optimal
    for every C. `history` has one record per iteration.
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


class Progress:
    """Recorder of the iterations of a running minimization.

    `history` is the list of all `Iteration` records so far. `callback`, if given, is called with
    each new record.
    """

    def __init__(self, callback=None):
        self.history = []
        self._callback = callback
        self._started = time.perf_counter()
        self._smallest_gap, self._last_progress = np.inf, 0

    def has_stalled(self, iteration, gap) -> bool:
        """Return whether the duality gap has not shrunk by 0.1 % for more than 300 iterations.

        Call this method once per iteration, with the gap after it.
        """
        if gap < 0.999 * self._smallest_gap:
            self._smallest_gap, self._last_progress = gap, iteration
        return iteration - self._last_progress > _STALLED_ITERATIONS

    def now(self, iteration, primal, dual) -> Iteration:
        """Return an `Iteration` record at the current time."""
        return Iteration(iteration, time.perf_counter() - self._started, primal, dual)

    def note(self, iteration, primal, dual):
        """Add an `Iteration` record to the history, and call the callback with it."""
        self.history.append(self.now(iteration, primal, dual))
        if self._callback is not None:
            self._callback(self.history[-1])

    def solution(self, w, converged, at_zero) -> Solution:
        """Return the `Solution` with the weights `w`; `at_zero` is the objective at w = 0."""
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


@compiled_part
def _highest(values, slopes, n_lines, k):
    best, line = -np.inf, 0
    for j in range(n_lines):
        value = values[j] + slopes[j] * k
        if value > best or (value == best and slopes[j] > slopes[line]):
            best = value
            line = j
    return line


@compiled
def minimize_line_model(quadratic, linear, C, values, slopes, n_lines, highest_k):
    """Minimize a parabola plus a maximum of lines over k, 0 ≤ k ≤ `highest_k`.

    The function of k is ½·quadratic·k² + linear·k + C·max_j(values_j + slopes_j·k), with the
    maximum over the first `n_lines` lines j. Return the minimizer k, and the indices of the highest
    lines just left and just right of k.
    """
    left = _highest(values, slopes, n_lines, 0.0)
    if linear + C * slopes[left] >= 0.0:
        return 0.0, left, left
    right = _highest(values, slopes, n_lines, highest_k)
    if quadratic * highest_k + linear + C * slopes[right] <= 0.0:
        return highest_k, right, right
    for _ in range(2 * n_lines + 10):
        # The minimum of the quadratic along one of the two lines, if it lies on that line's side.
        difference = slopes[right] - slopes[left]
        crossing = np.inf
        if difference > 0.0:
            crossing = (values[left] - values[right]) / difference
        k = crossing
        if quadratic > 0.0:
            along_left = -(linear + C * slopes[left]) / quadratic
            along_right = -(linear + C * slopes[right]) / quadratic
            if along_left <= crossing:
                k = along_left
            elif along_right >= crossing:
                k = along_right
        k = min(max(k, 0.0), highest_k)
        line = _highest(values, slopes, n_lines, k)
        above = values[line] + slopes[line] * k
        envelope = max(values[left] + slopes[left] * k, values[right] + slopes[right] * k)
        if above <= envelope + 1e-14 * abs(envelope):
            return k, left, right
        if quadratic * k + linear + C * slopes[line] < 0.0:
            left = line
        else:
            right = line
    return k, left, right


def minimize_cubic(end, value, slope, end_value, end_slope) -> float:
    """Return the local minimizer of a cubic polynomial, or NaN if there is none.

    The polynomial has `value` and `slope` at 0, and `end_value` and `end_slope` at `end` (Nocedal
    and Wright 2006, Numerical Optimization, Equation 3.59).
    """
    bend = slope + end_slope - 3.0 * (end_value - value) / end
    square = bend * bend - slope * end_slope
    root = math.sqrt(max(square, 0.0))
    divisor = end_slope - slope + 2.0 * root
    if square < 0.0 or divisor == 0.0:
        return math.nan
    return end - end * (end_slope + root - bend) / divisor


class QuasiNewton:
    """Limited-memory BFGS directions for minimizing ½‖w‖² + C·R(w), where R is a convex loss.

    Before each call of `direction` or `judge`, set the attribute `gradient` to the gradient of the
    objective at the current w. `direction` returns a descent direction (Nocedal 1980). `judge` sets
    the attribute `worthwhile` to False when the gradient no longer shrinks; then stop using the
    directions.

    `curvature` is an optional deque of earlier steps, which fits for several C can share. Its
    entries are tuples (step, change of the gradient of R, C). The first directions use these steps.
    New steps with positive curvature are appended in place.
    """

    def __init__(self, C=1.0, curvature=None):
        self.gradient = None
        self.worthwhile = True
        self._C, self._curvature = C, curvature
        self._pairs = deque(maxlen=PAIRS_KEPT)
        for step, change, stored_C in curvature or ():
            self._learn(step, step + C * change * (stored_C / C) ** _FALL)
        self._last = None
        self._smallest = np.inf
        self._waited = 0

    @property
    def knows_curvature(self):
        """Whether `direction` uses earlier steps, instead of only the negative gradient."""
        return bool(self._pairs)

    def judge(self, objective):
        """Set the attribute `worthwhile` to False if the gradient has hardly shrunk in five calls.

        `objective` is the current objective. At least once in five calls, ½‖gradient‖²/`objective`
        must fall below half of its previous minimum.
        """
        gap = 0.5 * float(self.gradient @ self.gradient) / objective if objective > 0 else 0.0
        self._waited += 1
        if gap < 0.5 * self._smallest:
            self._smallest, self._waited = gap, 0
        self.worthwhile = self._waited < _PATIENCE

    def direction(self, w):
        """Return the L-BFGS descent direction at `w`.

        The attribute `gradient` must be the gradient at `w`. If the objective has positive
        curvature along the step from the previous `w`, the step is stored.
        """
        gradient = self.gradient
        if self._last is not None:
            step, change = w - self._last[0], gradient - self._last[1]
            if self._learn(step, change) and self._curvature is not None:
                self._curvature.append((step, (change - step) / self._C, self._C))
        self._last = (w, gradient)
        direction = -gradient
        shares = []
        for step, change, inverse in reversed(self._pairs):
            share = inverse * float(step @ direction)
            shares.append(share)
            direction -= share * change
        if self._pairs:
            _, change, inverse = self._pairs[-1]
            direction /= inverse * float(change @ change)
        for (step, change, inverse), share in zip(self._pairs, reversed(shares), strict=True):
            direction += (share - inverse * float(change @ direction)) * step
        return direction if np.isfinite(direction).all() else -gradient

    def _learn(self, step, change):
        """Store a step and its change of the gradient; return whether its curvature is positive."""
        curvature = float(step @ change)
        positive = curvature > 1e-12 * float(change @ change)
        if positive:
            self._pairs.append((step, change, 1.0 / curvature))
        return positive
