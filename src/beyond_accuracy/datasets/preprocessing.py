"""Missing values, nominal columns and scaling, by scikit-learn's ColumnTransformer."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from beyond_accuracy.datasets.entry import Entry
from beyond_accuracy.datasets.errors import DataSetError
from beyond_accuracy.datasets.steps import Preprocessing
from beyond_accuracy.datasets.table import Table

_MOST_VALUES = 50
_NAMES_SHOWN = 5
_OTHER_CODES = {"nan": "missing", "infrequent_sklearn": "other values"}


def column_transformer(
    preprocessing: Preprocessing, categories: Mapping[int, tuple[str, ...]], n_features: int
):
    """An unfitted ColumnTransformer of a matrix whose nominal columns hold codes and NaN.

    Numeric columns are imputed and standardized, then come those of nominal columns: one of 0 and
    1 for each of the (at most 50) most frequent values seen in `fit`, a missing one included and
    other ones together; or, without `one_hot`, the codes. Output is dense.
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    nominal = sorted(categories)
    numeric = [column for column in range(n_features) if column not in categories]
    steps = []
    if preprocessing.impute is not None:
        steps.append(SimpleImputer(strategy=preprocessing.impute, keep_empty_features=True))
    if preprocessing.standardize:
        steps.append(StandardScaler())
    encoder = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=_MOST_VALUES, sparse_output=False
    )
    numbers = make_pipeline(*steps) if steps else "passthrough"
    codes = encoder if preprocessing.one_hot else "passthrough"
    return ColumnTransformer([("numbers", numbers, numeric), ("nominal", codes, nominal)])


def preprocessed(parts: dict[str, Table], entry: Entry) -> dict[str, Table]:
    """All parts after the preprocessing of an entry, fitted on the part ``train``.

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
    n_features = train.X.shape[1]
    transformer = column_transformer(entry.preprocess, train.categories, n_features)
    dense = {role: np.asarray(_dense(part.X)) for role, part in parts.items()}
    transformer.fit(dense["train"])
    order = [*(c for c in range(n_features) if c not in train.categories), *train.categories]
    codes = {}
    if not entry.preprocess.one_hot:
        codes = {order.index(c): names for c, names in train.categories.items()}
    names = _names(train, transformer) if train.feature_names else None
    return {
        role: replace(
            part,
            X=np.ascontiguousarray(transformer.transform(dense[role]), dtype=np.float64),
            feature_names=names,
            categories=codes,
        )
        for role, part in parts.items()
    }


def nominal_columns(table: Table) -> str:
    """The names of the nominal columns of a table, the first few."""
    known = table.feature_names
    names = [known[c] if known else f"column {c}" for c in table.categories]
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(names[:_NAMES_SHOWN]) + more


def _names(table: Table, transformer) -> tuple[str, ...]:
    """Names of the columns made: those of numbers, and `column=value`."""
    names = []
    for made in transformer.get_feature_names_out():
        column, _, code = made.split("__", 1)[1].removeprefix("x").partition("_")
        name, values = table.feature_names[int(column)], table.categories.get(int(column))
        if values is None or not code:
            names.append(name)
        elif code in _OTHER_CODES:
            names.append(f"{name}: {_OTHER_CODES[code]}")
        else:
            names.append(f"{name}={values[int(float(code))]}")
    return tuple(names)


def _dense(X):
    return X.toarray() if sp.issparse(X) else X
