"""Types of the data that estimators take, and checks of their parameters."""

import numpy as np
import numpy.typing
import scipy.sparse

ArrayLike = numpy.typing.ArrayLike
# Type of X: dense or sparse.
MatrixLike = numpy.typing.ArrayLike | scipy.sparse.sparray | scipy.sparse.spmatrix

SMALLEST_C = 1e-100
"""Smallest C of solvers that compute 1/C, n/C or their squares, which overflow far below."""


def candidates_of_C(C: ArrayLike) -> np.ndarray:
    """Return the distinct values of C, one number or several, ascending, shape (n_candidates,).

    Raises ValueError unless every value is finite and at least `SMALLEST_C`.
    """
    candidates = np.atleast_1d(np.asarray(C, dtype=np.float64))
    if candidates.ndim != 1 or not ((candidates > 0) & np.isfinite(candidates)).all():
        raise ValueError(f"C must be a number or a list of numbers, above 0; found {C!r}")
    if (candidates < SMALLEST_C).any():
        raise ValueError(
            f"C holds {candidates.min():g}; every value must be at least {SMALLEST_C:g}, far "
            "below which quotients by it overflow"
        )
    if not len(candidates):
        raise ValueError("C holds no number; give at least one")
    return np.unique(candidates)
