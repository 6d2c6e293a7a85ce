"""What a solver returns: the solution, its certificate, and how it was reached."""

from dataclasses import dataclass, field

import numpy as np

# Beyond it C times a loss in percent overflows.
_LARGEST_C = 1e300


def check_regularization(C):
    """Raise ValueError unless C is a number above 0 and at most 1e300."""
    if not 0 < C <= _LARGEST_C:
        raise ValueError(f"C must be a number above 0 and at most {_LARGEST_C:g}, found {C!r}")


@dataclass(frozen=True)
class Iteration:
    """State after an iteration: number, seconds since the start, best primal and best dual."""

    iteration: int
    seconds: float
    primal: float
    dual: float


@dataclass(frozen=True)
class Solution:
    """Result of one minimization.

    Attributes
    ----------
    w : ndarray, shape (d + 1,)
        Coefficients, the intercept last.
    objective : float
        Primal value.
    dual_objective : float
        A lower bound of the primal.
    n_iter, n_searches : int
        Iterations, and evaluations of the loss (searches for a most violated labelling).
    converged : bool
        True if the duality gap is within the tolerance.
    history : list of Iteration
    """

    w: np.ndarray
    objective: float
    dual_objective: float
    n_iter: int
    n_searches: int
    converged: bool
    history: list[Iteration] = field(repr=False)

    @property
    def dual_gap(self) -> float:
        """Relative duality gap (primal − dual) / primal; 0 if the primal is 0."""
        if self.objective <= 0:
            return 0.0
        return max(self.objective - self.dual_objective, 0.0) / self.objective
