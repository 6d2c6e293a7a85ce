"""Classifier adaptation (CAPO): a multivariate SVM that starts from auxiliary classifiers."""

import functools
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from beyond_accuracy.estimators.adapted_svc import AdaptedSVC
from beyond_accuracy.estimators.auxiliaries import augment
from beyond_accuracy.estimators.parameters import MatrixLike
from beyond_accuracy.measures import Measure
from beyond_accuracy.measures.contingency import TableFunction
from beyond_accuracy.scikit_learn import Interval, StrOptions
from beyond_accuracy.solvers import make_solver
from beyond_accuracy.solvers.score_offset import make_offset_solver

_B_RANGE = (1e-6, 1e6)


class MatchingB(NamedTuple):
    """The largest B that gives the auxiliary the weight 1, and whether all smaller ones do too."""

    largest: float
    matches_below: bool


def matching_B(
    X: MatrixLike,
    output: NDArray[np.float64],
    positive: NDArray[np.bool_],
    measure: str | Measure | TableFunction,
    C: float,
    *,
    tol: float = 1e-6,
    **options: Any,
) -> MatchingB | None:
    """The B at which the auxiliary gets the weight 1, as in problem (9), or None.

    With g(a) the optimum of problem (9) for the offset a·output, the weight a(B) of problem (14)
    minimizes B/2·a² + g(a). It is continuous in B, and a² does not increase. a(B) = 1 where −B is
    a subgradient of g at 1: for one B at most if g is differentiable there. If g has a kink at 1,
    as the optima of losses like the hinge loss often have, it is so for an interval of B, and for
    every B from 0 to its end if g does not fall beyond 1. Where a stays below 1 for however small
    a B, no B reproduces problem (9).

    A weight counts as 1 if it is so within √(2·gap/B) and within √tol. As the objective grows by
    B/2 times the squared distance of a from a(B) at least, a fit whose duality gap is gap is no
    farther than the former from a(B). This says nothing where B is small, hence the latter.

    Parameters
    ----------
    X, positive, measure, **options
        See `beyond_accuracy.solvers.make_solver`.
    output : ndarray, shape (n,)
        Of the auxiliary.
    C : float
    tol : float, default 1e-6
        Relative duality gap of each of the 10 to 40 problems solved, or 100·C·tol² where the
        optimum is next to nothing, since rounding allows no better (100·C·tol² is tol² times the
        largest optimum possible).

    Returns
    -------
    MatchingB or None
        `largest` is in [1e-6, 1e6], to a relative 1e-4 and what the tolerance of weights allows.
        `matches_below` tells that all B from 1e-6 to `largest` match; if not, one B does or an
        interval whose lower end is above 1e-6. None if there is none in this range.

    Raises
    ------
    RuntimeError
        If a problem could not be solved to this gap.
    """

    @functools.cache
    def excess(log_B):
        """The weight − 1, and its tolerance."""
        B = float(np.exp(log_B))
        solver = make_solver(augment(X, output[:, None], B), positive, measure, **options)
        solution = solver.solve(C, tol=tol, eps=100.0 * tol**2)
        if not solution.converged:
            raise RuntimeError(
                f"at B={B:g} the relative duality gap is {solution.dual_gap:.3g}, above "
                f"tol={tol:g}, so that the weight is not known: allow a larger tol or scale the "
                "features"
            )
        gap = solution.objective - solution.dual_objective
        return solution.w[0] * np.sqrt(1.0 / B) - 1.0, min(np.sqrt(2.0 * gap / B), np.sqrt(tol))

    def upper(log_B):
        return sum(excess(log_B))

    low, high = np.log(_B_RANGE)
    if upper(low) < 0.0 or upper(high) >= 0.0:
        return None
    end = brentq(upper, low, high, xtol=1e-4)
    above, tolerance = excess(low)
    if above <= tolerance:
        return MatchingB(float(np.exp(end)), True)
    crossing = brentq(lambda log_B: excess(log_B)[0], low, high, xtol=1e-4)
    # Of weights that fall slowly many are within the tolerance: an interval's do not fall at all.
    above, tolerance = excess((crossing + end) / 2.0)
    is_interval = above >= -min(tolerance, 0.1 * np.sqrt(tol))
    return MatchingB(float(np.exp(end if is_interval else crossing)), False)


