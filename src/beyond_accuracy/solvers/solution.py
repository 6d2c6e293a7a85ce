"""What a solver returns: the solution, its certificate, and how it was reached."""

from dataclasses import dataclass, field

import numpy as np


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
        """Relative duality gap (primal − dual) / primal; 0 if both are 0."""
        if self.objective <= 0:
            return 0.0
        return max(self.objective - self.dual_objective, 0.0) / self.objective
