"""Linear SVMs with a cost per class: given, as a factor, or implied by a target value of F_β."""

from numbers import Integral, Real
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from beyond_accuracy.estimators.binary_classifier import (
    PathClassifier,
    store_solution,
)
from beyond_accuracy.estimators.validation import (
    ArrayLike,
    MatrixLike,
    binary_examples,
    warn_of_scales,
)
from beyond_accuracy.scikit_learn import Interval, StrOptions, check_sample_weight
from beyond_accuracy.solvers.hinge import HingePath
from beyond_accuracy.solvers.hinge.path import Algorithm

# Of the parameters that `CostSensitiveSVC`, `TargetCostSVC` and `FMeasureSVC` share.
HINGE_CONSTRAINTS: dict[str, list[Any]] = {
    "algorithm": [StrOptions(set(get_args(Algorithm)))],
    "intercept": [StrOptions({"regularized", "free", "none"})],
    "mu": [Interval(Real, 0, 1, closed="right")],
    "tol": [Interval(Real, 0, None, closed="neither")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "max_planes": [Interval(Integral, 3, None, closed="left")],
    "random_state": ["random_state"],
}


def weighted_examples(
    estimator: Any, X: Any, y: Any, sample_weight: Any
) -> tuple[Any, NDArray[np.bool_], NDArray[np.float64] | None]:
    """Validate training data, and set `classes_`; return (X, positive, weights or None).

    `positive`, shape (n,), marks the positive examples. Raises ValueError if the data are invalid,
    or all examples with positive weight are of one class.
    """
    X, positive, estimator.classes_ = binary_examples(estimator, X, y)
    if estimator._warns_of_data:
        warn_of_scales(X)
    if sample_weight is None:
        return X, positive, None
    weight = check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    used = positive[weight > 0]
    if used.all() or not used.any():
        raise ValueError(
            "the examples of weight above 0 are of one class only; both classes are needed"
        )
    return X, positive, weight


def hinge_options(estimator: Any) -> dict[str, Any]:
    """Return the parameters of the estimator that are keywords of its solver, `HingePath`."""
    names = ("algorithm", "intercept", "mu", "max_planes")
    return {name: getattr(estimator, name) for name in names}


def hinge_path(estimator: Any, X: Any, positive: Any, weight: Any, **options: Any) -> HingePath:
    """Make a solver of SVMs whose hinge loss has a cost per class and a weight per example.

    The solver can be used for several pairs of costs in turn. Rows of weight 0 are left out;
    `weight` may be None. `options` are keywords of `HingePath`.
    """
    if weight is not None and not (weight > 0).all():
        used = weight > 0
        X, positive, weight = X[used], positive[used], weight[used]
    seed = check_random_state(estimator.random_state).randint(2**31)
    return HingePath(X, positive, weight, seed=seed, **options)


def solve_for_costs(estimator: Any, path: HingePath, missed: float, false_alarm: float) -> None:
    """Train a linear SVM for given costs, and set the fitted attributes of the estimator.

    `missed` and `false_alarm` are the weights of the hinge loss of positives and of negatives.
    """
    solution = path.solve(missed, false_alarm, tol=estimator.tol, max_iter=estimator.max_iter)
    w = estimator._sign * solution.w
    estimator.coef_, estimator.intercept_ = w[None, :-1], w[-1:]
    estimator.algorithm_ = path.algorithm
    store_solution(estimator, solution)


class CostSensitiveSVC(PathClassifier):
    """Linear SVM whose hinge loss weighs the classes by their costs (Cheng et al. 2016).

    Minimizes ½‖w‖² + C·Σ s_i·c(y_i)·max(0, 1 − y_i·f(x_i)). Here c is `cost_positive` for positives
    and `cost_negative` for negatives, s are the sample weights and f(x) = w·x + b. With the paper's
    parameter λ, C = 1/(λ·Σ s_i).

    Parameters
    ----------
    cost_positive, cost_negative : float, default 1.0
        Factors on the hinge loss of positive and of negative examples.
    C : float, default 1.0
        Weight of the loss, as C in LIBLINEAR.
    algorithm : str, default "auto"
        Training algorithm:

        - "bundle" is the paper's bundle method with line search (BM-ls-CS).
        - "bundle_without_line_search" is the paper's BM-nls-CS.
        - "coordinate_descent" is LIBLINEAR's method, with a duality gap.
        - "interior_point" is fast for few features.
        - "auto" is "interior_point" if n·max(d, 10)² ≤ 250,000, for n rows and d features. For more
          than 500 features it is "coordinate_descent". Otherwise the choice depends on the other
          parameters and X.
    intercept : {"regularized", "free", "none"}, default "regularized"
        "regularized" adds ½b² to the objective, as in the paper, SVM-perf and LIBLINEAR. "free"
        does not; it is not available with the bundle methods. "none" fixes b = 0.
    mu : float, default 0.03
        Step of the bundle methods, in (0, 1]. The next cutting plane, a linear lower bound on the
        loss, is taken at (1 − mu)·w_b + mu·w_t. Here w_b are the best weights so far, and w_t the
        best ones for the present lower bounds.
    tol : float, default 1e-3
        Relative duality gap, (primal − dual) / primal, at which to stop.
    max_iter : int, default 10000
        Largest number of iterations. If it is reached, a ConvergenceWarning names the duality gap.
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

    _parameter_constraints: dict[str, list[Any]] = {
        "cost_positive": [Interval(Real, 0, None, closed="neither")],
        "cost_negative": [Interval(Real, 0, None, closed="neither")],
        "C": [Interval(Real, 0, None, closed="neither")],
        **HINGE_CONSTRAINTS,
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

        A `sample_weight` w ≥ 0 has the effect of repeating the example w times.

        Raises ValueError for invalid data or parameters, if the costs are too large or too small
        for float64, and if the weights leave no example of a class.
        """
        self._solve(self._start(X, y, sample_weight))
        return self

    _path_parameters = ("cost_positive", "cost_negative", "C")

    def _start(self, X, y, sample_weight=None):
        self._validate_params()
        examples = weighted_examples(self, X, y, sample_weight)
        return hinge_path(self, *examples, **hinge_options(self))

    def _solve(self, path):
        solve_for_costs(self, path, self.C * self.cost_positive, self.C * self.cost_negative)


def costs_of_target(t: float, beta: float) -> tuple[float, float]:
    """Return the costs of a missed positive and of a false alarm for a target value t of F_β.

    The costs are 1 + β² − t and t. For FN missed positives and FP false alarms among P positives,
    F_β ≥ t holds exactly if (1 + β² − t)·FN + t·FP ≤ (1 + β²)(1 − t)·P (Parambath et al. 2014).

    Raises ValueError unless 0 < t < 1 + β².
    """
    if not 0.0 < t < 1.0 + beta**2:
        raise ValueError(
            f"t must be above 0 and below 1 + beta² = {1.0 + beta**2:g}, found {t:g}; targets of "
            "F_β are in (0, 1]"
        )
    return 1.0 + beta**2 - t, t


class TargetCostSVC(CostSensitiveSVC):
    """Linear SVM with the costs that a target value t of F_β implies.

    A missed positive costs 1 + β² − t, and a false alarm costs t. `CostSensitiveSVC` describes the
    objective. Choose t and C by model selection, or use `FMeasureSVC`, which chooses both itself.

    Parameters
    ----------
    t : float, default 0.5
        Target of F_β, in (0, 1 + β²). At t = (1 + β²)/2 both classes have equal costs.
    beta : float, default 1.0
        Weight of recall against precision.
    C, algorithm, intercept, mu, tol, max_iter, max_planes, random_state, pos_label
        See `CostSensitiveSVC`.

    Attributes
    ----------
    classes_, pos_label_, coef_, intercept_, objective_, dual_gap_, n_iter_, history_, algorithm_
        See `CostSensitiveSVC`.

    References
    ----------
    S. Parambath, N. Usunier, Y. Grandvalet, Optimizing F-Measures by Cost-Sensitive
    Classification, NIPS 2014. F. Cheng et al., Efficient Optimization of F-Measure with
    Cost-Sensitive SVM, Mathematical Problems in Engineering, 2016.
    https://www.hindawi.com/journals/mpe/2016/5873769/

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy import TargetCostSVC
    >>> classifier = TargetCostSVC(t=0.5).fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 1, 1])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "t": [Interval(Real, 0, None, closed="neither")],
        "beta": [Interval(Real, 0, 1e100, closed="right")],
        "C": [Interval(Real, 0, None, closed="neither")],
        **HINGE_CONSTRAINTS,
    }

    def __init__(
        self,
        t: float = 0.5,
        *,
        beta: float = 1.0,
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
        self.t = t
        self.beta = beta
        self.C = C
        self.algorithm = algorithm
        self.intercept = intercept
        self.mu = mu
        self.tol = tol
        self.max_iter = max_iter
        self.max_planes = max_planes
        self.random_state = random_state
        self.pos_label = pos_label

    _path_parameters = ("t", "C")

    def _solve(self, path):
        missed, false_alarm = costs_of_target(self.t, self.beta)
        solve_for_costs(self, path, self.C * missed, self.C * false_alarm)


class CostModelSVC(CostSensitiveSVC):
    """Linear SVM whose positive examples weigh j times as much as negatives.

    Minimizes ½‖w‖² + C·(j·Σ hinge loss of positives + Σ hinge loss of negatives), as SVM-light with
    its option -j. The intercept is not regularized, unlike in LIBLINEAR.

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

    _path_parameters = ("C", "j")
    warm_starts = False

    def _start(self, X, y, sample_weight=None):
        self._validate_params()
        return weighted_examples(self, X, y, sample_weight)

    def _solve(self, examples):
        # Neither algorithm gains from starting at the end of another fit.
        path = hinge_path(self, *examples, intercept="free" if self.fit_intercept else "none")
        solve_for_costs(self, path, self.C * self.j, float(self.C))
