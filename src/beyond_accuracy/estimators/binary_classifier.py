"""Base class of the binary classifiers: checks data, and predicts from decision values."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.parameters import ArrayLike, MatrixLike
from beyond_accuracy.estimators.validation import validate_data

# Rows converted at a time.
_ROWS = 1_024


class BinaryClassifier(ClassifierMixin, BaseEstimator):
    """Base class with `decision_function` and `predict` from `coef_`, `intercept_` and `classes_`.

    Subclasses that are not linear in X override `_rows`, which prepares new rows, and `_decide`,
    which computes decision values from the prepared rows. `_checks` holds keywords for
    scikit-learn's `validate_data`.
    """

    classes_: np.ndarray
    pos_label_: Any
    coef_: NDArray[np.float64]
    intercept_: NDArray[np.float64]

    _checks: dict[str, Any] = {"accept_sparse": "csr", "dtype": [np.float64, np.float32]}

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags

    def decision_function(self, X: MatrixLike) -> NDArray[np.float64]:
        """Compute decision values, shape (n,), float64; above 0 predicts `classes_[1]`."""
        check_is_fitted(self)
        return finite_decisions(self._decide, self._rows(X))

    def predict(self, X: MatrixLike) -> np.ndarray:
        """Predict labels, shape (n,)."""
        decisions = self.decision_function(X)
        second = decisions > 0 if self._sign > 0 else decisions >= 0
        return self.classes_[second.astype(int)]

    @property
    def _sign(self):
        """1 if `classes_[1]` is positive, which decision values above 0 predict, and −1 if not."""
        return 1.0 if getattr(self, "pos_label_", self.classes_[1]) == self.classes_[1] else -1.0

    def _rows(self, X):
        return validate_data(self, X, **self._checks, reset=False)

    def _decide(self, rows):
        return linear_scores(rows, self.coef_[0]) + self.intercept_[0]


def linear_scores(rows: Any, coef: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the products of `coef` and the rows of an array or CSR matrix, shape (n,)."""
    if scipy.sparse.issparse(rows) or rows.dtype == coef.dtype:
        return np.asarray(rows @ coef).ravel()
    # A single product would copy all rows as float64.
    scores = np.empty(len(rows))
    for start in range(0, len(rows), _ROWS):
        scores[start : start + _ROWS] = rows[start : start + _ROWS] @ coef
    return scores


def finite_decisions(
    decide: Callable[..., NDArray[np.float64]], *arguments: Any
) -> NDArray[np.float64]:
    """Return decide(*arguments); raise ValueError if a value is NaN or infinite."""
    with np.errstate(over="ignore", invalid="ignore"):
        decisions = decide(*arguments)
    if not np.isfinite(decisions).all():
        raise ValueError("decision values exceed the range of float64; scale the features")
    return decisions


def binary_examples(
    estimator: BinaryClassifier, X: MatrixLike, y: ArrayLike, **checks: Any
) -> tuple[Any, NDArray[np.bool_], np.ndarray]:
    """Validate training data of two classes, and set the estimator's `n_features_in_`.

    If the estimator has a parameter `pos_label`, `pos_label_` is set, too. `checks` are keywords
    for `validate_data`.

    Returns
    -------
    X : ndarray or CSR matrix, shape (n, d)
    positive : array of bool, shape (n,)
        Whether each example is of the class `pos_label`; the second class without `pos_label`.
    classes : ndarray, shape (2,)
        The two labels, sorted.

    Raises
    ------
    ValueError
        If X or y is invalid, y does not have exactly two classes, or `pos_label` is not a class.
    """
    X, y = validate_data(estimator, X, y, **{**estimator._checks, "order": "C", **checks})
    classes, positive = encode_binary_labels(y)
    if hasattr(estimator, "pos_label"):
        estimator.pos_label_, positive = choose_positive(classes, positive, estimator.pos_label)
    return X, positive, classes


def choose_positive(
    classes: np.ndarray, positive: NDArray[np.bool_], pos_label: Any, stacklevel: int = 5
) -> tuple[Any, NDArray[np.bool_]]:
    """Return (the positive class, whether each example is of this class).

    `positive` tells the examples of `classes[1]`, which is the positive class if `pos_label` is
    None. Then a UserWarning names it unless the classes are numbers, with the given `stacklevel`.
    Raises ValueError if `pos_label` is not one of the two classes.
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


_SEVERAL = "For several classes wrap the estimator in sklearn.multiclass.OneVsRestClassifier."


def encode_binary_labels(
    y: ArrayLike, for_several: str = _SEVERAL
) -> tuple[np.ndarray, NDArray[np.bool_]]:
    """Encode labels of two classes, of any type, as booleans.

    `for_several` is the advice in the error message for more than two classes.

    Returns
    -------
    classes : ndarray, shape (2,)
        The two labels, sorted; the second is the positive class.
    positive : array of bool, shape (n,)
        Whether each example is positive.

    Raises
    ------
    ValueError
        If there are not exactly two classes.
    """
    ends = _two_numbers(y)
    # The type of target depends on the distinct values of y only.
    labels = y if ends is None else ends
    check_classification_targets(labels)
    kind = type_of_target(labels, input_name="y", raise_unknown=True)
    classes = np.unique(labels)
    if kind != "binary" or len(classes) > 2:
        raise ValueError(
            f"Only binary classification is supported. The type of the target is {kind}. "
            f"{for_several}"
        )
    if len(classes) < 2:
        raise ValueError(
            f"This classifier needs samples of two classes, but the data contains only one "
            f"class: {classes[0]}"
        )
    return classes, np.asarray(y) == classes[1]


def _two_numbers(y):
    """Return the distinct values of y, sorted, if they are one or two numbers, or else None.

    This avoids sorting all of y.
    """
    y = np.asarray(y)
    if y.ndim != 1 or y.dtype.kind not in "biuf" or len(y) == 0:
        return None
    ends = np.array([y.min(), y.max()], dtype=y.dtype)
    rest = y != ends[0]
    rest &= y != ends[1]
    return None if rest.any() else ends
