"""Core vector machine: the minimum enclosing ball of all examples from a core set of a few.

The L2-SVM with a regularized intercept,

    minimize  ½‖w‖² + ½b² + C/2·Σ max(0, 1 − y_i·f(x_i))²,   f(x) = w·φ(x) + b,

has as dual, up to scale, the minimum enclosing ball of points with the products
k̃_ij = y_i·y_j·(k(x_i, x_j) + 1) + δ_ij/C, if k(x, x) is constant (Tsang, Kwok, Cheung 2005). The
ball of a core set is enlarged by points outside of (1 + ε) times the ball until there are none.
"""

from dataclasses import dataclass

import numpy as np

from beyond_accuracy.compilation import compiled
from beyond_accuracy.solvers.core_vector_machine.normalized_kernel import (
    NormalizedKernel,
    inner_products,
)
from beyond_accuracy.solvers.core_vector_machine.smallest_ball import SmallestBall
from beyond_accuracy.solvers.moments import squared_norms

_BLOCK_VALUES = 2**20
# The farthest points of a search of all are kept, and searched before all are searched again.
_MOST_CANDIDATES = 250
# Of known kernel values a row has so many beside each other. A power of 2 would let those of a
# column evict each other.
_COLUMNS = 264
# So many are written at once, as a line of the cache to each row.
_LINE = 8
# By far more than margins of differently rounded products differ, far less than margins do.
_ROUNDING = 1e-6
# Share of the ball's slack that the ball of the core set itself may be off by.
_CORE_TOLERANCE = 0.05


@dataclass(frozen=True)
class BallSolution:
    """The classifier of a core set.

    Attributes
    ----------
    core : array of int64, shape (m,)
        Rows of the core set, in the order in which they came.
    coefficients : ndarray, shape (m,)
        y_i·α_i/‖centre‖²: f(x) = Σ coefficients_i·k(x_i, x) + intercept.
    intercept : float
        Sum of the coefficients.
    radius : float
        Of the core set's ball; all points lie within (1 + ε) times it if `converged`.
    objective, dual_objective : float
        Value of the L2-SVM above, and a lower bound of its minimum.
    converged : bool
        False if the core set has reached its largest size.
    """

    core: np.ndarray
    coefficients: np.ndarray
    intercept: float
    radius: float
    objective: float
    dual_objective: float
    converged: bool


