"""Oversample the smaller class, as a baseline for methods that need no oversampling."""

import numpy as np


def oversampled(X, positive, method: str | None, seed: int):
    """Return training examples with classes of equal size, or the unchanged examples.

    SMOTE (Chawla et al. 2002), here by imbalanced-learn, places a new example between an example
    and one of its five nearest neighbours in the smaller class. If this class has fewer than six
    examples, all its other examples count as neighbours.

    Parameters
    ----------
    X : array or CSR matrix, shape (n, d)
    positive : array of bool, shape (n,)
    method : {"smote"} or None
        If None, nothing is changed; nor if the smaller class has fewer than two examples.
    seed : int
    """
    members = int(min(positive.sum(), (~positive).sum()))
    if method is None or members < 2:
        return X, positive
    from imblearn.over_sampling import SMOTE

    sampler = SMOTE(k_neighbors=min(5, members - 1), random_state=seed)
    X, labels = sampler.fit_resample(X, positive.astype(np.int64))
    return X, labels > 0
