"""Ball vector machine: find a ball of fixed radius that encloses all examples.

The centre is a combination of few examples, the core set. The method solves the L2-SVM of the core
vector machine without a quadratic program (Tsang, Kocsor, Kwok 2007). This module follows LibCVM
2.2 step by step.
"""

import math

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy_pipeline.reproduction.libcvm.core_set import (
    SAMPLE_SIZE,
    CoreSet,
    Solution,
    cached_entries,
    draw_row,
    epsilon_levels,
    gradient_entry,
    next_number,
)

_MOST_PASSES = 10
# With more core vectors than this, each search is preceded by rounds among core vectors only.
_REFINED_SIZE = 400
_REFINING_ROUNDS = 20


def solve_ball_vectors(core: CoreSet, epsilon: float) -> Solution:
    """Train a ball vector machine (BVM), an L2-SVM, as LibCVM does; return the classifier.

    `core` is a new, empty core set, which training fills. A ball of fixed radius in kernel space
    starts at the first row. Each pass draws 60 random rows. If the farthest is outside the ball,
    enlarged by the factor 1 + tolerance, it joins the core set, and the centre moves towards it.
    After 10 passes without such a row, the tolerance is lowered. It starts at 0.1 and ends at
    `epsilon`.
    """
    square_radius = core.largest_diagonal
    core.add(0)
    ball = _Ball(core)

    def search(level, within_core):
        threshold = square_radius * (1.0 + level) * (1.0 + level) - ball.height**2
        duplicate = square_radius * (1.0 - (level + 0.5 * level * level))
        row, distance = _farthest_outside(
            core.rows,
            core.draws,
            ball.alpha,
            ball.gradient,
            ball.position,
            core.size,
            ball.squared_norm + square_radius,
            threshold,
            duplicate,
            within_core,
        )
        if row >= 0:
            ball.move(row, distance)
        return row >= 0

    for level in epsilon_levels(epsilon):
        while core.size < core.max_size:
            if core.size > _REFINED_SIZE:
                for _ in range(_REFINING_ROUNDS):
                    search(level, True)
            if not search(level, False):
                break
    return core.solution(ball.alpha[: core.size], ball.squared_norm)


class _Ball:
    """Ball whose centre is the combination of core vectors with the weights `alpha`.

    `gradient` has (Qα)_j of each core vector, 0 if unknown, and `position` has each row's position
    in the core set, or −1. `squared_norm` is αᵀQα. `height` is an extra coordinate of the centre
    that belongs to no core vector.
    """

    def __init__(self, core: CoreSet):
        self._core = core
        self.alpha = np.zeros(core.capacity)
        self.gradient = np.zeros(core.capacity, dtype=np.float32)
        self.position = np.full(len(core.is_core), -1)
        self.alpha[0], self.gradient[0], self.position[0] = 1.0, core.largest_diagonal, 0
        self.squared_norm = core.largest_diagonal
        self.height = math.sqrt(core.largest_diagonal)

    def move(self, row, distance):
        """Move the ball's centre towards a training row until the row is on the ball's surface.

        The row joins the core set. Its squared distance from the centre is `distance` + `height`².
        """
        core = self._core
        constant = core.largest_diagonal
        keep = math.sqrt(constant / (distance + self.height**2))
        if self.position[row] < 0:
            core.add(row)
            self.position[row] = core.size - 1
            more = core.capacity - len(self.alpha)
            if more:
                self.alpha = np.pad(self.alpha, (0, more))
                self.gradient = np.pad(self.gradient, (0, more))
        self.alpha[: core.size] *= keep
        self.height *= keep
        self.alpha[self.position[row]] += 1.0 - keep
        self.squared_norm = (
            self.squared_norm * keep + constant * (1.0 - keep) - distance * (keep * (1.0 - keep))
        )
        gradient = self.gradient[: core.size]
        # Python numbers times single precision would be single precision.
        entries = core.entries(row).astype(np.float64)
        moved = keep * gradient.astype(np.float64) + (1.0 - keep) * entries
        gradient[:] = np.where(gradient != 0, moved, 0.0)


@compiled
def _farthest_outside(
    rows, draws, alpha, gradient, core_position, size, constant, threshold, duplicate, within_core
):
    """Return the farthest drawn row outside the ball and its squared distance, or (−1, 0.0).

    Up to 10 passes draw 60 rows each. The first pass with a row above `threshold` is the last.
    Unknown entries of `gradient` are filled in. `constant` is the squared norm of the centre plus
    Q's diagonal entry. A row whose entry of Q with a core vector reaches `duplicate` is skipped.
    """
    for _ in range(_MOST_PASSES):
        farthest, largest = -1, threshold
        for s in range(SAMPLE_SIZE):
            if within_core:
                row = rows.core[next_number(draws.words, draws.count) % size]
            else:
                row = draw_row(draws, 2 * s < SAMPLE_SIZE)
            position = core_position[row]
            if position >= 0 and gradient[position] != 0.0:
                total = np.float64(gradient[position])
            else:
                slot = cached_entries(rows, row, size)
                # Off the diagonal no entry of Q exceeds 2.
                if duplicate <= 2.0 and _has_duplicate(rows.cache[slot], size, position, duplicate):
                    continue
                total = gradient_entry(rows, slot, alpha, size)
                if position >= 0:
                    gradient[position] = total
            distance = constant - 2.0 * total
            if distance > largest:
                farthest, largest = row, distance
        if farthest >= 0:
            return farthest, largest
    return -1, 0.0


@compiled
def _has_duplicate(entries, size, position, least):
    """Return whether one of the first `size` entries, except at `position`, is at least `least`."""
    found = False
    for j in range(size):
        found |= j != position and entries[j] >= least
    return found
