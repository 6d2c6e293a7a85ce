"""Validation of data, by scikit-learn and beyond it."""

from typing import Any

from sklearn.utils import validation

from beyond_accuracy.solvers.data_matrix import check_structure


def validate_data(estimator: Any, X: Any, *labels: Any, **options: Any) -> Any:
    """scikit-learn's `validate_data`; ValueError also for sparse X or labels that are damaged.

    Damaged is one whose indices lie outside its shape or its data. scikit-learn and SciPy do not
    look, and crash.
    """
    check_structure(X)
    for y in labels:
        check_structure(y, "y")
    return validation.validate_data(estimator, X, *labels, **options)
