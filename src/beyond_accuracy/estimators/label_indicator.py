"""Checks of multi-label targets that all multi-label estimators share."""

import numpy as np
import scipy.sparse
from sklearn.utils.multiclass import check_classification_targets


def check_label_indicator(Y):
    """A 0/1 indicator of shape (n, m), dense or sparse, as a uint8 array.

    Raises
    ------
    ValueError
        If it is not two-dimensional, has one column only, or holds anything but 0 and 1.
    """
    Y = Y.toarray() if scipy.sparse.issparse(Y) else np.asarray(Y)
    if Y.ndim != 2:
        raise ValueError(
            f"the labels must be a 0/1 indicator of shape (n, m), one column a label, found shape "
            f"{Y.shape}; sklearn.preprocessing.MultiLabelBinarizer makes one"
        )
    if Y.shape[1] < 2:
        raise ValueError(
            f"at least 2 labels are needed, found {Y.shape[1]}: one label is a binary problem, "
            "for which any binary classifier serves"
        )
    check_classification_targets(Y)
    wrong = (Y != 0) & (Y != 1)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"labels must be 0 or 1, found {Y[row, column]!r} in row {row} of label column {column}"
        )
    return Y.astype(np.uint8)
