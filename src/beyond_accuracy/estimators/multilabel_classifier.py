"""Base class of multi-label estimators: fits one classifier per label, and checks indicators."""

from typing import Any, ClassVar

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.ridge_logistic_regression import RidgeLogisticRegression
from beyond_accuracy.estimators.validation import MatrixLike, validate_data
from beyond_accuracy.solvers.data_matrix import check_structure

_ROWS = {"accept_sparse": "csr", "dtype": np.float64, "order": "C"}


class MultiLabelClassifier(ClassifierMixin, BaseEstimator):
    """Base class of multi-label classifiers that fit the classifier `base` per label.

    In a subclass, the class attribute `_criteria` holds the valid values of the argument
    `criterion` of `predict`.
    """

    _criteria: ClassVar[tuple[str, ...]] = ()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        return tags

    def _check_labelled(self, X, Y):
        """Validate parameters and data, set `n_labels_` and `classes_`, and return (X, Y)."""
        self._validate_params()
        X, Y = validate_data(self, X, Y, **_ROWS, multi_output=True)
        Y = check_label_indicator(Y)
        self.n_labels_: int = Y.shape[1]
        self.classes_: list[np.ndarray] = [np.array([0, 1])] * self.n_labels_
        return X, Y

    def _fit_base(self, variables, fit_ridge, features):
        """Return the classifier of each column of `variables`, or its value if it is constant.

        The classifier of column j is fitted to `features(j)`. If the base is
        `RidgeLogisticRegression`, set `regressions_` to `fit_ridge(base)` and return no classifier.
        """
        base = RidgeLogisticRegression() if self.base is None else self.base
        vars(self).pop("regressions_", None)
        if isinstance(base, RidgeLogisticRegression):
            self.regressions_: Any = fit_ridge(base)
            return []
        return [
            float(column[0])
            if (column == column[0]).all()
            else clone(base).fit(features(j), column)
            for j, column in enumerate(variables.T)
        ]

    def _check_criterion(self, criterion):
        check_is_fitted(self)
        if criterion not in self._criteria:
            raise ValueError(
                f"criterion must be one of {', '.join(self._criteria)}, found {criterion!r}"
            )

    def _check_features(self, X):
        check_is_fitted(self)
        return validate_data(self, X, **_ROWS, reset=False)


_INDICATOR = (
    "the labels must be a 0/1 indicator of shape (n, m), one column a label, as "
    "sklearn.preprocessing.MultiLabelBinarizer makes one"
)


def check_label_indicator(Y: MatrixLike) -> NDArray[np.uint8]:
    """Check that Y is a 0/1 indicator of labels, shape (n, m); return it as a dense uint8 array.

    Raises ValueError if Y has another shape or other values.
    """
    check_structure(Y, "Y")
    try:
        Y = Y.toarray() if scipy.sparse.issparse(Y) else np.asarray(Y)
    except ValueError as error:
        raise ValueError(f"the rows of the labels differ in length; {_INDICATOR}") from error
    if Y.dtype.kind in "US" and Y.size:
        raise ValueError(f"found names of labels, such as {Y.flat[0]!r}; {_INDICATOR}")
    if Y.ndim != 2:
        raise ValueError(f"found labels of shape {Y.shape}; {_INDICATOR}")
    if Y.shape[1] == 0:
        raise ValueError(f"found no label; {_INDICATOR}")
    check_classification_targets(Y)
    wrong = (Y != 0) & (Y != 1)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"labels must be 0 or 1, found {Y[row, column]!r} in row {row} of label column {column}"
        )
    return Y.astype(np.uint8)
