"""Fill columns that have no value in the training part."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted


class EmptyColumnFiller(TransformerMixin, BaseEstimator):
    """Transformer that sets a column to 0 if it had only NaN in `fit`.

    Boosted trees of scikit-learn accept NaN, but no column without any value.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        self.empty_: np.ndarray = np.isnan(np.asarray(X)).all(axis=0)
        return self

    def transform(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return np.where(self.empty_, 0.0, np.asarray(X, dtype=np.float64))
