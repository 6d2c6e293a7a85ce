"""Dual coordinate descent for the weighted hinge loss, optionally with a free intercept.

This is the method of LIBLINEAR (Hsieh et al. 2008) with shrinking: examples whose α_i stays at a
bound are put aside. A free intercept is the multiplier of the constraint Σ y_i·α_i = 0 (method of
multipliers), and changes after each round in proportion to the violation.

The exact duality gap needs an extra pass over the data. So each round sums up contributions of its
examples to the gap. While this sum is large, the gap is rarely computed. Once it is small, the gap
is computed at a running mean of w, whose primal objective is lower than at w.
"""

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.solvers.data_matrix import DataMatrix
from beyond_accuracy.solvers.hinge.problem import HingeProblem
from beyond_accuracy.solvers.iterations import Progress, accepted_gap, one_blas_thread

_FIRST_CHECK = 8
_CHECK_GROWTH = 1.5
# Ratio of the estimate to the requested gap at which the gap is first computed, and the factor by
# which the estimate must shrink between two computations.
_FIRST_PART = 1.8
_SMALLER = 0.95
# The primal of w oscillates between rounds; the primal of a running mean of w hardly does.
_FIRST_MEAN = 20
_ROUNDS_BETWEEN_MEANS = 3
_WEIGHT_IN_MEAN = 0.4
_FIRST_SPREAD = 0.1
_STRICTER = 0.1


@compiled
def _shuffle(order, n, state):
    # Xorshift: numpy's generator cannot be seeded per call in compiled code.
    x = state[0]
    for i in range(n):
        x ^= x << np.uint64(13)
        x ^= x >> np.uint64(7)
        x ^= x << np.uint64(17)
        j = i + np.int64(x % np.uint64(n - i))
        order[i], order[j] = order[j], order[i]
    state[0] = x


@compiled
def _round(
    data, indices, indptr, dense, sign, cost, margin, squares, stiffness, alpha, w, bias, order, n,
    bounds,
):  # fmt: skip
    """Update α of the first n examples of `order` once; return how many examples stay active.

    `bias` is (multiplier, Σ y·α), and the intercept is multiplier + stiffness·Σ y·α. On entry,
    `bounds` holds the largest and the least projected gradient of the previous round, which
    determine the examples to put aside. On return, it holds these two numbers for this round, and
    the sum of the contributions to the duality gap.
    """
    most, least, gap = -np.inf, np.inf, 0.0
    one, two = np.uint64(1), np.uint64(2)
    position = 0
    while position < n:
        i = order[position]
        # Unsigned indices need no check for negative values.
        start, end = np.uint64(indptr[i]), np.uint64(indptr[i + 1])
        # All rows of a dense matrix have the same indices.
        shift = start if dense else np.uint64(0)
        # Two sums, since in one sum each addition waits for the last.
        even, odd = 0.0, 0.0
        k = start
        while k + one < end:
            even += data[k] * w[indices[k - shift]]
            odd += data[k + one] * w[indices[k + one - shift]]
            k += two
        if k < end:
            even += data[k] * w[indices[k - shift]]
        score = even + odd + bias[0] + stiffness * bias[1]
        gradient = sign[i] * score - margin[i]
        before = alpha[i]
        projected = gradient
        if before == 0.0:
            if gradient > bounds[0]:
                n -= 1
                order[position], order[n] = order[n], order[position]
                continue
            projected = min(gradient, 0.0)
        elif before == cost[i]:
            if gradient < bounds[1]:
                n -= 1
                order[position], order[n] = order[n], order[position]
                continue
            projected = max(gradient, 0.0)
        most, least = max(most, projected), min(least, projected)
        gap += before * gradient - min(cost[i] * gradient, 0.0)
        if projected != 0.0:
            curvature = squares[i] + stiffness
            if curvature > 0.0:
                after = min(max(before - gradient / curvature, 0.0), cost[i])
            else:
                after = cost[i] if gradient < 0.0 else 0.0
            alpha[i] = after
            step = sign[i] * (after - before)
            k = start
            while k < end:
                w[indices[k - shift]] += step * data[k]
                k += one
            bias[1] += step
        position += 1
    bounds[0], bounds[1], bounds[2] = most, least, gap
    return n


@compiled
def _squares(data, indptr, out):
    for i in range(len(out)):
        total = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            total += data[k] * data[k]
        out[i] = total


def _row_arrays(data: DataMatrix):
    """Return (values, feature indices, row starts, whether X is dense); dense X is not copied."""
    if len(data.arrays) == 3:
        return (*data.arrays, False)
    n, d = data.n_samples, data.n_features
    return data.arrays[0].ravel(), np.arange(d, dtype=np.uint32), np.arange(n + 1) * d, True


def _dual(problem, alpha, w, bias):
    """Return the dual objective of α; `w` is Σ y_i·α_i·x_i and `bias` is (multiplier, Σ y·α)."""
    if problem.intercept == "free":
        return problem.dual(alpha) if alpha.any() else 0.0
    # w and the intercept equal the combinations of α only up to rounding.
    intercept = bias[1] if problem.intercept == "regularized" else 0.0
    return float(problem.margin @ alpha) - 0.5 * (float(w @ w) + intercept * intercept)


