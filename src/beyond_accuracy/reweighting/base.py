"""Base classes of the reweighters: they check data, and predict by class weights."""

from collections.abc import Callable
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from beyond_accuracy.reweighting.objective import evaluate, group_scores, weighted_argmax
from beyond_accuracy.reweighting.validation import (
    check_costs,
    check_examples,
    check_scores,
    warn_unless_probabilities,
)


class Reweighter(BaseEstimator):
    """Base class of decision rules that are fitted to the class scores of a classifier.

    Subclasses implement `_fit(scores, labels, costs)` and `_predict(scores)` for checked arguments.

    Attributes
    ----------
    objective_ : float
        Average cost of the predictions on the data of `fit`.
    n_classes_ : int
        Number m of classes.

    References
    ----------
    K. Deng et al., ROCML 2006; its extended form: https://doi.org/10.1007/s10994-008-5056-8

    Examples
    --------
    >>> from beyond_accuracy.reweighting import MetaClassReweighter, Reweighter
    >>> issubclass(MetaClassReweighter, Reweighter)
    True
    """

    objective_: float

    _fit: Callable[..., None]
    _predict: Callable[..., NDArray[np.int64]]
    _parameter_constraints: dict[str, list | str] = {}

    def fit(self, scores: ArrayLike, y: ArrayLike, cost_matrix: ArrayLike | None = None) -> Self:
        """Fit the rule to scores, shape (n, m), and class indices y, shape (n,).

        Parameters
        ----------
        scores : array, shape (n, m)
            Non-negative, such as class probabilities. Rows that do not sum to one give a
            UserWarning.
        y : integer array, shape (n,)
            True classes, as column indices of the scores. Some classes may have no example.
        cost_matrix : array, shape (m, m), or None
            cost_matrix[true, predicted] ≥ 0. None costs 1 for every error, so that the average cost
            is the error rate.
        """
        self._validate_params()
        scores, labels = check_examples(scores, y)
        self.n_classes_: int = scores.shape[1]
        costs = check_costs(cost_matrix, None, self.n_classes_)
        warn_unless_probabilities(scores)
        self._fit(scores, labels, costs)
        return self

    def predict(self, scores: ArrayLike) -> NDArray[np.int64]:
        """Return predicted class indices, int64, shape (n,), for scores of shape (n, m)."""
        check_is_fitted(self)
        return self._predict(check_scores(scores, self.n_classes_))


class WeightReweighter(Reweighter):
    """Base class of decision rules that multiply the scores of each class by a weight.

    Example i is predicted as argmax_j w_j·S_ij for scores S and non-negative weights w. Only the
    ratios of the weights matter: the largest is 1, unless all are 0. Products within a relative
    1e-12 are ties, which go to the lowest class index.

    A subclass has a method `_find_weights(scores, labels, grouped, costs)`.

    Attributes
    ----------
    weights_ : ndarray, shape (m,), float64
        Weights of the classes.
    objective_, n_classes_
        See `Reweighter`.

    References
    ----------
    K. Deng et al., ROCML 2006; its extended form: https://doi.org/10.1007/s10994-008-5056-8

    Examples
    --------
    >>> from beyond_accuracy import reweighting
    >>> scores = [[.6, .3, .1], [.5, .4, .1], [.5, .1, .4], [.7, .2, .1], [.6, .3, .1]]
    >>> y = [0, 1, 2, 0, 1]
    >>> reweighting.SequentialReweighter().fit(scores, y).weights_
    array([0.3380617 , 0.89442719, 1.        ])
    """

    _find_weights: Callable[..., np.ndarray]

    def _fit(self, scores, labels, costs):
        grouped = group_scores(scores, labels)
        weights = np.asarray(self._find_weights(scores, labels, grouped, costs), dtype=np.float64)
        self.weights_: NDArray[np.float64] = (
            weights / weights.max() if weights.max() > 0 else weights
        )
        self.objective_: float = evaluate(grouped, costs, self.weights_)

    def _predict(self, scores):
        return weighted_argmax(scores, self.weights_)
