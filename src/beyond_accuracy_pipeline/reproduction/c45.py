"""C4.5 decision trees as a scikit-learn classifier."""

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.estimators.columns import column_indices
from beyond_accuracy.estimators.parameters import (
    ArrayLike,
    MatrixLike,
)
from beyond_accuracy.estimators.validation import validate_data
from beyond_accuracy.scikit_learn import Interval, check_sample_weight
from beyond_accuracy_pipeline.reproduction.decision_tree import (
    FeatureValues,
    GrowingOptions,
    collapse_tree,
    grow_tree,
    prune_tree,
    tree_as_text,
)
from beyond_accuracy_pipeline.reproduction.decision_tree.tree import Tree


class C45Classifier(ClassifierMixin, BaseEstimator):
    """C4.5 decision tree (Quinlan 1993) with the defaults of WEKA's J48.

    A node tests the feature of largest gain ratio among those of at least average information
    gain; numeric features are split in two, at a value of the training data, categorical ones have
    one branch a category. A case whose tested value is missing (NaN) goes down all branches, in
    proportion to the cases that do not miss it. The tree is then pruned by pessimistic error
    estimates, bottom-up: a subtree becomes a leaf, or gives way to its largest branch.

    Parameters
    ----------
    confidence_factor : float, default 0.25
        Confidence of the pessimistic error estimate, in (0, 0.5]; smaller values prune more.
    min_samples_leaf : int, default 2
        Weight of the cases that at least two branches of a test must hold.
    categorical_features : array of int, bool or str, or None, default None
        Indices, a mask, or names of the columns whose values are categories, in any numeric
        encoding. A category that was not seen in `fit` is treated as a missing value. Not with
        sparse X. None: all are numeric.
    pruning : bool, default True
        False grows the tree only.
    subtree_raising : bool, default True
        Consider replacing a subtree by its largest branch.
    mdl_correction : bool, default True
        Take log2(number of thresholds) / weight off the gain of a numeric feature.
    collapse : bool, default True
        Before pruning, turn subtrees that make no fewer training errors than a leaf into leaves.
    min_value_difference : float, default 1e-5
        Neighbouring values of a numeric feature are not separated if they differ by less, as in
        C4.5 Release 8 and J48. Set it to 0 for features on a tiny scale.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    tree_ : Tree
        Arrays of the nodes; see `beyond_accuracy_pipeline.reproduction.decision_tree.Tree`.
    categories_ : dict
        For the index of each categorical feature: its sorted values.
    n_features_in_ : int

    Notes
    -----
    X may be sparse: its zeros are values, and only the others are sorted. Sorting takes
    O(entries·log n), growing O(entries·depth).

    References
    ----------
    J. R. Quinlan, C4.5: Programs for Machine Learning, Morgan Kaufmann 1993; Improved use of
    continuous attributes in C4.5, JAIR 4, 1996. https://doi.org/10.1613/jair.279

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> from beyond_accuracy_pipeline.reproduction import C45Classifier
    >>> tree = C45Classifier().fit(X, y)
    >>> tree.predict(X[::50])
    array([0, 1, 2])
    >>> tree.get_n_leaves()
    5
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "confidence_factor": [Interval(Real, 0, 0.5, closed="right")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "categorical_features": ["array-like", None],
        "pruning": ["boolean"],
        "subtree_raising": ["boolean"],
        "mdl_correction": ["boolean"],
        "collapse": ["boolean"],
        "min_value_difference": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        confidence_factor: float = 0.25,
        *,
        min_samples_leaf: int = 2,
        categorical_features: ArrayLike | None = None,
        pruning: bool = True,
        subtree_raising: bool = True,
        mdl_correction: bool = True,
        collapse: bool = True,
        min_value_difference: float = 1e-5,
    ) -> None:
        self.confidence_factor = confidence_factor
        self.min_samples_leaf = min_samples_leaf
        self.categorical_features = categorical_features
        self.pruning = pruning
        self.subtree_raising = subtree_raising
        self.mdl_correction = mdl_correction
        self.collapse = collapse
        self.min_value_difference = min_value_difference

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to X, shape (n, d), dense or sparse, NaN for missing values, and labels y, (n,).

        `sample_weight`, shape (n,), counts a case as several, or as none.

        Raises ValueError if X holds infinity, y holds one class only, a parameter is out of range,
        `categorical_features` does not fit X, or X is sparse and has categorical features.
        """
        self._validate_params()
        X, y = self._validate(X, y=y, reset=True)
        check_classification_targets(y)
        self.classes_: np.ndarray
        self.classes_, codes = np.unique(y, return_inverse=True)
        weights = check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        counted = weights > 0
        n_seen = len(np.unique(codes[counted]))
        if n_seen < 2:
            raise ValueError(
                f"C45Classifier needs samples of two classes, but the data contains {n_seen} class"
                + (" of positive weight" if sample_weight is not None else "")
            )
        if not counted.all():
            X, codes, weights = X[counted], codes[counted], weights[counted]
        self.categories_: dict[int, NDArray[np.float64]] = {
            feature: np.unique(X[~np.isnan(X[:, feature]), feature])
            for feature in self._categorical_columns(X)
        }
        n_categories = np.zeros(X.shape[1], dtype=np.int64)
        for feature, categories in self.categories_.items():
            n_categories[feature] = len(categories)
        values = FeatureValues(self._encode(X))
        options = GrowingOptions(
            self.min_samples_leaf, self.mdl_correction, self.min_value_difference
        )
        n_classes = len(self.classes_)
        tree, cases = grow_tree(values, codes, weights, n_classes, n_categories, options)
        if self.collapse:
            collapse_tree(tree, cases)
        if self.pruning:
            prune_tree(tree, cases, values, codes, self.confidence_factor, self.subtree_raising)
        self.tree_: Tree = tree.compact()
        return self

    def predict_proba(self, X: MatrixLike) -> NDArray[np.float64]:
        """Class frequencies of the leaves reached, shape (n, n_classes), not smoothed."""
        check_is_fitted(self)
        X = self._validate(X, reset=False)
        return self.tree_.predict_proba(FeatureValues(self._encode(X)))

    def predict(self, X: MatrixLike) -> np.ndarray:
        """Predicted labels, shape (n,): the most frequent class, the first of several."""
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]

    def get_depth(self) -> int:
        """Longest path from the root to a leaf, in edges."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Number of leaves; a category without training cases at its node has one, too."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def export_text(
        self,
        *,
        feature_names: Sequence[str] | None = None,
        category_names: Mapping[int, Sequence[str]] | None = None,
    ) -> str:
        """The tree as text: a line a branch, and at leaves class (weight of cases/of errors).

        Parameters
        ----------
        feature_names : sequence of str, optional
            `feature_names_in_`, or feature_0, feature_1, … by default.
        category_names : dict, optional
            Names of the categories of features, by index, in the order of `categories_`.

        Raises
        ------
        ValueError
            If the number of names is not that of the features or categories.
        """
        check_is_fitted(self)
        default = [f"feature_{i}" for i in range(self.n_features_in_)]
        if feature_names is None:
            feature_names = getattr(self, "feature_names_in_", default)
        if len(feature_names) != self.n_features_in_:
            raise ValueError(
                f"feature_names holds {len(feature_names)} names, expected {self.n_features_in_}"
            )
        names = {k: [f"{v:g}" for v in values] for k, values in self.categories_.items()}
        for feature, given in (category_names or {}).items():
            expected = len(names.get(feature, ()))
            if len(given) != expected:
                raise ValueError(
                    f"category_names[{feature!r}] holds {len(given)} names, expected {expected}: "
                    "one for each of categories_, by the index of the feature"
                )
            names[feature] = list(given)
        return tree_as_text(self.tree_, feature_names, [str(c) for c in self.classes_], names)

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
        """X with categories as codes 0, 1, …, and NaN for those not seen in `fit`."""
        if not self.categories_:
            return X
        X = X.copy()
        for feature, categories in self.categories_.items():
            column = X[:, feature]
            codes = np.searchsorted(categories, column).astype(np.float64)
            seen = np.isin(column, categories)
            X[:, feature] = np.where(seen, codes, np.nan)
        return X
