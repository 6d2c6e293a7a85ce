"""The cost-sensitive SVM of one target of F_β, and a path of them for model selection."""

from collections.abc import Mapping, Sequence
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import validate_data

from beyond_accuracy.estimators.f_measure_svc import costs_of_target
from beyond_accuracy.estimators.weighted_hinge import (
    HINGE_CONSTRAINTS,
    WeightedHingeMixin,
    weighted_examples,
)


def check_target(t: float, beta: float) -> None:
    """Raise ValueError unless 0 < t < 1 + β²."""
    if not 0.0 < t < 1.0 + beta**2:
        raise ValueError(
            f"t must be above 0 and below 1 + beta² = {1.0 + beta**2:g}, found {t:g}; targets of "
            "F_β are in (0, 1]"
        )


class TargetCostSVC(WeightedHingeMixin, BaseEstimator):
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
    """

    _parameter_constraints = {
        "t": [Interval(Real, 0, None, closed="neither")],
        "beta": [Interval(Real, 0, None, closed="neither")],
        "C": [Interval(Real, 0, None, closed="neither")],
        **HINGE_CONSTRAINTS,
    }

    def __init__(
        self,
        t=0.5,
        *,
        beta=1.0,
        C=1.0,
        algorithm="auto",
        intercept="regularized",
        mu=0.03,
        tol=1e-3,
        max_iter=10_000,
        max_planes=1000,
        random_state=0,
    ):
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

    def fit(self, X, y, sample_weight=None):
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        `sample_weight`, shape (n,), non-negative, counts each example that many times.

        Raises
        ------
        ValueError
            If X holds NaN or infinity, y has not exactly two classes, a parameter is out of range,
            or the weights leave no example of a class.
        """
        self._validate_params()
        check_target(self.t, self.beta)
        X, positive, weight, self.classes_ = weighted_examples(self, X, y, sample_weight)
        path = self._path(X, positive, weight)
        self._take_over(self._solve(path, self.C, costs_of_target(self.t, self.beta)))
        self.algorithm_ = path.algorithm
        return self

    def path_decisions(self, X, y, X_validation, candidates: Sequence[Mapping[str, float]]):
        """Decision values of many fits, each from where the last one ended.

        Parameters
        ----------
        X, y
            To fit to, as in `fit`.
        X_validation : array, shape (m, d)
        candidates : sequence of mappings
            Values of t, C and mu; what a candidate does not name is this estimator's own.

        Returns
        -------
        ndarray of float64, shape (n_candidates, m)
            Planes serve all C of a target; targets go on from the best point of the last one.
        """
        self._validate_params()
        X, positive, weight, _ = weighted_examples(self, X, y, None)
        X_validation = validate_data(
            self, X_validation, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False
        )
        decisions = np.empty((len(candidates), X_validation.shape[0]))
        values = [{"t": self.t, "C": self.C, "mu": self.mu, **each} for each in candidates]
        for mu in dict.fromkeys(value["mu"] for value in values):
            path = self._path(X, positive, weight, mu)
            places = [place for place, value in enumerate(values) if value["mu"] == mu]
            for place in sorted(places, key=lambda each: (values[each]["t"], values[each]["C"])):
                check_target(values[place]["t"], self.beta)
                costs = costs_of_target(values[place]["t"], self.beta)
                solution = self._solve(path, values[place]["C"], costs)
                self._warn_unless_converged(solution)
                w = solution.w
                decisions[place] = np.asarray(X_validation @ w[:-1]).ravel() + w[-1]
        return decisions