def _rejoin(problem, alpha, scores, order, active):
    """Make inactive examples active again if the objective improves when α leaves its bound.

    Return the number of active examples, which come first in `order`.
    """
    aside = order[active:]
    gradient = problem.sign[aside] * scores[aside] - problem.margin[aside]
    # An example is put aside at one of its bounds.
    wanted = np.where(alpha[aside] == 0.0, gradient < 0.0, gradient > 0.0)
    order[active:] = np.concatenate([aside[wanted], aside[~wanted]])
    return active + int(np.count_nonzero(wanted))


@one_blas_thread
def coordinate_descent(
    problem: HingeProblem, *, tol, eps=0.0, max_iter, seed=0, shares=None, callback=None
):
    """Fit a linear SVM with weighted hinge loss by dual coordinate descent, as LIBLINEAR does.

    Return the `Solution` and the shares, shape (n,): each example's dual variable divided by its
    cost, which is its upper bound. To start from an earlier solution, pass its shares.

    The method ends when the duality gap is at most `eps` or `accepted_gap(tol, …)`, after
    `max_iter` rounds over the examples, or if rounding has kept the gap from shrinking for 300
    rounds. `seed` is for the order of the examples. `callback` is called with an `Iteration` record
    whenever the gap is computed.
    """
    progress = Progress(callback)
    sign, cost = problem.sign, problem.cost
    n = problem.data.n_samples
    arrays = _row_arrays(problem.data)
    squares = np.empty(n)
    _squares(arrays[0], arrays[2], squares)
    free = problem.intercept == "free"
    stiffness = {"none": 0.0, "regularized": 1.0, "free": max(float(squares.mean()), 1e-12)}
    stiffness = stiffness[problem.intercept]
    # The multiplier of the constraint, and the remaining violation.
    bias = np.zeros(2)
    zero = shares is None
    if zero:
        alpha, w = np.zeros(n), np.zeros(problem.data.n_features + 1)
    else:
        # Rounding may have left the box.
        alpha = np.clip(shares * cost, 0.0, cost)
        w = problem.combination(alpha)
        bias[1], w[-1] = w[-1], 0.0
        if free:
            bias[0] = problem.best_intercept(problem.scores(w)) - stiffness * bias[1]
    order = np.arange(n)
    bounds = np.array([np.inf, -np.inf, np.inf])
    state = np.array([0x9E3779B97F4A7C15 ^ (seed + 1)], dtype=np.uint64)
    best, primal, dual = w, np.inf, -np.inf
    iteration, active, due = 0, n, True
    check = _FIRST_CHECK
    spread, enough = np.inf, _FIRST_SPREAD
    part, relative = _FIRST_PART, np.inf
    estimate = np.inf
    regularized = float(problem.intercept == "regularized")
    mean = np.append(w[:-1], regularized * bias[1])
    at_zero = problem.objective_at_zero()
    while True:
        if due or iteration >= check or iteration == max_iter:
            if iteration > 0:
                check = max(check, iteration * _CHECK_GROWTH)
            bound = _dual(problem, alpha, w, bias)
            dual = max(dual, bound)
            lowest = np.inf
            current = np.append(w[:-1], regularized * bias[1])
            for point in (mean.copy(), current) if iteration >= _FIRST_MEAN else (current,):
                scores = np.zeros(n)
                if iteration > 0 or not zero:
                    scores = problem.scores(point) - point[-1]
                if free:
                    point[-1] = problem.best_intercept(scores)
                reached = problem.objective(point, scores + point[-1])
                lowest = min(lowest, reached)
                if reached < primal:
                    primal, best = reached, point
                if reached - bound <= estimate:
                    break
            progress.note(iteration, primal, dual)
            converged = primal - dual <= max(accepted_gap(tol, primal, dual, at_zero), eps)
            ended = iteration == max_iter
            if converged or ended or progress.has_stalled(iteration, primal - dual):
                return progress.solution(best, converged, at_zero), alpha / cost
            if due:
                part = estimate / max(lowest - bound, estimate / _FIRST_PART)
                part = min(part, _SMALLER * relative)
            before = active
            active = _rejoin(problem, alpha, scores + bias[0] + stiffness * bias[1], order, active)
            if spread <= enough and active == before:
                # No example wants to rejoin: be stricter with the active ones.
                enough = _STRICTER * spread
        iteration += 1
        _shuffle(order, active, state)
        active = _round(
            *arrays, sign, cost, problem.margin, squares, stiffness, alpha, w, bias, order, active,
            bounds,
        )  # fmt: skip
        if free:
            bias[0] += stiffness * bias[1]
        spread = bounds[0] - bounds[1]
        # Gradients on the safe side of these bounds are put aside in the next round.
        bounds[0] = bounds[0] if bounds[0] > 0.0 else np.inf
        bounds[1] = bounds[1] if bounds[1] < 0.0 else -np.inf
        if iteration % _ROUNDS_BETWEEN_MEANS == 0:
            mean[:-1] += _WEIGHT_IN_MEAN * (w[:-1] - mean[:-1])
            mean[-1] += _WEIGHT_IN_MEAN * (regularized * bias[1] - mean[-1])
        estimate = bounds[2]
        due = spread <= enough
        if estimate <= part * max(accepted_gap(tol, primal, dual, at_zero), eps):
            # The primal of the last check may be far above the primal of this round.
            lower = float(problem.margin @ alpha) - 0.5 * float(w @ w)
            reachable = min(primal, lower + estimate)
            aim = max(accepted_gap(tol, reachable, lower, at_zero), eps)
            if estimate <= part * aim:
                due, relative = True, estimate / aim
