"""Classifier adaptation (CAPO): a multivariate SVM that adapts auxiliary classifiers."""

import copy
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.validation import check_memory

from beyond_accuracy.estimators.auxiliaries import (
    augment,
    auxiliary_name,
    auxiliary_outputs,
    fit_auxiliaries,
    is_fitted,
)
from beyond_accuracy.estimators.binary_classifier import (
    PathClassifier,
    best_threshold,
    solve_for_weight,
    weight_of_loss,
)
from beyond_accuracy.estimators.folds import CV, check_held_out, fold_indices
from beyond_accuracy.estimators.multivariate_svc import SOLVER_CONSTRAINTS
from beyond_accuracy.estimators.validation import (
    ArrayLike,
    MatrixLike,
    choose_positive,
    encode_binary_labels,
    refuse_keywords,
    validate_data,
    warn_of_scales,
)
from beyond_accuracy.measures import Measure, get_measure
from beyond_accuracy.measures.contingency import TableFunction
from beyond_accuracy.scikit_learn import HasMethods, Interval, StrOptions, num_samples
from beyond_accuracy.solvers import make_solver

_FOLDS_OF_FORMS = 5
# Accuracy of the fits that are compared to choose a form.
_TOL_OF_FORMS = 1e-2
_FOR_OTHER_FEATURES = (
    'If X holds texts, categories or missing values, set delta_features to "drop" or to a '
    "transformer. The auxiliaries then get X unchanged."
)


@dataclass
class AdaptationProblem:
    """Training data of `CAPOClassifier`, and the solvers that its fits to these data share.

    - `outputs`, shape (n, m): outputs of the auxiliary classifiers, higher for positive examples.
    - `parts`, shape (n,): fold number of each example, for choosing the parameter `form` by
      cross-validation; None without such a choice.
    - `solvers`: one solver per pair of values of the parameters `form` and `B`.
    """

    X: Any
    positive: np.ndarray
    outputs: np.ndarray
    parts: np.ndarray | None = None
    solvers: dict[tuple[str, float], Any] = field(default_factory=dict)


