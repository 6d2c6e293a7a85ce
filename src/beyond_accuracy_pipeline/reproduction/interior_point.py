"""The linear relaxation of the mixed-integer program, by a primal-dual interior-point method.

The variables are the weights w, the largest products γ_i and the shares I_ij. With p_ij = γ_i −
w_j·S_ij, the constraints are

    p_ij + I_ij ≤ 1,  p_ij ≥ 0,  I_ij ≥ 0,  Σ_j I_ij = 1,  0 ≤ w_j ≤ 1.

Newton's steps eliminate γ_i and I_ij example by example, which leaves a system in the weights.
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg

# Steps keep this share of the way to the boundary (Mehrotra 1992).
_STEP = 0.995
# Products of slacks and multipliers differ by at most this share in the end.
_CENTRAL = 0.01


class CentralPoint(NamedTuple):
    """A point of the central path: the weights, the program's value there, and the steps."""

    weights: np.ndarray
    value: float
    n_iter: int


def find_central_point(
    shares: np.ndarray, prices: np.ndarray, eta: float, gap: float, max_iter: int
) -> CentralPoint | None:
    """Minimize Σ_ij prices_ij·I_ij + eta·Σ_j (1 − w_j) to a duality gap of `gap`.

    `shares` and `prices` have the shape (n, m). The point is the one of the central path at that
    gap, so that it is unique: each constraint's slack and multiplier have the same product. Weights
    that are 0 in the optimum are small positive numbers there. Returns None if that takes more than
    `max_iter` of Mehrotra's predictor-corrector steps.
    """
    n, m = shares.shape
    costs = np.concatenate([np.full(m, -eta), np.zeros(n), prices.ravel()])
    constraints = _Constraints(shares)
    # The start is inside all constraints of the primal problem.
    x = np.concatenate([np.full(m, 0.25), 0.25 * shares.max(axis=1) + 0.1, np.full(n * m, 1 / m)])
    slacks = constraints.limits - constraints.apply(x)
    multipliers = max(prices.mean(), eta) / slacks
    sum_multipliers = np.zeros(n)
    target = gap / len(slacks)
    for n_iter in range(max_iter + 1):
        residual = costs + constraints.apply_transposed(multipliers)
        residual[m + n :] += np.repeat(sum_multipliers, m)
        products = slacks * multipliers
        furthest = max(products.max() - target, target - products.min())
        is_central = furthest <= _CENTRAL * target
        if is_central and np.abs(residual).max() <= target:
            return CentralPoint(x[:m], float(costs @ x) + eta * m, n_iter)
        newton = _Newton(constraints, multipliers / slacks)
        step = _step(constraints, newton, residual, slacks, multipliers, 0.0)
        primal = min(1.0, _longest(slacks, step.slacks))
        dual = min(1.0, _longest(multipliers, step.multipliers))
        total = products.sum()
        mean = total / len(products)
        after = total + primal * (step.slacks @ multipliers + dual * step.slacks @ step.multipliers)
        after += dual * (slacks @ step.multipliers)
        centre = max((after / total) ** 3 * mean, target)
        aim = centre - step.slacks * step.multipliers
        if mean <= 2 * target:
            # Close to the end, the products are to become equal.
            aim = target
        step = _step(constraints, newton, residual, slacks, multipliers, aim)
        length = min(1.0, _STEP * _longest(slacks, step.slacks))
        x += length * step.x
        slacks += length * step.slacks
        length = min(1.0, _STEP * _longest(multipliers, step.multipliers))
        sum_multipliers += length * step.sum_multipliers
        multipliers += length * step.multipliers
    return None


class _Step(NamedTuple):
    x: np.ndarray
    sum_multipliers: np.ndarray
    slacks: np.ndarray
    multipliers: np.ndarray


