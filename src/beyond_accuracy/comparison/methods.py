"""Methods to compare: the estimators of the user, or the built-in candidates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from beyond_accuracy.comparison.criteria import Criterion
from beyond_accuracy.estimators import (
    CostModelSVC,
    MultivariateSVC,
    OperatingPointClassifier,
    ReweightedClassifier,
)

_C = (0.01, 0.1, 1.0, 10.0)
_COSTS = tuple({"C": C, "j": j} for C in (0.1, 1.0) for j in (1.0, 5.0))
_SCALED_C = (0.01, 0.1, 0.5, 3.0)
_LEAVES = (4, 8, 16, 31)
_TREES = 100
# With class weights scikit-learn looks for the limit of each bin by itself: with its 255 bins that
# takes ten times as long as the trees.
_BINS = 32
_MOST_VALUES = 50
_OWN_DECISIONS = (
    OperatingPointClassifier,
    ReweightedClassifier,
    FixedThresholdClassifier,
    TunedThresholdClassifierCV,
)


@dataclass(frozen=True)
class Method:
    """A classifier to compare, with candidates for its hyperparameters.

    Attributes
    ----------
    name : str
    candidates : sequence of (dict, estimator)
        Hyperparameters to report, and the unfitted estimator that has them.
    tunable : bool
        Whether the classifier is also evaluated with a tuned threshold.
    only_for : str or None
        The only criterion for which the method is evaluated; None for all criteria.
    """

    name: str
    candidates: Sequence[tuple[dict[str, Any], BaseEstimator]]
    tunable: bool = True
    only_for: str | None = None


def given_methods(estimators: Mapping[str, BaseEstimator]) -> list[Method]:
    """Return one method per estimator of the user; raise ValueError if one has no scores."""
    if not isinstance(estimators, Mapping) or not estimators:
        raise ValueError(
            f"estimators: found {estimators!r}; valid is a mapping from names to classifiers, such "
            'as {"logistic": LogisticRegression()}, or None for the built-in candidates'
        )
    for name, estimator in estimators.items():
        if isinstance(estimator, type):
            raise ValueError(f"estimators: {name!r} is a class; give an instance, {name}(…)")
        if not any(hasattr(estimator, each) for each in ("predict_proba", "decision_function")):
            raise ValueError(
                f"estimators: {name!r}, a {type(estimator).__name__}, has neither predict_proba "
                "nor decision_function, so that it gives no scores; wrap it in "
                "sklearn.calibration.CalibratedClassifierCV or take another classifier"
            )
    return [
        Method(str(name), [({}, estimator)], tunable=not _decides_by_itself(estimator))
        for name, estimator in estimators.items()
    ]


def _decides_by_itself(estimator) -> bool:
    if isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    return isinstance(estimator, _OWN_DECISIONS)


def built_in_methods(X: Any, criteria: Sequence[Criterion], seed: int) -> list[Method]:
    """Return the built-in candidates for the features X, simplest first.

    X is a data frame, array or sparse matrix. There is one multivariate SVM per criterion that it
    can optimize.
    """
    regressions, boosted = [], []
    for suffix, weight in (("", None), (", class-weighted", "balanced")):
        linear = LogisticRegression(class_weight=weight, max_iter=1000)
        models = [({"C": C}, with_preprocessing(X, clone(linear).set_params(C=C))) for C in _C]
        regressions.append(Method(f"Logistic regression{suffix}", models, weight is None))
        models = [({"max_leaf_nodes": n}, _boosting(X, n, weight, seed)) for n in _LEAVES]
        boosted.append(Method(f"Gradient boosting{suffix}", models, weight is None))
    costs = [
        (each, with_preprocessing(X, CostModelSVC(**each, random_state=seed))) for each in _COSTS
    ]
    multivariate, scaled = [], {"C_convention": "scaled"}
    for criterion in criteria:
        if criterion.measure is not None and criterion.measure.loss is not None:
            models = [
                ({"C": C}, with_preprocessing(X, MultivariateSVC(criterion.measure, C=C, **scaled)))
                for C in _SCALED_C
            ]
            multivariate.append(Method("Multivariate SVM", models, False, criterion.name))
    return [*regressions, Method("Cost-sensitive SVM", costs), *multivariate, *boosted]


def _nominal_columns(X) -> list[str]:
    """Return the columns of a data frame that are not numeric; an empty list for an array."""
    if not hasattr(X, "dtypes") or not hasattr(X, "columns"):
        return []
    return list(X.columns[[dtype.kind not in "biufc" for dtype in X.dtypes]])


def with_preprocessing(X, model) -> BaseEstimator:
    """Return a pipeline of imputation, one-hot encoding, scaling and the model.

    If X is sparse, return the model alone.
    """
    if sp.issparse(X):
        return model
    encoder = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=_MOST_VALUES, sparse_output=False
    )
    imputer = SimpleImputer(strategy="median", keep_empty_features=True)
    return _columns(X, make_pipeline(imputer, StandardScaler()), encoder, model)


def _boosting(X, n_leaves, weight, seed) -> BaseEstimator:
    """Return gradient boosting for X. It handles missing values and nominal columns itself.

    `n_leaves` is the maximum number of leaves per tree, and `weight` the class weight.
    """
    nominal = _nominal_columns(X)
    n_numeric = np.shape(X)[1] - len(nominal)
    model = HistGradientBoostingClassifier(
        max_iter=_TREES,
        max_bins=_BINS,
        max_leaf_nodes=n_leaves,
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
