"""Impute, encode and scale columns by scikit-learn's ColumnTransformer.

Prepared data sets hold unchanged columns and a description of these steps. The steps are fitted
inside each training part.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from beyond_accuracy_pipeline.datasets.errors import DataSetError
from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.datasets.table import Features, Table

if TYPE_CHECKING:
    from beyond_accuracy_pipeline.datasets.entry import Entry
    from beyond_accuracy_pipeline.datasets.steps import Preprocessing

_MOST_VALUES = 50
_NAMES_SHOWN = 5

RowIndex = NDArray[np.intp] | NDArray[np.bool_]


def column_transformer(
    preprocessing: "Preprocessing", categories: Mapping[int, tuple[str, ...]], n_features: int
):
    """Return an unfitted ColumnTransformer for imputation, one-hot encoding and scaling.

    `categories` has the values of each nominal column, by column. The input holds the codes of
    nominal values, and NaN if a value is missing. The dense output has the imputed and standardized
    numeric columns first. Without `one_hot`, the codes of nominal columns follow. With it, each
    nominal column gives an indicator per value. Only 50 values have an indicator; rarer values
    share one. A missing value counts as a value. A column without any value in `fit` becomes 0.
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    from beyond_accuracy_pipeline.datasets.empty_columns import EmptyColumnFiller

    nominal = sorted(categories)
    numeric = [column for column in range(n_features) if column not in categories]
    if preprocessing.impute is None:
        steps = [EmptyColumnFiller()]
    else:
        steps = [SimpleImputer(strategy=preprocessing.impute, keep_empty_features=True)]
    if preprocessing.standardize:
        steps.append(StandardScaler())
    encoder = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=_MOST_VALUES, sparse_output=False
    )
    numbers = make_pipeline(*steps)
    codes = encoder if preprocessing.one_hot else EmptyColumnFiller()
    return ColumnTransformer([("numbers", numbers, numeric), ("nominal", codes, nominal)])


def prepared_columns(parts: dict[str, Table], entry: "Entry") -> dict[str, Table]:
    """Return the parts of a data set as they are stored, before preprocessing.

    If the entry has preprocessing, sparse features become dense. Otherwise nothing changes. Raises
    DataSetError if the entry of a private file has nominal columns and no `preprocess`.
    """
    train = parts["train"]
    if entry.preprocess is not None:
        return {
            role: replace(part, X=part.X.toarray() if sp.issparse(part.X) else part.X)
            for role, part in parts.items()
        }
    if train.categories and any(source.kind == "file" for source in entry.sources):
        names = train.feature_names or range(train.X.shape[1])
        raise DataSetError(
            f"data set {entry.name}: found nominal columns "
            f"({', '.join(str(names[column]) for column in list(train.categories)[:_NAMES_SHOWN])})"
            " and no `preprocess`; valid is `preprocess: {one_hot: true}`, or {one_hot: false} for "
            "classifiers that are told which columns are nominal, or drop_columns"
        )
    return parts


def transformer_of(data: PreparedDataSet, keep_missing: bool = False):
    """Return the unfitted ColumnTransformer of a data set, or None if columns stay unchanged.

    With `keep_missing`, missing numbers stay NaN, for classifiers that accept them.
    """
    if data.preprocess is None:
        return None
    # Its models take a sixth of a second to load.
    from beyond_accuracy_pipeline.datasets.steps import Preprocessing

    preprocessing = Preprocessing.model_validate(data.preprocess)
    if keep_missing:
        preprocessing = preprocessing.model_copy(update={"impute": None})
    return column_transformer(preprocessing, data.categories, data.X_train.shape[1])


def nominal_columns_after_transform(data: PreparedDataSet) -> dict[int, tuple[str, ...]] | None:
    """Return the nominal columns of the transformed features, with their values.

    The keys are columns after the transform of `transformer_of`, which hold codes. If all nominal
    columns are one-hot encoded, or there are none, return None.
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
    """Fit the preprocessing to some training rows, and return several transformed row sets.

    `fit_rows` and `other_rows` are indices or masks of training rows. Return a list of matrices:
    the transformed features of `fit_rows`, then those of each of `other_rows`. A data set that
    `transform_parts` has transformed gives the same result, because its stored features are used.
    """
    data = data.stored or data
    X, transformer = data.X_train, transformer_of(data, keep_missing)
    if transformer is None:
        return [X[rows] for rows in (fit_rows, *other_rows)]
    transformer.fit(X[fit_rows])
    return [_contiguous(transformer.transform(X[rows])) for rows in (fit_rows, *other_rows)]


def transform_parts(data: PreparedDataSet, keep_missing: bool = False) -> PreparedDataSet:
    """Return the data set with transformed columns, fitted to its whole training part.

    With `keep_missing`, missing numbers stay NaN. The result has the original data set as `stored`.
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
