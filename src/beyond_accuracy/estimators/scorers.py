"""Scorer for cross-validation by the average cost, with one cost matrix or one per row."""

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.metadata_routing import MetadataRequest

from beyond_accuracy.estimators.validation import ArrayLike
from beyond_accuracy.reweighting.validation import check_costs, make_prices
from beyond_accuracy.scikit_learn import innermost

# Shown wherever costs of the scored rows are missing.
ROUTING = (
    "within cross_val_score or GridSearchCV call sklearn.set_config(enable_metadata_routing=True) "
    "and pass the costs of all rows, cross_val_score(…, params={'cost_matrix': costs}) or "
    "GridSearchCV(…).fit(X, y, cost_matrix=costs)"
)


def average_cost(
    y: ArrayLike,
    predicted: ArrayLike,
    classes: ArrayLike,
    cost_matrix: ArrayLike,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the average cost of predicted labels.

    Entry [true, predicted] of `cost_matrix`, shape (m, m), is a cost for the m labels in the order
    of `classes`. `cost_matrix` may also hold one such matrix per example, shape (n, m, m).
    """
    labels, decisions = class_indices(y, classes), class_indices(predicted, classes)
    prices = make_prices(check_costs(cost_matrix, len(labels), len(classes)), labels)
    return float(np.average(prices[decisions, np.arange(len(labels))], weights=sample_weight))


def class_indices(y: ArrayLike, classes: ArrayLike) -> np.ndarray:
    """Return the index of each label in `classes`; ValueError if a label is not in `classes`."""
    equal = np.asarray(y)[:, None] == np.asarray(classes)
    unknown = ~equal.any(axis=1)
    if unknown.any():
        raise ValueError(
            f"y holds the class {np.asarray(y)[unknown][0]}, which the fitted estimator does not "
            f"know; it knows {np.asarray(classes).tolist()}"
        )
    return equal.argmax(axis=1)


def cost_scorer(cost_matrix: ArrayLike | None = None) -> "CostScorer":
    """Make a scorer that returns minus the average cost of a classifier's decisions.

    Use it as `scoring` in `cross_val_score`, `cross_validate` and searches. With metadata routing,
    the scorer receives the costs of the rows in the fold, and passes them to `ReweightedClassifier`
    or `OperatingPointClassifier` for their decisions. Other classifiers predict without costs.

    Parameters
    ----------
    cost_matrix : array, shape (m, m), or None, default None
        cost_matrix[true, predicted], used if no costs of the rows are passed. Classes are in sorted
        order; if the classifier has a `pos_label`, the positive class is the second.

    Returns
    -------
    scorer : callable
        `scorer(estimator, X, y, *, sample_weight=None, cost_matrix=None)`; both keywords are
        requested by default. ValueError if there are no costs.

    References
    ----------
    C. Elkan, The Foundations of Cost-Sensitive Learning, IJCAI 2001.
    https://cseweb.ucsd.edu/~elkan/rescale.pdf

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn import config_context
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> from beyond_accuracy import ReweightedClassifier, cost_scorer
    >>> X, fraud = make_classification(400, weights=[0.9], random_state=0)
    >>> costs = np.zeros((400, 2, 2))  # [row, true, predicted]
    >>> costs[:, 1, 0] = np.random.default_rng(0).gamma(2.0, 50.0, 400)  # the amount missed
    >>> costs[:, :, 1] = 10.0  # looked into
    >>> model = ReweightedClassifier(LogisticRegression(), "expected_cost")
    >>> with config_context(enable_metadata_routing=True):
    ...     scores = cross_val_score(
    ...         model, X, fraud, scoring=cost_scorer(), params={"cost_matrix": costs}
    ...     )
    >>> bool((scores < 0).all())
    True
    """
    return CostScorer(cost_matrix)


@dataclass(frozen=True, eq=False)
class CostScorer:
    """Scorer that `cost_scorer` returns; `cost_matrix` is the default if a call passes no costs."""

    cost_matrix: Any = None

    def __call__(
        self,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        cost_matrix: ArrayLike | None = None,
    ) -> float:
        """Return minus the average cost of the classifier's decisions on X."""
        costs = self.cost_matrix if cost_matrix is None else cost_matrix
        if costs is None:
            raise ValueError(
                f"cost_scorer has no costs of the scored rows; {ROUTING}, or give costs that are "
                "the same for all rows, cost_scorer(cost_matrix)"
            )
        model, X = innermost(estimator, X)
        if "cost_matrix" in inspect.signature(model.score).parameters:
            return model.score(X, y, sample_weight, cost_matrix=costs)
        return -average_cost(y, model.predict(X), model.classes_, costs, sample_weight)

    def get_metadata_routing(self) -> MetadataRequest:
        """Return scikit-learn's request for the costs and sample weights of the scored rows."""
        request = MetadataRequest(owner=self)
        for name in ("cost_matrix", "sample_weight"):
            request.score.add_request(param=name, alias=True)
        return request