class CAPOClassifier(PathClassifier):
    """Multivariate SVM on features and the outputs of auxiliary classifiers (CAPO).

    CAPO (classifier adaptation for performance measure optimization) adapts other classifiers f_i,
    called auxiliaries, to a performance measure. The decision value is f(x) = Σ a_i·f_i(x) + w·x +
    b, where w·x + b is called the delta function. The weights a, w and b minimize ½‖w‖² + ½b² +
    B/2·‖a‖² + C·ξ (problem (11) of Li et al. 2013). As in `MultivariateSVC`, ξ ≥ 0 is an upper
    bound on the loss, 100·(1 − measure).

    Parameters
    ----------
    auxiliaries : list of classifiers, or None, default None
        None is one random forest. Unfitted classifiers are cloned and fitted to the training data.
        Fitted classifiers are used unchanged. In a grid search, wrap them in
        sklearn.frozen.FrozenEstimator, since clone() discards fits. An auxiliary whose outputs on
        the training data are all equal is left out, with a warning.
    B : float, default 1.0
        Penalty on the weights of the auxiliaries. No effect if form="fixed".
    form : {"best", "multiple", "single", "fixed"}, default "best"
        How the auxiliaries are used. Problem numbers refer to the paper.

        - "multiple" trains the weights a of any number of auxiliaries, problem (12).
        - "single" trains the weight of exactly one auxiliary, problem (14).
        - "fixed" takes exactly one auxiliary, whose weight is fixed at 1, problem (9).
        - "best" chooses by cross-validation between "multiple", "fixed" and each auxiliary alone.
          If cross_fit=False and an auxiliary is not fitted, "best" means "multiple".
    delta_features : "passthrough", "drop" or transformer, default "passthrough"
        Features x of the delta function. "passthrough" takes X. "drop" takes no features. A
        transformer is cloned, fitted and applied to X. With "drop" or a transformer, the
        auxiliaries get X unchanged, and X may be anything that they accept, such as texts.
    real_valued : bool, default True
        If True, the output of an auxiliary is 2·P − 1 for the probability P of the positive class,
        or the decision value if it has no probabilities. If False, the output is 1 or −1, as in the
        paper.
    cross_fit : bool or None, default None
        Whether to cross-fit: outputs on each training example come from auxiliaries that were
        fitted without the example's fold.

        - None cross-fits the unfitted auxiliaries.
        - True cross-fits all auxiliaries and raises ValueError for fitted ones.
        - False uses outputs on the auxiliaries' own training data, as in the paper. Most
          classifiers look too good there.
    cv : int, float, splitter or iterable, default 5
        Folds of cross-fitting. An integer is a number of stratified, shuffled folds. A share such
        as 0.3 is one stratified holdout. The weights are trained on the rows in test sets only.
    n_jobs : int or None, default None
        Number of folds fitted in parallel; −1 uses all cores.
    memory : str, object with the interface of joblib.Memory, or None, default None
        Cache of fitted auxiliaries and their outputs.
    C, C_convention
        See `MultivariateSVC`; C_convention="scaled" is not available. C=None is n/100 in the unit
        of SVM-perf, which is 1 in the unit of LIBLINEAR.
    measure, tol, eps, max_iter, fit_intercept, line_search, max_planes, pos_label
        See `MultivariateSVC`.
    random_state : int, RandomState or None, default 0
        Seed for the folds of cross-fitting.

    Attributes
    ----------
    classes_, pos_label_
        See `MultivariateSVC`.
    auxiliaries_ : list of classifiers
        The fitted auxiliaries that are used.
    cross_fitted_ : bool
        Whether the weights were trained on cross-fitted outputs of at least one auxiliary.
    delta_features_ : transformer
        The fitted transformer, if `delta_features` is one.
    form_ : {"multiple", "single", "fixed", "auxiliary"}
        The chosen form. "auxiliary" is one auxiliary alone, with weight 1, `coef_` 0 and minus its
        threshold as `intercept_`. Then `objective_`, `dual_gap_`, `n_iter_` and `history_` describe
        the fit with form "multiple".
    left_out_ : list of int
        Indices of the auxiliaries that were left out.
    auxiliary_coef_ : ndarray, shape (1, m)
        Weights a of the outputs.
    coef_ : ndarray, shape (1, n_features)
        Weights w of the delta function.
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
        **SOLVER_CONSTRAINTS,
        "C_convention": [StrOptions({"liblinear", "svm_perf"})],
        "auxiliaries": [list, tuple, None],
        "real_valued": ["boolean"],
        "cross_fit": ["boolean", None],
        "cv": CV,
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "B": [Interval(Real, 0, None, closed="neither")],
        "form": [StrOptions({"best", "fixed", "multiple", "single"})],
        "delta_features": [StrOptions({"passthrough", "drop"}), HasMethods(["fit", "transform"])],
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
        form: Literal["best", "multiple", "single", "fixed"] = "best",
        pos_label: Any = None,
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
        self.pos_label = pos_label

    def fit(
        self, X: MatrixLike, y: ArrayLike, groups: ArrayLike | None = None, **unsupported: Any
    ) -> Self:
        """Fit to X, shape (n, d), dense or sparse, and labels y, shape (n,), of two classes.

        `groups`, shape (n,), are passed to the splitter `cv`.

        Raises ValueError for invalid data or parameters, and if an auxiliary is not a classifier,
        was fitted on other features or classes, or is fitted although cross_fit=True. Other
        keywords, such as `sample_weight`, raise TypeError.
        """
        refuse_keywords(self, unsupported)
        self._solve(self._start(X, y, groups))
        return self

    _path_parameters = ("B", "C")
    _checks = {**PathClassifier._checks, "order": "C"}

    def prepare(self, X: MatrixLike, y: ArrayLike, X_new: MatrixLike) -> None:
        """Fit the auxiliary classifiers in advance, so that later fits take them from the cache.

        They are fitted to `X` and `y`, and their outputs on `X` and `X_new` are stored in the cache
        `memory`. `X_new` holds rows for later calls of `decision_function`.
        """
        start = copy.copy(self)
        start._start(X, y)
        start._rows(X_new)

    def _start(self, X, y, groups=None):
        self._validate_params()
        X, rows, y = self._training_rows(X, y)
        self.classes_, positive = encode_binary_labels(y)
        self.pos_label_, positive = choose_positive(self.classes_, positive, self.pos_label, 4)
        if self._passes_through:
            warn_of_scales(X)
        folds, outputs, parts = self._fit_auxiliaries(rows, y, positive, groups)
        data = [X, positive, self._sign * outputs, parts]
        if self.cross_fitted_ and not isinstance(folds[0], int):
            tested = np.unique(np.concatenate([test for _, test in folds[0]]))
            data = [None if part is None else part[tested] for part in data]
        return AdaptationProblem(*data)

    def _fit_auxiliaries(self, rows, y, positive, groups):
        """Return (folds of cross-fitting, outputs (n, m), fold numbers to choose the form)."""
        auxiliaries = self.auxiliaries
        if auxiliaries is None:
            auxiliaries = [RandomForestClassifier(random_state=self.random_state)]
        auxiliaries = list(auxiliaries)
        if not auxiliaries:
            raise ValueError("auxiliaries is empty; give at least one classifier")
        self._check_number(len(auxiliaries))
        folds = self._folds(rows, y, positive, groups)
        memory = check_memory(self.memory)
        fit = memory.cache(fit_auxiliaries, ignore=["memory", "n_jobs"])
        keep_fitted = self.cross_fit is None
        training = auxiliaries, rows, y, self.classes_, self.real_valued, keep_fitted, *folds
        self.auxiliaries_: list[Any]
        self.left_out_: list[int]
        self.auxiliaries_, outputs, self.left_out_ = fit(
            *training, memory=memory, n_jobs=self.n_jobs
        )
        for i in self.left_out_:
            warnings.warn(
                f"{auxiliary_name(i, auxiliaries[i])} has equal outputs on all of the training "
                "data, which tells nothing, and was left out",
                UserWarning,
                stacklevel=4,
            )
        self._check_number(len(self.auxiliaries_))
        kept = [a for i, a in enumerate(auxiliaries) if i not in self.left_out_]
        all_fitted = all(map(is_fitted, kept))
        self.cross_fitted_: bool = bool(folds) and not all_fitted
        parts = None
        if self.form == "best" and kept and (self.cross_fitted_ or all_fitted):
            parts = self._parts(folds, positive)
        return folds, outputs, parts

    def _parts(self, folds, positive):
        """Return each example's fold, for the choice of the form; None with too few examples."""
        n = len(positive)
        # The folds of cross-fitting serve if they partition the examples.
        pairs = [] if not folds or isinstance(folds[0], int) else folds[0]
        if len(pairs) < 2 or not np.array_equal(
            np.sort(np.concatenate([test for _, test in pairs])), np.arange(n)
        ):
            n_folds = min(_FOLDS_OF_FORMS, *np.bincount(positive).tolist())
            if n_folds < 2:
                return None
            splitter = StratifiedKFold(n_folds, shuffle=True, random_state=self.random_state)
            pairs = list(splitter.split(np.zeros(n), positive))
        parts = np.empty(n, dtype=np.intp)
        for number, (_, test) in enumerate(pairs):
            parts[test] = number
        return parts

    def _folds(self, rows, y, positive, groups):
        """Return the arguments (folds, random_state) of `fit_auxiliaries`, or only some of them."""
        if self.cross_fit is False:
            return ()
        if groups is not None or not isinstance(self.cv, Integral):
            pairs = fold_indices(self.cv, rows, y, classifier=True, groups=groups)
            check_held_out(y[np.concatenate([test for _, test in pairs])], self.classes_)
            return (pairs,)
        n_folds = int(self.cv)
        if self.cross_fit is None:
            n_folds = min(n_folds, *np.bincount(positive).tolist())
        return (n_folds, self.random_state) if n_folds > 1 else ()

    def _solve(self, problem):
        self.form_: str = "multiple" if self.form == "best" else self.form
        alone = None
        if problem.parts is not None:
            self.form_, *alone = self._best_form(problem)
        is_alone = self.form_ == "auxiliary"
        self._adapt(problem, warn=not is_alone)
        if is_alone:
            self.auxiliary_coef_[:], self.coef_[:] = 0.0, 0.0
            self.auxiliary_coef_[0, alone[0]] = 1.0
            self.intercept_ = -self._sign * np.array([self._threshold(problem, *alone)])

    def _threshold(self, problem, auxiliary, tuned):
        if not tuned:
            return 0.0
        scores = problem.outputs[:, auxiliary]
        return best_threshold(get_measure(self.measure), problem.positive, scores)

    def _best_form(self, problem):
        """Return (form, index of an auxiliary or None, whether its threshold is tuned)."""
        measure, n_auxiliaries = get_measure(self.measure), problem.outputs.shape[1]
        candidates = [
            ("auxiliary", i, tuned) for i in range(n_auxiliaries) for tuned in (False, True)
        ]
        candidates += [("fixed", None, None)] if n_auxiliaries == 1 else []
        candidates += [("multiple", None, None)]
        # The form "auxiliary" comes first, and so wins ties.
        decisions = np.empty((len(candidates), len(problem.positive)))
        for part in np.unique(problem.parts):
            test = problem.parts == part
            train = AdaptationProblem(
                problem.X[~test], problem.positive[~test], problem.outputs[~test]
            )
            for row, (form, *alone) in enumerate(candidates):
                if form == "auxiliary":
                    threshold = self._threshold(train, *alone)
                    decisions[row, test] = problem.outputs[test, alone[0]] - threshold
                    continue
                model = copy.copy(self).set_params(tol=max(self.tol, _TOL_OF_FORMS))
                model.form_, model.pos_label_ = form, model.classes_[1]
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", ConvergenceWarning)
                    model._adapt(train, warn=False)
                decisions[row, test] = model._decide((problem.X[test], problem.outputs[test]))
        values = [measure.score(problem.positive, row) for row in decisions]
        return candidates[int(np.argmax(values))]

    def _training_rows(self, X, y):
        """Return (features x of the delta function w·x + b, rows for the auxiliaries, y)."""
        if self._passes_through:
            try:
                features, y = validate_data(self, X, y, **self._checks)
            except ValueError as error:
                error.add_note(_FOR_OTHER_FEATURES)
                raise
            return features, X if hasattr(X, "iloc") else features, y
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y)
        for name in ("n_features_in_", "delta_features_"):
            vars(self).pop(name, None)
        # Number and names of columns, if X has any.
        validate_data(self, X, y, skip_check_array=True)
        if self.delta_features != "drop":
            self.delta_features_: Any = clone(self.delta_features).fit(X, y)
        return self._delta_of(X), X, y

    def _rows(self, X):
        if not self._passes_through:
            validate_data(self, X, skip_check_array=True, reset=False)
            rows, features = X, self._delta_of(X)
        else:
            features = super()._rows(X)
            rows = X if hasattr(X, "iloc") else features
        memory = check_memory(self.memory)
        outputs = memory.cache(auxiliary_outputs, ignore=["memory"])
        arguments = self.auxiliaries_, rows, self.classes_, self.real_valued
        return features, outputs(*arguments, memory=memory)

    @property
    def _passes_through(self):
        return isinstance(self.delta_features, str) and self.delta_features == "passthrough"

    def _delta_of(self, X):
        if not hasattr(self, "delta_features_"):
            return np.empty((num_samples(X), 0))
        return check_array(self.delta_features_.transform(X), **self._checks)

    def _check_number(self, number):
        # Constant auxiliaries have been left out.
        if self.form in ("single", "fixed") and number > 1:
            raise ValueError(
                f"form={self.form!r} takes exactly one auxiliary, found {number}; "
                'form="multiple" takes any number'
            )
        if number == 0 and self.delta_features == "drop":
            raise ValueError(
                "every auxiliary has equal outputs on all of the training data, so that there is "
                "nothing to weigh"
            )

    def _adapt(self, problem, warn=True):
        m = problem.outputs.shape[1]
        key = self.form_, self.B
        if key not in problem.solvers:
            # Candidates come by B, and a solver holds many cutting planes.
            problem.solvers = {
                (form, B): solver for (form, B), solver in problem.solvers.items() if B == self.B
            }
            problem.solvers[key] = self._solver_of(problem)
        # With a unit of 0, C=None is 1 in LIBLINEAR's convention.
        C = weight_of_loss(self, len(problem.positive), lambda: 0.0)
        w = solve_for_weight(self, problem.solvers[key], C, warn=warn)
        # The outputs of auxiliaries are for `classes_[1]`.
        if self.form_ == "fixed":
            self.auxiliary_coef_: NDArray[np.float64]
            self.auxiliary_coef_, self.coef_ = np.ones((1, m)), self._sign * w[None, :-1]
        else:
            self.auxiliary_coef_ = w[None, :m] * np.sqrt(1.0 / self.B)
            self.coef_ = self._sign * w[None, m:-1]
        self.intercept_ = self._sign * w[-1:]

    def _solver_of(self, problem):
        X, positive, outputs = problem.X, problem.positive, problem.outputs
        options = {
            "fit_intercept": self.fit_intercept,
            "line_search": self.line_search,
            "max_planes": self.max_planes,
        }
        if self.form_ == "fixed" and outputs.shape[1]:
            return make_solver(X, positive, self.measure, offset=outputs[:, 0], **options)
        return make_solver(augment(X, outputs, self.B), positive, self.measure, **options)

    def _decide(self, rows):
        X, outputs = rows
        return super()._decide(X) + outputs @ self.auxiliary_coef_[0]
