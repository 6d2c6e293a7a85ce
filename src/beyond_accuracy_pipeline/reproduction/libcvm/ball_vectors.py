"""Ball vector machine: a ball of fixed radius that encloses all examples, from a core set of a few.

It solves the L2-SVM of the core vector machine without a quadratic program (Tsang, Kocsor, Kwok
2007). This module follows LibCVM 2.2 step by step.
"""

import math

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy_pipeline.reproduction.libcvm.core_set import (
    SAMPLE_SIZE,
    CoreSet,
    Solution,
    draw_of_class,
    epsilon_levels,
    kept_entries,
    product,
)
from beyond_accuracy_pipeline.reproduction.libcvm.random_numbers import next_number

_MOST_PASSES = 10
# With more core vectors than this, each search is preceded by rounds among core vectors only.
_REFINED_SIZE = 400
_REFINING_ROUNDS = 20


def solve_ball_vectors(core: CoreSet, epsilon: float) -> Solution:
    """Train LibCVM's ball vector machine.

    The ball starts at the first row and moves towards the farthest of 60 drawn rows if that row is
    outside of (1 + epsilon) times the ball. After 10 passes without such a row epsilon
    falls to the next level.
    """
    square_radius = core.largest
    core.add(0)
    state = _State(core)
    n_updates = 0

    def search(level, within_core):
        nonlocal n_updates
        threshold = square_radius * (1.0 + level) * (1.0 + level) - state.height**2
        duplicate = square_radius * (1.0 - (level + 0.5 * level * level))
        row, distance = _farthest_outside(
            core.rows,
            core.draws,
            state.alpha,
            state.gradient,
            state.place,
            core.size,
            state.square + square_radius,
            threshold,
            duplicate,
            within_core,
        )
        if row >= 0:
            state.move(row, distance)
            n_updates += 1
        return row >= 0

    for level in epsilon_levels(epsilon):
        while core.size < core.limit:
            if core.size > _REFINED_SIZE:
                for _ in range(_REFINING_ROUNDS):
                    search(level, True)
            if not search(level, False):
                break
        core.end_level()
    return core.solution(state.alpha[: core.size], state.square, n_updates)


class _State:
    """Weights of the core set, squared norm of the centre, and its extra coordinate `height`.

    `gradient` is Qα of core vectors, in single precision; 0 if it is not known. `place` is the
    position of each row in the core set; −1 outside.
    """

    def __init__(self, core: CoreSet):
        self._core = core
        self.alpha = np.zeros(core.capacity)
        self.gradient = np.zeros(core.capacity, dtype=np.float32)
        self.place = np.full(len(core.is_core), -1)
        self.alpha[0], self.gradient[0], self.place[0] = 1.0, core.largest, 0
        self.square = core.largest
        self.height = math.sqrt(core.largest)

    def move(self, row, distance):
        """Move the centre towards a row until the row is on the ball."""
        core = self._core
        constant = core.largest
        keep = math.sqrt(constant / (distance + self.height**2))
        if self.place[row] < 0:
            core.add(row)
            self.place[row] = core.size - 1
            more = core.capacity - len(self.alpha)
            if more:
                self.alpha = np.pad(self.alpha, (0, more))
                self.gradient = np.pad(self.gradient, (0, more))
        self.alpha[: core.size] *= keep
        self.height *= keep
        self.alpha[self.place[row]] += 1.0 - keep
        self.square = (
            self.square * keep + constant * (1.0 - keep) - distance * (keep * (1.0 - keep))
        )
        gradient = self.gradient[: core.size]
        # Python numbers times single precision would be single precision.
        entries = core.entries(row).astype(np.float64)
        moved = keep * gradient.astype(np.float64) + (1.0 - keep) * entries
        gradient[:] = np.where(gradient != 0, moved, 0.0)


@compiled
def _farthest_outside(
    rows, draws, alpha, gradient, core_place, size, constant, threshold, duplicate, within_core
):
    """Return the farthest row of the first pass that draws a row outside of the ball; else −1.

    The second value is its squared distance from the centre.
    """
    for _ in range(_MOST_PASSES):
        farthest, largest = -1, threshold
        for s in range(SAMPLE_SIZE):
            if within_core:
                row = rows.core[next_number(draws.words, draws.count) % size]
            else:
                row = draw_of_class(draws, 2 * s < SAMPLE_SIZE)
            own = core_place[row]
            if own >= 0 and gradient[own] != 0.0:
                total = np.float64(gradient[own])
            else:
                place = kept_entries(rows, row, size)
                # Off the diagonal no entry of Q exceeds 2.
                if duplicate <= 2.0 and _has_duplicate(rows.kept[place], size, own, duplicate):
                    continue
                total = product(rows, place, alpha, size)
                if own >= 0:
                    gradient[own] = total
            distance = constant - 2.0 * total
            if distance > largest:
                farthest, largest = row, distance
        if farthest >= 0:
            return farthest, largest
    return -1, 0.0


@compiled
def _has_duplicate(entries, size, own, least):
    """Whether an entry of Q other than the row's own is at least `least`."""
    found = False
    for j in range(size):
        found |= j != own and entries[j] >= least
    return found
