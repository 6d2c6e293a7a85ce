"""The minimum enclosing ball of a few points, given the products of the points."""

import numpy as np

from beyond_accuracy.compilation import compiled

_MOST_STEPS = 1_000_000


class SmallestBall:
    """Minimize ½αᵀKα over α ≥ 0 with Σα = 1, for a matrix K that grows by a row at a time.

    All K_ii are equal, so that Σ α_i·point_i is the centre of the minimum enclosing ball. Pairs of
    coefficients exchange weight until no gradients of a pair differ by more than a tolerance.
    """

    def __init__(self):
        self.size = 0
        self._matrix = np.zeros((0, 0))
        self._alpha = np.zeros(0)
        self._gradient = np.zeros(0)

    @property
    def alpha(self):
        """Coefficients, shape (size,)."""
        return self._alpha[: self.size]

    @property
    def square(self) -> float:
        """αᵀKα, the squared norm of the centre."""
        return float(self.alpha @ self._gradient[: self.size])

    def add(self, products):
        """Append a point, given its products with all points and itself, shape (size + 1,)."""
        n = self.size
        if n == len(self._alpha):
            more = (0, max(n, 64 - n))
            self._matrix, self._alpha, self._gradient = (
                np.pad(known, more) for known in (self._matrix, self._alpha, self._gradient)
            )
        self._matrix[n, : n + 1] = products
        self._matrix[: n + 1, n] = products
        self._alpha[n] = 1.0 if n == 0 else 0.0
        self.size = n + 1
        self._gradient[n] = products @ self._alpha[: n + 1]

    def solve(self, tolerance) -> bool:
        """Minimize from the coefficients known; False if rounding stops it above the tolerance."""
        n = self.size
        solved = _exchange_pairs(
            self._matrix, self._alpha, self._gradient, n, tolerance, _MOST_STEPS
        )
        np.matmul(self._matrix[:n, :n], self._alpha[:n], out=self._gradient[:n])
        return solved


@compiled
def _exchange_pairs(matrix, alpha, gradient, n, tolerance, most_steps):
    for _ in range(most_steps):
        low, high = 0, -1
        for i in range(n):
            if gradient[i] < gradient[low]:
                low = i
            if alpha[i] > 0.0 and (high < 0 or gradient[i] > gradient[high]):
                high = i
        if gradient[high] - gradient[low] <= tolerance:
            return True
        # The partner that lowers the objective most.
        best, partner = 0.0, high
        for i in range(n):
            difference = gradient[i] - gradient[low]
            if alpha[i] > 0.0 and difference > 0.0:
                curvature = matrix[i, i] + matrix[low, low] - 2.0 * matrix[i, low]
                decrease = difference * difference / max(curvature, 1e-12)
                if decrease > best:
                    best, partner = decrease, i
        difference = gradient[partner] - gradient[low]
        curvature = matrix[partner, partner] + matrix[low, low] - 2.0 * matrix[partner, low]
        step = min(alpha[partner], difference / max(curvature, 1e-12))
        alpha[low] += step
        alpha[partner] -= step
        for i in range(n):
            gradient[i] += step * (matrix[low, i] - matrix[partner, i])
    return False
