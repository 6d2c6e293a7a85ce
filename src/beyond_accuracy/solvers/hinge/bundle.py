"""Bundle method for the weighted hinge loss, with or without line search.

minimize  J(w) = ½‖w‖² + C·R(w),   R(w) = Σ cost_i·max(0, margin_i − y_i·f(x_i))

The method is BM-ls-CS (bundle method, line search, cost-sensitive) of Cheng et al. (2016), with
λ = 1/C.
"""

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.solvers.hinge.problem import HingeProblem
from beyond_accuracy.solvers.iterations import (
    Progress,
    Solution,
    accepted_gap,
    one_blas_thread,
)
from beyond_accuracy.solvers.plane_model import PlaneModel


# The objective φ(k) is convex and piecewise quadratic. Its derivative rises with slope `quadratic`
# and jumps by C·cost_i·|b_i| where a_i = k·b_i. Breakpoints beyond the minimum are discarded half
# by half as in quickselect, O(n) on average; sorting them would take O(n log n).
@compiled
def minimize_along_line(quadratic, linear, C, cost, a, b, breaks, jumps):
    """Return the step length k ≥ 0 that minimizes an SVM's objective along a line.

    Up to a constant, the objective is ½·quadratic·k² + linear·k + C·Σ cost_i·max(0, a_i − k·b_i).
    The sum is the weighted hinge loss: a_i is the margin minus y_i·score_i at k = 0, and
    y_i·score_i grows by b_i per unit of k. If `quadratic` is 0, the loss must be bounded below
    along the line. `breaks` and `jumps`, shape (n,), are work arrays that are overwritten. The
    method is Algorithm 2 of Cheng et al. (2016).
    """
    total = 0.0
    for i in range(len(a)):
        if a[i] > 0.0 or (a[i] == 0.0 and b[i] < 0.0):
            total += cost[i] * b[i]
    derivative = linear - C * total
    if not derivative < 0.0:
        return 0.0
    # Jumps only raise the derivative, so the zero lies before the zero without jumps.
    end = -derivative / quadratic if quadratic > 0.0 else np.inf
    n = 0
    for i in range(len(a)):
        slope = b[i]
        if (slope > 0.0 and a[i] > 0.0) or (slope < 0.0 and a[i] < 0.0):
            t = a[i] / slope
            if t < end:
                breaks[n] = t
                jumps[n] = C * cost[i] * abs(slope)
                n += 1
    start, first, last = 0.0, 0, n
    while first < last:
        pivot = breaks[(first + last) // 2]
        low, middle, high = first, first, last
        below, at = 0.0, 0.0
        while middle < high:
            value, jump = breaks[middle], jumps[middle]
            if value < pivot:
                below += jump
                breaks[middle], jumps[middle] = breaks[low], jumps[low]
                breaks[low], jumps[low] = value, jump
                low += 1
                middle += 1
            elif value > pivot:
                high -= 1
                breaks[middle], jumps[middle] = breaks[high], jumps[high]
                breaks[high], jumps[high] = value, jump
            else:
                at += jump
                middle += 1
        before = derivative + quadratic * (pivot - start) + below
        if before >= 0.0:
            end, last = pivot, low
        elif before + at >= 0.0:
            return pivot
        else:
            start, derivative, first = pivot, before + at, high
    if quadratic == 0.0:
        return start
    return min(start - derivative / quadratic, end)


class BundleMethod:
    """Bundle method for linear SVMs with class or example costs, for one or several C.

    The objective is ½‖w‖² + C·R(w), where R is the weighted hinge loss of `problem`. The intercept
    of `problem` must be "regularized" or "none". Each iteration adds a cutting plane, a linear
    lower bound that touches R at one w. Let w_t be the minimizer of the objective with R replaced
    by the maximum of all cutting planes, and w_b the best w so far.

    - With `line_search`, the method is BM-ls-CS of Cheng et al. (2016). w_b moves to the minimum on
      the line from w_b through w_t, and the next plane touches R at (1 − mu)·w_b + mu·w_t.
    - Without `line_search`, it is their BM-nls-CS: the next plane touches R at w_t.
    - At most `max_planes` planes are stored. Iteration ends if all of them are active.
    - `best`: the attribute `best` of another `BundleMethod` for the same X and classes. The fit
      starts from its w_b.

    After a fit, the attribute `best` is (w_b, scores at w_b). `visited` is the objective at w_b, or
    at w_t without line search.
    """

    def __init__(
        self,
        problem: HingeProblem,
        *,
        line_search=True,
        mu=0.03,
        max_planes=1000,
        best=None,
    ):
        if problem.intercept == "free":
            raise ValueError(
                'the bundle method regularizes the intercept; found intercept="free", use '
                'interior_point or coordinate_descent for it, or intercept="regularized"'
            )
        self._problem = problem
        self._line_search = line_search
        self._mu = mu
        self._model = PlaneModel(problem.data, max_planes, -problem.sign * problem.cost, np.int8)
        self._planes = self._model.planes
        n = problem.data.n_samples
        self._room = np.empty((2, n))
        self.best = (self._planes.zero(), np.zeros(n)) if best is None else best
        self.visited = np.nan
        self._add_plane(self.best[1])

    @one_blas_thread
    def solve(self, C, *, tol=1e-3, max_iter=10_000, callback=None) -> Solution:
        """Minimize ½‖w‖² + C·R(w) for one C, where R is the weighted hinge loss.

        The method starts from the result of earlier calls. It ends when the duality gap is at most
        `accepted_gap(tol, …)`, after `max_iter` iterations, or when rounding has kept the gap from
        shrinking for 300 iterations. `callback` is called with the `Iteration` record of each
        iteration.
        """
        progress, n_iter, dual = Progress(callback), 0, -np.inf
        primal = self.visited = self._objective(C, *self.best)
        zero = self._planes.zero(), np.zeros(len(self._problem.sign))
        at_zero = self._objective(C, *zero)
        if at_zero < primal:
            self.best, primal = zero, at_zero
        while True:
            target, model_minimum = self._minimize_model(C)
            dual = max(dual, model_minimum)
            progress.note(n_iter, primal, dual)
            converged = primal - dual <= accepted_gap(tol, primal, dual, at_zero)
            ended = n_iter >= max_iter or self._model.is_full
            if converged or ended or progress.has_stalled(n_iter, primal - dual):
                w = self._planes.entries(self.best[0]).copy()
                return progress.solution(w, converged, at_zero)
            n_iter += 1
            if self._line_search:
                scores = self._step_along_line(C, target)
            else:
                scores = target[1]
                self.visited = self._objective(C, *target)
                if self.visited < primal:
                    self.best = target
            primal = min(primal, self._objective(C, *self.best))
            if self._line_search:
                self.visited = primal
            self._add_plane(scores)

    def derivative_along_line(self, C):
        """Return the derivative of the objective along the line of the next line search.

        The line goes from the best w so far, at k = 0, to the minimizer of the cutting-plane model,
        at k = 1. Return three arrays: the ascending k at which the derivative jumps, and the
        derivative just before and just after each of them.
        """
        target, _ = self._minimize_model(C)
        problem, (w, scores) = self._problem, self.best
        step, direction = target[0] - w, problem.sign * (target[1] - scores)
        room = problem.margin - problem.sign * scores
        crossing = direction != 0.0
        k = room[crossing] / direction[crossing]
        order = np.argsort(k, kind="stable")
        k = k[order]
        jumps = C * (problem.cost[crossing] * np.abs(direction[crossing]))[order]
        # Far to the left of all breakpoints, an example has a loss if its score rises with k.
        rising = problem.cost @ np.where(direction > 0.0, direction, 0.0)
        linear = self._planes.inner(w, scores, step)
        square = self._planes.inner(step, target[1] - scores, step)
        after = linear - C * rising + square * k + np.cumsum(jumps)
        return k, after - jumps, after

    def _objective(self, C, w, scores):
        problem = self._problem
        violation = np.maximum(problem.margin - problem.sign * scores, 0.0)
        square = self._planes.inner(w, scores, w)
        return 0.5 * square + C * float(problem.cost @ violation)

    def _minimize_model(self, C):
        """Minimize ½‖w‖² + C·(maximum of the cutting planes); return ((w, scores), minimum)."""
        w, scores, minimum = self._model.minimize(C)
        if scores is None:
            scores = self._problem.scores(w)
        self._model.drop_idle(at_once=self._model.is_full)
        return (w, scores), minimum

    def _step_along_line(self, C, target):
        """Move the best point to the minimum on the line through `target`.

        Return the scores of the point at which the next cutting plane is taken.
        """
        problem = self._problem
        w, scores = self.best
        step, direction = target[0] - w, target[1] - scores
        k = minimize_along_line(
            self._planes.inner(step, direction, step),
            self._planes.inner(w, scores, step),
            float(C),
            problem.cost,
            problem.margin - problem.sign * scores,
            problem.sign * direction,
            *self._room,
        )
        self.best = w + k * step, scores + k * direction
        return (1 - self._mu) * self.best[1] + self._mu * target[1]

    def _add_plane(self, scores):
        problem = self._problem
        violated = problem.margin - problem.sign * scores > 0.0
        weights = np.where(violated, -problem.sign * problem.cost, 0.0)
        offset = float(problem.cost[violated] @ problem.margin[violated])
        self._model.add(weights, offset)
