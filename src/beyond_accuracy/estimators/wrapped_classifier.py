"""Base of the meta-estimators that change the decisions of another classifier."""

import warnings
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, is_classifier
from sklearn.pipeline import Pipeline
from sklearn.utils import Tags, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted, column_or_1d, has_fit_parameter

from beyond_accuracy.estimators.scorers import ROUTING
from beyond_accuracy.scikit_learn import check_sample_weight
from beyond_accuracy.solvers.data_matrix import check_structure


class WrappedClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Base class of classifiers that change the decisions of another classifier.

    A subclass has the parameters `estimator`, which is the other classifier, `cv` and `n_jobs`.
    `cv` says how to split the data, or is a string that the subclass interprets, such as "prefit".
    """

    estimator: Any
    cv: Any
    n_jobs: int | None
    estimator_: Any
    n_features_in_: int
    feature_names_in_: np.ndarray

    def get_metadata_routing(self) -> MetadataRouter:
        """Return a router that passes keywords of `fit` to `estimator` and to the splitter `cv`."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=self).add_self_request(self)
        router.add(estimator=self.estimator, method_mapping=mapping)
        if not isinstance(self.cv, str):
            mapping = MethodMapping().add(caller="fit", callee="split")
            router.add(splitter=self.cv, method_mapping=mapping)
        return router

    def __sklearn_tags__(self) -> Tags:
        tags, inner = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.classifier_tags.poor_score = inner.classifier_tags.poor_score
        return tags

    @property
    def _is_prefit(self):
        return isinstance(self.cv, str) and self.cv == "prefit"

    def _check_probabilities(self, remedy="CalibratedClassifierCV({})"):
        """Raise ValueError if the classifier in `self.estimator` has no predict_proba.

        The message suggests `remedy`, in which {} is replaced by the classifier.
        """
        if is_classifier(self.estimator) and not hasattr(self.estimator, "predict_proba"):
            name = type(self.estimator).__name__
            inner = getattr(self.estimator, "estimator", self.estimator)
            raise ValueError(
                f"{name} has no predict_proba, which {type(self).__name__} needs; take "
                f"sklearn.calibration.CalibratedClassifierCV, as in "
                f"{remedy.format(f'{type(inner).__name__}()')}"
            )

    def _check_prefit(self, params):
        """Check, for cv="prefit", that `estimator` is fitted and its `fit` gets no keywords."""
        if params:
            found = sorted(params)
            raise ValueError(f'cv="prefit" fits no estimator; found the parameters {found}')
        check_is_fitted(self.estimator)

    def _keywords(self, sample_weight, params):
        """Divide the keywords of `fit` between the wrapped estimator and the splitter.

        Return two dicts: the keywords of `estimator.fit`, and those of the splitter's `split`.
        `sample_weight` is included if the estimator takes weights. If metadata routing is disabled,
        the splitter gets `groups`, and the estimator gets all other keywords.
        """
        routing = get_config()["enable_metadata_routing"]
        if sample_weight is not None and (routing or _takes_weights(self.estimator, params)):
            params = params | {"sample_weight": sample_weight}
        elif sample_weight is not None and not any(
            keyword.endswith("__sample_weight") for keyword in params
        ):
            warnings.warn(
                f"{type(self.estimator).__name__}.fit does not say that it takes sample_weight: it "
                "is fitted without, and the weights count in the decision rule alone",
                UserWarning,
                stacklevel=3,
            )
        if not routing:
            to_fit = {name: value for name, value in params.items() if name != "groups"}
            return to_fit, {"groups": params.get("groups")}
        routed = process_routing(self, "fit", **params)
        return routed.estimator.fit, {} if isinstance(self.cv, str) else routed.splitter.split

    def _costs_to_score(self, cost_matrix):
        """Return the argument `cost_matrix` of `score`, or else the parameter of the classifier.

        ValueError is raised instead if `fit` was called with costs, as those were of other rows.
        """
        if cost_matrix is not None:
            return cost_matrix
        if self.needs_costs_:
            raise ValueError(
                "fit was given costs, so that score needs those of its rows: "
                f"score(X, y, cost_matrix=…); {ROUTING}"
            )
        return self.cost_matrix

    def _keep(self, estimator):
        """Set `self.estimator_`, and copy `n_features_in_` and `feature_names_in_` if available."""
        self.estimator_ = estimator
        for name in ("n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)
            if hasattr(estimator, name):
                setattr(self, name, getattr(estimator, name))


def checked_examples(X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """Check that X, y and weights have equal lengths and no weight is negative; return them."""
    check_structure(X)
    X, y = indexable(X, column_or_1d(y, warn=True))
    shape = np.asarray(sample_weight).shape
    if len(shape) == 3:
        raise ValueError(
            f"sample_weight must have shape ({len(y)},), found shape {shape}; "
            "costs of each example are given by name, fit(X, y, cost_matrix=...)"
        )
    if sample_weight is not None:
        sample_weight = check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True
        )
    return X, y, sample_weight


def _takes_weights(estimator, params):
    """Return whether `estimator.fit` takes weights; ValueError if a pipeline would ignore them."""
    # The base class of all searches is private to scikit-learn.
    if isinstance(estimator, MetaEstimatorMixin) and hasattr(estimator, "refit"):
        return _takes_weights(estimator.estimator, params)
    if not isinstance(estimator, Pipeline):
        return has_fit_parameter(estimator, "sample_weight")
    name, last = estimator.steps[-1]
    if has_fit_parameter(last, "sample_weight"):
        keyword = f"{name}__sample_weight"
        if keyword not in params:
            raise ValueError(
                f"a Pipeline passes sample_weight to none of its steps; give {keyword}=… to fit as "
                f"well ({keyword}=None to fit without weights), or enable metadata routing and let "
                f"{type(last).__name__} request it"
            )
    return False