class _CoreSet:
    """The ball of the core set, and the margins y·f of other rows with respect to its centre."""

    def __init__(self, X, signs, kernel, C, products):
        self.X, self.signs, self.kernel, self.C = X, signs, kernel, C
        self.squares = squared_norms(X)
        self._is_dense = isinstance(X, np.ndarray)
        self._columns = None if products is None else _Columns(products, self.squares, kernel)
        self.ball = SmallestBall()
        self._alpha_of_row = np.zeros(len(signs))
        self.core = self._rows = np.empty(0, dtype=np.int64)
        self._members, self._buffer = None, np.empty((0, X.shape[1]))

    def kernel_values(self, rows):
        """k(x, z), for the given rows and the members of the core set.

        Known products are those of an even number of dense rows: for the last of an odd number, and
        for a single one, BLAS has other sums.
        """
        if self._columns is None or (self._is_dense and len(rows) == 1):
            return self._computed_values(rows)
        values = self._columns.values(rows)
        if self._is_dense and len(rows) % 2:
            values[-1] = self._computed_values(rows[-3:])[-1]
        return values

    def _computed_values(self, rows):
        products = inner_products(self.X[rows], self._members)
        return self.kernel.of_products(products, self.squares[rows], self.squares[self.core])

    def values_with_last(self, rows, X):
        """k(x, z), for the given rows, which are `X`, and the member that came last."""
        if self._columns is not None and not self._is_dense:
            return self._columns.last[rows]
        last = self.core[-1:]
        products = inner_products(X, self._members[-1:])
        return self.kernel.of_products(products, self.squares[rows], self.squares[last])[:, 0]

    def add(self, row, tolerance):
        """Let a row join the core set, and enlarge the ball."""
        self._take(row)
        core = self.core
        products = self.kernel_values(core[-1:])[0]
        products += 1.0
        products *= self._signs
        products *= self.signs[row]
        products[-1] = 2.0 + 1.0 / self.C
        self.ball.add(products)
        self.ball.solve(tolerance)
        self._alpha_of_row[core] = self.ball.alpha
        self._weights = self.ball.alpha * self._signs
        self._sum_of_weights = self._weights.sum()

    def margins(self, rows, values):
        """Products of the rows' points with the centre, given the rows' kernel values."""
        f = values @ self._weights + self._sum_of_weights
        return self.signs[rows] * f + self._alpha_of_row[rows] / self.C

    def farthest(self, rows):
        """Position, and margin, of the row whose point is farthest from the centre."""
        if self._columns is None or len(rows) < 3:
            margins = self.margins(rows, self.kernel_values(rows))
        else:
            values = self._columns.values(rows)
            margins = self.margins(rows, values)
            # The last one's own rounding only matters where it may be the farthest.
            if self._is_dense and len(rows) % 2 and margins[-1] < margins[:-1].min() + _ROUNDING:
                margins = self.margins(rows, self.kernel_values(rows))
        farthest = margins.argmin()
        return farthest, margins[farthest]

    def all_margins(self):
        """Margins of all rows, in blocks."""
        n = len(self.signs)
        margins = np.empty(n)
        step = max(_BLOCK_VALUES // len(self.core), 1)
        for start in range(0, n, step):
            rows = np.arange(start, min(start + step, n))
            margins[rows] = self.margins(rows, self.kernel_values(rows))
        return margins

    def _take(self, row):
        n = len(self.core) + 1
        if n > len(self._rows):
            more = max(n - 1, 64)
            self._rows = np.pad(self._rows, (0, more))
            self._buffer = np.pad(self._buffer, ((0, more if self._is_dense else 0), (0, 0)))
        self._rows[n - 1] = row
        self.core = self._rows[:n]
        self._signs = self.signs[self.core]
        if self._columns is not None:
            self._columns.add(row)
        if self._is_dense:
            self._buffer[n - 1] = self.X[row]
            self._members = self._buffer[:n]
        elif self._columns is None:
            self._members = self.X[self.core]


class _Columns:
    """Kernel values of all rows with the members of the core set, from known inner products."""

    def __init__(self, products, squares, kernel):
        self._products, self._squares, self._kernel = products, squares, kernel
        # Memory that is not written to is not taken.
        self._blocks = np.empty((2, len(squares), _COLUMNS))
        self._latest = np.empty((_LINE, len(squares)))
        self._size = 0

    @property
    def last(self):
        """Kernel values of all rows with the member that came last."""
        return self._latest[(self._size - 1) % _LINE]

    def add(self, row):
        """Add the column of a member."""
        lane = self._size % _LINE
        if lane == 0 and self._size > 0:
            block, start = divmod(self._size - _LINE, _COLUMNS)
            if block == len(self._blocks):
                self._blocks = np.concatenate([self._blocks, np.empty_like(self._blocks)])
            _transpose(self._latest, self._blocks[block], start)
        own = slice(row, row + 1)
        products, values = self._products[own], self._latest[lane : lane + 1]
        self._kernel.write_values(products, self._squares[own], self._squares, values, True)
        self._size += 1

    def values(self, rows):
        """Kernel values of rows with all members, shape (n, m)."""
        values = np.empty((len(rows), self._size))
        _gather(self._blocks, self._latest, rows, values)
        return values


@compiled
def _transpose(lines, out, start):
    for i in range(lines.shape[1]):
        for j in range(len(lines)):
            out[i, start + j] = lines[j, i]


@compiled
def _gather(blocks, latest, rows, values):
    m, width = values.shape[1], blocks.shape[2]
    n_written = (m - 1) // len(latest) * len(latest)
    for i in range(len(rows)):
        row = rows[i]
        for start in range(0, n_written, width):
            stop = min(start + width, n_written)
            values[i, start:stop] = blocks[start // width, row, : stop - start]
        for j in range(n_written, m):
            values[i, j] = latest[j - n_written, row]


def solve_ball(
    X,
    positive,
    kernel: NormalizedKernel,
    *,
    C=1.0,
    epsilon=1e-3,
    sample_size=59,
    max_core_vectors=5000,
    seed=0,
    products=None,
) -> BallSolution:
    """Find the ball of all rows' points within a factor 1 + ε.

    Parameters
    ----------
    X : ndarray or CSR matrix, shape (n, d), float64
    positive : array of bool, shape (n,)
        Both values must occur.
    kernel : NormalizedKernel
    C : float, default 1
        Weight of the squared slacks, twice that of the usual squared hinge loss.
    epsilon : float, default 1e-3
    sample_size : int, default 59
        Points among which the farthest is searched; with 59 it is among the farthest 5 % of all
        with a probability of 95 %. When no point of a sample is outside, all points are searched,
        so that the end is certain.
    max_core_vectors : int, default 5000
        Memory is 8 to 32 bytes times its square.
    seed : int, default 0
    products : ndarray, shape (n, n), optional
        `all_products` of X and X, if they are known; the result is the same.
    """
    rng = np.random.default_rng(seed)
    signs = np.where(positive, 1.0, -1.0)
    n = len(signs)
    core = _CoreSet(X, signs, kernel, C, products)
    constant = 2.0 + 1.0 / C
    for members in (np.flatnonzero(positive), np.flatnonzero(~positive)):
        core.add(int(rng.choice(members)), 0.0)

    def bound():
        # 1 + ε times the radius allows margins smaller than the centre's square by the slack.
        square = core.ball.square
        slack = (epsilon + 0.5 * epsilon**2) * (constant - square)
        return square - slack, _CORE_TOLERANCE * slack

    sample_size = min(sample_size, n)
    least, tolerance = bound()
    while core.ball.size < max_core_vectors:
        rows = rng.choice(n, sample_size, replace=False) if sample_size < n else np.arange(n)
        farthest, margin = core.farthest(rows)
        if margin < least:
            core.add(int(rows[farthest]), tolerance)
            least, tolerance = bound()
            continue
        margins = core.all_margins()
        candidates = np.flatnonzero(margins < least)
        if len(candidates) == 0:
            return _solution(core, margins, converged=True)
        candidates = candidates[np.argsort(margins[candidates], kind="stable")[:_MOST_CANDIDATES]]
        X_candidates, values = X[candidates], core.kernel_values(candidates)
        while core.ball.size < max_core_vectors:
            margins = core.margins(candidates, values)
            farthest = margins.argmin()
            if not margins[farthest] < least:
                break
            core.add(int(candidates[farthest]), tolerance)
            least, tolerance = bound()
            last = core.values_with_last(candidates, X_candidates)
            values = np.column_stack([values, last])
    margins = core.all_margins()
    return _solution(core, margins, converged=not (margins < least).any())


def _solution(core, margins, converged):
    square = core.ball.square
    alpha, signs = core.ball.alpha, core.signs[core.core]
    f = margins.copy()
    f[core.core] -= alpha / core.C
    squared_norm = square - float(alpha @ alpha) / core.C
    losses = np.maximum(1.0 - f / square, 0.0)
    objective = 0.5 * squared_norm / square**2 + 0.5 * core.C * float(losses @ losses)
    coefficients = signs * alpha / square
    return BallSolution(
        core=core.core,
        coefficients=coefficients,
        intercept=float(coefficients.sum()),
        radius=float(np.sqrt(2.0 + 1.0 / core.C - square)),
        objective=objective,
        dual_objective=0.5 / square,
        converged=converged,
    )
