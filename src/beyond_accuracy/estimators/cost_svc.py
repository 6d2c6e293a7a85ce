"""What linear SVMs with a cost for each class share: the costs, the fit and its certificate."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, validate_data

from beyond_accuracy.estimators.binary_labels import encode_binary_labels
from beyond_accuracy.estimators.path import PathMixin
from beyond_accuracy.solvers.hinge import HingePath

POSITIVE = Interval(Real, 0, None, closed="neither")


def weighted_examples(estimator, X, y, sample_weight=None):
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


class CostSVC(PathMixin, BaseEstimator):
    """Base of linear SVMs with `_costs()`: those of a positive and of a negative example, times C.

    The parameters are those of `CostSensitiveSVC`, which documents them.
    """

    _parameter_constraints = {
        "C": [POSITIVE],
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
        "tol": [POSITIVE],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "max_planes": [Interval(Integral, 3, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, C, algorithm, intercept, mu, tol, max_iter, max_planes, random_state):
        self.C = C
        self.algorithm = algorithm
        self.intercept = intercept
        self.mu = mu
        self.tol = tol
        self.max_iter = max_iter
        self.max_planes = max_planes
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        `sample_weight`, shape (n,), non-negative, counts each example that many times.

        Raises
        ------
        ValueError
            If X holds NaN or infinity, y has not exactly two classes, a parameter is out of range,
            the costs are so large that the objective overflows, or the weights leave no example of
            a class.
        """
        self._solve(self._start(X, y, sample_weight))
        return self

    def _start(self, X, y, sample_weight=None):
        self._validate_params()
        X, positive, weight, self.classes_ = weighted_examples(self, X, y, sample_weight)
        return self._hinge_path(X, positive, weight)

    def _hinge_path(self, X, positive, weight) -> HingePath:
        """Fits to the examples of weight above 0."""
        if weight is not None and not (weight > 0).all():
            used = weight > 0
            X, positive, weight = X[used], positive[used], weight[used]
        seed = check_random_state(self.random_state).randint(2**31)
        return HingePath(X, positive, weight, seed=seed, **self._hinge_options())

    def _hinge_options(self):
        names = ("algorithm", "intercept", "mu", "max_planes")
        return {name: getattr(self, name) for name in names}

    def _solve(self, path):
        self._adopt(path.solve(*self._costs(), tol=self.tol, max_iter=self.max_iter))
        self.algorithm_ = path.algorithm

    def _adopt(self, solution):
        self.coef_, self.intercept_ = solution.w[None, :-1], solution.w[-1:]
        self._record_solution(solution)
