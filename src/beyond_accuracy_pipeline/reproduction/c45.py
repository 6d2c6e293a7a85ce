"""C4.5 decision trees as a scikit-learn classifier."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.validation import ArrayLike, MatrixLike, validate_data
from beyond_accuracy_pipeline.reproduction.decision_tree.growing import grow_tree
from beyond_accuracy_pipeline.reproduction.decision_tree.pruning import collapse_tree, prune_tree
from beyond_accuracy_pipeline.reproduction.decision_tree.tree import Tree

_ROWS = {"accept_sparse": "csr", "dtype": np.float64, "ensure_all_finite": "allow-nan"}


class C45Classifier(ClassifierMixin, BaseEstimator):
    """C4.5 decision tree (Quinlan 1993) with the default options of WEKA's J48.

    A node tests the feature with the largest gain ratio among the features of at least average
    information gain. An example with a missing value (NaN) goes down all branches, weighted by the
    branches' training examples. Pruning by pessimistic error estimates then turns subtrees into
    leaves, or replaces them by their largest branch.

    Parameters
    ----------
    categorical_features : sequence of int or bool, default ()
        Indices, or a mask, of the categorical columns, which may contain any numbers. A category
        that did not occur in `fit` counts as missing. Requires dense X.

    References
    ----------
    J. R. Quinlan, C4.5: Programs for Machine Learning, Morgan Kaufmann 1993; Improved use of
    continuous attributes in C4.5, JAIR 4, 1996. https://doi.org/10.1613/jair.279
    """

    _parameter_constraints: dict[str, list[Any]] = {"categorical_features": ["array-like"]}

    def __init__(self, categorical_features: Sequence[int | bool] = ()) -> None:
        self.categorical_features = categorical_features

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, NaN for missing values, and labels y, (n,)."""
        self._validate_params()
        X, y = validate_data(self, X, y, **_ROWS)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        n_classes = len(self.classes_)
        if n_classes < 2:
            raise ValueError("C45Classifier needs samples of two classes, found one class")
        self.categories_: dict[int, NDArray[np.float64]] = {
            feature: np.unique(X[~np.isnan(X[:, feature]), feature])
            for feature in np.arange(X.shape[1])[list(self.categorical_features)].tolist()
        }
        n_categories = np.zeros(X.shape[1], dtype=np.int64)
        for feature, categories in self.categories_.items():
            n_categories[feature] = len(categories)
        X = self._encode(X)
        tree, leaf_examples = grow_tree(X, codes, n_classes, n_categories)
        collapse_tree(tree, leaf_examples)
        prune_tree(tree, leaf_examples, X, codes)
        self.tree_: Tree = tree.compact()
        return self

    def predict_proba(self, X: MatrixLike) -> NDArray[np.float64]:
        """Return the class frequencies of the training examples in the leaf of each row of X.

        The result has shape (n, n_classes), with columns as in `classes_`.
        """
        check_is_fitted(self)
        X = validate_data(self, X, **_ROWS, reset=False)
        return self.tree_.predict_proba(self._encode(X))

    def predict(self, X: MatrixLike) -> np.ndarray:
        """Return the most probable class of each row, shape (n,); the first class in a tie."""
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]

    def _encode(self, X):
        """Return X with each category replaced by its index in `categories_`; NaN if unseen."""
        if not self.categories_:
            return X
        X = X.copy()
        for feature, categories in self.categories_.items():
            column = X[:, feature]
            codes = np.searchsorted(categories, column).astype(np.float64)
            seen = np.isin(column, categories)
            X[:, feature] = np.where(seen, codes, np.nan)
        return X
