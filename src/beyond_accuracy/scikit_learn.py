"""Imports of undocumented parts of scikit-learn, and access to the classifier inside pipelines."""

from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing as safe_indexing
from sklearn.utils._param_validation import HasMethods, Interval, RealNotInt, StrOptions
from sklearn.utils.validation import _check_sample_weight as check_sample_weight
from sklearn.utils.validation import _num_samples as num_samples

__all__ = [
    "HasMethods",
    "Interval",
    "RealNotInt",
    "StrOptions",
    "check_sample_weight",
    "innermost",
    "num_samples",
    "safe_indexing",
]


def innermost(estimator: Any, X: Any) -> tuple[Any, Any]:
    """Unwrap a fitted classifier from pipelines and searches; return (classifier, X).

    A search, such as GridSearchCV, is replaced by its best estimator, and a pipeline by its last
    step. X is transformed by the earlier steps of the pipelines.
    """
    while isinstance(estimator, Pipeline) or hasattr(estimator, "best_estimator_"):
        if isinstance(estimator, Pipeline):
            if len(estimator) > 1:
                X = estimator[:-1].transform(X)
            estimator = estimator[-1]
        else:
            estimator = estimator.best_estimator_
    return estimator, X
