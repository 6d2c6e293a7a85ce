"""The core set of a core vector machine or ball vector machine, with rows of its matrix Q.

Q_ij = y_i·y_j·(k(x_i, x_j) + 1), and Q_ii = k(x_i, x_i) + 1 + 1/C. As in LibCVM, entries are
computed in double precision, rounded to single precision and summed in a fixed order: the last bit
of a sum can decide which row comes next.
"""

from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import scipy.sparse

from beyond_accuracy.compilation import compiled
from beyond_accuracy_pipeline.reproduction.libcvm.kernels import Kernel, kernel_values
from beyond_accuracy_pipeline.reproduction.libcvm.random_numbers import (
    Generator,
    RandomNumbers,
    next_number,
)

# Rows drawn per pass, as in LibCVM.
SAMPLE_SIZE = 60
_CAPACITY = 512
# Values of Q that are kept. The number has no effect on results.
_KEPT_VALUES = 2**25
FIRST_EPSILON = 0.1
# Weights up to this share of the mean weight are dropped.
_SMALLEST_WEIGHT = 1e-5

# Arguments of the compiled functions that compute rows of Q. The first four fields describe X:
# dense rows, or the three arrays of a CSR matrix. Fields that do not apply are empty.
Rows = namedtuple(
    "Rows",
    "X data indices indptr squares signs kernel inverse_C "
    "core core_squares members kept kept_rows kept_sizes",
)
# Arguments of the compiled functions that draw rows. `classes` has the rows of class −1 first;
# `n_outside` counts the rows of each class outside the core set.
Draws = namedtuple("Draws", "words count classes n_negative is_core n_outside")


@dataclass(frozen=True)
class Solution:
    """The classifier of a core set, and how it was found.

    Attributes
    ----------
    core : array of int64, shape (m,)
        Rows of the core set, in the order in which they were added.
    coefficients : ndarray, shape (m,)
        LibCVM's f(x) is Σ coefficients_i·k(x_i, x) + intercept, positive for the positive class.
    intercept : float
        Sum of the coefficients.
    square : float
        N, the squared norm of the ball's centre.
    level_sizes, level_draws : list of int
        Size of the core set and random numbers drawn at the end of each level of epsilon.
    n_steps : int
        Steps of the solver on the core set, or updates of the ball.
    reached_limit : bool
        Whether the core set has reached its largest size.
    """

    core: np.ndarray
    coefficients: np.ndarray
    intercept: float
    square: float
    level_sizes: list[int]
    level_draws: list[int]
    n_steps: int
    reached_limit: bool


def epsilon_levels(epsilon: float) -> list[float]:
    """Return the levels that epsilon falls through: 0.1, then half each time, then `epsilon`."""
    levels = [FIRST_EPSILON]
    while levels[-1] > epsilon:
        levels.append(levels[-1] * 0.5)
    return [*levels[:-1], epsilon]


