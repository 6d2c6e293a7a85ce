"""Core vector machine: find the minimum enclosing ball of all examples from a small core set.

The L2-SVM with a regularized intercept is to

    minimize  ½‖w‖² + ½b² + C/2·Σ max(0, 1 − y_i·f(x_i))²,   f(x) = w·φ(x) + b.

Up to scale, its dual is the minimum of αᵀQα over α ≥ 0 with Σα = 1 (Tsang, Kwok, Cheung 2005), with
the matrix Q of `core_set`. This module follows LibCVM 2.2 step by step.
"""

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy_pipeline.reproduction.libcvm.core_set import (
    SAMPLE_SIZE,
    CoreSet,
    Solution,
    cached_entries,
    draw_outside,
    epsilon_levels,
    gradient_entry,
)

_FIRST_SIZE = 20
_MOST_PASSES = 7
_FIRST_TOLERANCE = 1e-3


def solve_core_vectors(core: CoreSet, epsilon: float) -> Solution:
    """Train a core vector machine (CVM), an L2-SVM, as LibCVM does; return the classifier.

    `core` is a new, empty core set, which training fills. It starts with 20 rows, or all if there
    are fewer. The ball is the smallest ball in kernel space that encloses the core set. Each pass
    draws 60 rows outside the core set, alternating between the classes. The farthest row is added
    if it is outside the ball, enlarged by the factor 1 + tolerance. After 7 passes without such a
    row, the tolerance is lowered. It starts at 0.1 and ends at `epsilon`.
    """
    ball = _Ball(core)
    for i in range(min(_FIRST_SIZE, core.max_size)):
        ball.add(draw_outside(core.draws, i % 2 == 1))
    ball.start()
    ball.solve(epsilon)
    for level in epsilon_levels(epsilon):
        while core.size < core.max_size:
            radius = core.largest_diagonal - ball.squared_norm
            threshold = radius * ((1.0 + level) * (1.0 + level))
            constant = ball.squared_norm + core.largest_diagonal
            row = _farthest_outside(
                core.rows, core.draws, ball.alpha, core.size, constant, threshold
            )
            if row < 0:
                break
            ball.add(row)
            ball.solve(epsilon)
    return core.solution(ball.alpha[: core.size], ball.squared_norm)


class _Ball:
    """Minimum enclosing ball of the core set; its weights `alpha` minimize αᵀQα."""

    def __init__(self, core: CoreSet):
        self._core = core
        self.alpha, self._gradient = np.zeros(core.capacity), np.zeros(core.capacity)
        self._matrix = np.empty((core.capacity, core.capacity), dtype=np.float32)
        self._tolerance, self.squared_norm = _FIRST_TOLERANCE, 0.0

    def add(self, row):
        """Add a training row to the core set, with weight 0 in the centre of the ball."""
        entries, last = self._core.add(row), self._core.size - 1
        more = self._core.capacity - len(self.alpha)
        if more:
            self.alpha = np.pad(self.alpha, (0, more))
            self._gradient = np.pad(self._gradient, (0, more))
            self._matrix = np.pad(self._matrix, (0, more))
        self._matrix[last, : last + 1] = self._matrix[: last + 1, last] = entries
        self._gradient[last] = _left_to_right(entries, self.alpha[: last + 1])

    def start(self):
        """Place the ball's centre at the mean of all core-set rows, each with weight 1 / size."""
        size = self._core.size
        self.alpha[:size] = 1.0 / size
        self._gradient[:size] = 0.0
        for row in self._matrix[:size, :size]:
            self._gradient[:size] += (1.0 / size) * row.astype(np.float64)

    def solve(self, epsilon):
        """Minimize αᵀQα over the weights α of the core-set rows, to the tolerance `epsilon`."""
        size = self._core.size
        alpha, gradient = self.alpha[:size], self._gradient[:size]
        matrix = self._matrix[:size, :size]
        self._tolerance = _exchange_weights(matrix, alpha, gradient, self._tolerance, epsilon)
        self.squared_norm = _left_to_right(alpha, gradient)


@compiled
def _left_to_right(a, b):
    """Return the inner product of two vectors, summed from left to right."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@compiled
def _exchange_weights(matrix, alpha, gradient, tolerance, epsilon):
    """Minimize αᵀQα by moving weight between pairs, in place; return the last tolerance.

    A step moves weight to the vector with the smallest gradient, from the vector with the largest
    gain. If no pair differs by `tolerance` at the start, the tolerance is halved, down to
    `epsilon`.
    """
    m, steps = len(alpha), 0
    while True:
        i = 0
        for k in range(1, m):
            if gradient[k] <= gradient[i]:
                i = k
        j = -1
        while True:
            largest = 0.0
            for k in range(m):
                difference = gradient[k] - gradient[i]
                if alpha[k] > 0.0 and difference >= tolerance:
                    diagonal = np.float32(matrix[i, i] + matrix[k, k])
                    curvature = diagonal - 2.0 * matrix[i, k]
                    gain = difference * difference / (curvature if curvature > 0.0 else 1e-12)
                    if gain >= largest:
                        j, largest = k, gain
            if j >= 0 or steps > 0 or tolerance * 0.5 < epsilon:
                break
            tolerance *= 0.5
        if j < 0:
            return tolerance
        steps += 1
        diagonal = np.float32(matrix[i, i] + matrix[j, j])
        curvature = max(diagonal - 2.0 * matrix[i, j], 0.0)
        total = alpha[i] + alpha[j]
        slope = (gradient[i] - gradient[j]) - alpha[i] * curvature
        if curvature < 1e-8:
            weight = 0.0 if slope >= 0.0 else total
        else:
            weight = min(max(-slope / curvature, 0.0), total)
        change, other_change = weight - alpha[i], (total - weight) - alpha[j]
        alpha[i], alpha[j] = weight, total - weight
        for k in range(m):
            gradient[k] += matrix[i, k] * change + matrix[j, k] * other_change
        if abs(change) + abs(other_change) < tolerance * tolerance:
            return tolerance


@compiled
def _farthest_outside(rows, draws, alpha, size, constant, threshold):
    """Return the farthest drawn row outside the ball, or −1 if 7 passes of 60 rows find none.

    `constant` is the squared norm of the centre plus Q's diagonal entry.
    """
    for _ in range(_MOST_PASSES):
        farthest, largest = -1, threshold
        for s in range(SAMPLE_SIZE):
            row = draw_outside(draws, s % 2 == 1)
            slot = cached_entries(rows, row, size)
            distance = constant - 2.0 * gradient_entry(rows, slot, alpha, size)
            if distance > largest:
                farthest, largest = row, distance
        if farthest >= 0:
            return farthest
    return -1
