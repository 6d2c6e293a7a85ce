"""Find missing or infinite features, which linear classifiers cannot use."""

import numpy as np
import scipy.sparse

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet


def describe_nonfinite(data: PreparedDataSet) -> str | None:
    """Find the first NaN or infinite feature in the training part, then in the test part.

    Return a message with its row and column, or None if all features are finite.
    """
    for part, X in (("training", data.X_train), ("test", data.X_test)):
        cell = _first_nonfinite_cell(X)
        if cell is not None:
            return (
                f"{data.name}: feature {cell[1]} of {part} row {cell[0]} (counted from 0) is "
                "missing or infinite; linear classifiers need finite features: impute them in the "
                "catalogue"
            )
    return None


def _first_nonfinite_cell(X) -> tuple[int, int] | None:
    """Return (row, column) of the first NaN or infinite cell, row by row; None if all are finite.

    A sparse matrix stays sparse.
    """
    if scipy.sparse.issparse(X):
        cells = X.tocoo()
        damaged = ~np.isfinite(cells.data)
        rows, columns = cells.row[damaged], cells.col[damaged]
    else:
        rows, columns = np.nonzero(~np.isfinite(X))
    if not len(rows):
        return None
    first = np.lexsort((columns, rows))[0]
    return int(rows[first]), int(columns[first])