class CoreSet:
    """Rows of the core set, entries of Q with them, and the random draws of other rows.

    The class of the first row is +1, as in LibCVM. Rows keep their
    numbers, while LibCVM puts all rows of class +1 first.
    """

    def __init__(
        self, X, positive, kernel: Kernel, C: float, limit: int, seed: int, generator: Generator
    ):
        self.numbers = RandomNumbers(seed, generator)
        n = len(positive)
        self._flipped = not positive[0]
        self._positive = positive != self._flipped
        n_negative = n - int(self._positive.sum())
        self.limit = min(limit, n)
        self.size = 0
        self.is_core = np.zeros(n, dtype=np.bool_)
        self.draws = Draws(
            words=self.numbers.words,
            count=self.numbers.count,
            classes=np.argsort(self._positive, kind="stable"),
            n_negative=n_negative,
            is_core=self.is_core,
            n_outside=np.array([n_negative, n - n_negative]),
        )
        self.level_sizes: list[int] = []
        self.level_draws: list[int] = []
        dense, data, indices, indptr = _parts(X)
        self._is_dense = len(dense) > 0
        squares = np.empty(n)
        _write_squares(dense, data, indptr, squares)
        if not np.isfinite(4.0 * squares.max()):
            raise ValueError("squared distances exceed the range of float64; scale the features")
        self._n_features = X.shape[1]
        inverse_C = 1.0 / C
        # The largest diagonal entry of Q.
        self.largest = float(np.float32((kernel.largest_value(squares) + 1.0) + inverse_C))
        signs = np.where(self._positive, 1.0, -1.0)
        self.rows = Rows(
            dense, data, indices, indptr, squares, signs, kernel.options, inverse_C, *[None] * 6
        )
        self._allocate(min(_CAPACITY, n))

    def _allocate(self, capacity):
        """Make room for so many core vectors; kept rows of Q are forgotten."""
        n_kept = max(min(len(self.is_core), _KEPT_VALUES // capacity), 64)
        core = np.zeros(capacity, dtype=np.int64)
        # Columns of dense core vectors; for sparse rows, space to spread one row in.
        members = np.zeros((self._n_features, capacity if self._is_dense else 1))
        if self.size:
            core[: self.size] = self.rows.core[: self.size]
            if self._is_dense:
                members[:, : self.size] = self.rows.members[:, : self.size]
        self.rows = self.rows._replace(
            core=core,
            core_squares=self.rows.squares[core],
            members=members,
            kept=np.empty((n_kept, capacity), dtype=np.float32),
            kept_rows=np.full(n_kept, -1),
            kept_sizes=np.zeros(n_kept, dtype=np.int64),
        )

    @property
    def capacity(self) -> int:
        """Number of core vectors that there is room for."""
        return len(self.rows.core)

    def add(self, row: int):
        """Add a row to the core set, and return its row of Q, with itself last."""
        if self.size == self.capacity:
            self._allocate(min(2 * self.capacity, len(self.is_core)))
        self.rows.core[self.size] = row
        self.rows.core_squares[self.size] = self.rows.squares[row]
        if self._is_dense:
            self.rows.members[:, self.size] = self.rows.X[row]
        self.size += 1
        self.is_core[row] = True
        self.draws.n_outside[int(self._positive[row])] -= 1
        return self.entries(row)

    def entries(self, row: int):
        """Return the row of Q with all core vectors, shape (size,), float32."""
        place = kept_entries(self.rows, row, self.size)
        return self.rows.kept[place, : self.size]

    def end_level(self):
        """Note the state at the end of a level of epsilon."""
        self.level_sizes.append(self.size)
        self.level_draws.append(self.numbers.n_drawn)

    def solution(self, alpha, square: float, n_steps: int) -> Solution:
        """Return the classifier of these weights, with the sign of the given labels."""
        core = self.rows.core[: self.size].copy()
        weights = np.where(alpha > _SMALLEST_WEIGHT / self.size, alpha, 0.0)
        coefficients = weights * self.rows.signs[core] / weights.sum()
        if self._flipped:
            coefficients = -coefficients
        return Solution(
            core=core,
            coefficients=coefficients,
            intercept=float(coefficients.sum()),
            square=square,
            level_sizes=self.level_sizes,
            level_draws=self.level_draws,
            n_steps=n_steps,
            reached_limit=self.size == self.limit < len(self.is_core),
        )


def _parts(X):
    """Return X and an empty CSR matrix, or no rows and the three arrays of a CSR matrix."""
    if not scipy.sparse.issparse(X):
        none = np.zeros(0, dtype=np.int64)
        return np.ascontiguousarray(X), np.zeros(0), none, none
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return np.zeros((0, 0)), X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)


@compiled
def _write_squares(X, data, indptr, squares):
    for i in range(len(squares)):
        total = 0.0
        if len(X):
            for k in range(X.shape[1]):
                total += X[i, k] * X[i, k]
        else:
            for k in range(indptr[i], indptr[i + 1]):
                total += data[k] * data[k]
        squares[i] = total


@compiled
def kept_entries(rows, row, size):
    """Compute the entries of Q of a row with `size` core vectors; return their place in `kept`."""
    place = row % len(rows.kept)
    if rows.kept_rows[place] != row:
        rows.kept_rows[place] = row
        rows.kept_sizes[place] = 0
    start = rows.kept_sizes[place]
    if start < size:
        _write_entries(rows, row, start, size, rows.kept[place])
        rows.kept_sizes[place] = size
    return place


@compiled
def _write_entries(rows, row, start, stop, out):
    values = np.zeros(stop - start)
    if len(rows.X):
        _add_products(rows.X[row], rows.members, start, values)
    else:
        for k in range(rows.indptr[row], rows.indptr[row + 1]):
            rows.members[rows.indices[k], 0] = rows.data[k]
        for j in range(len(values)):
            member, total = rows.core[start + j], 0.0
            for k in range(rows.indptr[member], rows.indptr[member + 1]):
                total += rows.data[k] * rows.members[rows.indices[k], 0]
            values[j] = total
        for k in range(rows.indptr[row], rows.indptr[row + 1]):
            rows.members[rows.indices[k], 0] = 0.0
    number, gamma, degree, coef0 = rows.kernel
    squares = rows.core_squares[start:stop]
    kernel_values(values, rows.squares[row], squares, number, gamma, degree, coef0)
    sign = rows.signs[row]
    for j in range(len(values)):
        member = rows.core[start + j]
        value = sign * rows.signs[member] * (values[j] + 1.0)
        if member == row:
            # The normalized polynomial is 1 also where its formula is 0/0.
            value = (1.0 if number < 5 else values[j]) + 1.0 + rows.inverse_C
        out[start + j] = value


@compiled
def _add_products(x, members, start, values):
    """Add x·z for columns z of `members`, each summed from its first feature to its last."""
    n_features, stop = len(x), start + len(values)
    # Four features at a time, which reads and writes each sum once.
    whole = n_features // 4 * 4
    for k in range(0, whole, 4):
        a, b, c, d = x[k], x[k + 1], x[k + 2], x[k + 3]
        first, second = members[k, start:stop], members[k + 1, start:stop]
        third, fourth = members[k + 2, start:stop], members[k + 3, start:stop]
        for j in range(len(values)):
            total = values[j] + a * first[j]
            total = total + b * second[j]
            total = total + c * third[j]
            values[j] = total + d * fourth[j]
    for k in range(whole, n_features):
        for j in range(len(values)):
            values[j] += x[k] * members[k, start + j]


@compiled
def product(rows, place, alpha, size):
    """Return Σ Q_lj·α_j over the core set, from left to right."""
    entries, total = rows.kept[place], 0.0
    for j in range(size):
        total += entries[j] * alpha[j]
    return total


@compiled
def draw_of_class(draws, of_positive):
    """Draw a row of one class."""
    number, classes = next_number(draws.words, draws.count), draws.classes
    if of_positive:
        return classes[draws.n_negative + number % (len(classes) - draws.n_negative)]
    return classes[number % draws.n_negative]


@compiled
def draw_outside(draws, of_positive):
    """Draw a row outside the core set, of one class; if it has none left, of the other class."""
    if draws.n_outside[1 if of_positive else 0] == 0:
        of_positive = not of_positive
    while True:
        row = draw_of_class(draws, of_positive)
        if not draws.is_core[row]:
            return row
