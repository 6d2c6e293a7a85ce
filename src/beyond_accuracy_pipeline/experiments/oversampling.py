"""Oversample the smaller class by SMOTE, as a baseline."""

import numpy as np


def oversample(X, positive, method: str | None, seed: int):
    """Return (X, positive), with the smaller class oversampled to the size of the other.

    SMOTE (Chawla et al. 2002), implemented by imbalanced-learn, places a new example between an
    example and one of its five nearest neighbours in the smaller class. If this class has fewer
    than six examples, all its other examples count as neighbours. If it has fewer than two, nothing
    is changed.

    Parameters
    ----------
    X : array or CSR matrix, shape (n, d)
    positive : array of bool, shape (n,)
    method : {"smote"} or None
        None leaves the examples unchanged.
    seed : int
    """
    members = int(min(positive.sum(), (~positive).sum()))
    if method is None or members < 2:
        return X, positive
    from imblearn.over_sampling import SMOTE

    sampler = SMOTE(k_neighbors=min(5, members - 1), random_state=seed)
    X, labels = sampler.fit_resample(X, positive.astype(np.int64))
    return X, labels > 0
