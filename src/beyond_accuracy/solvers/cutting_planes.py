"""Cutting-plane method with a line search for the multivariate SVM.

minimize  ½‖w‖² + C·R(w),   R(w) = max(0, max_ȳ Δ(ȳ, y) − scale·Σ y_i f(x_i))

The sum is over the examples on which the labelling ȳ differs from the true labels y, and Δ is the
loss. Each ȳ gives a cutting plane b + a·w below R(w). The maximum of the cutting planes so far is a
model of R, with which the objective is minimized exactly. Then a line search leads from the best
point so far towards this minimizer, as in OCAS (Franc and Sonnenburg 2009). Along the line the
scores are linear, so an evaluation costs a search for ȳ and no product with the data.

With many examples and few features R is nearly smooth. Then the line search follows quasi-Newton
directions as long as the gradient shrinks: at the beginning, and again later, since for F1 and
other measures R has an edge at w = 0.

If C is large and the classes can nearly be separated, the minimizers jump from iteration to
iteration. Long fits therefore keep them near the best point, by a term that grows with the squared
distance from it, as in proximal bundle methods (Kiwiel 1990).
"""

import sys
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.iterations import (
    PAIRS_KEPT,
    Progress,
    QuasiNewton,
    Solution,
    accepted_gap,
    check_regularization,
    is_zero_optimal,
    minimize_cubic,
    minimize_line_model,
    one_blas_thread,
)
from beyond_accuracy.solvers.plane_model import PlaneModel, ScaleError

_MOST_TRIALS = 12
_LINE_SEARCH_SHARE = 0.1
# Relative gap at which quasi-Newton directions get a second trial.
_HALF_WAY = 0.5
_LONGEST_STEP, _SHORTEST_STEP = 4.0, 0.05
# Iteration from which on minimizers are kept near the best point, and the weight of this term.
_LONG, _PROXIMITY = 200, 30.0
# Share of the slope at which a line search along a direction of known curvature ends.
_SLOPE_LEFT = 0.5


@dataclass
class _Point:
    """Candidate solution w, with scores X·w, ‖w‖² (`square`) and most violated labelling at w.

    `w` is represented as in `PlaneModel.planes`: by its entries, or by weights of the examples.
    """

    w: np.ndarray
    scores: np.ndarray
    square: float
    labelling: Any

    def primal(self, C):
        """Return the objective ½‖w‖² + C·R(w) at this point, where R(w) is the training loss."""
        return 0.5 * self.square + C * max(self.labelling.value, 0.0)


