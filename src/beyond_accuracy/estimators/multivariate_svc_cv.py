"""Multivariate SVM with C chosen by cross-validation."""

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
import scipy.sparse
from joblib import Parallel, delayed
from numpy.typing import NDArray

from beyond_accuracy.estimators.folds import CV, check_folds, fitting_number, fold_indices
from beyond_accuracy.estimators.multivariate_svc import MultivariateSVC, constant_values
from beyond_accuracy.estimators.validation import ArrayLike, MatrixLike, refuse_keywords
from beyond_accuracy.measures import Measure, get_measure
from beyond_accuracy.measures.contingency import TableFunction
from beyond_accuracy.scikit_learn import Interval

# Powers of 10: the values of C tried, and how far a grid grows.
_SCALED_RANGE, _LARGEST_SCALED = (-2.0, 0.5), 3.5
_RANGE = (-4.0, 4.0)
_ROUNDING = 1e-9


class MultivariateSVCCV(MultivariateSVC):
    """`MultivariateSVC` with the C that is best for its measure in cross-validation.

    In each fold, the fits with all values of C share work. The final fit is to all data.

    Parameters
    ----------
    measure : str, Measure or callable, default "f1"
        Measure to optimize, by which C is also chosen; see `MultivariateSVC`.
    Cs : int or array-like of float, default 6
        Values of C to try, or their number. An integer means that many values, equally spaced on a
        log scale: from 0.01 to 10^0.5 for C_convention="scaled", and from 10⁻⁴ to 10⁴ otherwise. In
        the first case, larger values up to 10^3.5 are tried as long as the largest one is the best.
    C_convention : {"scaled", "liblinear", "svm_perf"}, default "scaled"
        Unit of C; see `MultivariateSVC`. "scaled" follows the data of each fold.
    cv : int, cross-validation splitter or iterable of (train, test), default 5
        An integer is a number of stratified folds without shuffling. If the rarer class has fewer
        examples, there are fewer folds and a warning.
    candidate_tol : float, default 1e-2
        Relative duality gap of the fits in cross-validation; `tol` is for the final fit.
    n_jobs : int or None, default None
        Number of folds fitted in parallel threads; −1 uses all cores.
    kernel, gamma, degree, coef0, n_components, trace_tol, at_most_k, intercept_scaling, memory,
    tol, eps, max_iter, fit_intercept, line_search, max_planes, fallback, pos_label
        See `MultivariateSVC`. `fallback` is for the final fit only. It is also used if no C beats
        predicting all examples positive, or all negative, in cross-validation.

    Attributes
    ----------
    C_ : float
        The best C in the unit of `C_convention`; the smallest among equally good values. The final
        fit equals `MultivariateSVC(measure, C=C_, C_convention=C_convention)`.
    Cs_ : ndarray, shape (n_Cs,)
        The values tried, increasing, including values larger than `Cs`.
    scores_ : ndarray, shape (n_folds, n_Cs)
        The measure on the test set of each fold.
    classes_, pos_label_, coef_, intercept_, fallback_, objective_, dual_gap_, n_iter_, history_, …
        Attributes of the final fit; see `MultivariateSVC`.

    Notes
    -----
    If `Cs` is an integer and C_convention="scaled", the training sets of all folds are kept in
    memory, which takes `cv` − 1 times the memory of X.

    References
    ----------
    T. Joachims, A Support Vector Method for Multivariate Performance Measures, ICML 2005.
    https://doi.org/10.1145/1102351.1102399

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from beyond_accuracy import MultivariateSVCCV
    >>> X, y = make_classification(1000, weights=[0.95], random_state=0)
    >>> model = MultivariateSVCCV("f1").fit(X, y)
    >>> model.scores_.shape == (5, len(model.Cs_))
    True
    """

    _parameter_constraints: dict[str, list[Any]] = {
        **MultivariateSVC._parameter_constraints,
        "Cs": [Interval(Integral, 1, None, closed="left"), "array-like"],
        "cv": CV,
        "candidate_tol": [Interval(Real, 0, None, closed="neither")],
        "n_jobs": [Integral, None],
    }
    del _parameter_constraints["C"]

    def __init__(
        self,
        measure: str | Measure | TableFunction = "f1",
        Cs: int | ArrayLike = 6,
        *,
        C_convention: Literal["svm_perf", "liblinear", "scaled"] = "scaled",
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
        cv: Any = 5,
        candidate_tol: float = 1e-2,
        n_jobs: int | None = None,
        fallback: Literal["roc_area"] | None = "roc_area",
        pos_label: Any = None,
    ) -> None:
        self.measure = measure
        self.Cs = Cs
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
        self.cv = cv
        self.candidate_tol = candidate_tol
        self.n_jobs = n_jobs
        self.fallback = fallback
        self.pos_label = pos_label

    _path_parameters = ()

    def fit(
        self, X: MatrixLike, y: ArrayLike, groups: ArrayLike | None = None, **unsupported: Any
    ) -> Self:
        """Choose C by cross-validation and fit to all of X, shape (n, d), and y, shape (n,).

        `groups`, shape (n,), are passed to the splitter `cv`. Raises ValueError as
        `MultivariateSVC.fit`, and if a training set has one class only, a test set no positive, or
        all test sets no negative. Other keywords, such as `sample_weight`, raise TypeError.
        """
        refuse_keywords(self, unsupported)
        self._solve(self._start(X, y, groups))
        return self

    @property
    def C(self) -> float:
        """C of the final fit, `C_`."""
        return self.C_

    def _start(self, X, y, groups=None):
        self._validate_params()
        X, positive = self._examples(X, y)
        if scipy.sparse.issparse(X) and 2 * X.nnz >= X.shape[0] * X.shape[1]:
            X = X.toarray()
        grid = self._grid()
        cv = self.cv
        if isinstance(cv, Integral):
            cv = fitting_number(cv, min(np.bincount(positive)))
        splits = fold_indices(cv, X, positive, classifier=True, groups=groups)
        check_folds(splits, positive, np.arange(len(positive)))
        self.Cs_: NDArray[np.float64]
        self.scores_: NDArray[np.float64]
        self.Cs_, self.scores_ = self._cross_validate(X, positive, splits, grid)
        means = self.scores_.mean(axis=0)
        self.C_: float = float(self.Cs_[np.argmax(means)])
        self._is_poor: bool = False
        if (measure := get_measure(self.measure)).table_function is not None:
            constants = [constant_values(measure, positive[test]) for _, test in splits]
            self._is_poor = bool(means.max() < np.mean(constants, axis=0).max())
        return self._prepare(X, positive)

    def _cross_validate(self, X, positive, splits, grid):
        models = [self._model_of_fold() for _ in splits]
        tried, to_try = np.empty(0), grid
        scores = np.empty((len(splits), 0))
        with Parallel(self.n_jobs, prefer="threads") as parallel:
            while len(to_try):
                further = parallel(
                    delayed(self._scores_of_fold)(model, X, positive, *split, to_try)
                    for model, split in zip(models, splits, strict=True)
                )
                scores = np.hstack([scores, further])
                undefined = np.flatnonzero(np.isnan(scores).any(axis=1))
                if len(undefined):
                    raise ValueError(
                        f"{get_measure(self.measure).name} is undefined on the test part of fold "
                        f"{undefined[0]}, which lacks a class; use fewer folds or stratified ones"
                    )
                tried = np.append(tried, to_try)
                last_is_best = np.argmax(scores.mean(axis=0)) == len(tried) - 1
                to_try = self._next(grid, tried) if last_is_best else grid[:0]
        return tried, scores

    def _model_of_fold(self):
        names = MultivariateSVC().get_params().keys() - {"C", "tol", "fallback", "pos_label"}
        parameters = {name: getattr(self, name) for name in names}
        model = MultivariateSVC(tol=self.candidate_tol, fallback=None, **parameters)
        model._warns_of_data, model._keep_curvature = False, True
        return model

    def _scores_of_fold(self, model, X, positive, train, test, Cs):
        """Return the measure on the test set for each C; each fit starts at the previous one."""
        if not hasattr(model, "_fold"):
            model._fold = model._start(X[train], positive[train]), model._rows(X[test])
        problem, rows = model._fold
        measure, scores = get_measure(self.measure), []
        for C in Cs:
            model.C = C
            model._solve(problem)
            scores.append(measure.score(positive[test], model._decide(rows)))
        if not self._grows:
            del model._fold
        return scores

    @property
    def _grows(self):
        return isinstance(self.Cs, Integral) and self.C_convention == "scaled"

    def _next(self, grid, tried):
        """Return the next larger C as an array of one value; empty at the end of the grid."""
        step = grid[1] / grid[0] if len(grid) > 1 else 10.0**0.5
        larger = tried[-1:] * step
        within = larger <= 10**_LARGEST_SCALED * (1 + _ROUNDING)
        return larger[within] if self._grows else larger[:0]

    def _grid(self):
        if isinstance(self.Cs, Integral):
            powers = _SCALED_RANGE if self.C_convention == "scaled" else _RANGE
            return np.logspace(*powers, self.Cs) if self.Cs > 1 else np.ones(1)
        Cs = np.unique(np.asarray(self.Cs, dtype=np.float64))
        if np.ndim(self.Cs) != 1 or len(Cs) == 0 or not (Cs[0] > 0 and Cs[-1] < np.inf):
            raise ValueError(
                f"Cs must hold numbers above 0 and finite, shape (n_Cs,), found {self.Cs!r}"
            )
        return Cs
