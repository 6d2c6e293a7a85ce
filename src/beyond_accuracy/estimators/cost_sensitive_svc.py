"""Linear SVM with a cost per class, with a choice of training algorithms."""

from numbers import Integral, Real
from typing import Any, Literal, Self, get_args

import numpy as np

from beyond_accuracy.estimators.parameters import ArrayLike, MatrixLike
from beyond_accuracy.estimators.path import fit_path, path_decisions, paths
from beyond_accuracy.estimators.training import (
    SolvedClassifier,
    hinge_path,
    solve_for_costs,
    weighted_examples,
)
from beyond_accuracy.scikit_learn import Interval, StrOptions
from beyond_accuracy.solvers.hinge.path import Algorithm


class CostSensitiveSVC(SolvedClassifier):
    """Linear SVM whose hinge loss weighs the classes by their costs (Cheng et al. 2016).

    Minimizes ½‖w‖² + C·Σ s_i·c(y_i)·max(0, 1 − y_i·f(x_i)). Here c is `cost_positive` for positives
    and `cost_negative` for negatives, s are the sample weights and f(x) = w·x + b. This is the
    paper's objective J(w) divided by λ, where C = 1/(λ·Σ s_i). In SVM-perf's unit the same weight
    is C·n/100.

    Parameters
    ----------
    cost_positive, cost_negative : float, default 1.0
        Costs of a unit of hinge loss of a positive and of a negative example.
    C : float, default 1.0
        Weight of the loss, as C in LIBLINEAR.
    algorithm : str, default "auto"
        Training algorithm:

        - "bundle" is the paper's bundle method with line search (BM-ls-CS).
        - "bundle_without_line_search" is the paper's BM-nls-CS.
        - "bundle_two_sided" is "bundle" with a line search in both directions.
        - "coordinate_descent" is LIBLINEAR's method, with a duality gap.
        - "interior_point" is fast for few features.
        - "auto" depends on the problem. If n·max(d, 10)² ≤ 250,000 it is the interior-point method
          up to rounding, so that a sample weight of 2 equals a repeated row. If d > 500 it is
          coordinate descent. If the intercept is free or tol < 1e-5 it is the interior-point
          method. Otherwise it is coordinate descent if costs times squared norms of the examples
          are small, the interior-point method for other sparse data, and the bundle method for
          other dense data.
    intercept : {"regularized", "free", "none"}, default "regularized"
        "regularized" adds ½b² to the objective, as in the paper, SVM-perf and LIBLINEAR. "free"
        does not; the bundle methods cannot do this. "none" fixes b = 0.
    mu : float, default 0.03
        In (0, 1]. The bundle methods take the next cutting plane at (1 − mu)·w_b + mu·w_t, where
        w_b is the best point so far and w_t the minimizer of the current model.
    tol : float, default 1e-3
        Relative duality gap, (primal − dual) / primal, at which to stop.
    max_iter : int, default 10000
        Iterations after which a ConvergenceWarning names the gap reached.
    max_planes : int, default 1000
        Largest number of cutting planes that the bundle methods keep in memory.
    random_state : int, RandomState or None, default 0
        Seed for the order of the examples in coordinate descent.
    pos_label : int, float, bool, str or None, default None
        See `MultivariateSVC`.

    Attributes
    ----------
    classes_, pos_label_
        See `MultivariateSVC`.
    coef_ : ndarray, shape (1, n_features)
    intercept_ : ndarray, shape (1,)
    objective_ : float
        Primal objective.
    dual_gap_ : float
        Relative duality gap reached.
    n_iter_ : int
        Number of iterations.
    history_ : list of Iteration
        Iteration number, seconds, and primal and dual objective.
    algorithm_ : str
        The algorithm that was used.

    References
    ----------
    F. Cheng et al., Efficient Optimization of F-Measure with Cost-Sensitive SVM, Mathematical
    Problems in Engineering, 2016. https://www.hindawi.com/journals/mpe/2016/5873769/

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy import CostSensitiveSVC
    >>> classifier = CostSensitiveSVC(cost_positive=4.0).fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 1, 1])
    """

    algorithm_: str

    _parameter_constraints: dict[str, list[Any]] = {
        "cost_positive": [Interval(Real, 0, None, closed="neither")],
        "cost_negative": [Interval(Real, 0, None, closed="neither")],
        "C": [Interval(Real, 0, None, closed="neither")],
        "algorithm": [StrOptions(set(get_args(Algorithm)))],
        "intercept": [StrOptions({"regularized", "free", "none"})],
        "mu": [Interval(Real, 0, 1, closed="right")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "max_planes": [Interval(Integral, 3, None, closed="left")],
        "random_state": ["random_state"],
        "pos_label": "no_validation",
    }

    def __init__(
        self,
        cost_positive: float = 1.0,
        cost_negative: float = 1.0,
        *,
        C: float = 1.0,
        algorithm: Algorithm = "auto",
        intercept: Literal["regularized", "free", "none"] = "regularized",
        mu: float = 0.03,
        tol: float = 1e-3,
        max_iter: int = 10_000,
        max_planes: int = 1000,
        random_state: int | np.random.RandomState | None = 0,
        pos_label: Any = None,
    ) -> None:
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

    fit_path, path_decisions, paths = fit_path, path_decisions, paths
    path_goes_on = True
    _path_parameters = ("cost_positive", "cost_negative", "C")

    def _start(self, X, y, sample_weight=None):
        self._validate_params()
        examples = weighted_examples(self, X, y, sample_weight)
        return hinge_path(
            self,
            *examples,
            algorithm=self.algorithm,
            intercept=self.intercept,
            mu=self.mu,
            max_planes=self.max_planes,
        )

    def _solve(self, path):
        solve_for_costs(self, path, self.C * self.cost_positive, self.C * self.cost_negative)
