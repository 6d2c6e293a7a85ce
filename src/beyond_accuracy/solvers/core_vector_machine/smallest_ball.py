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


# Loops either compute or compare: of the former several values are taken at a time.
@compiled(error_model="numpy")
def _exchange_pairs(matrix, alpha, gradient, n, tolerance, most_steps):
    twice_diagonal = matrix[0, 0] + matrix[0, 0]
    alpha, descent, decreases = alpha[:n], np.empty(n), np.empty(n)
    for i in range(n):
        descent[i] = -gradient[i]
    for _ in range(most_steps):
        low = _largest(descent)
        steepest = descent[low]
        products = matrix[low, :n]
        # The partner that lowers the objective most.
        for i in range(n):
            difference = steepest - descent[i]
            curvature = max(twice_diagonal - 2.0 * products[i], 1e-12)
            decrease = difference * difference / curvature
            decreases[i] = decrease if alpha[i] > 0.0 else 0.0
        partner = _largest(decreases)
        difference = steepest - descent[partner]
        # Only if this pair does not differ enough another one might.
        if difference <= tolerance and steepest + _highest(descent, alpha) <= tolerance:
            return True
        curvature = max(twice_diagonal - 2.0 * products[partner], 1e-12)
        step = min(alpha[partner], difference / curvature)
        alpha[low] += step
        alpha[partner] -= step
        other = matrix[partner, :n]
        for i in range(n):
            descent[i] -= step * (products[i] - other[i])
    return False


@compiled
def _highest(descent, alpha):
    """Largest gradient of the positive coefficients."""
    highest = -np.inf
    for i in range(len(alpha)):
        highest = max(highest, -descent[i] if alpha[i] > 0.0 else -np.inf)
    return highest


@compiled
def _largest(values):
    """Index of the first of the largest values; the last if all are NaN."""
    largest, i = _maximum(values), 0
    while i < len(values) - 1 and values[i] != largest:
        i += 1
    return i


@compiled
def _maximum(values):
    # Eight at a time, since each comparison has to wait for the one before it.
    a = b = c = d = e = f = g = h = -np.inf
    n = len(values)
    for i in range(0, n - 7, 8):
        a, b = max(a, values[i]), max(b, values[i + 1])
        c, d = max(c, values[i + 2]), max(d, values[i + 3])
        e, f = max(e, values[i + 4]), max(f, values[i + 5])
        g, h = max(g, values[i + 6]), max(h, values[i + 7])
    largest = max(max(max(a, b), max(c, d)), max(max(e, f), max(g, h)))
    for i in range(n - n % 8, n):
        largest = max(largest, values[i])
    return largest
