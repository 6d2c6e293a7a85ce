"""The linear SVM with a cost model: positives weigh j times as much as negatives."""

from numbers import Integral, Real

from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval

from beyond_accuracy.estimators.weighted_hinge import (
    WeightedHingeMixin,
    path_of,
    weighted_examples,
)


class CostModelSVC(WeightedHingeMixin, BaseEstimator):
    """Linear hinge-loss SVM with SVM-light's cost model and free intercept, certified by its gap.

    Minimizes ½‖w‖² + C·(j·Σ hinge over positives + Σ hinge over negatives). The intercept is not
    regularized, as in SVM-light and LIBSVM and unlike in LIBLINEAR.

    Parameters
    ----------
    C : float, default 1.0
        Cost of a unit of hinge loss, in LIBLINEAR's and LIBSVM's convention.
    j : float, default 1.0
        Factor on the cost of the positive class, as SVM-light's option -j.
    tol : float, default 1e-3
        Relative duality gap, (primal − dual) / primal, at which to stop.
    max_iter : int, default 10000
        Iterations after which a ConvergenceWarning names the gap reached.
    fit_intercept : bool, default True
    random_state : int, RandomState or None, default 0
        Order of the examples in coordinate descent, which serves beyond 500 features.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The second class is the positive one.
    coef_ : ndarray, shape (1, n_features)
    intercept_ : ndarray, shape (1,)
    objective_ : float
        Primal objective.
    dual_gap_ : float
        Relative duality gap reached.
    n_iter_ : int
    history_ : list of Iteration
        Iteration number, seconds, primal and dual.
    """

    _parameter_constraints = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "j": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self, C=1.0, j=1.0, *, tol=1e-3, max_iter=10_000, fit_intercept=True, random_state=0
    ):
        self.C = C
        self.j = j
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        `sample_weight`, shape (n,), non-negative, counts each example that many times.

        Raises
        ------
        ValueError
            If X holds NaN or infinity, y has not exactly two classes, a parameter is out of
            range, or the weights leave no example of a class.
        """
        self._validate_params()
        X, positive, weight, self.classes_ = weighted_examples(self, X, y, sample_weight)
        path = path_of(self, X, positive, weight, "free" if self.fit_intercept else "none")
        self._take_over(
            path.solve(self.C * self.j, float(self.C), tol=self.tol, max_iter=self.max_iter)
        )
        return self
