"""Checks of the data and parameters that estimators take."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing
import scipy.sparse
from numpy.typing import NDArray
from sklearn.utils import validation
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from beyond_accuracy.solvers.data_matrix import check_structure, column_variances

ArrayLike = numpy.typing.ArrayLike
# Type of X: dense or sparse.
MatrixLike = numpy.typing.ArrayLike | scipy.sparse.sparray | scipy.sparse.spmatrix

SMALLEST_C = 1e-100
"""Smallest C of solvers that compute 1/C, n/C or their squares, which overflow far below."""
_ROWS_FOR_SCALES, _LARGEST_RATIO, _LEAST_DEVIATION = 10_000, 100.0, 1e-7
_SEVERAL_CLASSES = (
    "For several classes wrap the estimator in sklearn.multiclass.OneVsRestClassifier."
)


def validate_data(estimator: Any, X: Any, *labels: Any, **options: Any) -> Any:
    """Call scikit-learn's `validate_data`; raise ValueError also for a damaged sparse matrix.

    `labels` holds y, or nothing. `options` are keywords of scikit-learn's function.
    """
    check_structure(X)
    for y in labels:
        check_structure(y, "y")
    return validation.validate_data(estimator, X, *labels, **options)


def several_numbers(
    name: str, values: ArrayLike, lowest: float, highest: float = np.inf
) -> np.ndarray:
    """Convert a parameter that is one number or a list of numbers to a float64 array, shape (k,).

    `name` is the name of the parameter in error messages. Raises ValueError unless lowest < value <
    highest for all values.
    """
    numbers = np.atleast_1d(np.asarray(values, dtype=np.float64))
    if numbers.ndim != 1 or len(numbers) == 0:
        raise ValueError(f"{name} must be one number or a list of at least one, found {values!r}")
    for value in numbers:
        if not lowest < value < highest:
            limits = f"above {lowest:g} and below {highest:g}"
            raise ValueError(f"{name} holds {value:g}; every value must be {limits}")
    return numbers


def refuse_keywords(estimator: Any, keywords: Mapping[str, Any]) -> None:
    """Raise TypeError if `fit` got keywords, such as sample_weight, that it does not support."""
    if keywords:
        raise TypeError(
            f"{type(estimator).__name__}.fit takes X and y, and no {', '.join(keywords)}; a "
            "table in `beyond_accuracy.measures` says where weights are taken, or what to do"
        )


def binary_examples(
    estimator: Any, X: MatrixLike, y: ArrayLike, **checks: Any
) -> tuple[Any, NDArray[np.bool_], np.ndarray]:
    """Validate the training data of a binary classifier; return (X, positive, classes).

    `positive`, shape (n,), marks the examples of the class `pos_label`, or of the second class if
    the estimator has no such parameter. `classes` holds the two sorted labels. `checks` are
    keywords of scikit-learn's `validate_data`.
    """
    X, y = validate_data(estimator, X, y, **{**estimator._checks, "order": "C", **checks})
    classes, positive = encode_binary_labels(y)
    if hasattr(estimator, "pos_label"):
        estimator.pos_label_, positive = choose_positive(classes, positive, estimator.pos_label)
    return X, positive, classes


def choose_positive(
    classes: np.ndarray, positive: NDArray[np.bool_], pos_label: Any, stacklevel: int = 5
) -> tuple[Any, NDArray[np.bool_]]:
    """Choose the positive class of two classes, and mark the examples of this class.

    Return (label of the positive class, bool array of shape (n,)). The argument `positive` marks
    the examples of `classes[1]`. If `pos_label` is None, `classes[1]` is the positive class. A
    UserWarning then says so unless the classes are numbers.
    """
    if pos_label is None:
        if classes.dtype.kind not in "biuf":
            warnings.warn(
                f"the positive class is {classes.tolist()[1]!r}, the last in sorted order; choose "
                "it, or the other, by pos_label",
                UserWarning,
                stacklevel=stacklevel,
            )
        return classes[1], positive
    if pos_label not in classes.tolist():
        raise ValueError(
            f"pos_label={pos_label!r} is not a valid label: it should be one of {classes.tolist()}"
        )
    return pos_label, positive if pos_label == classes[1] else ~positive


def encode_binary_labels(
    y: ArrayLike, for_several: str = _SEVERAL_CLASSES
) -> tuple[np.ndarray, NDArray[np.bool_]]:
    """Return the two sorted labels in y, and which examples have the second label.

    The second value is a bool array, shape (n,). Raises ValueError unless y has exactly two labels.
    `for_several` is the advice in the error message if there are more than two.
    """
    check_classification_targets(y)
    target_type = type_of_target(y, input_name="y", raise_unknown=True)
    classes = np.unique(y)
    if target_type != "binary" or len(classes) > 2:
        raise ValueError(
            f"Only binary classification is supported. The type of the target is {target_type}. "
            f"{for_several}"
        )
    if len(classes) < 2:
        raise ValueError(
            f"This classifier needs samples of two classes, but the data contains only one "
            f"class: {classes[0]}"
        )
    return classes, np.asarray(y) == classes[1]


def warn_of_scales(X: Any) -> None:
    """Warn if the columns of X have very different scales.

    Both the standard deviations and the largest absolute values must differ by a factor of 100 or
    more. X is an array or CSR matrix, of which at most 10,000 rows are examined.
    """
    X = X[:: -(-X.shape[0] // _ROWS_FOR_SCALES)]
    deviations = np.sqrt(column_variances(X))
    largest = abs(X).max(axis=0)
    largest = largest.toarray().ravel() if scipy.sparse.issparse(X) else largest
    if not np.isfinite(deviations).all():
        return
    # Smaller deviations may be rounding of a constant column.
    varies = deviations > _LEAST_DEVIATION * largest
    if not varies.any():
        return
    deviations, largest = deviations[varies], largest[varies]
    ratio = min(deviations.max() / deviations.min(), largest.max() / largest.min())
    if ratio < _LARGEST_RATIO:
        return
    scaler = "MaxAbsScaler" if scipy.sparse.issparse(X) else "StandardScaler"
    warnings.warn(
        f"the scales of the features differ by a factor of about 10^{np.log10(ratio):.0f}, and the "
        "features of small scale hardly count; scale them, as in "
        f"make_pipeline(sklearn.preprocessing.{scaler}(), classifier)",
        UserWarning,
        stacklevel=5,
    )
