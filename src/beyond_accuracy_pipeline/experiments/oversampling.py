"""Oversample the smaller class by SMOTE, as a baseline."""

from typing import Literal

import numpy as np


def oversample(X, positive, method: Literal["smote"] | None, seed: int):
    """Return (X, positive), with the smaller class oversampled to the size of the other.

    SMOTE (Chawla et al. 2002), implemented by imbalanced-learn, places a new example between an
    example and one of its five nearest neighbours in the smaller class. If this class has fewer
    than six examples, all its other examples count as neighbours. If it has fewer than two, or if
    `method` is None, nothing is changed. X is an array or a CSR matrix, shape (n, d), and
    `positive` is bool, shape (n,).
    """
    members = int(min(positive.sum(), (~positive).sum()))
    if method is None or members < 2:
        return X, positive
    from imblearn.over_sampling import SMOTE

    sampler = SMOTE(k_neighbors=min(5, members - 1), random_state=seed)
    X, labels = sampler.fit_resample(X, positive.astype(np.int64))
    return X, labels > 0
