"""What linear SVMs with a cost for each class share: the costs, the fit and its certificate."""

from typing import Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from beyond_accuracy.estimators.binary_classifier import binary_examples
from beyond_accuracy.estimators.parameters import (
    ArrayLike,
    MatrixLike,
)
from beyond_accuracy.estimators.path import PathClassifier
from beyond_accuracy.scikit_learn import check_sample_weight
from beyond_accuracy.solvers.hinge import HingePath


class WeightedHingeSVC(PathClassifier):
    """Base of linear SVMs with `_costs()`: those of a positive and of a negative example, times C.

    See `CostSensitiveSVC` for the parameters; `_hinge_options()` are those of `HingePath`.
    """

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        `sample_weight`, shape (n,), non-negative, counts each example that many times.

        Raises ValueError if X holds NaN or infinity, y has not exactly two classes, a parameter is
        out of range, the costs are too large or too small for float64, or the weights leave no
        example of a class.
        """
        self._solve(self._start(X, y, sample_weight))
        return self

    def _start(self, X, y, sample_weight=None):
        self._validate_params()
        return self._hinge_path(*self._examples(X, y, sample_weight))

    def _examples(self, X, y, sample_weight):
        """Validate; sets `classes_` and returns X, positive and the weights, or None."""
        self.classes_: np.ndarray
        X, positive, self.classes_ = binary_examples(self, X, y)
        if sample_weight is None:
            return X, positive, None
        weight = check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        used = positive[weight > 0]
        if used.all() or not used.any():
            raise ValueError(
                "the examples of weight above 0 are of one class only; both classes are needed"
            )
        return X, positive, weight

    def _hinge_path(self, X, positive, weight) -> HingePath:
        """Fits to the examples of weight above 0."""
        if weight is not None and not (weight > 0).all():
            used = weight > 0
            X, positive, weight = X[used], positive[used], weight[used]
        seed = check_random_state(self.random_state).randint(2**31)
        return HingePath(X, positive, weight, seed=seed, **self._hinge_options())

    def _solve(self, path):
        solution = path.solve(*self._costs(), tol=self.tol, max_iter=self.max_iter)
        self.coef_: NDArray[np.float64]
        self.intercept_: NDArray[np.float64]
        self.coef_, self.intercept_ = solution.w[None, :-1], solution.w[-1:]
        self._record_solution(solution)
        self.algorithm_: str = path.algorithm


class CostSVC(WeightedHingeSVC):
    """Base of those that leave the choice of algorithm and intercept."""

    def _hinge_options(self):
        names = ("algorithm", "intercept", "mu", "max_planes")
        return {name: getattr(self, name) for name in names}
