"""The multivariate SVM as a scikit-learn classifier."""

import warnings
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import validate_data

from beyond_accuracy.estimators.binary_labels import encode_binary_labels
from beyond_accuracy.estimators.linear_decision import LinearDecisionMixin
from beyond_accuracy.solvers import make_solver


class MultivariateSVC(LinearDecisionMixin, BaseEstimator):
    """Linear SVM that optimizes a multivariate performance measure (Joachims 2005).

    Minimizes ½‖w‖² + C·ξ, where ξ ≥ 0 is the largest value over labellings ȳ of
    Δ(ȳ, y) − (100/n)·Σ y_i·f(x_i) over the examples on which ȳ and y differ, Δ is the loss in
    percent (100·(1 − measure)) and f(x) = w·x + b. The intercept b is the weight of a constant
    feature 1 and is regularized, as in SVM-perf. The optimum is certified by a duality gap.

    Parameters
    ----------
    measure : str, Measure or callable, default "f1"
        What to optimize: "f1", "f<beta>", "jaccard", "prbep", "precision_at_<k>",
        "recall_at_<k>" (k a count, or a multiple of the positives such as "2p"), "roc_area",
        "accuracy", "balanced_accuracy", "precision", "recall"; or a function of
        (TP, FP, FN, TN) that broadcasts over arrays and is 1 for a perfect prediction.
    C : float or None, default None
        Weight of the loss, in SVM-perf's convention. None is n/100, which for
        measure="accuracy" equals C = 1 in LIBLINEAR's.
    tol : float, default 1e-3
        Relative duality gap, (primal − dual) / primal, at which to stop.
    max_iter : int, default 10000
        Iterations after which a ConvergenceWarning names the gap reached.
    at_most_k : bool, default False
        For "recall_at_<k>" only: admit labellings with fewer than k predicted positives, as
        SVM-perf does. The paper writes exactly k, which is the default; but then the true
        labelling is not admissible unless k equals the number of positives, and a large negative
        intercept alone makes the loss vanish. To get a good ranking, set it to True.
    fit_intercept : bool, default True
    line_search : bool, default True
        False runs Algorithm 1 of the paper, whose iterations are comparable with SVM-perf's.
    max_planes : int, default 1000
        Memory bound: at most this many vectors of n_features + 1 float64.

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
    degenerate_ : bool
        True if w = 0 is as good within 0.1 %: C is too small, or the classes overlap too much,
        for the measure to be learned. A UserWarning says so.

    Notes
    -----
    `sample_weight` and `class_weight` are not supported: the measures are not sums over examples.
    "balanced_accuracy" and "f<beta>" trade the classes off instead.

    References
    ----------
    T. Joachims, A Support Vector Method for Multivariate Performance Measures, ICML 2005.
    """

    _parameter_constraints = {
        "measure": [str, callable, object],
        "C": [None, Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "at_most_k": ["boolean"],
        "fit_intercept": ["boolean"],
        "line_search": ["boolean"],
        "max_planes": [Interval(Integral, 3, None, closed="left")],
    }

    def __init__(
        self,
        measure="f1",
        *,
        C=None,
        tol=1e-3,
        max_iter=10_000,
        at_most_k=False,
        fit_intercept=True,
        line_search=True,
        max_planes=1000,
    ):
        self.measure = measure
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.at_most_k = at_most_k
        self.fit_intercept = fit_intercept
        self.line_search = line_search
        self.max_planes = max_planes

    def fit(self, X, y):
        """Fit to X, shape (n, d), dense or sparse, float64 or float32, and labels y, shape (n,).

        Raises
        ------
        ValueError
            If X holds NaN or infinity, y has not exactly two classes, the measure is unknown or
            a parameter is out of range.
        """
        self._validate_params()
        X, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=[np.float64, np.float32], order="C"
        )
        self.classes_, positive = encode_binary_labels(y)
        n_samples = X.shape[0]
        solver = make_solver(
            X,
            positive,
            self.measure,
            at_most_k=self.at_most_k,
            fit_intercept=self.fit_intercept,
            line_search=self.line_search,
            max_planes=self.max_planes,
        )
        C = n_samples / 100 if self.C is None else float(self.C)
        solution = solver.solve(C, tol=self.tol, max_iter=self.max_iter)
        self.coef_ = solution.w[None, :-1]
        self.intercept_ = solution.w[-1:]
        self.objective_ = solution.objective
        self.dual_gap_ = solution.dual_gap
        self.n_iter_ = solution.n_iter
        self.history_ = solution.history
        self.degenerate_ = solver.is_degenerate(C)
        if not solution.converged:
            warnings.warn(
                f"stopped after {self.n_iter_} iterations at a relative duality gap of "
                f"{self.dual_gap_:.2g}, above tol={self.tol:g}; increase max_iter or scale the "
                "features to a similar range",
                ConvergenceWarning,
                stacklevel=2,
            )
        if self.degenerate_:
            warnings.warn(
                f"w = 0 is an optimum at C={C:g}: the predictions are arbitrary; increase C",
                UserWarning,
                stacklevel=2,
            )
        return self
