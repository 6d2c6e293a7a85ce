"""Types of the data that estimators take, and checks of their parameters."""

import numpy as np
import numpy.typing
import scipy.sparse

ArrayLike = numpy.typing.ArrayLike
# Type of X: dense or sparse.
MatrixLike = numpy.typing.ArrayLike | scipy.sparse.sparray | scipy.sparse.spmatrix

SMALLEST_C = 1e-100
"""Smallest C of solvers that compute 1/C, n/C or their squares, which overflow far below."""


def several_numbers(
    name: str, values: ArrayLike, lowest: float, highest: float = np.inf
) -> np.ndarray:
    """Return one number or several as an array, shape (m,).

    Raises ValueError, which names the parameter, unless lowest < value < highest for all values.
    """
    numbers = np.atleast_1d(np.asarray(values, dtype=np.float64))
    if numbers.ndim != 1 or len(numbers) == 0:
        raise ValueError(f"{name} must be one number or a list of at least one, found {values!r}")
    for value in numbers:
        if not lowest < value < highest:
            limits = f"above {lowest:g} and below {highest:g}"
            raise ValueError(f"{name} holds {value:g}; every value must be {limits}")
    return numbers
