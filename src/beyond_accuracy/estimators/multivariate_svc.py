"""Multivariate SVM as a scikit-learn classifier."""

import warnings
from collections.abc import Callable
from functools import cache, partial
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import check_is_fitted, check_memory

from beyond_accuracy.estimators.binary_classifier import (
    PathClassifier,
    best_threshold,
    linear_scores,
    solve_for_weight,
    warn_of_zero,
    weight_of_loss,
)
from beyond_accuracy.estimators.kernels import (
    Kernel,
    kernel_decisions,
    kernel_values,
    resolve_gamma,
)
from beyond_accuracy.estimators.validation import (
    ArrayLike,
    MatrixLike,
    binary_examples,
    refuse_keywords,
    validate_data,
    warn_of_scales,
)
from beyond_accuracy.measures import Measure, get_measure
from beyond_accuracy.measures.contingency import TableFunction
from beyond_accuracy.scikit_learn import Interval, StrOptions
from beyond_accuracy.solvers import make_solver
from beyond_accuracy.solvers.kernel_factor import factor_kernel
from beyond_accuracy.solvers.multivariate_svm import advice_at_zero, scaled_unit

_DEFAULT_RANK = 1000
_DEFAULT_TRACE_TOL = 1e-3
_KERNEL_ATTRIBUTES = ("dual_coef_", "components_", "pivots_", "gamma_", "_kernel")

