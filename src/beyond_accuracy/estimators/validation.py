"""Validation of data: scikit-learn's checks, and a check of damaged sparse matrices."""

from typing import Any

from sklearn.utils import validation

from beyond_accuracy.solvers.data_matrix import check_structure


def validate_data(estimator: Any, X: Any, *labels: Any, **options: Any) -> Any:
    """Return scikit-learn's `validate_data`; raise ValueError also for a damaged sparse matrix.

    A damaged matrix has indices outside its shape or its data. scikit-learn and SciPy do not check
    these indices, and crash.
    """
    check_structure(X)
    for y in labels:
        check_structure(y, "y")
    return validation.validate_data(estimator, X, *labels, **options)
