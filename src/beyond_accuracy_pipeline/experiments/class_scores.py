"""Class probabilities for reweighting, from a base classifier on nominal and numeric columns."""

import inspect
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from beyond_accuracy_pipeline.datasets.prepared import PreparedDataSet
from beyond_accuracy_pipeline.datasets.preprocessing import (
    nominal_columns_after_transform,
    transformer_of,
)
from beyond_accuracy_pipeline.experiments.dotted_paths import load_class


def make_base(configuration: Mapping[str, Any], data: PreparedDataSet, seed: int):
    """Build the unfitted base classifier of a method, including preprocessing and calibration.

    `configuration` is the method's section. If the classifier has parameters for the nominal
    columns (`nominal` and `n_values`, or `categorical_features`), they are set from `data`.
    """
    estimator = load_class(configuration["estimator"])
    valid = inspect.signature(estimator).parameters
    transformer, categories = transformer_of(data), nominal_columns_after_transform(data)
    nominal = np.zeros(data.X_train.shape[1], dtype=bool)
    n_values = np.zeros(len(nominal), dtype=np.int64)
    for column, names in (categories or {}).items():
        nominal[column], n_values[column] = True, len(names)
    defaults: dict[str, Any] = {"random_state": seed}
    if categories is not None:
        defaults |= {"nominal": nominal, "n_values": n_values, "categorical_features": nominal}
    defaults = {name: value for name, value in defaults.items() if name in valid}
    base = estimator(**{**defaults, **(configuration.get("parameters") or {})})
    if configuration.get("encode"):
        base = _encoded(base, None if categories is None else nominal)
    if transformer is not None:
        base = make_pipeline(transformer, base)
    if configuration.get("calibration") is None:
        return base
    splits = _Folds(configuration["calibration_folds"], seed)
    return CalibratedClassifierCV(
        base, method=configuration["calibration"], cv=splits, ensemble=False
    )


@dataclass(frozen=True)
class _Folds:
    """Stratified splitter that also accepts tiny classes; equal fields let methods share fits."""

    n_folds: int
    seed: int

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_folds

    def split(self, X, y, groups=None):
        folds = stratified_folds(y, self.n_folds, self.seed)
        for fold in range(self.n_folds):
            yield np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)


def _encoded(base, nominal: np.ndarray | None):
    """Return `base` in a pipeline that first encodes nominal columns and standardizes numbers."""
    # The encoder makes a missing value a separate category.
    imputer = SimpleImputer(strategy="median", keep_empty_features=True)
    numeric = make_pipeline(imputer, StandardScaler())
    if nominal is None:
        return make_pipeline(numeric, base)
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    parts = [("nominal", encoder, nominal), ("numeric", numeric, ~nominal)]
    return make_pipeline(ColumnTransformer(parts), base)


def stratified_folds(y: np.ndarray, n_folds: int, seed: int) -> np.ndarray:
    """Return the fold number of each example, int16, for a shuffled stratified cross-validation.

    A class with fewer examples than folds is missing from some folds.
    """
    splitter = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    folds = np.empty(len(y), dtype=np.int16)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        for fold, (_, test) in enumerate(splitter.split(np.zeros(len(y)), y)):
            folds[test] = fold
    return folds


def class_scores(base, X_train, y_train, X, n_classes: int) -> np.ndarray:
    """Fit a clone of `base`, and return its class probabilities for X, shape (n, n_classes).

    The probability of a class that does not occur in `y_train` is 0.
    """
    with warnings.catch_warnings():
        # A calibration gives this warning for small classes: see `_Folds`.
        warnings.filterwarnings("ignore", message="Number of classes in training fold")
        fitted = clone(base).fit(X_train, y_train)
    scores = np.zeros((len(X), n_classes))
    scores[:, fitted.classes_] = fitted.predict_proba(X)
    return scores


def out_of_fold_scores(base, X, y, folds: np.ndarray, n_classes: int) -> np.ndarray:
    """Return class probabilities for X by cross-validation, shape (n, n_classes).

    `folds` has the fold number of each example. Each fold is predicted by a clone of `base` that is
    fitted to the other folds.
    """
    scores = np.empty((len(y), n_classes))
    for fold in np.unique(folds):
        fit = folds != fold
        scores[~fit] = class_scores(base, X[fit], y[fit], X[~fit], n_classes)
    return scores
