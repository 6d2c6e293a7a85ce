"""Predictions of least expected cost under given class probabilities."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.reweighting.validation import (
    check_costs,
    check_examples,
    check_scores,
    check_weights,
    make_prices,
)


class ExpectedCostReweighter(BaseEstimator):
    """Rule that predicts the class of least expected cost; there is nothing to fit.

    The expected cost of class j for scores p is Σ_k p_k·costs[k, j]. The rule is optimal if the
    scores are the true probabilities. Rows are scaled to sum to one. Ties go to the lowest class
    index.

    Attributes
    ----------
    cost_matrix_ : ndarray, shape (m, m), or None
        The costs; None if `fit` got one matrix per example.
    objective_ : float
        Average cost on the data of `fit`.
    n_classes_ : int
        Number m of classes.

    References
    ----------
    C. Elkan, The Foundations of Cost-Sensitive Learning, IJCAI 2001, equation (1).
    https://dl.acm.org/doi/10.5555/1642194.1642224

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[.6, .3, .1], [.5, .4, .1], [.5, .1, .4], [.7, .2, .1], [.6, .3, .1]]
    >>> y, costs = [0, 1, 2, 0, 1], [[0, 1, 1], [4, 0, 1], [4, 1, 0]]
    >>> rule = reweighting.ExpectedCostReweighter().fit(scores, y, costs)
    >>> rule.predict(scores), round(rule.objective_, 6)
    (array([1, 1, 2, 1, 1]), 0.4)
    """

    def fit(
        self,
        scores: ArrayLike,
        y: ArrayLike,
        cost_matrix: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Store the costs, and compute the average cost of the predictions on these data.

        `scores` has shape (n, m), and y, shape (n,), are true classes as column indices of the
        scores. `cost_matrix` is indexed [true, predicted], with shape (m, m), or (n, m, m) for one
        matrix per example; None costs 1 for every error. Costs may be negative. If `fit` gets one
        matrix per example, `predict` also needs a `cost_matrix`.
        """
        scores, labels = check_examples(scores, y)
        n, m = scores.shape
        costs = check_costs(cost_matrix, n, m)
        weights = check_weights(sample_weight, n)
        self.store_costs(costs, m)
        paid = make_prices(costs, labels)[self.predict(scores, costs), np.arange(n)]
        self.objective_: float = float(np.average(paid, weights=weights))
        return self

    def store_costs(self, costs: NDArray[np.float64], n_classes: int) -> Self:
        """Store valid costs, shape (m, m) or (n, m, m), without computing `objective_`."""
        self.n_classes_: int = n_classes
        self.cost_matrix_: NDArray[np.float64] | None = costs if costs.ndim == 2 else None
        return self

    def predict(self, scores: ArrayLike, cost_matrix: ArrayLike | None = None) -> NDArray[np.int64]:
        """Return predicted class indices, int64, shape (n,), for scores of shape (n, m).

        `cost_matrix`, shape (m, m) or (n, m, m), replaces the costs of `fit`. Raises ValueError if
        `fit` got costs per example and `predict` got none.
        """
        check_is_fitted(self)
        scores = check_scores(scores, self.n_classes_)
        if cost_matrix is None and self.cost_matrix_ is None:
            raise ValueError(
                "fit was given costs of each example; give those of the examples to predict, too: "
                f"cost_matrix of shape ({len(scores)}, {self.n_classes_}, {self.n_classes_})"
            )
        costs = self.cost_matrix_ if cost_matrix is None else cost_matrix
        costs = check_costs(costs, len(scores), self.n_classes_)
        scores = scores / scores.sum(axis=1, keepdims=True)
        product = "nk,kj->nj" if costs.ndim == 2 else "nk,nkj->nj"
        return np.argmin(np.einsum(product, scores, costs), axis=1)
