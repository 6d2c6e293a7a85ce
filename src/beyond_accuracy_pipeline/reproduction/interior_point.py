"""Primal-dual interior-point method for the linear program of `LinearProgramReweighter`.

The variables are the class weights w_j, the largest products γ_i = max_j w_j·S_ij of the scores
S_ij, and the relaxed prediction indicators I_ij, with Σ_j I_ij = 1 and the inequalities of
`_Constraints`. Each Newton step eliminates γ_i and I_ij example by example, which leaves a linear
system in the weights.
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg

# Steps go this share of the way to the boundary (Mehrotra 1992).
_STEP = 0.995
# Products of slacks and multipliers differ by at most this share in the end.
_CENTRAL = 0.01


class CentralPoint(NamedTuple):
    """Approximate solution of the linear program for class weights.

    `value` is the objective at `weights`, one weight per class. `n_iter` is the number of steps.
    """

    weights: np.ndarray
    value: float
    n_iter: int


def find_central_point(scores, costs, eta, gap, max_iter) -> CentralPoint | None:
    """Solve the linear program for class weights of Deng et al. (2006) by interior points.

    With weights w_j ≤ 1, example i is predicted as the class j with the largest w_j·scores_ij. The
    program minimizes a linear relaxation of the total cost, plus eta·Σ_j (1 − w_j). `scores` and
    `costs` have shape (n, m). Each row of `scores` sums to 1. costs_ij is 1/n times the cost of
    predicting example i as class j. `gap` is the duality gap of the result. Optimal weights of 0
    become small and positive. Return None if `max_iter` steps are not enough.
    """
    n, m = scores.shape
    objective = np.concatenate([np.full(m, -eta), np.zeros(n), costs.ravel()])
    constraints = _Constraints(scores)
    # The start is inside all constraints of the primal problem.
    x = np.concatenate([np.full(m, 0.25), 0.25 * scores.max(axis=1) + 0.1, np.full(n * m, 1 / m)])
    slacks = constraints.limits - constraints.apply(x)
    multipliers = max(costs.mean(), eta) / slacks
    sum_multipliers = np.zeros(n)
    target = gap / len(slacks)
    for n_iter in range(max_iter + 1):
        residual = objective + constraints.apply_transposed(multipliers)
        residual[m + n :] += np.repeat(sum_multipliers, m)
        products = slacks * multipliers
        furthest = max(products.max() - target, target - products.min())
        is_central = furthest <= _CENTRAL * target
        if is_central and np.abs(residual).max() <= target:
            return CentralPoint(x[:m], float(objective @ x) + eta * m, n_iter)
        newton = _Newton(constraints, multipliers / slacks)
        step = _step(constraints, newton, residual, slacks, multipliers, 0.0)
        primal = min(1.0, _largest_step(slacks, step.slacks))
        dual = min(1.0, _largest_step(multipliers, step.multipliers))
        total = products.sum()
        mean = total / len(products)
        after = total + primal * (step.slacks @ multipliers + dual * step.slacks @ step.multipliers)
        after += dual * (slacks @ step.multipliers)
        centre = max((after / total) ** 3 * mean, target)
        target_products = centre - step.slacks * step.multipliers
        if mean <= 2 * target:
            # Close to the end, the products are to become equal.
            target_products = target
        step = _step(constraints, newton, residual, slacks, multipliers, target_products)
        length = min(1.0, _STEP * _largest_step(slacks, step.slacks))
        x += length * step.x
        slacks += length * step.slacks
        length = min(1.0, _STEP * _largest_step(multipliers, step.multipliers))
        sum_multipliers += length * step.sum_multipliers
        multipliers += length * step.multipliers
    return None


class _Step(NamedTuple):
    """Changes of all variables, multipliers and slacks in one Newton step; x is (w, γ, I)."""

    x: np.ndarray
    sum_multipliers: np.ndarray
    slacks: np.ndarray
    multipliers: np.ndarray


def _step(constraints, newton, residual, slacks, multipliers, target_products):
    """Return the Newton step after which slacks times multipliers equal `target_products`."""
    ahead = target_products / slacks - multipliers
    x, sum_multipliers = newton.solve(-residual - constraints.apply_transposed(ahead))
    change = -constraints.apply(x)
    return _Step(x, sum_multipliers, change, ahead - multipliers / slacks * change)


def _largest_step(values, changes):
    """Return the step length at which one of the positive `values` becomes 0; inf if none does."""
    fastest = -(changes / values).min()
    return 1.0 / fastest if fastest > 0 else np.inf


class _Constraints:
    """Inequalities G·x ≤ limits in the variables x = (w, γ, I), with I flattened by row.

    With p_ij = γ_i − w_j·scores_ij they are, in this order, p + I ≤ 1, −p ≤ 0, −I ≤ 0, −w ≤ 0 and w
    ≤ 1.
    """

    def __init__(self, scores):
        self.scores = scores
        n, m = self.shape = scores.shape
        nm = n * m
        self.limits = np.concatenate([np.ones(nm), np.zeros(2 * nm + m), np.ones(m)])

    def split(self, x):
        """Split x into class weights (m,), largest weighted scores (n,), predictions (n, m)."""
        n, m = self.shape
        return x[:m], x[m : m + n], x[m + n :].reshape(n, m)

    def parts(self, z):
        """Split z, of length 3nm + 2m, into parts of shapes (n, m), (n, m), (n, m), (m,), (m,)."""
        n, m = self.shape
        nm = n * m
        upper, products, floor = (z[k * nm : (k + 1) * nm].reshape(n, m) for k in range(3))
        return upper, products, floor, z[3 * nm : 3 * nm + m], z[3 * nm + m :]

    def apply(self, x):
        """Return the left sides G·x of the inequalities G·x ≤ limits, for values x of variables."""
        w, largest, indicators = self.split(x)
        p = largest[:, None] - self.scores * w
        blocks = (p + indicators, -p, -indicators)
        return np.concatenate([*(block.ravel() for block in blocks), -w, w])

    def apply_transposed(self, z):
        """Return Gᵀ·z, with one entry per variable, for a vector z of one entry per inequality."""
        upper, products, floor, low, high = self.parts(z)
        of_p = upper - products
        of_w = high - low - (self.scores * of_p).sum(axis=0)
        return np.concatenate([of_w, of_p.sum(axis=1), (upper - floor).ravel()])


class _Newton:
    """Solver of the linear system GᵀDG·dx + Aᵀ·dy = r, A·dx = 0; A·x are the sums Σ_j I_ij.

    G is the matrix of the inequalities, and D is diagonal with the positive entries `diagonal`.
    """

    def __init__(self, constraints, diagonal):
        self.constraints = constraints
        upper, products, floor, low, high = constraints.parts(diagonal)
        # Once the indicators are eliminated, p has the Hessian diag(d) + v·vᵀ/e for each example.
        self.upper, self.both = upper, upper + floor
        self.v = upper / self.both
        self.e = (1.0 / self.both).sum(axis=1)
        d = products + upper * floor / self.both
        # Then the largest products γ are eliminated.
        self.k = d + self.v * (self.v.sum(axis=1) / self.e)[:, None]
        self.g = self.k.sum(axis=1)
        scores = constraints.scores
        first = scores * self.v / np.sqrt(self.e)[:, None]
        second = scores * self.k / np.sqrt(self.g)[:, None]
        matrix = first.T @ first - second.T @ second
        matrix[np.diag_indices_from(matrix)] += (scores**2 * d).sum(axis=0) + low + high
        self.factor = scipy.linalg.lu_factor(matrix, check_finite=False)

    def solve(self, right):
        """Solve for a right-hand side; return the changes of variables and of dual variables."""
        scores = self.constraints.scores
        of_w, of_largest, of_indicators = self.constraints.split(right)
        # The first elimination moves the right side of the indicators to the right side of p.
        dy_fixed = (of_indicators / self.both).sum(axis=1) / self.e
        moved = -self.v * (of_indicators - dy_fixed[:, None])
        of_largest = of_largest + moved.sum(axis=1)
        of_w = of_w - (scores * moved).sum(axis=0)
        of_w = of_w + (scores * self.k * (of_largest / self.g)[:, None]).sum(axis=0)
        dw = scipy.linalg.lu_solve(self.factor, of_w, check_finite=False)
        sw = scores * dw
        dlargest = (of_largest + (self.k * sw).sum(axis=1)) / self.g
        dp = dlargest[:, None] - sw
        dy = dy_fixed - (self.v * dp).sum(axis=1) / self.e
        dindicators = (of_indicators - self.upper * dp - dy[:, None]) / self.both
        return np.concatenate([dw, dlargest, dindicators.ravel()]), dy
