"""Fit a method of the configuration: a scikit-learn classifier, or several fits along a path.

Auxiliaries are classifiers whose outputs another method takes as features.
"""

import inspect
import logging
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import get_tags

from beyond_accuracy.estimators import CAPOClassifier, MultivariateSVC
from beyond_accuracy.solvers import training_loss
from beyond_accuracy_pipeline.experiments.dotted_paths import load_estimator, make_estimator
from beyond_accuracy_pipeline.experiments.memory import ResultMemory
from beyond_accuracy_pipeline.experiments.seeds import derive_seed
from beyond_accuracy_pipeline.experiments.tasks import stratified_sample
from beyond_accuracy_pipeline.reproduction.budget import BudgetExceededError

logger = logging.getLogger(__name__)

# SVM-perf's default tolerance, in percentage points of loss.
SVM_PERF_EPS = 0.1
_DEFAULTS = {"C_convention": "liblinear", "fallback": None, "form": "multiple"}
# Counting more iterations would take longer than the fits themselves.
_MOST_COUNTED = 500
# Parameters of Algorithm 1 with SVM-perf's stopping rule, to count its iterations.
ALGORITHM_1 = {"line_search": False, "tol": 1e-9, "eps": SVM_PERF_EPS}


def check_training(configuration: Mapping[str, Any], measure: str) -> None:
    """Raise ValueError if a classifier cannot be trained for a measure.

    Multivariate SVMs and CAPO (classifier adaptation) need a training loss for the measure. Other
    classifiers pass. `configuration` is the section of a method.
    """
    if issubclass(load_estimator(configuration["estimator"]), MultivariateSVC | CAPOClassifier):
        of_measures = configuration.get("measure_parameters") or {}
        parameters = (configuration.get("parameters") or {}) | of_measures.get(measure, {})
        training_loss(measure, at_most_k=parameters.get("at_most_k"))


def _takes_random_state(method: Mapping[str, Any]) -> bool:
    return "random_state" in inspect.signature(load_estimator(method["estimator"])).parameters


def with_random_state(method, name: str, seed: int, *seed_names: str) -> dict[str, Any]:
    """Return a copy of a method's configuration in which `random_state` is set.

    The value depends on `seed`, `seed_names` (paper and data set) and the classifier's `name`. So
    an auxiliary classifier has the same value in every method. A configured `random_state` is kept.
    """
    seeded = dict(method)
    if _takes_random_state(method):
        state = derive_seed(seed, *seed_names, "random_state", name)
        seeded["parameters"] = {"random_state": state, **(method.get("parameters") or {})}
    if method.get("auxiliaries"):
        seeded["auxiliaries"] = {
            auxiliary: with_random_state(classifier, auxiliary, seed, *seed_names)
            for auxiliary, classifier in method["auxiliaries"].items()
        }
    return seeded


class OperationBudget:
    """Counter of the operations of fits, with an upper limit; None means no limit.

    An operation multiplies a stored feature value by a number. A solver's iteration counts as two
    passes over the training data. Computing a kernel factor (an approximate root of the kernel
    matrix) of rank r counts r² operations per example.
    """

    def __init__(self, limit: float | None = None):
        self.limit = limit
        self.spent = 0.0

    def spend(self, operations: float) -> None:
        """Add `operations` to `spent`; raise BudgetExceededError if the sum exceeds `limit`."""
        self.spent += operations
        if self.limit is not None and self.spent > self.limit:
            raise BudgetExceededError(
                f"{self.spent:.1e} operations, more than the budget of {self.limit:.1e}; "
                "it counts passes over the data, not seconds"
            )


def operations_of(model, X, *, with_factor=False) -> float:
    """Return the number of operations of a model's fit to X, from its iterations `n_iter_`.

    Models without `n_iter_` have 0. With `with_factor`, the computation of the kernel factor (an
    approximate root of the kernel matrix) is included.
    """
    n_iter = getattr(model, "n_iter_", None)
    if n_iter is None:
        return 0.0
    passes = 2.0 * float(np.max(n_iter))
    if not hasattr(model, "pivots_"):
        return passes * (X.nnz if scipy.sparse.issparse(X) else X.size)
    rank = len(model.pivots_)
    return (passes + (rank if with_factor else 0)) * X.shape[0] * rank


