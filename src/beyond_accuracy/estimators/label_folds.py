"""Folds of label vectors, with the positives of every label spread over the folds."""

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state


def label_folds(
    Y: NDArray[np.integer], n_folds: int, random_state: int | np.random.RandomState | None = 0
) -> NDArray[np.int64]:
    """Return the fold of each row, shape (n,), from 0 to n_folds − 1, by iterative stratification.

    The positives of every label in Y, shape (n, m), are spread over the folds. Rows are assigned
    label by label, beginning with the rarest label, in random order. Each row goes to the fold that
    lacks most positives of the label. So a label with as many positives as folds has one in most
    folds. This takes O(n·m + n·n_folds).

    Raises ValueError if there are fewer rows than folds.

    References
    ----------
    K. Sechidis, G. Tsoumakas, I. Vlahavas, On the Stratification of Multi-label Data, ECML PKDD
    2011. https://doi.org/10.1007/978-3-642-23808-6_10
    """
    n, m = Y.shape
    if n < n_folds:
        raise ValueError(f"{n_folds} folds need as many rows, found {n}; lower cv")
    random = check_random_state(random_state)
    order = random.permutation(n)
    Y = Y[order].astype(np.int64)
    remaining = Y.sum(axis=0)
    # Positives per label, and rows, that each fold still lacks.
    wanted = np.tile(remaining / n_folds, (n_folds, 1))
    rows_wanted = np.full(n_folds, n / n_folds)
    fold = np.full(n, -1, dtype=np.int64)

    def assign(row, most):
        best = np.flatnonzero(most >= most.max() - 1e-9)
        best = best[np.argmax(rows_wanted[best])]
        fold[row] = best
        wanted[best] -= Y[row]
        rows_wanted[best] -= 1

    while remaining.any():
        rarest = np.argmin(np.where(remaining > 0, remaining, n + 1))
        for row in np.flatnonzero((fold < 0) & (Y[:, rarest] == 1)):
            assign(row, wanted[:, rarest])
            remaining -= Y[row]
    for row in np.flatnonzero(fold < 0):
        assign(row, rows_wanted)
    folds = np.empty(n, dtype=np.int64)
    folds[order] = fold
    return folds
