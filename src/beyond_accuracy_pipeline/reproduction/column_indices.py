"""Indices of the columns of X that a parameter selects."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike


def column_indices(
    parameter: str, columns: ArrayLike | None, n_features: int, names: Sequence[str] = ()
) -> list[int]:
    """Return the sorted indices of columns that are given as indices, a boolean mask or names.

    None selects no column. `names` are the names of all columns. `parameter` is the name of the
    estimator's parameter, for error messages.
    """
    if columns is None or np.size(columns) == 0:
        return []
    chosen = np.asarray(columns)
    if chosen.dtype.kind in "OUS":
        names = list(names)
        unknown = [str(name) for name in chosen if name not in names]
        if unknown:
            raise ValueError(
                f"{parameter} names {unknown[0]!r}, which is no column of X; "
                f"columns: {', '.join(names) or 'without names'}"
            )
        return sorted(names.index(name) for name in chosen)
    if chosen.dtype == bool:
        if chosen.shape != (n_features,):
            raise ValueError(
                f"{parameter} is a mask of shape {chosen.shape}, expected ({n_features},): one "
                "value for each column of X"
            )
        return np.flatnonzero(chosen).tolist()
    if chosen.dtype.kind not in "iu" or chosen.min() < 0 or chosen.max() >= n_features:
        raise ValueError(
            f"{parameter} must hold indices from 0 to {n_features - 1}, found {chosen.tolist()}"
        )
    return np.unique(chosen).tolist()
