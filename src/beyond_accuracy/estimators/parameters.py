"""Types of the data that estimators take."""

import numpy.typing
import scipy.sparse

ArrayLike = numpy.typing.ArrayLike
# Type of X: dense or sparse.
MatrixLike = numpy.typing.ArrayLike | scipy.sparse.sparray | scipy.sparse.spmatrix

SMALLEST_C = 1e-100
"""Smallest C of solvers that compute 1/C, n/C or their squares, which overflow far below."""
