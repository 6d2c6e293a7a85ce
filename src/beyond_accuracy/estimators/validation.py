"""Validation of data, by scikit-learn and beyond."""

from typing import Any

from sklearn.utils import validation

from beyond_accuracy.solvers.data_matrix import check_structure


def validate_data(estimator: Any, X: Any, *labels: Any, **options: Any) -> Any:
    """Run scikit-learn's `validate_data`; ValueError also for damaged sparse X or labels.

    A damaged matrix has indices outside its shape or its data. scikit-learn and SciPy do not check
    them, and crash.
    """
    check_structure(X)
    for y in labels:
        check_structure(y, "y")
    return validation.validate_data(estimator, X, *labels, **options)
