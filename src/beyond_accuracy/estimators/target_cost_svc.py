"""Cost-sensitive SVM for one target value of F_β, and the costs that a target implies."""

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
from beyond_accuracy.measures.bounds import LARGEST_BETA
from beyond_accuracy.scikit_learn import Interval, StrOptions
from beyond_accuracy.solvers.hinge.path import Algorithm


def costs_of_target(t: float, beta: float) -> tuple[float, float]:
    """Return (1 + β² − t, t), the costs of a missed positive and of a false alarm for the target t.

    F_β ≥ t holds exactly if (1 + β² − t)·FN + t·FP ≤ (1 + β²)(1 − t)·P for P positives (Parambath
    et al. 2014).

    Raises ValueError unless 0 < t < 1 + β².
    """
    if not 0.0 < t < 1.0 + beta**2:
        raise ValueError(
            f"t must be above 0 and below 1 + beta² = {1.0 + beta**2:g}, found {t:g}; targets of "
            "F_β are in (0, 1]"
        )
    return 1.0 + beta**2 - t, t


class TargetCostSVC(SolvedClassifier):
    """Linear SVM with the costs that a target value t of F_β implies.

    A missed positive costs 1 + β² − t, and a false alarm costs t. `CostSensitiveSVC` describes the
    objective. Choose t and C by model selection, or use `FMeasureSVC`, which chooses both itself.

    Parameters
    ----------
    t : float, default 0.5
        Target of F_β, in (0, 1 + β²). The theory of the reduction does not cover targets above 1.
        At t = (1 + β²)/2 both classes have equal costs.
    beta : float, default 1.0
        Weight of recall against precision.
    C, algorithm, intercept, mu, tol, max_iter, max_planes, random_state
        See `CostSensitiveSVC`.
    pos_label : int, float, bool, str or None, default None
        See `MultivariateSVC`.

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

    algorithm_: str

    _parameter_constraints: dict[str, list[Any]] = {
        "t": [Interval(Real, 0, None, closed="neither")],
        "beta": [Interval(Real, 0, LARGEST_BETA, closed="right")],
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
    _path_parameters = ("t", "C")

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
        missed, false_alarm = costs_of_target(self.t, self.beta)
        solve_for_costs(self, path, self.C * missed, self.C * false_alarm)
