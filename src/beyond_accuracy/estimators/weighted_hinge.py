"""What estimators of the weighted hinge loss share: the fit, its attributes and its warning."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, validate_data

from beyond_accuracy.estimators.binary_labels import encode_binary_labels
from beyond_accuracy.estimators.linear_decision import LinearDecisionMixin
from beyond_accuracy.solvers.hinge import HingePath


def weighted_examples(estimator, X, y, sample_weight):
    """Validate; returns X, positive, weights (or None) and classes.

    Raises
    ------
    ValueError
        If a weight is negative, or no weight of a class is above 0.
    """
    dtype = [np.float64, np.float32]
    X, y = validate_data(estimator, X, y, accept_sparse="csr", dtype=dtype, order="C")
    classes, positive = encode_binary_labels(y)
    if sample_weight is None:
        return X, positive, None, classes
    weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    used = positive[weight > 0]
    if used.all() or not used.any():
        raise ValueError(
            "the examples of weight above 0 are of one class only; both classes are needed"
        )
    return X, positive, weight, classes


def path_of(estimator, X, positive, weight, intercept, **options) -> HingePath:
    """A path of fits to the examples of weight above 0, with the estimator's seed."""
    if weight is not None and not (weight > 0).all():
        used = weight > 0
        X, positive, weight = X[used], positive[used], weight[used]
    seed = check_random_state(estimator.random_state).randint(2**31)
    return HingePath(X, positive, weight, intercept=intercept, seed=seed, **options)


class WeightedHingeMixin(LinearDecisionMixin):
    """Attributes and predictions of a linear classifier with a certified weighted hinge loss."""

    def _take_over(self, solution):
        self.coef_ = solution.w[None, :-1]
        self.intercept_ = solution.w[-1:]
        self.objective_ = solution.objective
        self.dual_gap_ = solution.dual_gap
        self.n_iter_ = solution.n_iter
        self.history_ = solution.history
        self._warn_unless_converged(solution)

    def _warn_unless_converged(self, solution):
        if not solution.converged:
            warnings.warn(
                f"stopped after {solution.n_iter} iterations at a relative duality gap of "
                f"{solution.dual_gap:.2g}, above tol={self.tol:g}; increase max_iter or scale the "
                "features to a similar range",
                ConvergenceWarning,
                stacklevel=4,
            )
