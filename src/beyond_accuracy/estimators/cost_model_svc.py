"""Linear SVM with a cost model: positives weigh j times as much as negatives."""

from numbers import Integral, Real
from typing import Any, Self

import numpy as np

from beyond_accuracy.estimators.binary_classifier import (
    BinaryClassifier,
    fit_path,
    paths,
)
from beyond_accuracy.estimators.cost_sensitive_svc import (
    hinge_path,
    solve_for_costs,
    weighted_examples,
)
from beyond_accuracy.estimators.validation import ArrayLike, MatrixLike
from beyond_accuracy.scikit_learn import Interval


class CostModelSVC(BinaryClassifier):
    """Linear SVM whose positive examples weigh j times as much as negatives.

    Minimizes ½‖w‖² + C·(j·Σ hinge loss of positives + Σ hinge loss of negatives), as SVM-light with
    its option -j. The intercept is not regularized, as in SVM-light and LIBSVM, and unlike in
    LIBLINEAR. The duality gap certifies the optimum.

    Parameters
    ----------
    C : float, default 1.0
        Weight of the hinge loss of a negative, as C in LIBLINEAR and LIBSVM.
    j : float, default 1.0
        Factor on the loss of positives.
    fit_intercept : bool, default True
    tol, max_iter, random_state, pos_label
        See `CostSensitiveSVC`. Coordinate descent is used for more than 500 features.

    Attributes
    ----------
    classes_, pos_label_, coef_, intercept_, objective_, dual_gap_, n_iter_, history_, algorithm_
        See `CostSensitiveSVC`.

    References
    ----------
    T. Joachims, SVM-light, whose option -j is the cost model.
    https://www.cs.cornell.edu/people/tj/svm_light/

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy import CostModelSVC
    >>> classifier = CostModelSVC(j=4.0).fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 1, 1])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "j": [Interval(Real, 0, None, closed="neither")],
        "fit_intercept": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        C: float = 1.0,
        j: float = 1.0,
        *,
        fit_intercept: bool = True,
        tol: float = 1e-3,
        max_iter: int = 10_000,
        random_state: int | np.random.RandomState | None = 0,
        pos_label: Any = None,
    ) -> None:
        self.C = C
        self.j = j
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.pos_label = pos_label

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        `sample_weight`, shape (n,), non-negative, counts each example that many times.

        Raises ValueError if X holds NaN or infinity, y has not exactly two classes, a parameter is
        out of range, the costs are too large or too small for float64, or the weights leave no
        example of a class.
        """
        self._solve(self._start(X, y, sample_weight))
        return self

    fit_path, paths = fit_path, paths
    path_goes_on = True
    _path_parameters = ("C", "j")

    def _start(self, X, y, sample_weight=None):
        self._validate_params()
        return weighted_examples(self, X, y, sample_weight)

    def _solve(self, examples):
        # Neither algorithm gains from starting at the end of another fit.
        path = hinge_path(self, *examples, intercept="free" if self.fit_intercept else "none")
        solve_for_costs(self, path, self.C * self.j, float(self.C))
