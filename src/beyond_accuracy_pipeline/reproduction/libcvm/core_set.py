"""Core set of a core vector machine or ball vector machine, and rows of the matrix Q.

Q_ij = y_i·y_j·(k(x_i, x_j) + 1), and Q_ii = k(x_i, x_i) + 1 + 1/C. As in LibCVM, entries are
computed in double precision, rounded to single precision, and summed in a fixed order, because the
last bit of a sum can decide which row is added next.
"""

from collections import namedtuple
from dataclasses import dataclass

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy_pipeline.reproduction.libcvm.kernels import Kernel, kernel_values
from beyond_accuracy_pipeline.reproduction.matrix_arrays import matrix_arrays

# Rows drawn per pass, as in LibCVM.
SAMPLE_SIZE = 60
_CAPACITY = 512
# Training stops at this size of the core set.
_MOST_CORE_VECTORS = 50_000
# Values of Q that are cached. The number has no effect on results.
_CACHED_VALUES = 2**25
# The random generator has 31 words of 32 bits; its first numbers are discarded.
_N_WORDS = 31
_N_DISCARDED = 310
# Weights up to this share of the mean weight are dropped.
_SMALLEST_WEIGHT = 1e-5

# Arguments of the compiled functions that compute rows of Q. The first four fields describe X:
# dense rows, or the three arrays of a CSR matrix. Fields that do not apply are empty.
Rows = namedtuple(
    "Rows",
    "X data indices indptr squares signs kernel inverse_C "
    "core core_squares core_columns cache cached_rows cached_sizes",
)
# Arguments of the compiled functions that draw rows. `classes` has the rows of class −1 first;
# `n_outside` counts the rows of each class outside the core set.
Draws = namedtuple("Draws", "words count classes n_negative is_core n_outside")


@dataclass(frozen=True)
class Solution:
    """Classifier found by a core vector machine or ball vector machine.

    The decision function is f(x) = Σ_i coefficients[i]·(k(x_i, x) + 1), over the training rows
    `core`. `squared_norm` is the squared norm of the centre of the enclosing ball. `n_drawn` counts
    the random numbers that training drew. `reached_limit` says whether training stopped at the
    largest allowed number of rows.
    """

    core: np.ndarray
    coefficients: np.ndarray
    squared_norm: float
    n_drawn: int
    reached_limit: bool


def epsilon_levels(epsilon: float) -> list[float]:
    """Return the tolerances that training uses in turn: 0.1, halved until it reaches `epsilon`."""
    levels = [0.1]
    while levels[-1] > epsilon:
        levels.append(levels[-1] * 0.5)
    return [*levels[:-1], epsilon]


