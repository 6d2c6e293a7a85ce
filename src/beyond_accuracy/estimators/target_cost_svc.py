"""The cost-sensitive SVM of one target of F_β, and the costs that a target implies."""

from numbers import Integral, Real
from typing import Any, Literal

import numpy as np

from beyond_accuracy.estimators.cost_svc import CostSVC
from beyond_accuracy.scikit_learn import Interval, StrOptions
from beyond_accuracy.solvers.hinge.path import Algorithm


def costs_of_target(t: float, beta: float) -> tuple[float, float]:
    """Costs of a missed positive and of a false alarm, 1 + β² − t and t.

    F_β ≥ t exactly when (1 + β² − t)·FN + t·FP ≤ (1 + β²)(1 − t)·P (Parambath et al. 2014).

    Raises ValueError unless 0 < t < 1 + β².
    """
    if not 0.0 < t < 1.0 + beta**2:
        raise ValueError(
            f"t must be above 0 and below 1 + beta² = {1.0 + beta**2:g}, found {t:g}; targets of "
            "F_β are in (0, 1]"
        )
    return 1.0 + beta**2 - t, t


class TargetCostSVC(CostSVC):
    """Linear SVM with the costs 1 + β² − t and t that the target F_β ≥ t implies.

    `FMeasureSVC` chooses t and C by itself; this one leaves the choice to a model selection. See
    `CostSensitiveSVC` for the objective.

    Parameters
    ----------
    t : float, default 0.5
        Target of F_β, in (0, 1 + β²); those above 1 lack the guarantee of the reduction. At
        t = (1 + β²)/2 both classes cost the same.
    beta : float, default 1.0
        Weight of recall against precision.
    C, algorithm, intercept, mu, tol, max_iter, max_planes, random_state
        See `CostSensitiveSVC`.

    Attributes
    ----------
    classes_, coef_, intercept_, objective_, dual_gap_, n_iter_, history_, algorithm_
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
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
        "C": [Interval(Real, 0, None, closed="neither")],
        "algorithm": [
            StrOptions(
                {
                    "auto",
                    "bundle",
                    "bundle_two_sided",
                    "bundle_without_line_search",
                    "coordinate_descent",
                    "interior_point",
                }
            )
        ],
        "intercept": [StrOptions({"free", "none", "regularized"})],
        "mu": [Interval(Real, 0, 1, closed="right")],
        "max_planes": [Interval(Integral, 3, None, closed="left")],
        "t": [Interval(Real, 0, None, closed="neither")],
        "beta": [Interval(Real, 0, 1e100, closed="right")],
    }

    def __init__(
        self,
        t: float = 0.5,
        *,
        tol: float = 1e-3,
        max_iter: int = 10_000,
        random_state: int | np.random.RandomState | None = 0,
        C: float = 1.0,
        algorithm: Algorithm = "auto",
        intercept: Literal["regularized", "free", "none"] = "regularized",
        mu: float = 0.03,
        max_planes: int = 1000,
        beta: float = 1.0,
    ) -> None:
        self.t = t
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.C = C
        self.algorithm = algorithm
        self.intercept = intercept
        self.mu = mu
        self.max_planes = max_planes
        self.beta = beta

    _path_parameters = ("t", "C")

    def _costs(self):
        missed, false_alarm = costs_of_target(self.t, self.beta)
        return self.C * missed, self.C * false_alarm