def _step(constraints, newton, residual, slacks, multipliers, products):
    """Return Newton's step to the products of slacks and multipliers that are given."""
    ahead = products / slacks - multipliers
    x, sum_multipliers = newton.solve(-residual - constraints.apply_transposed(ahead))
    change = -constraints.apply(x)
    return _Step(x, sum_multipliers, change, ahead - multipliers / slacks * change)


def _longest(values, changes):
    """Return the length of the step at which the first of the positive values becomes 0."""
    fastest = -(changes / values).min()
    return 1.0 / fastest if fastest > 0 else np.inf


class _Constraints:
    """The inequalities G·x ≤ limits for x = (w, γ, I), on p + I, −p, −I, −w and w in turn."""

    def __init__(self, shares):
        self.shares = shares
        n, m = self.shape = shares.shape
        nm = n * m
        self.limits = np.concatenate([np.ones(nm), np.zeros(2 * nm + m), np.ones(m)])

    def split(self, x):
        n, m = self.shape
        return x[:m], x[m : m + n], x[m + n :].reshape(n, m)

    def parts(self, z):
        n, m = self.shape
        nm = n * m
        upper, products, floor = (z[k * nm : (k + 1) * nm].reshape(n, m) for k in range(3))
        return upper, products, floor, z[3 * nm : 3 * nm + m], z[3 * nm + m :]

    def apply(self, x):
        w, largest, indicators = self.split(x)
        p = largest[:, None] - self.shares * w
        blocks = (p + indicators, -p, -indicators)
        return np.concatenate([*(block.ravel() for block in blocks), -w, w])

    def apply_transposed(self, z):
        upper, products, floor, low, high = self.parts(z)
        of_p = upper - products
        of_w = high - low - (self.shares * of_p).sum(axis=0)
        return np.concatenate([of_w, of_p.sum(axis=1), (upper - floor).ravel()])


class _Newton:
    """Solver of GᵀDG·dx + Aᵀ·dy = r, A·dx = 0, with a diagonal D and the sums of shares A·x."""

    def __init__(self, constraints, diagonal):
        self.constraints = constraints
        upper, products, floor, low, high = constraints.parts(diagonal)
        # Without the shares, p has the Hessian diag(d) + v·vᵀ/e for each example.
        self.upper, self.both = upper, upper + floor
        self.v = upper / self.both
        self.e = (1.0 / self.both).sum(axis=1)
        d = products + upper * floor / self.both
        # Then the largest products are eliminated.
        self.k = d + self.v * (self.v.sum(axis=1) / self.e)[:, None]
        self.g = self.k.sum(axis=1)
        shares = constraints.shares
        first = shares * self.v / np.sqrt(self.e)[:, None]
        second = shares * self.k / np.sqrt(self.g)[:, None]
        matrix = first.T @ first - second.T @ second
        matrix[np.diag_indices_from(matrix)] += (shares**2 * d).sum(axis=0) + low + high
        self.factor = scipy.linalg.lu_factor(matrix, check_finite=False)

    def solve(self, right):
        shares = self.constraints.shares
        of_w, of_largest, of_shares = self.constraints.split(right)
        # The first elimination moves the right side of the shares to the right side of p.
        dy_fixed = (of_shares / self.both).sum(axis=1) / self.e
        moved = -self.v * (of_shares - dy_fixed[:, None])
        of_largest = of_largest + moved.sum(axis=1)
        of_w = of_w - (shares * moved).sum(axis=0)
        of_w = of_w + (shares * self.k * (of_largest / self.g)[:, None]).sum(axis=0)
        dw = scipy.linalg.lu_solve(self.factor, of_w, check_finite=False)
        sw = shares * dw
        dlargest = (of_largest + (self.k * sw).sum(axis=1)) / self.g
        dp = dlargest[:, None] - sw
        dy = dy_fixed - (self.v * dp).sum(axis=1) / self.e
        dshares = (of_shares - self.upper * dp - dy[:, None]) / self.both
        return np.concatenate([dw, dlargest, dshares.ravel()]), dy
