"""Checks that all binary estimators share."""

import numpy as np
from sklearn.utils.multiclass import check_classification_targets, type_of_target


def encode_binary_labels(y):
    """Encode two classes of any type.

    Returns
    -------
    classes : ndarray, shape (2,)
        Sorted; the second is the positive one.
    positive : array of bool, shape (n,)

    Raises
    ------
    ValueError
        If there are not exactly two classes.
    """
    check_classification_targets(y)
    kind = type_of_target(y, input_name="y", raise_unknown=True)
    classes, codes = np.unique(y, return_inverse=True)
    if kind != "binary" or len(classes) > 2:
        raise ValueError(
            f"Only binary classification is supported. The type of the target is {kind}. "
            "For several classes wrap the estimator in sklearn.multiclass.OneVsRestClassifier."
        )
    if len(classes) < 2:
        raise ValueError(
            f"This classifier needs samples of two classes, but the data contains only one "
            f"class: {classes[0]}"
        )
    return classes, codes == 1