class CAPOClassifier(AdaptedSVC):
    """Multivariate SVM on features and the outputs of auxiliary classifiers (CAPO).

    Adapts auxiliary classifiers f_i to a performance measure:
    f(x) = Σ a_i·f_i(x) + w·x + b, where w·x + b is the delta function. Minimizes
    ½‖w‖² + ½b² + B/2·‖a‖² + C·ξ, with ξ as in `MultivariateSVC` (problem (11) of the paper). With
    v = √B·a this is a multivariate SVM on the features [√(1/B)·f_1(x), …, √(1/B)·f_m(x), x]
    (problem (12)): v_i·√(1/B)·f_i = a_i·f_i and ½‖v‖² = B/2·‖a‖².

    Parameters
    ----------
    auxiliaries : list of classifiers, or None, default None
        Fitted ones are used as they are, so they should not have seen the data on which the
        classifier is judged; clones of the others are fitted to the same data. As clone() takes
        fits away, wrap them in sklearn.frozen.FrozenEstimator for use within a grid search. None
        are the paper's three: a core vector machine, C4.5 and an RBF network. Those whose
        outputs on the training data are all equal, as of one that predicts one class only if
        outputs are ±1, are left out, with a warning; without any it is the linear
        `MultivariateSVC` of the same C.
    B : float, default 1.0
        Penalty on the auxiliaries' weights, at least 1e-30; without effect if form="fixed".
    form : {"multiple", "single", "fixed"}, default "multiple"
        "multiple" is problem (12); "single" is problem (14), the same for exactly one auxiliary;
        "fixed" is problem (9): one auxiliary whose weight is 1. `matching_B` tells which B, if any,
        makes the two latter equal.
    delta_features : "passthrough", "drop" or transformer, default "passthrough"
        What the delta function sees: X; nothing, so that X may be whatever the auxiliaries take,
        with missing values, categories or texts; or X as the transformer, which is cloned and
        fitted, turns it into numbers. But for "passthrough" auxiliaries see X as it is given.
    real_valued : bool, default True
        Take real-valued outputs of the auxiliaries: 2·P − 1 for the probability P of the positive
        class, or the decision values of one without probabilities. False is ±1, as in the paper.
    cross_fit : bool or None, default None
        Train on outputs that come from classifiers fitted without the case's fold. None does so for
        those that are not fitted yet, unless w = 0 is optimal then; True refuses fitted ones; False
        is the paper: on their own training data most classifiers look better than they are, and
        little is left to adapt.
    cv : int, splitter or iterable, default 5
        Folds of cross-fitting, each row being in one test part; an int is a number of stratified,
        shuffled ones.
    n_jobs : int or None, default None
        Folds of cross-fitting that are fitted at a time; −1 is one a core.
    memory : str, object with the interface of joblib.Memory, or None, default None
        Where to keep fitted auxiliaries and their outputs, so that fits to the same data share
        them, whatever their measure, C, B or form. The fits of a path share them without it.
    C, C_convention
        See `MultivariateSVC`; there is no C_convention="scaled", and C=None is n/100 in SVM-perf's
        unit, 1 in LIBLINEAR's (the same).
    measure, tol, eps, max_iter, fit_intercept, line_search, max_planes
        See `MultivariateSVC`.
    random_state : int, RandomState or None, default 0
        Folds of cross-fitting.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The second class is the positive one.
    auxiliaries_ : list of classifiers
        All fitted.
    cross_fitted_ : bool
        Whether the weights were trained on outputs for cases not seen, by cross-fitting. Of a mixed
        list True: outputs of fitted auxiliaries are as they are, those of the others cross-fitted.
        False if all were fitted already, but for those left out.
    delta_features_ : transformer
        Fitted, if one is given.
    left_out_ : list of int
        Indices of the auxiliaries that were left out.
    auxiliary_coef_ : ndarray, shape (1, m)
        Weights a of the outputs.
    coef_ : ndarray, shape (1, n_features)
        The delta function.
    intercept_ : ndarray, shape (1,)
    objective_, dual_gap_, n_iter_, history_, degenerate_
        See `MultivariateSVC`.

    References
    ----------
    N. Li, I. W. Tsang, Z.-H. Zhou, Efficient optimization of performance measures by classifier
    adaptation, IEEE TPAMI 35(6), 2013. https://doi.org/10.1109/TPAMI.2012.172

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy import CAPOClassifier
    >>> classifier = CAPOClassifier().fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 1, 1])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "C_convention": [StrOptions({"liblinear", "svm_perf"})],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "eps": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
        "line_search": ["boolean"],
        "max_planes": [Interval(Integral, 3, None, closed="left")],
        "auxiliaries": [list, tuple, None],
        "C": [Interval(Real, 0, None, closed="neither"), None],
        "real_valued": ["boolean"],
        "cross_fit": ["boolean", None],
        "cv": ["cv_object"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "B": [Interval(Real, 1e-30, None, closed="left")],
        "form": [StrOptions({"fixed", "multiple", "single"})],
    }

    def __init__(
        self,
        auxiliaries: Sequence[Any] | None = None,
        measure: str | Measure | TableFunction = "f1",
        C: float | None = None,
        B: float = 1.0,
        *,
        C_convention: Literal["svm_perf", "liblinear"] = "svm_perf",
        tol: float = 1e-3,
        eps: float = 0.0,
        max_iter: int = 10_000,
        fit_intercept: bool = True,
        line_search: bool = True,
        max_planes: int = 1000,
        real_valued: bool = True,
        cross_fit: bool | None = None,
        cv: Any = 5,
        n_jobs: int | None = None,
        memory: Any = None,
        random_state: int | np.random.RandomState | None = 0,
        delta_features: Any = "passthrough",
        form: Literal["multiple", "single", "fixed"] = "multiple",
    ) -> None:
        self.auxiliaries = auxiliaries
        self.measure = measure
        self.C = C
        self.B = B
        self.C_convention = C_convention
        self.tol = tol
        self.eps = eps
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.line_search = line_search
        self.max_planes = max_planes
        self.real_valued = real_valued
        self.cross_fit = cross_fit
        self.cv = cv
        self.n_jobs = n_jobs
        self.memory = memory
        self.random_state = random_state
        self.delta_features = delta_features
        self.form = form

    _path_parameters = ("B", "C")

    def _training_rows(self, X, y):
        features = self.delta_features
        named = isinstance(features, str) and features in ("passthrough", "drop")
        if not named and not hasattr(features, "transform"):
            raise ValueError(
                f'delta_features must be "passthrough", "drop" or a transformer, found {features!r}'
            )
        return super()._training_rows(X, y)

    def _check_number(self, number):
        # One that says nothing has been left out.
        if self.form != "multiple" and number > 1:
            raise ValueError(
                f"form={self.form!r} takes exactly one auxiliary, found {number}; "
                'form="multiple" takes any number'
            )

    def _adapt(self, problem):
        m = problem.outputs.shape[1]
        if problem.B != self.B:
            problem.B, problem.solver = self.B, self._solver_of(problem)
        w = self._optimize(problem.solver, len(problem.positive))
        if self.form == "fixed":
            self.auxiliary_coef_: NDArray[np.float64]
            self.coef_: NDArray[np.float64]
            self.auxiliary_coef_, self.coef_ = np.ones((1, m)), w[None, :-1]
        else:
            self.auxiliary_coef_ = w[None, :m] * np.sqrt(1.0 / self.B)
            self.coef_ = w[None, m:-1]
        self.intercept_: NDArray[np.float64] = w[-1:]

    def _solver_of(self, problem):
        X, positive, outputs = problem.X, problem.positive, problem.outputs
        if self.form == "fixed" and outputs.shape[1]:
            return self._solver(X, positive, make_offset_solver, offset=outputs[:, 0])
        return self._solver(augment(X, outputs, self.B), positive)

    def _decide(self, rows):
        X, outputs = rows
        return super()._decide(X) + outputs @ self.auxiliary_coef_[0]