class CoreSet:
    """Core set of a core vector machine: the training rows that define the classifier.

    The object also draws random training rows and computes entries of the matrix Q. Q_ij is
    y_i·y_j·(k(x_i, x_j) + 1), plus 1/C if i = j. `positive`, bool of shape (n,), marks the positive
    examples. `seed` is the seed of LibCVM's random generator. As in LibCVM, y is +1 for the class
    of the first row.
    """

    def __init__(self, X, positive, kernel: Kernel, C: float, seed: int):
        words, count = start_generator(seed)
        n = len(positive)
        self._flipped = not positive[0]
        self._positive = positive != self._flipped
        n_negative = n - int(self._positive.sum())
        self.max_size = min(_MOST_CORE_VECTORS, n)
        self.size = 0
        self.is_core = np.zeros(n, dtype=np.bool_)
        self.draws = Draws(
            words=words,
            count=count,
            classes=np.argsort(self._positive, kind="stable"),
            n_negative=n_negative,
            is_core=self.is_core,
            n_outside=np.array([n_negative, n - n_negative]),
        )
        dense, data, indices, indptr = matrix_arrays(X)
        self._is_dense = len(dense) > 0
        squares = np.empty(n)
        _write_squares(dense, data, indptr, squares)
        if not np.isfinite(4.0 * squares.max()):
            raise ValueError("squared distances exceed the range of float64; scale the features")
        self._n_features = X.shape[1]
        inverse_C = 1.0 / C
        # The largest diagonal entry of Q.
        self.largest_diagonal = float(np.float32((kernel.largest_value(squares) + 1.0) + inverse_C))
        signs = np.where(self._positive, 1.0, -1.0)
        self.rows = Rows(
            dense, data, indices, indptr, squares, signs, kernel.options, inverse_C, *[None] * 6
        )
        self._allocate(min(_CAPACITY, n))

    def _allocate(self, capacity):
        """Make room for `capacity` core vectors, and empty the cache of kernel-matrix rows."""
        n_cached = max(min(len(self.is_core), _CACHED_VALUES // capacity), 64)
        core = np.zeros(capacity, dtype=np.int64)
        # Columns of dense core vectors; for sparse rows, space to spread one row in.
        core_columns = np.zeros((self._n_features, capacity if self._is_dense else 1))
        if self.size:
            core[: self.size] = self.rows.core[: self.size]
            if self._is_dense:
                core_columns[:, : self.size] = self.rows.core_columns[:, : self.size]
        self.rows = self.rows._replace(
            core=core,
            core_squares=self.rows.squares[core],
            core_columns=core_columns,
            cache=np.empty((n_cached, capacity), dtype=np.float32),
            cached_rows=np.full(n_cached, -1),
            cached_sizes=np.zeros(n_cached, dtype=np.int64),
        )

    @property
    def capacity(self) -> int:
        """Number of core-set rows for which memory is allocated."""
        return len(self.rows.core)

    def add(self, row: int):
        """Add the training row with index `row` to the core set; return `entries(row)`."""
        if self.size == self.capacity:
            self._allocate(min(2 * self.capacity, len(self.is_core)))
        self.rows.core[self.size] = row
        self.rows.core_squares[self.size] = self.rows.squares[row]
        if self._is_dense:
            self.rows.core_columns[:, self.size] = self.rows.X[row]
        self.size += 1
        self.is_core[row] = True
        self.draws.n_outside[int(self._positive[row])] -= 1
        return self.entries(row)

    def entries(self, row: int):
        """Return entries of the matrix Q: row number `row`, in the columns of the core set.

        Q is defined in `CoreSet`. The result, float32 of shape (size,), is a view that later calls
        can overwrite.
        """
        slot = cached_entries(self.rows, row, self.size)
        return self.rows.cache[slot, : self.size]

    def solution(self, alpha, squared_norm: float) -> Solution:
        """Return the classifier for the dual weights `alpha` of the core-set rows.

        Weights up to 1e-5 of the mean weight become 0. `squared_norm` is as in `Solution`.
        """
        core = self.rows.core[: self.size].copy()
        weights = np.where(alpha > _SMALLEST_WEIGHT / self.size, alpha, 0.0)
        coefficients = weights * self.rows.signs[core] / weights.sum()
        if self._flipped:
            coefficients = -coefficients
        return Solution(
            core=core,
            coefficients=coefficients,
            squared_norm=squared_norm,
            n_drawn=int(self.draws.count[0]),
            reached_limit=self.size == self.max_size < len(self.is_core),
        )


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
def cached_entries(rows, row, size):
    """Return the slot of `rows.cache` with the entries of training row `row` in the matrix Q.

    Missing entries are computed. `rows.cache[slot, :size]` has the entries with the first `size`
    rows of the core set. `rows` are the arrays of a `CoreSet`.
    """
    slot = row % len(rows.cache)
    if rows.cached_rows[slot] != row:
        rows.cached_rows[slot] = row
        rows.cached_sizes[slot] = 0
    start = rows.cached_sizes[slot]
    if start < size:
        _write_entries(rows, row, start, size, rows.cache[slot])
        rows.cached_sizes[slot] = size
    return slot


@compiled
def _write_entries(rows, row, start, stop, out):
    """Write the entries in Q of a training row to `out`, for core vectors `start` to `stop`."""
    values = np.zeros(stop - start)
    if len(rows.X):
        _add_products(rows.X[row], rows.core_columns, start, values)
    else:
        for k in range(rows.indptr[row], rows.indptr[row + 1]):
            rows.core_columns[rows.indices[k], 0] = rows.data[k]
        for j in range(len(values)):
            member, total = rows.core[start + j], 0.0
            for k in range(rows.indptr[member], rows.indptr[member + 1]):
                total += rows.data[k] * rows.core_columns[rows.indices[k], 0]
            values[j] = total
        for k in range(rows.indptr[row], rows.indptr[row + 1]):
            rows.core_columns[rows.indices[k], 0] = 0.0
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
def _add_products(x, core_columns, start, values):
    """Add to `values` the inner products of x and core vectors, summed in the features' order."""
    n_features, stop = len(x), start + len(values)
    # Four features at a time, which reads and writes each sum once.
    whole = n_features // 4 * 4
    for k in range(0, whole, 4):
        a, b, c, d = x[k], x[k + 1], x[k + 2], x[k + 3]
        first, second = core_columns[k, start:stop], core_columns[k + 1, start:stop]
        third, fourth = core_columns[k + 2, start:stop], core_columns[k + 3, start:stop]
        for j in range(len(values)):
            total = values[j] + a * first[j]
            total = total + b * second[j]
            total = total + c * third[j]
            values[j] = total + d * fourth[j]
    for k in range(whole, n_features):
        for j in range(len(values)):
            values[j] += x[k] * core_columns[k, start + j]


@compiled
def gradient_entry(rows, slot, alpha, size):
    """Return the inner product of `rows.cache[slot]` and `alpha`, over the first `size` entries.

    Terms are added from left to right, as in LibCVM.
    """
    entries, total = rows.cache[slot], 0.0
    for j in range(size):
        total += entries[j] * alpha[j]
    return total


@compiled
def draw_row(draws, positive_class):
    """Return the index of a random training row, of class +1 if `positive_class`, otherwise −1.

    `draws` has the rows of both classes and the state of the random generator, which is updated.
    """
    number, classes = next_number(draws.words, draws.count), draws.classes
    if positive_class:
        return classes[draws.n_negative + number % (len(classes) - draws.n_negative)]
    return classes[number % draws.n_negative]


@compiled
def draw_outside(draws, positive_class):
    """Return the index of a random training row that is not in the core set.

    The row is of class +1 if `positive_class`, otherwise of class −1. If the core set has all rows
    of this class, the row is of the other class. `draws` is as in `draw_row`.
    """
    if draws.n_outside[1 if positive_class else 0] == 0:
        positive_class = not positive_class
    while True:
        row = draw_row(draws, positive_class)
        if not draws.is_core[row]:
            return row


def start_generator(seed: int):
    """Return the initial state (words, count) of LibCVM's random generator for a seed.

    `count` is the number of random numbers drawn.
    """
    words = [seed % 2**32]
    while len(words) < _N_WORDS:
        words.append((1103515145 * words[-1] + 12345) % 2**32)
    state = np.array(words, dtype=np.uint32), np.array([-_N_DISCARDED])
    for _ in range(_N_DISCARDED):
        next_number(*state)
    return state


@compiled
def next_number(words, count):
    """Return the next random integer from 0 to 2³¹ − 1 of LibCVM's random generator.

    `words` and `count`, the generator's state, are updated in place.
    """
    position = (count[0] + 3) % 31
    word = np.uint32(words[position] + words[(position + 28) % 31])
    words[position] = word
    count[0] += 1
    return np.int64(word) >> 1
