"""Bundle method for the weighted hinge loss, with line search (BM-ls-CS) or without.

minimize  J(w) = ½‖w‖² + C·R(w),   R(w) = Σ cost_i·max(0, margin_i − y_i·f(x_i))

The method follows Cheng et al. (2016), with λ = 1/C. The intercept is regularized or absent. The
model, the maximum of all cutting planes so far, has its exact minimizer at w_t. A line search finds
the exact minimum of J on the line from the best point w_b through w_t: forward, as in the paper, or
in both directions. The next cutting plane is taken at (1 − μ)·w_b + μ·w_t. This is near the best
point, but where the model is wrong.
"""

import numpy as np

from beyond_accuracy.solvers.blas_threads import one_blas_thread
from beyond_accuracy.solvers.hinge.line_search import minimize_along_line
from beyond_accuracy.solvers.hinge.problem import HingeProblem
from beyond_accuracy.solvers.plane_model import PlaneModel
from beyond_accuracy.solvers.solution import Progress, Solution, Stall, accepted_gap


class BundleMethod:
    """Bundle method for the weighted hinge loss, for one or several C.

    The objective is J(w) = ½‖w‖² + C·Σ cost_i·max(0, margin_i − y_i·f(x_i)). Cutting planes do not
    depend on C and are kept.

    Parameters
    ----------
    problem : HingeProblem
        The examples, with costs for C = 1. Its intercept must be "regularized" or "none".
    line_search : bool, default True
        False is BM-nls-CS of Cheng et al. (2016): the next cutting plane is taken at the minimizer
        w_t of the model.
    two_sided : bool, default False
        Whether the line search may go from the best point w_b away from w_t, if J falls in that
        direction. Algorithm 2 of the paper then stays at w_b.
    mu : float, default 0.03
        Position of the next cutting plane between w_b (0) and w_t (1), in (0, 1].
    max_planes : int, default 1000
        Largest number of cutting planes in memory, each with d + 1 or 2·n numbers. The planes that
        have been inactive longest are dropped. If all are active, iteration ends.
    best : tuple, optional
        Starting point: the attribute `best` of another `BundleMethod` for the same X and classes.

    Attributes
    ----------
    best : tuple
        The best point so far: its representation in the store of cutting planes (see
        `solvers.planes`), and its scores, shape (n,).
    visited : float
        Primal objective at the point of the last iteration. This is the best point with a line
        search, and the minimizer of the model without. NaN before the first iteration.
    """

    def __init__(
        self,
        problem: HingeProblem,
        *,
        line_search=True,
        two_sided=False,
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
        self._two_sided = two_sided
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
        """Minimize J for costs times C, starting from earlier cutting planes and the best point.

        Iteration ends when the duality gap is at most `accepted_gap`, or when rounding has kept the
        gap from shrinking for 300 iterations. `callback` is called with each `Iteration`.
        """
        progress, stall, n_iter, dual = Progress(callback), Stall(), 0, -np.inf
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
            if converged or ended or stall.reached(n_iter, primal - dual):
                w = self._planes.weights(self.best[0]).copy()
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
        """Return (k, derivative of J before each k, derivative after each k), float64 arrays.

        k are the breakpoints of J, ascending, on the line from the best point (k = 0) to the
        minimizer of the model (k = 1). Between breakpoints the derivative is linear.
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
        """Return ((representation, scores) of the minimizer of the model, minimum of the model)."""
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
            self._two_sided,
        )
        self.best = w + k * step, scores + k * direction
        return (1 - self._mu) * self.best[1] + self._mu * target[1]

    def _add_plane(self, scores):
        problem = self._problem
        violated = problem.margin - problem.sign * scores > 0.0
        weights = np.where(violated, -problem.sign * problem.cost, 0.0)
        offset = float(problem.cost[violated] @ problem.margin[violated])
        self._model.add(weights, offset)