class Fitted(NamedTuple):
    """Fitted classifier. `converged` is True if the fit gave no ConvergenceWarning."""

    model: Any
    converged: bool


class Method:
    """Classifier with fixed parameters, built from the section of a method in the configuration.

    Auxiliaries are classifiers whose outputs another classifier, such as CAPO (classifier
    adaptation, Li et al. 2013), takes as features. `memory` is a cache of fitted auxiliaries and of
    kernel factors (approximate roots of kernel matrices). `seed` is the seed of SMOTE. By default,
    C is the cost per example, as in LIBLINEAR.

    The scikit-learn estimator can have these additional methods:

    - `fit_path(X, y, X_validation, candidates)` fits all candidates, with warm starts.
    - `paths(candidates)` groups the candidates that `fit_path` fits together.
    - `prepare(X, y, X_new)` fits the auxiliaries, which fits to the same data share.
    - `batch_decision_function(X)` returns decision values that depend on all examples jointly.
    - `stopping_parameters(X, y)` returns parameters, such as `tol`, with which a fit should reach
      the relative gap to the optimal objective that the estimator's parameter `gap` sets.
    - `relative_gap(X, y)` returns the gap that the fit has reached.
    """

    def __init__(
        self, configuration: Mapping[str, Any], memory: ResultMemory | None = None, seed: int = 0
    ):
        self.budget = OperationBudget()
        self._estimator = load_estimator(configuration["estimator"])
        valid = inspect.signature(self._estimator).parameters
        self._of_measures = configuration.get("measure_parameters") or {}
        self._takes_measure = "measure" in valid
        self.depends_on_measure = self._takes_measure or bool(self._of_measures)
        defaults = {name: value for name, value in _DEFAULTS.items() if name in valid}
        self._auxiliaries = dict(configuration.get("auxiliaries") or {})
        self.prepares = bool(self._auxiliaries)
        if self.prepares:
            defaults["memory"] = ResultMemory() if memory is None else memory
            defaults["auxiliaries"] = list(map(make_estimator, self._auxiliaries.values()))
        self._parameters = {**defaults, **(configuration.get("parameters") or {})}
        # Kernel factors are kept only while candidates are compared. Factors of all examples would
        # take too much memory.
        self._for_selection = dict(self._parameters)
        if "memory" in valid and not self.prepares:
            self._for_selection["memory"] = memory
        self._for_selection |= configuration.get("selection_parameters") or {}
        self._rows = configuration.get("selection_rows")
        self._oversampling = configuration.get("oversample"), seed
        self._score_signs = configuration.get("score_signs", False)
        self._counts = configuration.get("count_iterations_without_line_search", False)
        # The auxiliaries left out of each part of the selection.
        self._left_out = {}
        self._factored = None

    @property
    def is_random(self) -> bool:
        """Whether fits depend on a random seed, of the estimator, SMOTE or auxiliaries."""
        if self._oversampling[0] is not None:
            return True
        # With auxiliaries, the estimator itself only draws the folds of the cross-fitting.
        if self.prepares and self._parameters.get("cross_fit") is False:
            auxiliaries = self._auxiliaries.values()
            drawn = (auxiliary for auxiliary in auxiliaries if auxiliary.get("stochastic", True))
            return any(map(_takes_random_state, drawn))
        return "random_state" in inspect.signature(self._estimator).parameters

    @property
    def dense_only(self) -> str | None:
        """Class name of a classifier, main or auxiliary, that rejects sparse data, or None."""
        dense = (model for model in self._models() if not get_tags(model).input_tags.sparse)
        return next((type(model).__name__ for model in dense), None)

    @property
    def takes_missing_values(self) -> bool:
        """Whether estimator and auxiliary classifiers accept NaN. With SMOTE, always False."""
        tags = [get_tags(model).input_tags for model in self._models()]
        return all(tag.allow_nan for tag in tags) and self._oversampling[0] is None

    def _models(self):
        return [self._make(self._parameters, "f1"), *self._parameters.get("auxiliaries", [])]

    def prepare(self, X, positive, X_new) -> None:
        """Fit the auxiliary classifiers to (X, positive), and predict the rows of X and `X_new`.

        Later fits to the same data use the results from the cache.
        """
        model = self._make(self._parameters, "f1")
        count_warnings(model.prepare, X, positive.astype(int), X_new)

    def validation_scores(self, X, positive, X_validation, candidates, measure, rows=None):
        """Fit each candidate to (X, positive); return its decision values for `X_validation`.

        `candidates` are dicts of hyperparameters; the result has one row per candidate. Classifiers
        that can optimize a measure optimize `measure`. `rows` is the number of training examples to
        draw for the fits. If None, it is the method's setting `selection_rows`, or all examples.
        """
        rows = self._rows if rows is None else rows
        if rows is not None:
            sample = stratified_sample(positive, rows)
            X, positive = X[sample], positive[sample]
        X, positive = oversample(X, positive, *self._oversampling)
        self._factored = None
        scores = np.empty((len(candidates), X_validation.shape[0]))
        unfinished = 0
        fits = self._fits(X, positive.astype(int), X_validation, candidates, measure)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            for index, model, decisions in fits:
                self._spend(model, X)
                scores[index] = decisions
                if self.prepares:
                    self._left_out[id(model.auxiliaries_)] = model
                unfinished += _convergence_warnings(caught) > 0
                caught.clear()
        if unfinished:
            logger.warning("%d of %d candidates did not converge", unfinished, len(candidates))
        return scores

    def paths(self, candidates) -> tuple[list[list[int]], bool]:
        """Group hyperparameter candidates that the estimator can fit together, by warm starts.

        Return (groups, sequential). A group lists indices into `candidates`, in the order of
        fitting. `sequential` is True if a fit needs all earlier fits of its group.
        """
        if not hasattr(self._estimator, "paths"):
            return [[index] for index in range(len(candidates))], False
        return self._make(self._for_selection, "f1").paths(candidates), self._estimator.warm_starts

    def final_parameters(self, X, positive, parameters, measure) -> dict[str, Any]:
        """Return the hyperparameters of the final fit to (X, positive), which optimizes `measure`.

        If the estimator has a method `stopping_parameters`, its result is added to a copy of
        `parameters`.
        """
        if not hasattr(self._estimator, "stopping_parameters"):
            return parameters
        model = self._make({**self._parameters, **parameters}, measure)
        return {**parameters, **model.stopping_parameters(X, positive.astype(int))}

    def fit(self, X, positive, parameters, measure) -> Fitted:
        """Fit the classifier with the hyperparameters `parameters`, to optimize `measure`.

        Classifiers that cannot optimize a measure ignore it. `positive` is a boolean mask. If so
        configured, SMOTE first oversamples the smaller class.
        """
        model = self._make({**self._parameters, **parameters}, measure)
        X, positive = oversample(X, positive, *self._oversampling)
        converged = count_warnings(model.fit, X, positive.astype(int)) == 0
        self._spend(model, X)
        return Fitted(model, converged)

    def scores(self, fitted: Fitted, X):
        """Return a fitted classifier's decision values for X, or their signs if so configured."""
        decisions = _decisions(fitted.model, X)
        return np.where(decisions > 0, 1.0, -1.0) if self._score_signs else decisions

    def record(self, fitted: Fitted, X, positive) -> dict[str, Any]:
        """Return facts about a fit to (X, positive) as a dict, such as its number of iterations."""
        model, y = fitted.model, positive.astype(int)
        n_iter = getattr(model, "n_iter_", None)
        record = {
            "converged": fitted.converged,
            "n_iter": None if n_iter is None else int(np.max(n_iter)),
            "dual_gap": getattr(model, "dual_gap_", None),
            "objective": getattr(model, "objective_", None),
        }
        if hasattr(model, "relative_gap"):
            # A fit may miss the requested gap without a warning.
            gap = record["dual_gap"] = model.relative_gap(X, y)
            record["converged"] &= bool(gap <= getattr(model, "gap", np.inf))
        if hasattr(model, "degenerate_"):
            record["degenerate"] = model.degenerate_
        if hasattr(model, "kernel_error_") and not hasattr(model, "coef_"):
            record["kernel_error"] = model.kernel_error_
        if self.prepares:
            record["left_out"] = self._describe_left_out(model)
        if self._counts:
            parameters = {**model.get_params(deep=False), "max_iter": _MOST_COUNTED}
            plain = self._estimator(**{**parameters, **ALGORITHM_1})
            record["converged_without_line_search"] = count_warnings(plain.fit, X, y) == 0
            record["n_iter_without_line_search"] = plain.n_iter_
        return record

    def _make(self, parameters, measure):
        """Return an unfitted classifier with the given parameters, trained for the measure."""
        if self._takes_measure:
            parameters = {**parameters, "measure": measure}
        return self._estimator(**{**parameters, **self._of_measures.get(measure, {})})

    def _fits(self, X, y, X_validation, candidates, measure) -> Iterator[tuple[int, Any, Any]]:
        """Fit all candidates and yield (index, fitted model, decision values on X_validation)."""
        if hasattr(self._estimator, "fit_path"):
            model = self._make(self._for_selection, measure)
            yield from model.fit_path(X, y, X_validation, candidates)
            return
        for index, candidate in enumerate(candidates):
            model = self._make({**self._for_selection, **candidate}, measure).fit(X, y)
            yield index, model, _decisions(model, X_validation)

    def _spend(self, model, X):
        pivots = getattr(model, "pivots_", None)
        # Candidates with the same kernel width share the kernel factor, which counts once.
        is_new = pivots is not None and pivots is not self._factored
        self._factored = pivots
        self.budget.spend(operations_of(model, X, with_factor=is_new))

    def _describe_left_out(self, model) -> str:
        """Return text on auxiliaries that the final fit, or fits in the selection, left out."""
        names = list(self._auxiliaries)
        parts = [{names[i] for i in part.left_out_} for part in self._left_out.values()]
        left_out = [names[i] for i in model.left_out_]
        others = [name for name in names if name not in left_out]
        counts = {name: sum(name in part for part in parts) for name in others}
        in_parts = [f"{name} in {n} of {len(parts)} parts" for name, n in counts.items() if n]
        return ", ".join([*left_out, *in_parts])


