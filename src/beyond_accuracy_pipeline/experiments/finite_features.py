"""Find missing or infinite features, which linear classifiers cannot use."""

import numpy as np
import scipy.sparse

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet


def not_finite(data: PreparedDataSet) -> str | None:
    """Return a message with the position of the first NaN or infinite feature, or None."""
    for part, X in (("training", data.X_train), ("test", data.X_test)):
        cell = _first_not_finite(X)
        if cell is not None:
            return (
                f"{data.name}: feature {cell[1]} of {part} row {cell[0]} (counted from 0) is "
                "missing or infinite; linear classifiers need finite features: impute them in the "
                "catalogue"
            )
    return None


def _first_not_finite(X) -> tuple[int, int] | None:
    """Return row and column of the first such cell, row by row, without making X dense."""
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
