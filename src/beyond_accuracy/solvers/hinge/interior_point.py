"""Primal-dual interior-point method for the weighted hinge loss on few features.

Newton's equations reduce to a system of d + 1 unknowns (Ferris and Munson 2002), so an iteration
takes n·d² operations. Some twenty or thirty iterations are enough, for almost any costs. Predictor
and corrector follow Mehrotra (1992).
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg

from beyond_accuracy.compilation import compiled
from beyond_accuracy.solvers.hinge.problem import HingeProblem
from beyond_accuracy.solvers.iterations import Progress, Solution, accepted_gap

_ROWS_AT_ONCE = 8192
# Up to this share of stored values, pairs of them take less time than a product of dense blocks.
_MOST_DENSITY_OF_PAIRS = 0.3
_TO_BOUNDARY = 0.995
_SHORTEST_STEP = 1e-8


class _State(NamedTuple):
    """A point of the interior-point method: w, shape (d + 1,), and four numbers per example.

    These are the slacks s = y·f(x) − margin + ξ and ξ, and their multipliers α and β.
    """

    w: np.ndarray
    slack: np.ndarray
    xi: np.ndarray
    alpha: np.ndarray
    beta: np.ndarray

    def complementarity(self):
        return float(self.alpha @ self.slack + self.beta @ self.xi) / (2 * len(self.xi))

    def moved(self, step: "_State", length):
        return _State(*(a + length * b for a, b in zip(self, step, strict=True)))

    def longest(self, step: "_State"):
        """Return the largest step length in (0, 1] that keeps slacks and multipliers positive."""
        length = 1.0
        for value, change in zip(self[1:], step[1:], strict=True):
            falling = change < 0
            if falling.any():
                boundary = float(np.min(value[falling] / -change[falling]))
                length = min(length, _TO_BOUNDARY * boundary)
        return length


class _NewtonSystem:
    """Newton equations of the optimality conditions at one point, factorized for several steps."""

    def __init__(self, problem, state, ridge):
        self._problem, self._state = problem, state
        signed_scores = problem.sign * problem.scores(state.w)
        self._primal_residual = signed_scores - problem.margin + state.xi - state.slack
        self._dual_residual = problem.combination(state.alpha) - ridge * state.w
        self._weights = 1.0 / (state.slack / state.alpha + state.xi / state.beta)
        matrix = _gram(problem.data, self._weights)
        matrix[np.diag_indices(len(matrix))] += ridge
        if not np.isfinite(matrix).all():
            raise scipy.linalg.LinAlgError("the system overflows")
        self._factor = scipy.linalg.cho_factor(matrix)

    def step(self, slack_target, xi_target) -> _State:
        """Return the Newton step: the change of each field of the state.

        To first order, the step changes `alpha * slack` of each example by `slack_target`, and
        `beta * xi` by `xi_target`.
        """
        state, problem = self._state, self._problem
        target = slack_target / state.alpha - xi_target / state.beta - self._primal_residual
        right = problem.combination(self._weights * target) + self._dual_residual
        w = scipy.linalg.cho_solve(self._factor, right)
        alpha = self._weights * (target - problem.sign * problem.scores(w))
        return _State(
            w=w,
            slack=(slack_target - state.slack * alpha) / state.alpha,
            xi=(xi_target + state.xi * alpha) / state.beta,
            alpha=alpha,
            beta=-alpha,
        )


@compiled
def _sparse_gram(data, indices, indptr, weights, constant, out):
    """Add to `out` such that out + outᵀ is Σ weights_i·z_i·z_iᵀ; z_i is row i and `constant`."""
    last = out.shape[0] - 1
    for i in range(len(indptr) - 1):
        end = np.uint64(indptr[i + 1])
        for k in range(np.uint64(indptr[i]), end):
            row, value = indices[k], weights[i] * data[k]
            out[row, row] += 0.5 * value * data[k]
            for other in range(k + np.uint64(1), end):
                out[row, indices[other]] += value * data[other]
            out[row, last] += constant * value
        out[last, last] += 0.5 * constant * constant * weights[i]


def _gram(data, weights):
    """Return Σ weights_i·z_i·z_iᵀ for rows z_i = (x_i, constant feature)."""
    total = np.zeros((data.n_features + 1, data.n_features + 1))
    density = data.arrays[0].size / (data.n_samples * data.n_features)
    if len(data.arrays) == 3 and density <= _MOST_DENSITY_OF_PAIRS:
        _sparse_gram(*data.arrays, weights, data.constant_feature, total)
        return total + total.T
    X = data.matrix
    for start in range(0, data.n_samples, _ROWS_AT_ONCE):
        rows = X[start : start + _ROWS_AT_ONCE]
        rows = rows.toarray() if len(data.arrays) == 3 else rows
        root = np.sqrt(weights[start : start + _ROWS_AT_ONCE])
        block = np.empty((len(rows), data.n_features + 1))
        np.multiply(rows, root[:, None], out=block[:, :-1])
        block[:, -1] = data.constant_feature * root
        total += block.T @ block
    return total


def interior_point(problem: HingeProblem, *, tol, max_iter, callback=None) -> Solution:
    """Fit a linear SVM with weighted hinge loss by a primal-dual interior-point method.

    The method ends when the duality gap is at most `accepted_gap(tol, …)`, when rounding allows no
    further step, or after `max_iter` iterations. `callback` is called with the `Iteration` record
    of each iteration.
    """
    progress, n_iter = Progress(callback), 0
    n_features = problem.data.n_features
    ridge = np.ones(n_features + 1)
    if problem.intercept == "free":
        ridge[-1] = 0.0
    state = _State(
        w=np.zeros(n_features + 1),
        slack=problem.margin.copy(),
        xi=2.0 * problem.margin,
        alpha=0.5 * problem.cost,
        beta=0.5 * problem.cost,
    )
    best, primal, dual = state.w, np.inf, -np.inf
    at_zero = problem.objective_at_zero()
    length = 1.0
    while True:
        scores, point = problem.scores(state.w) - state.w[-1], state.w.copy()
        point[-1] = problem.best_intercept(scores)
        reached = problem.objective(point, scores + point[-1])
        if reached < primal:
            primal, best = reached, point
        dual = max(dual, problem.dual(np.clip(state.alpha, 0.0, problem.cost)))
        progress.note(n_iter, primal, dual)
        converged = primal - dual <= accepted_gap(tol, primal, dual, at_zero)
        if converged or n_iter >= max_iter or length < _SHORTEST_STEP:
            break
        n_iter += 1
        try:
            system = _NewtonSystem(problem, state, ridge)
        except scipy.linalg.LinAlgError:
            break
        slack_gap, xi_gap = state.alpha * state.slack, state.beta * state.xi
        predictor = system.step(-slack_gap, -xi_gap)
        before = state.complementarity()
        predicted = state.moved(predictor, state.longest(predictor)).complementarity()
        centre = before * (predicted / before) ** 3
        corrector = system.step(
            centre - slack_gap - predictor.alpha * predictor.slack,
            centre - xi_gap - predictor.beta * predictor.xi,
        )
        length = state.longest(corrector)
        state = state.moved(corrector, length)
    return progress.solution(best, converged, at_zero)
