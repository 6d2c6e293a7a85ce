"""Missing values, nominal columns and scaling, by scikit-learn's ColumnTransformer.

Prepared data sets hold the columns as they were read and what is to be done to them; it is fitted
inside each part that something is fitted to.
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

Rows = NDArray[np.intp] | NDArray[np.bool_]


def column_transformer(
    preprocessing: "Preprocessing", categories: Mapping[int, tuple[str, ...]], n_features: int
):
    """An unfitted ColumnTransformer of a matrix whose nominal columns hold codes and NaN.

    Numeric columns are imputed and standardized, then come those of nominal columns: one of 0 and
    1 for each of the (at most 50) most frequent values seen in `fit`, a missing one included and
    other ones together; or, without `one_hot`, the codes. A column of which `fit` has seen no
    value is 0. Output is dense.
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


def stored(parts: dict[str, Table], entry: "Entry") -> dict[str, Table]:
    """All parts as they are stored: dense where something is to be done to their columns later.

    Raises DataSetError where nominal columns of one's own data would become 0, 1, 2 because the
    entry does not say what is to be done with them.
    """
    train = parts["train"]
    if entry.preprocess is None:
        if train.categories and any(source.kind == "file" for source in entry.sources):
            raise DataSetError(
                f"data set {entry.name}: found nominal columns ({nominal_columns(train)}) and no "
                "`preprocess`; valid is `preprocess: {one_hot: true}`, or {one_hot: false} for "
                "classifiers that are told which columns are nominal, or drop_columns"
            )
        return parts
    return {role: replace(part, X=np.asarray(_dense(part.X))) for role, part in parts.items()}


def transformer_of(data: PreparedDataSet, keep_missing: bool = False):
    """The unfitted ColumnTransformer of a data set, or None if nothing is done to its columns.

    With `keep_missing` numbers that are missing stay so, for classifiers that take them.
    """
    if data.preprocess is None:
        return None
    # Its models take a sixth of a second to load, which jobs without it are spared.
    from beyond_accuracy_pipeline.datasets.steps import Preprocessing

    preprocessing = Preprocessing.model_validate(data.preprocess)
    if keep_missing:
        preprocessing = preprocessing.model_copy(update={"impute": None})
    return column_transformer(preprocessing, data.categories, data.X_train.shape[1])


def nominal_after(data: PreparedDataSet) -> dict[int, tuple[str, ...]] | None:
    """Columns that hold codes after `transformer_of` and their values; None if there are none."""
    if data.preprocess is None:
        return data.categories
    if data.preprocess["one_hot"] or not data.categories:
        return None
    n_numeric = data.X_train.shape[1] - len(data.categories)
    values = [data.categories[column] for column in sorted(data.categories)]
    return dict(enumerate(values, start=n_numeric))


def transformed_rows(
    data: PreparedDataSet, fit: Rows, *others: Rows, keep_missing: bool = False
) -> list[Features]:
    """Features of training rows, and of others; what is done to columns is fitted to the former.

    It is so as well of what `transformed_parts` returns.
    """
    data = data.stored or data
    X, transformer = data.X_train, transformer_of(data, keep_missing)
    if transformer is None:
        return [X[rows] for rows in (fit, *others)]
    transformer.fit(X[fit])
    return [_contiguous(transformer.transform(X[rows])) for rows in (fit, *others)]


def transformed_parts(data: PreparedDataSet, keep_missing: bool = False) -> PreparedDataSet:
    """The data set after what is done to its columns, fitted to its whole training part."""
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
        categories=nominal_after(data) or {},
        feature_names=None,
        stored=data,
    )


def nominal_columns(table: Table) -> str:
    """The names of the nominal columns of a table, the first few."""
    known = table.feature_names
    names = [known[c] if known else f"column {c}" for c in table.categories]
    return ", ".join(names[:_NAMES_SHOWN]) + (", …" if len(names) > _NAMES_SHOWN else "")


def _dense(X):
    return X.toarray() if sp.issparse(X) else X


def _contiguous(X):
    return np.ascontiguousarray(X, dtype=np.float64)
