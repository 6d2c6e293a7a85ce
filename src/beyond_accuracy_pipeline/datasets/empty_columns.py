"""Columns without any value, as a training part may have them."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted


class EmptyColumnFiller(TransformerMixin, BaseEstimator):
    """Sets columns to 0 in which `fit` has seen nothing but NaN; other NaN stay.

    Boosted trees of scikit-learn take NaN, but no column without any value.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Note which columns of X, shape (n, d), have no value."""
        self.empty_: np.ndarray = np.isnan(np.asarray(X)).all(axis=0)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Return X, float64, shape (n, d)."""
        check_is_fitted(self)
        return np.where(self.empty_, 0.0, np.asarray(X, dtype=np.float64))