class CuttingPlaneSolver:
    """Cutting-plane solver of linear SVMs: it minimizes ½‖w‖² + C·R(w) for one or several C.

    The loss R(w) is a convex upper bound on 1 minus a performance measure such as F1, in percent.
    `data` holds the features and classes, and `oracle` evaluates R (see `make_oracle`). Cutting
    planes are linear lower bounds on R. At most `max_planes` are stored. If there are more, old
    ones are removed or merged.

    Each iteration minimizes the objective with R replaced by the maximum of all cutting planes.
    With `line_search`, the solver then searches the line from the best w so far to this minimizer;
    from iteration 200 on, the minimizer is kept near the best w. Without `line_search`, the
    minimizer is the next w, even if the objective rises (Joachims 2005, Algorithm 1).

    `keep_curvature` saves time if many C are fitted in turn: each fit reuses quasi-Newton steps of
    the previous fits. Solutions with and without this option differ within their duality gap.
    """

    @one_blas_thread
    def __init__(
        self,
        data: DataMatrix,
        oracle,
        *,
        max_planes=1000,
        line_search=True,
        keep_curvature=False,
    ):
        if max_planes < 3:
            raise ValueError(f"max_planes must be at least 3, found {max_planes}")
        self.data = data
        self.oracle = oracle
        self.line_search = line_search
        self._curvature = deque(maxlen=PAIRS_KEPT) if keep_curvature else None
        self._model = PlaneModel(data, max_planes, oracle.scale, oracle.weight_type)
        self._n_searches = 0
        scores = data.zero_scores()
        self._zero = _Point(self._model.planes.zero(), scores, 0.0, self._search(scores))
        self._best = self._zero
        self._add_plane(self._zero)

    @one_blas_thread
    def solve(self, C, *, tol=1e-3, eps=0.0, max_iter=10_000, callback=None) -> Solution:
        """Minimize ½‖w‖² + C·R(w) for one C, where R(w) is the training loss in percent.

        C is LIBLINEAR's C times n/100 for n examples, as in the program SVM-perf. The solver starts
        from the result of earlier calls. It stops in each of these cases:

        - The duality gap is at most `accepted_gap(tol, …)`, where `tol` is a relative tolerance.
        - The duality gap is at most C·eps, where `eps` is in percentage points of the loss, like
          SVM-perf's option -e. If there are few positives, a large `eps` may stop the fit at w = 0.
        - There were `max_iter` iterations, or rounding has kept the gap from shrinking for 300.

        `callback` is called with the `Iteration` record of each iteration. Raises ValueError if C
        is not above 0 and at most 1e300, or if C times a sum of squared features overflows.
        """
        check_regularization(C)
        at_zero = self._zero.primal(C)

        def is_small(gap):
            return gap <= max(accepted_gap(tol, primal, dual, at_zero), C * eps)

        progress = Progress(callback)
        searches = self._n_searches
        dual = 0.0
        if self._best.primal(C) > at_zero:
            self._return_to_zero()
        primal = lowest = self._best.primal(C)
        may_follow = self.line_search and self._model.has_features
        newton = QuasiNewton(C, self._curvature) if may_follow else None
        half_way = False
        iteration = 0
        while True:
            is_long = self.line_search and iteration >= _LONG and self._best.square > 0
            proximity = _PROXIMITY if is_long else 0.0
            *target, bound = self._model.minimize(C, self._best, proximity)
            if not self.line_search:
                primal = self._move_to(*target, C)
            self._model.drop_idle()
            dual = max(dual, bound)
            progress.note(iteration, primal, dual)
            if is_small(primal - dual) or iteration >= max_iter:
                # Scores of the best point are sums of many steps, so they are recomputed. On a path
                # of candidates that would be a third of all passes through the data.
                if self._curvature is None:
                    self._refresh_best()
                primal = self._best.primal(C)
                if is_small(abs(primal - dual) + self._rounding(C)) or iteration >= max_iter:
                    break
            iteration += 1
            lowest = min(lowest, primal)
            if progress.has_stalled(iteration, lowest - dual):
                break
            if newton is not None and not half_way and primal - dual <= _HALF_WAY * primal:
                half_way = True
                newton = newton if newton.worthwhile else QuasiNewton(C, self._curvature)
            if newton is not None and newton.worthwhile:
                primal = self._quasi_newton_step(newton, C, primal, dual)
            elif self.line_search:
                primal = self._search_line(*target, C, primal, dual, first_adds_plane=is_long)
            else:
                self._add_plane(self._best)
        progress.history[-1] = progress.now(iteration, primal, dual)
        if self.line_search and is_zero_optimal(dual, at_zero):
            # Only rounding can make another w look better.
            self._return_to_zero()
            primal = at_zero
        # If rounding lifts the dual above the primal, the excess would be an error of unknown sign.
        gap = abs(primal - dual) + self._rounding(C)
        dual = max(primal - gap, 0.0)
        return Solution(
            w=self._model.planes.entries(self._best.w).copy(),
            objective=primal,
            dual_objective=dual,
            n_iter=iteration,
            n_searches=self._n_searches - searches,
            converged=is_small(gap),
            zero_is_optimal=is_zero_optimal(dual, at_zero),
            history=progress.history,
        )

    def _return_to_zero(self):
        self._release(self._best)
        self._best, self._model.values = self._zero, self._model.offsets

    def _rounding(self, C):
        """Return a bound on the rounding errors of C·R(w) and of the planes at the best point."""
        terms = float(self.data.magnitudes @ abs(self._model.planes.entries(self._best.w)))
        return 2.0 * 100.0 * C * len(self.data.magnitudes) * sys.float_info.epsilon * terms

    def _search(self, scores):
        # With finite squares, sums and ranges of scores cannot overflow.
        if not self.data.in_range(scores):
            raise ScaleError
        self._n_searches += 1
        return self.oracle.search(scores)

    def _refresh_best(self):
        """Recompute the scores of the best point, whose many updates have added rounding errors."""
        best = self._best
        w = self._model.planes.entries(best.w)
        scores = self.data.scores(w, self.data.empty_scores())
        self._best = _Point(best.w, scores, float(w @ w), self._search(scores))
        self._model.tangent = -1
        self._release(best)

    def _release(self, point):
        if point is not self._best and point is not self._zero:
            self.data.release(point.scores)

    def _add_plane(self, point):
        model = self._model
        if model.is_full:
            model.make_room([self._zero] if self._zero is self._best else [self._zero, self._best])
        if point is self._best:
            model.tangent = model.n_planes
        room = self.data.empty_scores()
        weights = self.oracle.weights(point.labelling, point.scores, room)
        loss = float(point.labelling.loss)
        model.add(weights, loss, loss + self.data.product(weights, self._best.scores))
        self.data.release(room)

    def _scores_of(self, target, scores):
        return self.data.scores(target, self.data.empty_scores()) if scores is None else scores

    def _move_to(self, target, scores, C):
        scores, before = self._scores_of(target, scores), self._best
        square = self._model.planes.inner(target, scores, target)
        self._best = _Point(target, scores, square, self._search(scores))
        self._release(before)
        self._model.values = self._model.minimizer_values
        return self._best.primal(C)

    def _gradient_at_best(self, C):
        """Return the gradient of the objective at the best point, and add its cutting plane."""
        model = self._model
        # A path knows the plane from the last C. For single fits it would change the last digits.
        if self._curvature is None or model.tangent < 0:
            self._add_plane(self._best)
        return self._best.w + C * model.planes.plane(model.tangent)

    def _quasi_newton_step(self, newton, C, primal, dual):
        best = self._best
        if newton.gradient is None:
            newton.gradient = self._gradient_at_best(C)
        target = best.w + newton.direction(best.w)
        scaled = self._curvature is not None and newton.knows_curvature
        reached = self._search_line(
            target, None, C, primal, dual, to_model_minimum=False, whole_step_first=scaled
        )
        if reached < primal:
            newton.gradient = self._gradient_at_best(C)
            newton.judge(reached)
        else:
            # Another step from this point would be the same.
            newton.worthwhile = False
        return reached

    def _search_line(
        self,
        target,
        scores,
        C,
        primal,
        dual,
        to_model_minimum=True,
        whole_step_first=False,
        first_adds_plane=False,
    ):
        best, model, oracle, data = self._best, self._model, self.oracle, self.data
        scores = self._scores_of(target, scores)
        direction = data.difference(scores, best.scores, scores)
        step = target - best.w
        norm = best.square
        linear = model.planes.inner(best.w, best.scores, step)
        square = model.planes.inner(step, direction, step)

        # Below R along the line lie zero, the active planes (whose values at the model's minimum
        # follow from its solution) and the best point's own plane.
        model_lines = model.active_lines() if to_model_minimum else (np.zeros(1), np.zeros(1))
        n_lower = len(model_lines[0]) + 1
        values, slopes = np.empty((2, n_lower + _MOST_TRIALS))
        values[: n_lower - 1], slopes[: n_lower - 1] = model_lines
        values[n_lower - 1] = best.labelling.value
        if to_model_minimum and model.tangent >= 0:
            slopes[n_lower - 1] = model.tangent_slope()
        else:
            slopes[n_lower - 1] = oracle.slope(best.labelling, best.scores, direction)

        def length(k):
            return 0.5 * (norm + 2 * k * linear + k * k * square)

        longest = 1.0 if to_model_minimum else _LONGEST_STEP
        trials = []
        chosen, chosen_k, reached = None, 0.0, primal
        while True:
            n_lines = n_lower + len(trials)
            k, left, right = minimize_line_model(
                square, linear, C, values, slopes, n_lines, longest
            )
            lower = length(k) + C * max(
                values[left] + k * slopes[left], values[right] + k * slopes[right]
            )
            # Exact enough for the model, or for the descent.
            wanted = primal - dual if to_model_minimum else primal - reached
            if len(trials) == _MOST_TRIALS or (
                trials and reached - lower <= _LINE_SEARCH_SHARE * wanted
            ):
                break
            if whole_step_first and trials:
                k_tried, trial = trials[-1]
                start = linear + C * slopes[n_lower - 1]
                end = linear + k_tried * square + C * slopes[n_lines - 1]
                if trial is chosen and abs(end) <= _SLOPE_LEFT * abs(start):
                    break
                if len(trials) == 1:
                    smooth = minimize_cubic(k_tried, primal, start, trial.primal(C), end)
                    k = smooth if _SHORTEST_STEP <= smooth <= longest else k
            elif whole_step_first:
                k = 1.0
            scores = data.move(best.scores, direction, k, data.empty_scores())
            labelling = self._search(scores)
            slopes[n_lines] = oracle.slope(labelling, scores, direction)
            values[n_lines] = labelling.value - k * slopes[n_lines]
            trials.append((k, _Point(best.w + k * step, scores, 2 * length(k), labelling)))
            value = length(k) + C * max(labelling.value, 0.0)
            # Only the scores of the best trial are kept.
            if value < reached:
                worse, (chosen_k, chosen), reached = chosen, trials[-1], value
            else:
                worse = trials[-1][1]
            if worse is not None:
                data.release(worse.scores)
                worse.scores = None

        if chosen is not None:
            self._best = chosen
            if to_model_minimum:
                change = model.minimizer_values - model.values
                model.values = model.values + chosen_k * change
            else:
                model.values = model.offsets + model.planes.products(chosen.w, chosen.scores)
        if to_model_minimum:
            wanted = {left - n_lower, right - n_lower} | ({0} if first_adds_plane else set())
            added = [trial for i, trial in enumerate(trials) if i in wanted]
            for k, trial in added or [trials[-1] if chosen is None else (chosen_k, chosen)]:
                if trial is not chosen:
                    trial.scores = data.move(best.scores, direction, k, data.empty_scores())
                self._add_plane(trial)
                self._release(trial)
        data.release(direction)
        self._release(best)
        return reached
