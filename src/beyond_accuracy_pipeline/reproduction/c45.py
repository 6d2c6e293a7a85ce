"""C4.5 decision trees as a scikit-learn classifier."""

from typing import Any, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.columns import column_indices
from beyond_accuracy.estimators.parameters import ArrayLike, MatrixLike
from beyond_accuracy.estimators.validation import validate_data
from beyond_accuracy_pipeline.reproduction.decision_tree import (
    FeatureValues,
    Tree,
    collapse_tree,
    grow_tree,
    prune_tree,
)


class C45Classifier(ClassifierMixin, BaseEstimator):
    """C4.5 decision tree (Quinlan 1993) with the defaults of WEKA's J48.

    A node tests the feature of largest gain ratio among the features of at least average
    information gain. A numeric feature is split in two at a value of the training data. A
    categorical feature has one branch per category. A case whose tested value is missing (NaN) goes
    down all branches, in proportion to the cases with a value. The tree is then pruned bottom-up by
    pessimistic error estimates: a subtree becomes a leaf, or is replaced by its largest branch.

    Parameters
    ----------
    categorical_features : array of int, bool or str, or None, default None
        Indices, a mask, or names of the columns whose values are categories, in any numeric
        encoding. A category that did not occur in `fit` counts as missing. Needs dense X. If None,
        all features are numeric.
    subtree_raising : bool, default True
        Consider replacing a subtree by its largest branch.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    tree_ : Tree
        Arrays of the nodes; see `beyond_accuracy_pipeline.reproduction.decision_tree.Tree`.
    categories_ : dict
        Sorted values of each categorical feature, by the feature's index.
    n_features_in_ : int

    Notes
    -----
    X may be sparse. Sorting takes O(entries·log n), growing O(entries·depth).

    References
    ----------
    J. R. Quinlan, C4.5: Programs for Machine Learning, Morgan Kaufmann 1993; Improved use of
    continuous attributes in C4.5, JAIR 4, 1996. https://doi.org/10.1613/jair.279
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "categorical_features": ["array-like", None],
        "subtree_raising": ["boolean"],
    }

    def __init__(
        self, categorical_features: ArrayLike | None = None, *, subtree_raising: bool = True
    ) -> None:
        self.categorical_features = categorical_features
        self.subtree_raising = subtree_raising

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike) -> Self:
        """Fit to X, shape (n, d), dense or sparse, NaN for missing values, and labels y, (n,).

        Raises ValueError if X holds infinity, y holds one class only, a parameter is out of range,
        `categorical_features` does not fit X, or X is sparse and has categorical features.
        """
        self._validate_params()
        X, y = self._validate(X, y=y, reset=True)
        check_classification_targets(y)
        self.classes_: np.ndarray
        self.classes_, codes = np.unique(y, return_inverse=True)
        n_classes = len(self.classes_)
        if n_classes < 2:
            raise ValueError("C45Classifier needs samples of two classes, found one class")
        self.categories_: dict[int, NDArray[np.float64]] = {
            feature: np.unique(X[~np.isnan(X[:, feature]), feature])
            for feature in self._categorical_columns(X)
        }
        n_categories = np.zeros(X.shape[1], dtype=np.int64)
        for feature, categories in self.categories_.items():
            n_categories[feature] = len(categories)
        values = FeatureValues(self._encode(X))
        tree, cases = grow_tree(values, codes, np.ones(len(codes)), n_classes, n_categories)
        collapse_tree(tree, cases)
        prune_tree(tree, cases, values, codes, raising=self.subtree_raising)
        self.tree_: Tree = tree.compact()
        return self

    def predict_proba(self, X: MatrixLike) -> NDArray[np.float64]:
        """Return class frequencies of the leaves reached, shape (n, n_classes), not smoothed."""
        check_is_fitted(self)
        X = self._validate(X, reset=False)
        return self.tree_.predict_proba(FeatureValues(self._encode(X)))

    def predict(self, X: MatrixLike) -> np.ndarray:
        """Return the most frequent class, the first one in a tie; shape (n,)."""
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]

    def _validate(self, X, reset, **targets):
        return validate_data(
            self,
            X,
            **targets,
            accept_sparse="csr",
            dtype=np.float64,
            ensure_all_finite="allow-nan",
            reset=reset,
        )

    def _categorical_columns(self, X):
        names = getattr(self, "feature_names_in_", ())
        columns = column_indices(
            "categorical_features", self.categorical_features, X.shape[1], names
        )
        if columns and scipy.sparse.issparse(X):
            raise ValueError("categorical_features need a dense X; call X.toarray()")
        return columns

    def _encode(self, X):
        """Return X with categories as codes 0, 1, …, and NaN for categories not seen in `fit`."""
        if not self.categories_:
            return X
        X = X.copy()
        for feature, categories in self.categories_.items():
            column = X[:, feature]
            codes = np.searchsorted(categories, column).astype(np.float64)
            seen = np.isin(column, categories)
            X[:, feature] = np.where(seen, codes, np.nan)
        return X
