"""Predictions of a linear binary classifier from its coefficients."""

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data


class LinearDecisionMixin(ClassifierMixin):
    """`decision_function` and `predict` from `coef_`, `intercept_` and `classes_`.

    Subclasses that are not linear in X override `_rows`, what their decisions need of new rows, and
    `_decide`, the decision values from that.
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags

    def decision_function(self, X):
        """Decision values, shape (n,), float64; above 0 predicts `classes_[1]`."""
        check_is_fitted(self)
        return self._decide(self._rows(X))

    def predict(self, X):
        """Predicted labels, shape (n,)."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]

    def _rows(self, X):
        dtype = [np.float64, np.float32]
        return validate_data(self, X, accept_sparse="csr", dtype=dtype, reset=False)

    def _decide(self, rows):
        return np.asarray(rows @ self.coef_[0]).ravel() + self.intercept_[0]