def count_warnings(function, *arguments) -> int:
    """Call `function(*arguments)` and return the number of its ConvergenceWarnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        function(*arguments)
    return _convergence_warnings(caught)


def _convergence_warnings(caught) -> int:
    return sum(issubclass(warning.category, ConvergenceWarning) for warning in caught)


def _decisions(model, X):
    """Return a model's decision values, or the probability of the second class minus ½."""
    for name in ("batch_decision_function", "decision_function"):
        if hasattr(model, name):
            return np.asarray(getattr(model, name)(X), dtype=np.float64)
    return np.asarray(model.predict_proba(X)[:, 1] - 0.5, dtype=np.float64)


def oversample(X, positive, method: str | None, seed: int):
    """Oversample the smaller class to the size of the larger by SMOTE; return (X, positive).

    `positive` is a boolean mask. SMOTE takes five neighbours (Chawla et al. 2002), or fewer if the
    class has fewer than six examples. If `method` is None, or the class has one example, X and
    `positive` are returned unchanged.
    """
    members = int(min(positive.sum(), (~positive).sum()))
    if method is None or members < 2:
        return X, positive
    from imblearn.over_sampling import SMOTE

    sampler = SMOTE(k_neighbors=min(5, members - 1), random_state=seed)
    X, labels = sampler.fit_resample(X, positive.astype(np.int64))
    return X, labels > 0
