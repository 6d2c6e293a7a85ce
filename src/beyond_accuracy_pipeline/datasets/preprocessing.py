"""Impute, encode and scale columns, fitted inside each training part."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.datasets.table import Features

_MOST_VALUES = 50

RowIndex = NDArray[np.intp] | NDArray[np.bool_]


class EmptyColumnFiller(TransformerMixin, BaseEstimator):
    """Transformer that replaces NaN by 0 in columns that had only NaN in `fit`.

    Other columns keep their NaN, which scikit-learn's boosted trees accept.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        self.empty_: np.ndarray = np.isnan(np.asarray(X)).all(axis=0)
        return self

    def transform(self, X: Any) -> np.ndarray:
        return np.where(self.empty_, 0.0, np.asarray(X, dtype=np.float64))


def transformer_of(data: PreparedDataSet, keep_missing: bool = False):
    """Return the unfitted ColumnTransformer for a data set, or None if it needs no preprocessing.

    In the output, numeric columns come first, then nominal columns. A missing nominal value becomes
    a category. With `keep_missing`, missing numbers stay NaN.
    """
    if data.preprocess is None:
        return None
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    nominal = sorted(data.categories)
    numeric = sorted(set(range(data.X_train.shape[1])) - set(nominal))
    strategy = None if keep_missing else data.preprocess["impute"]
    if strategy is None:
        steps = [EmptyColumnFiller()]
    else:
        steps = [SimpleImputer(strategy=strategy, keep_empty_features=True)]
    if data.preprocess["standardize"]:
        steps.append(StandardScaler())
    # Rarer values than these share one indicator.
    encoder = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=_MOST_VALUES, sparse_output=False
    )
    codes = encoder if data.preprocess["one_hot"] else EmptyColumnFiller()
    return ColumnTransformer(
        [("numbers", make_pipeline(*steps), numeric), ("nominal", codes, nominal)]
    )


def nominal_columns_after_transform(data: PreparedDataSet) -> dict[int, tuple[str, ...]] | None:
    """Return the nominal columns after preprocessing, as {column index: possible values}.

    Return None if preprocessing one-hot encodes the columns, or if there are none.
    """
    if data.preprocess is None:
        return data.categories
    if data.preprocess["one_hot"] or not data.categories:
        return None
    n_numeric = data.X_train.shape[1] - len(data.categories)
    values = [data.categories[column] for column in sorted(data.categories)]
    return dict(enumerate(values, start=n_numeric))


def transform_rows(
    data: PreparedDataSet, fit_rows: RowIndex, *other_rows: RowIndex, keep_missing: bool = False
) -> list[Features]:
    """Fit preprocessing to some rows of the training part; transform these and other rows.

    `fit_rows` and each of `other_rows` are indices or a mask. Return one feature array for each.
    With `keep_missing`, missing numbers stay NaN.
    """
    data = data.stored or data
    X, transformer = data.X_train, transformer_of(data, keep_missing)
    if transformer is None:
        return [X[rows] for rows in (fit_rows, *other_rows)]
    transformer.fit(X[fit_rows])
    return [_contiguous(transformer.transform(X[rows])) for rows in (fit_rows, *other_rows)]


def transform_parts(data: PreparedDataSet, keep_missing: bool = False) -> PreparedDataSet:
    """Return the data set with columns preprocessed by a transformer fitted to the training part.

    With `keep_missing`, missing numbers stay NaN.
    """
    transformer = transformer_of(data, keep_missing)
    if transformer is None:
        return data
    transformer.fit(data.X_train)
    X_train, X_test = (
        None if X is None else _contiguous(transformer.transform(X))
        for X in (data.X_train, data.X_test)
    )
    return replace(
        data,
        X_train=X_train,
        X_test=X_test,
        categories=nominal_columns_after_transform(data) or {},
        feature_names=None,
        stored=data,
    )


def _contiguous(X: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(X, dtype=np.float64)