# Of the parameters that `MultivariateSVC` and `CAPOClassifier` share.
SOLVER_CONSTRAINTS: dict[str, list[Any]] = {
    "C": [Interval(Real, 0, None, closed="neither"), None],
    "tol": [Interval(Real, 0, None, closed="neither")],
    "eps": [Interval(Real, 0, None, closed="left")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "fit_intercept": ["boolean"],
    "line_search": ["boolean"],
    "max_planes": [Interval(Integral, 3, None, closed="left")],
}


def _warn_of_copy(X):
    if not (X.flags.c_contiguous and X.dtype in (np.float32, np.float64)):
        warnings.warn(
            f"X is mapped from a file, of {X.nbytes / 1e9:.3g} GB, and is copied into memory: only "
            "rows one after another of float32 or float64, in this machine's order of bytes, are "
            "taken as they are",
            DataConversionWarning,
            stacklevel=5,
        )


class MultivariateSVC(PathClassifier):
    """SVM that optimizes a multivariate performance measure (Joachims 2005).

    Minimizes ½‖w‖² + C·ξ, where f(x) = w·x + b and ξ ≥ 0 is an upper bound on the training loss.
    The loss is Δ = 100·(1 − measure). ξ is the maximum of Δ(ȳ, y) − (100/n)·Σ y_i·f(x_i) over all
    possible predictions ȳ of the n examples, where the sum is over the examples on which ȳ and y
    differ. The intercept b is regularized, as in SVM-perf.

    With a kernel, x is replaced by `kernel_rank_` features, a pivoted incomplete Cholesky factor of
    the kernel matrix. Their inner products approximate the kernel up to a known error. With
    trace_tol=0, they equal the kernel.

    Parameters
    ----------
    measure : str, Measure or callable, default "f1"
        What to optimize.

        - Measures of the predictions: "f1", "f<beta>", "jaccard", "precision", "recall",
          "accuracy", "balanced_accuracy".
        - Measures of the top of the ranking: "prbep" (precision-recall break-even point),
          "precision_at_<k>", "recall_at_<k>". k is a count, or a multiple of the number of
          positives, such as "2p".
        - Measures of the whole ranking: "roc_area", "average_precision", "partial_roc_area_<a>_<b>"
          (between two false positive rates).
        - A function of (TP, FP, FN, TN) that broadcasts over arrays and is 1 for a perfect
          prediction. A function and "precision" are slow: O(P·N) time per iteration for P positives
          and N negatives.
    C : float or None, default None
        Weight of the loss, in the unit of `C_convention`. None is 1 for `C_convention="scaled"`.
        For the other conventions, None is the equivalent value, clipped to the range from 1 to
        10,000 in LIBLINEAR's unit.
    C_convention : {"svm_perf", "liblinear", "scaled"}, default "svm_perf"
        Unit of C.

        - "svm_perf": C is the weight of ξ, as above.
        - "liblinear": C is the weight of one example if measure="accuracy". It is 100/n times C in
          SVM-perf's unit.
        - "scaled": the unit follows the number of examples, their imbalance and the scale of the
          features (see `scaled_unit`). C = 1 gives nearly the best F1.
    tol : float, default 1e-3
        Stop when the duality gap is at most `tol` times the objective, and at most `tol` times the
        largest possible improvement on w = 0 (the objective at w = 0 minus the dual bound).
    eps : float, default 0.0
        Also stop when the duality gap is at most `eps` times C in SVM-perf's unit. This is
        SVM-perf's option -e, whose default is 0.1.
    max_iter : int, default 10000
        Largest number of iterations. If it is reached, a ConvergenceWarning names the duality gap.
    fit_intercept : bool, default True
        Whether to fit the intercept b. If False, b is 0, except after a fallback.
    line_search : bool, default True
        Whether iterations use a line search. False runs Algorithm 1 of the paper.
    max_planes : int, default 1000
        Largest number of cutting planes (linear lower bounds on ξ) in memory. Each takes about
        n_features floats (with a kernel: kernel_rank_).
    kernel : {"linear", "rbf", "poly", "laplacian"} or callable, default "linear"
        "rbf" is exp(−gamma·‖x − z‖²), "poly" is (gamma·x·z + coef0)^degree, and "laplacian" is
        exp(−gamma·‖x − z‖₁). A function kernel(X, Z) takes n and m rows and returns an array of
        shape (n, m). It must be symmetric and positive semidefinite.
    gamma : "scale", "auto" or float, default "scale"
        Parameter of "rbf", "poly" and "laplacian", above 0. "scale" is 1 / (n_features · X.var())
        and "auto" is 1 / n_features, as in sklearn.svm.SVC.
    degree : int, default 3
        Parameter of "poly".
    coef0 : float, default 0.0
        Parameter of "poly". With a negative value, "poly" may not be positive semidefinite.
    n_components : int or None, default None
        Largest rank of the kernel approximation. It takes 16·n·rank bytes of memory and O(n·rank²)
        time. None is n if `trace_tol` is given, and 1000 otherwise.
    trace_tol : float or None, default None
        Accuracy of the kernel approximation: the rank grows until `kernel_error_` is at most
        `trace_tol`. 0 is the exact kernel. None is 0 if `n_components` is given, and 1e-3
        otherwise. If both are given, the first limit reached counts.
    at_most_k : bool, optional
        Only for "recall_at_<k>", where the default is True. If True, the predictions ȳ in the
        definition of ξ have at most k positives, as in SVM-perf. If False, they have exactly k, as
        in the paper. Unless k is the number of positives, no ranking is then learned at large C.
    intercept_scaling : float, default 1.0
        As in sklearn.svm.LinearSVC: a larger value regularizes the intercept less.
    memory : str, object with the interface of joblib.Memory, or None, default None
        Cache of the kernel approximation.
    fallback : "roc_area" or None, default "roc_area"
        What to do if nothing is learned: if w = 0 is optimal, or if predicting all examples
        positive, or all negative, gives a better measure on the training data. "roc_area" takes the
        SVM for ROC area with the best threshold on the training data. If the solution predicts one
        class for all training data, "roc_area" does so only where it gives a better measure there.
        None keeps the solution, as in the paper.
    pos_label : int, float, bool, str or None, default None
        The positive class. None is the second of the sorted classes. A warning names it, unless the
        classes are numbers.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The two labels, sorted. A decision value above 0 predicts the second one.
    pos_label_ : object
        The positive class.
    fallback_ : "roc_area" or None
        "roc_area" if the coefficients are from the SVM for ROC area, with a warning; see
        `fallback`.
    coef_ : ndarray, shape (1, n_features)
        With kernel="linear" only.
    intercept_ : ndarray, shape (1,)
    dual_coef_ : ndarray, shape (1, kernel_rank_)
        With other kernels: f(x) = Σ dual_coef_·K(x, components_) + intercept_.
    components_ : ndarray or CSR matrix, shape (kernel_rank_, n_features)
        With other kernels: the training rows that were chosen as pivots.
    pivots_ : ndarray, shape (kernel_rank_,)
        With other kernels: the indices of these rows, in the order of choice.
    kernel_rank_ : int
        Number of features of the kernel approximation; n_features with kernel="linear".
    kernel_error_ : float
        Share of the trace of the kernel matrix that the approximation lacks, in [0, 1]; 0 with
        kernel="linear".
    gamma_ : float
        With other kernels: the value of gamma that was used.
    objective_ : float
        Primal objective.
    dual_gap_ : float
        Duality gap, as a share of the objective.
    n_iter_ : int
        Number of iterations of the cutting-plane method. For "accuracy" and "balanced_accuracy" on
        sparse data with more than 1000 features, passes of dual coordinate descent.
    history_ : list of Iteration
        Iteration number, seconds, and primal and dual objective.
    degenerate_ : bool
        True if w = 0 is proved to be optimal. Then w = 0 is optimal for every other C, too: the
        classes overlap too much for the measure to be learned. After a fallback, this attribute,
        `objective_` and `history_` still refer to the original measure.

    Notes
    -----
    Scale features to a similar range. Otherwise the fit may end with a ConvergenceWarning.

    From 131,072 rows on, a fit uses all cores, or as many as OMP_NUM_THREADS allows. The result is
    the same for any number of cores.

    `sample_weight` and `class_weight` are not supported. The documentation of
    `beyond_accuracy.measures` has a table of alternatives. To weigh the classes, use
    "balanced_accuracy" or "f<beta>".

    References
    ----------
    T. Joachims, A Support Vector Method for Multivariate Performance Measures, ICML 2005.
    https://doi.org/10.1145/1102351.1102399

    H. Narasimhan and S. Agarwal, SVM_pAUC^tight: A New Support Vector Method for Optimizing Partial
    AUC Based on a Tight Convex Upper Bound, KDD 2013. https://doi.org/10.1145/2487575.2487674

    Y. Yue, T. Finley, F. Radlinski and T. Joachims, A Support Vector Method for Optimizing Average
    Precision, SIGIR 2007. https://doi.org/10.1145/1277741.1277790 The C of that paper is C in
    SVM-perf's unit divided by 400, since its loss is not in percent and its w is half of w here.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(200, weights=[0.8], random_state=0)
    >>> from beyond_accuracy import MultivariateSVC
    >>> classifier = MultivariateSVC("f1").fit(X, y)
    >>> classifier.predict(X[y == 1][:5])
    array([1, 1, 1, 1, 1])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        **SOLVER_CONSTRAINTS,
        "C_convention": [StrOptions({"liblinear", "scaled", "svm_perf"})],
        "kernel": [StrOptions({"laplacian", "linear", "poly", "rbf"}), callable],
        "gamma": [StrOptions({"auto", "scale"}), Interval(Real, 0, None, closed="neither")],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "trace_tol": [Interval(Real, 0, 1, closed="left"), None],
        "at_most_k": ["boolean", None],
        "intercept_scaling": [Interval(Real, 0, None, closed="neither")],
        "fallback": [StrOptions({"roc_area"}), None],
    }

    def __init__(
        self,
        measure: str | Measure | TableFunction = "f1",
        C: float | None = None,
        *,
        C_convention: Literal["svm_perf", "liblinear", "scaled"] = "svm_perf",
        tol: float = 1e-3,
        eps: float = 0.0,
        max_iter: int = 10_000,
        fit_intercept: bool = True,
        line_search: bool = True,
        max_planes: int = 1000,
        kernel: Literal["linear", "rbf", "poly", "laplacian"]
        | Callable[[Any, Any], np.ndarray] = "linear",
        gamma: Literal["scale", "auto"] | float = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        n_components: int | None = None,
        trace_tol: float | None = None,
        at_most_k: bool | None = None,
        intercept_scaling: float = 1.0,
        memory: Any = None,
        fallback: Literal["roc_area"] | None = "roc_area",
        pos_label: Any = None,
    ) -> None:
        self.measure = measure
        self.C = C
        self.C_convention = C_convention
        self.tol = tol
        self.eps = eps
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.line_search = line_search
        self.max_planes = max_planes
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_components = n_components
        self.trace_tol = trace_tol
        self.at_most_k = at_most_k
        self.intercept_scaling = intercept_scaling
        self.memory = memory
        self.fallback = fallback
        self.pos_label = pos_label

    def fit(self, X: MatrixLike, y: ArrayLike, **unsupported: Any) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        Raises ValueError for invalid data or parameters, and if the kernel is not positive
        semidefinite or returns a wrong shape, NaN or infinity. Other keywords, such as
        `sample_weight`, raise TypeError.
        """
        refuse_keywords(self, unsupported)
        self._solve(self._start(X, y))
        return self

    _path_parameters = ("C",)
    # Set by `MultivariateSVCCV`: whether no C beats a constant prediction in cross-validation, and
    # whether the solver of a fold keeps what it learns about curvature for the next C.
    _is_poor = False
    _keep_curvature = False

    def _start(self, X, y):
        self._validate_params()
        return self._prepare(*self._examples(X, y))

    def _examples(self, X, y):
        linear = self._is_linear
        # Kernels are evaluated in float64: the last pivots are differences of nearly equal values.
        dtype = [np.float64, np.float32] if linear else np.float64
        if linear and isinstance(X, np.memmap):
            _warn_of_copy(X)
        X, positive, self.classes_ = binary_examples(self, X, y, dtype=dtype)
        return X, positive

    @property
    def _is_linear(self):
        return isinstance(self.kernel, str) and self.kernel == "linear"

    def _prepare(self, X, positive):
        if self._warns_of_data:
            warn_of_scales(X)
        for name in ("_coef", *_KERNEL_ATTRIBUTES):
            vars(self).pop(name, None)
        factor = None if self._is_linear else self._factor(X)
        features = X if factor is None else factor.features
        self.kernel_rank_: int = features.shape[1]
        self.kernel_error_: float = 0.0 if factor is None else factor.relative_error
        solver = make_solver(
            features,
            positive,
            self.measure,
            at_most_k=self.at_most_k,
            fit_intercept=self.fit_intercept,
            line_search=self.line_search,
            max_planes=self.max_planes,
            intercept_scaling=self.intercept_scaling,
            keep_curvature=self._keep_curvature,
        )
        scaled = partial(scaled_unit, features, positive, self.measure)
        # The fits of a path choose it once.
        return solver, factor, features, positive, cache(scaled)

    def _solve(self, problem):
        solver, factor, features, positive, scaled = problem
        C = weight_of_loss(self, len(positive), scaled)
        w = solve_for_weight(self, solver, C, warn=self._warns_of_data and self.fallback is None)
        coef, intercept = w[:-1], self.intercept_scaling * w[-1:]
        self.fallback_: Literal["roc_area"] | None = None
        if self.fallback is not None:
            coef, intercept = self._learned(features, positive, coef, intercept)
        if factor is None:
            self._coef = self._sign * coef[None, :]
        else:
            self.dual_coef_: NDArray[np.float64] = self._sign * factor.expand(coef)[None, :]
        self.intercept_ = self._sign * intercept

    def _learned(self, features, positive, coef, intercept):
        """Return (coefficients, intercept), from the SVM for ROC area if nothing was learned."""
        measure = get_measure(self.measure)
        is_poor, is_constant = self.degenerate_ or self._is_poor, False
        if not is_poor and measure.table_function is not None:
            predicted = linear_scores(features, coef) > -intercept
            constant = np.nanmax([*constant_values(measure, positive), -np.inf])
            value = _value(measure, positive, predicted)
            is_poor = value < constant
            is_constant = predicted.all() or not predicted.any()
        if not (is_poor or is_constant):
            return coef, intercept
        solver = make_solver(features, positive, "roc_area", fit_intercept=False)
        C = scaled_unit(features, positive, "roc_area") or 1.0
        ranking = solver.solve(C, tol=self.tol, max_iter=self.max_iter)
        orders = measure.table_function is None
        if orders and ranking.zero_is_optimal:
            warn_of_zero(measure)
            return coef, intercept
        scores = linear_scores(features, ranking.w[:-1])
        threshold = best_threshold(measure, positive, scores)
        # One class for all examples may be best, as for accuracy if the other class is rare.
        if not is_poor and _value(measure, positive, scores > threshold) <= value:
            return coef, intercept
        self.fallback_ = "roc_area"
        warnings.warn(
            f"the SVM for {measure.name} is no better than a constant prediction; the SVM for ROC "
            f"area {'' if orders else 'with the best threshold '}is used instead, see fallback_; "
            f"{advice_at_zero(self.measure)}",
            UserWarning,
            stacklevel=4,
        )
        return ranking.w[:-1], np.array([-threshold])

    @property
    def coef_(self) -> NDArray[np.float64]:
        """Coefficients of the features, shape (1, n_features), with kernel="linear" only."""
        check_is_fitted(self)
        if not hasattr(self, "_coef"):
            raise AttributeError(
                'coef_ is only available with kernel="linear"; other kernels have dual_coef_, the '
                "coefficients of K(x, components_)"
            )
        return self._coef

    def decision_function(self, X: MatrixLike) -> NDArray[np.float64]:
        """Compute decision values, shape (n,), float64; above 0 predicts `classes_[1]`."""
        if not hasattr(self, "pivots_"):
            return super().decision_function(X)
        X = self._kernel_rows(X)
        kernel = self.dual_coef_[0], self._kernel, self.components_
        return kernel_decisions(*kernel, X) + self.intercept_

    def _rows(self, X):
        if not hasattr(self, "pivots_"):
            return super()._rows(X)
        return kernel_values(self._kernel, self.components_, self._kernel_rows(X))

    def _kernel_rows(self, X):
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, order="C", reset=False)

    def _decide(self, rows):
        if not hasattr(self, "pivots_"):
            return super()._decide(rows)
        return self.dual_coef_[0] @ rows + self.intercept_[0]

    def _factor(self, X):
        rank, trace_tol = self.n_components, self.trace_tol
        if rank is None and trace_tol is None:
            rank, trace_tol = _DEFAULT_RANK, _DEFAULT_TRACE_TOL
        self.gamma_: float = resolve_gamma(self.gamma, X)
        kernel = self.kernel, self.gamma_, self.degree, float(self.coef0)
        factor_rows = check_memory(self.memory).cache(_factor_rows)
        self._kernel, factor = factor_rows(X, kernel, rank, trace_tol or 0.0)
        self.pivots_: NDArray[np.integer] = factor.pivots
        self.components_: Any = X[factor.pivots]
        return factor


def constant_values(measure: Measure, positive: NDArray[np.bool_]) -> list[float]:
    """Return the values of a measure if all examples are predicted negative, or all positive."""
    n = len(positive)
    return [_value(measure, positive, np.full(n, sign)) for sign in (False, True)]


def _value(measure, positive, predicted):
    n_positives = np.count_nonzero(positive)
    tp, fp = np.count_nonzero(positive & predicted), np.count_nonzero(predicted & ~positive)
    table = [tp, fp, n_positives - tp, len(positive) - n_positives - fp]
    return float(measure.table_function(*np.array(table, dtype=np.float64)))


def _factor_rows(X, kernel, max_rank, trace_tol):
    """Return (`Kernel`, `KernelFactor` that approximates its kernel matrix on the rows X).

    `kernel` is (name or function, gamma, degree, coef0).
    """
    centred = kernel[0] == "rbf" and not scipy.sparse.issparse(X)
    centre = X.mean(axis=0) if centred else None
    # The rows are centred once, instead of once per column of the kernel matrix.
    rows = X - centre if centred else X
    factor = factor_kernel(rows, Kernel(*kernel), max_rank=max_rank, trace_tol=trace_tol)
    return Kernel(*kernel, centre), factor
