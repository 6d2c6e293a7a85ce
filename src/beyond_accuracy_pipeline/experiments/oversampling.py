"""Oversampling of the smaller class, as a yardstick for methods that need none."""

import numpy as np


def oversampled(X, positive, method: str | None, seed: int):
    """Return training examples with as many of the smaller class as of the other, or as they are.

    SMOTE (Chawla et al. 2002), as imbalanced-learn has it, puts new examples between one and one of
    its five nearest neighbours of the class; of the fewer there are, where it has fewer than six.

    Parameters
    ----------
    X : array or CSR matrix, shape (n, d)
    positive : array of bool, shape (n,)
    method : {"smote"} or None
        Nothing is changed if it is None, or if the smaller class has one example.
    seed : int
    """
    members = int(min(positive.sum(), (~positive).sum()))
    if method is None or members < 2:
        return X, positive
    from imblearn.over_sampling import SMOTE

    sampler = SMOTE(k_neighbors=min(5, members - 1), random_state=seed)
    X, labels = sampler.fit_resample(X, positive.astype(np.int64))
    return X, labels > 0
