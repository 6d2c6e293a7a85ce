"""Tables that take far more memory than the file that stands for them."""

import numpy as np
import scipy.sparse as sp

from beyond_accuracy.datasets.errors import ParseError

_LARGEST_RATIO = 200
_ALWAYS_ALLOWED = 2**26
_NUMBER = 8


def check_expansion(found: str, size: int, file_size: int, location: str, advice: str) -> None:
    """Raise ParseError if `size` bytes in memory exceed 64 MiB and 200 times those of the file."""
    largest = max(_ALWAYS_ALLOWED, _LARGEST_RATIO * file_size)
    if size > largest:
        found = f"{found}, {size} bytes in memory, in {file_size}"
        raise ParseError(location, None, found, f"at most {largest} bytes in memory; {advice}")


def as_dense(matrix: sp.csr_matrix, file_size: int, location: str) -> np.ndarray:
    """A sparse matrix as an array. Raises ParseError if its zeros would take too much memory."""
    n_rows, n_columns = matrix.shape
    found = f"{n_rows} rows of {n_columns} columns, nearly all of them 0"
    advice = "with the parser option `dense: false` the matrix remains sparse"
    check_expansion(found, _NUMBER * n_rows * n_columns, file_size, location, advice)
    return matrix.toarray()
