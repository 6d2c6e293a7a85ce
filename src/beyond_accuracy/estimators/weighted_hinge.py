"""What estimators of the weighted hinge loss share: the fit, its attributes and its warning."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, validate_data

from beyond_accuracy.estimators.binary_labels import encode_binary_labels
from beyond_accuracy.estimators.certified_solution import CertifiedSolutionMixin
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


# The parameters that `CostSensitiveSVC` shares with the estimators of F_β built on it.
HINGE_CONSTRAINTS = {
    "algorithm": [
        StrOptions(
            {
                "auto",
                "bundle",
                "bundle_without_line_search",
                "coordinate_descent",
                "interior_point",
            }
        )
    ],
    "intercept": [StrOptions({"regularized", "free", "none"})],
    "mu": [Interval(Real, 0, 1, closed="right")],
    "tol": [Interval(Real, 0, None, closed="neither")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "max_planes": [Interval(Integral, 3, None, closed="left")],
    "random_state": ["random_state"],
}


class WeightedHingeMixin(CertifiedSolutionMixin, LinearDecisionMixin):
    """Attributes and predictions of a linear classifier with a certified weighted hinge loss."""

    def _path(self, X, positive, weight, mu=None):
        """A path with the parameters of `HINGE_CONSTRAINTS`."""
        return path_of(
            self,
            X,
            positive,
            weight,
            self.intercept,
            algorithm=self.algorithm,
            mu=self.mu if mu is None else mu,
            max_planes=self.max_planes,
        )

    def _solve(self, path, C, costs):
        return path.solve(C * costs[0], C * costs[1], tol=self.tol, max_iter=self.max_iter)

    def _take_over(self, solution):
        self.coef_ = solution.w[None, :-1]
        self.intercept_ = solution.w[-1:]
        self._record_solution(solution)
