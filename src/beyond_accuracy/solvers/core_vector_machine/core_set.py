"""Core vector machine: the minimum enclosing ball of all examples from a core set of a few.

The L2-SVM with a regularized intercept,

    minimize  ½‖w‖² + ½b² + C/2·Σ max(0, 1 − y_i·f(x_i))²,   f(x) = w·φ(x) + b,

has as dual, up to scale, the minimum enclosing ball of points with the products
k̃_ij = y_i·y_j·(k(x_i, x_j) + 1) + δ_ij/C, if k(x, x) is constant (Tsang, Kwok, Cheung 2005). The
ball of a core set is enlarged by points outside of (1 + ε) times the ball until there are none.
"""

from dataclasses import dataclass

import numpy as np

from beyond_accuracy.solvers.core_vector_machine.normalized_kernel import (
    NormalizedKernel,
    inner_products,
)
from beyond_accuracy.solvers.core_vector_machine.smallest_ball import SmallestBall
from beyond_accuracy.solvers.moments import squared_norms

_BLOCK_VALUES = 2**20
# The farthest points of a search of all are kept, and searched before all are searched again.
_MOST_CANDIDATES = 250
# Of known kernel values at first. A power of 2 would let those of a column evict each other.
_COLUMNS = 312
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
        self.core = np.empty(0, dtype=np.int64)
        self._members, self._buffer = None, np.empty((0, X.shape[1]))

    def kernel_values(self, rows, members=slice(None)):
        """k(x, z), for the given rows and members of the core set.

        What is known is rounded as `rounded_products` says.
        """
        n_members = len(self.core[members])
        if self._columns is None or (self._is_dense and min(len(rows), n_members) == 1):
            return self._computed_values(rows, members)
        values = self._columns.values[rows, : len(self.core)][:, members]
        if self._is_dense and len(rows) % 2:
            values[-1] = self._computed_values(rows[-3:], members)[-1]
        return values

    def _computed_values(self, rows, members):
        core = self.core[members]
        part = self._members[members] if members != slice(None) else self._members
        products = inner_products(self.X[rows], part)
        return self.kernel.of_products(products, self.squares[rows], self.squares[core])

    def add(self, row, tolerance):
        """Let a row join the core set, and enlarge the ball."""
        self._take(row)
        core = self.core
        values = self.kernel_values(np.array([row]))[0]
        products = self.signs[row] * self.signs[core] * (values + 1.0)
        products[-1] = 2.0 + 1.0 / self.C
        self.ball.add(products)
        self.ball.solve(tolerance)
        self._alpha_of_row[core] = self.ball.alpha

    def margins(self, rows, values):
        """Products of the rows' points with the centre, given the rows' kernel values."""
        weights = self.ball.alpha * self.signs[self.core]
        f = values @ weights + weights.sum()
        return self.signs[rows] * f + self._alpha_of_row[rows] / self.C

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
        self.core = np.append(self.core, row)
        n = len(self.core)
        if self._columns is not None:
            self._columns.add(row, n - 1)
        if not self._is_dense:
            self._members = self.X[self.core] if self._columns is None else None
            return
        if n > len(self._buffer):
            self._buffer = np.pad(self._buffer, ((0, max(n - 1, 64)), (0, 0)))
        self._buffer[n - 1] = self.X[row]
        self._members = self._buffer[:n]


class _Columns:
    """Kernel values of all rows with the members of the core set, from known inner products."""

    def __init__(self, products, squares, kernel):
        self._products, self._squares, self._kernel = products, squares, kernel
        self.values = np.empty((len(squares), _COLUMNS))

    def add(self, row, position):
        """Add the column of a member."""
        if position == self.values.shape[1]:
            more = np.empty((len(self.values), 2 * position + 8))
            more[:, :position] = self.values
            self.values = more
        products = self._products[row][:, None].copy()
        values = self._kernel.of_products(products, self._squares, self._squares[row : row + 1])
        self.values[:, position] = values[:, 0]


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

    def slack():
        # 1 + ε times the radius allows margins smaller than the centre's square by this much.
        return (epsilon + 0.5 * epsilon**2) * (constant - core.ball.square)

    def enlarge(row):
        core.add(int(row), _CORE_TOLERANCE * slack())

    def outside(margins):
        return margins < core.ball.square - slack()

    sample_size = min(sample_size, n)
    while core.ball.size < max_core_vectors:
        rows = rng.choice(n, sample_size, replace=False) if sample_size < n else np.arange(n)
        margins = core.margins(rows, core.kernel_values(rows))
        farthest = margins.argmin()
        if outside(margins[farthest]):
            enlarge(rows[farthest])
            continue
        margins = core.all_margins()
        candidates = np.flatnonzero(outside(margins))
        if len(candidates) == 0:
            return _solution(core, margins, converged=True)
        candidates = candidates[np.argsort(margins[candidates], kind="stable")[:_MOST_CANDIDATES]]
        values = core.kernel_values(candidates)
        while core.ball.size < max_core_vectors:
            margins = core.margins(candidates, values)
            farthest = margins.argmin()
            if not outside(margins[farthest]):
                break
            enlarge(candidates[farthest])
            values = np.hstack([values, core.kernel_values(candidates, slice(-1, None))])
    margins = core.all_margins()
    return _solution(core, margins, converged=not outside(margins).any())


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
