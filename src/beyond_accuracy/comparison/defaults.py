"""The classifiers that `compare` takes if the user lists none."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from beyond_accuracy.comparison.criteria import make_criterion
from beyond_accuracy.estimators import CostModelSVC, MultivariateSVCCV

_C = (0.01, 0.1, 1.0, 10.0)
_COSTS = {"C": [0.1, 1.0], "j": [1.0, 5.0]}
_SCALED_C = (0.01, 0.1, 0.5, 3.0)
_LEAVES = 16
_TREES = 100
# With class weights scikit-learn looks for the limit of each bin by itself: with its 255 bins that
# takes ten times as long as the trees.
_BINS = 32
_MOST_VALUES = 50


def default_estimators(
    X: Any, measures: Sequence[str] = ("f1",), *, random_state: int = 0
) -> dict[str, BaseEstimator]:
    """Return the classifiers that `compare` takes if you list none, simplest first.

    They are logistic regression and gradient boosting, plain and class-weighted, the cost-sensitive
    SVM, and a multivariate SVM per measure that it can optimize. All of them handle missing values,
    nominal columns and features of different scales. The linear ones choose C themselves.

    Parameters
    ----------
    X : data frame, array or sparse matrix, shape (n, d)
        The features, whose columns determine the preprocessing. Columns of a data frame that are
        not numeric are nominal.
    measures : sequence of str, default ("f1",)
        Names of measures, and "cost".
    random_state : int, default 0
        Seed for splits and gradient boosting.

    Returns
    -------
    dict of str to classifier
        Unfitted classifiers by name. They take labels of two classes, and the second one in sorted
        order is positive.

    Raises
    ------
    ValueError
        If a measure is unknown.

    References
    ----------
    https://scikit-learn.org/stable/modules/grid_search.html

    Examples
    --------
    >>> import numpy as np
    >>> from beyond_accuracy.comparison import default_estimators
    >>> list(default_estimators(np.zeros((10, 2))))[:2]
    ['Logistic regression', 'Logistic regression, class-weighted']
    """
    split = StratifiedShuffleSplit(1, test_size=1 / 3, random_state=random_state)
    weights = {"": None, ", class-weighted": "balanced"}

    def searched(model, grid, scoring):
        return with_preprocessing(X, GridSearchCV(model, grid, scoring=scoring, cv=split))

    found = {}
    for suffix, weight in weights.items():
        regression = LogisticRegression(class_weight=weight, max_iter=1000)
        found[f"Logistic regression{suffix}"] = searched(regression, {"C": _C}, "roc_auc")
    # ROC area would not tell one factor j from another.
    model = CostModelSVC(random_state=random_state)
    found["Cost-sensitive SVM"] = searched(model, _COSTS, "f1_macro")
    for criterion in map(make_criterion, measures):
        if criterion.measure is not None and criterion.measure.loss is not None:
            model = MultivariateSVCCV(criterion.measure, _SCALED_C, cv=split)
            found[f"Multivariate SVM for {criterion.label}"] = with_preprocessing(X, model)
    for suffix, weight in weights.items():
        found[f"Gradient boosting{suffix}"] = _boosting(X, weight, random_state)
    return found


def _nominal_columns(X) -> list[str]:
    """Return the columns of a data frame that are not numeric; an empty list for an array."""
    if not hasattr(X, "dtypes") or not hasattr(X, "columns"):
        return []
    return list(X.columns[[dtype.kind not in "biufc" for dtype in X.dtypes]])


def with_preprocessing(X, model) -> BaseEstimator:
    """Return a pipeline of imputation, one-hot encoding, scaling and the model, for data like X.

    If X is sparse, the model is returned unchanged.
    """
    if sp.issparse(X):
        return model
    encoder = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=_MOST_VALUES, sparse_output=False
    )
    imputer = SimpleImputer(strategy="median", keep_empty_features=True)
    return _columns(X, make_pipeline(imputer, StandardScaler()), encoder, model)


def _boosting(X, weight, seed) -> BaseEstimator:
    """Return gradient boosting for X. It handles missing values and nominal columns itself."""
    nominal = _nominal_columns(X)
    n_numeric = np.shape(X)[1] - len(nominal)
    model = HistGradientBoostingClassifier(
        max_iter=_TREES,
        max_bins=_BINS,
        max_leaf_nodes=_LEAVES,
        categorical_features=range(n_numeric, np.shape(X)[1]) if nominal else None,
        class_weight=weight,
        early_stopping=False,
        random_state=seed,
    )
    encoder = OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=np.nan, max_categories=_BINS - 1
    )
    return _columns(X, "passthrough", encoder, model) if nominal else model


def _columns(X, numbers, encoder, model) -> BaseEstimator:
    nominal = _nominal_columns(X)
    if not nominal:
        return make_pipeline(numbers, model)
    numeric = [name for name in X.columns if name not in nominal]
    return make_pipeline(
        ColumnTransformer([("numbers", numbers, numeric), ("nominal", encoder, nominal)]), model
    )
