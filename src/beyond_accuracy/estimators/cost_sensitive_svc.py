"""The linear SVM with a cost for each class, by the bundle method and its rivals."""

from numbers import Real

from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval

from beyond_accuracy.estimators.weighted_hinge import (
    HINGE_CONSTRAINTS,
    WeightedHingeMixin,
    weighted_examples,
)


class CostSensitiveSVC(WeightedHingeMixin, BaseEstimator):
    """Linear SVM whose hinge loss weighs the classes by their costs (Cheng et al. 2016).

    Minimizes ½‖w‖² + C·Σ s_i·c(y_i)·max(0, 1 − y_i·f(x_i)), c being `cost_positive` for positives
    and `cost_negative` for negatives, s the sample weights and f(x) = w·x + b. This is the
    paper's J divided by λ, where C = 1/(λ·Σs); SVM-perf's C is C·n/100.

    Parameters
    ----------
    cost_positive, cost_negative : float, default 1.0
        Costs of a unit of loss on a positive (missed) and a negative (false alarm) example.
    C : float, default 1.0
        LIBLINEAR's C.
    algorithm : str, default "auto"
        "bundle" is BM-ls-CS, "bundle_without_line_search" BM-nls-CS, both of the paper;
        "coordinate_descent" is LIBLINEAR's method with a certificate; "interior_point" is for few
        features. "auto" takes coordinate descent above 500 features and where costs times squared
        norms of the examples are small, the interior-point method with a free intercept, on sparse
        data and for gaps below 1e-5, the bundle method otherwise.
    intercept : {"regularized", "free", "none"}, default "regularized"
        Whether ½b² joins the objective, as in the paper, SVM-perf and LIBLINEAR. The bundle method
        cannot leave it free.
    mu : float, default 0.03
        Where the bundle method takes its next plane: (1 − mu)·w_b + mu·w_t, mu in (0, 1].
    tol : float, default 1e-3
        Relative duality gap, (primal − dual) / primal, at which to stop.
    max_iter : int, default 10000
        Iterations after which a ConvergenceWarning names the gap reached.
    max_planes : int, default 1000
        Memory bound of the bundle method.
    random_state : int, RandomState or None, default 0
        Order of the examples in coordinate descent.

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
    algorithm_ : str
        The algorithm that was used.

    References
    ----------
    F. Cheng et al., Efficient Optimization of F-Measure with Cost-Sensitive SVM, Mathematical
    Problems in Engineering, 2016.
    """

    _parameter_constraints = {
        "cost_positive": [Interval(Real, 0, None, closed="neither")],
        "cost_negative": [Interval(Real, 0, None, closed="neither")],
        "C": [Interval(Real, 0, None, closed="neither")],
        **HINGE_CONSTRAINTS,
    }

    def __init__(
        self,
        cost_positive=1.0,
        cost_negative=1.0,
        *,
        C=1.0,
        algorithm="auto",
        intercept="regularized",
        mu=0.03,
        tol=1e-3,
        max_iter=10_000,
        max_planes=1000,
        random_state=0,
    ):
        self.cost_positive = cost_positive
        self.cost_negative = cost_negative
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
        self._validate_params()
        X, positive, weight, self.classes_ = weighted_examples(self, X, y, sample_weight)
        path = self._path(X, positive, weight)
        self._take_over(self._solve(path, self.C, (self.cost_positive, self.cost_negative)))
        self.algorithm_ = path.algorithm
        return self
