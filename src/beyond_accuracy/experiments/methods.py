"""How a method of the configuration is fitted: any scikit-learn classifier, or a path over C."""

import difflib
import importlib
import inspect
import logging
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import all_estimators

from beyond_accuracy.estimators.multivariate_svc import MultivariateSVC
from beyond_accuracy.experiments.budget import OperationBudget, operations_of
from beyond_accuracy.experiments.grid import is_number
from beyond_accuracy.solvers import make_solver, training_loss

logger = logging.getLogger(__name__)

# SVM-perf's default tolerance, in percentage points of loss.
SVM_PERF_EPS = 0.1

# Modules of this package with a way of fitting of their own, by the estimator's name. They are
# imported by name, so that a fit depends on none of them but its own.
_OWN_MODULES = {
    "CAPOClassifier": "adaptation",
    "KernelCostModelSVC": "kernel_methods",
    "WeightedEnsemble": "adaptation",
}
_TRAINED_ON_A_MEASURE = ("CAPOClassifier", "MultivariateSVC", "WeightedEnsemble")


def load_estimator(path: str) -> type:
    """The class at a dotted path such as "sklearn.svm.LinearSVC".

    Raises
    ------
    ValueError
        If there is no such class or it is no classifier; the nearest name is suggested.
    """
    module, _, name = path.rpartition(".")
    known = []
    try:
        source = importlib.import_module(module)
        known = [f"{module}.{each}" for each in dir(source) if not each.startswith("_")]
        estimator = getattr(source, name)
    except (ImportError, AttributeError, ValueError) as error:
        known += [f"{each.__module__.partition('._')[0]}.{label}" for label, each in _classifiers()]
        nearest = difflib.get_close_matches(path, known, n=1)
        hint = f"did you mean {nearest[0]!r}? Else " if nearest else ""
        raise ValueError(
            f"no estimator {path!r}: {error}; {hint}write the full path of a scikit-learn "
            "classifier, such as 'sklearn.linear_model.LogisticRegression'"
        ) from error
    if not (inspect.isclass(estimator) and issubclass(estimator, ClassifierMixin)):
        raise ValueError(f"{path!r} is not a scikit-learn classifier class")
    return estimator


def _classifiers():
    # Imported here, by a relative name: a fit depends on its own estimator's module alone.
    estimators = importlib.import_module("..estimators", __package__)
    own = [(name, getattr(estimators, name)) for name in estimators.__all__]
    return [*own, *all_estimators("classifier")]


def method_module(configuration: Mapping[str, Any]) -> str | None:
    """Dotted name of the module that fits what a configuration describes, if it is not this one."""
    estimator = load_estimator(configuration["estimator"])
    parameters, grid = configuration.get("parameters") or {}, configuration.get("grid") or {}
    with_kernel = "kernel" in parameters and "gamma" in grid
    if issubclass(estimator, MultivariateSVC) and with_kernel:
        return f"{__package__}.kernel_methods"
    own = _OWN_MODULES.get(estimator.__name__) if _is_own(estimator) else None
    return own and f"{__package__}.{own}"


def _is_own(estimator):
    return estimator.__module__.partition(".")[0] == __package__.partition(".")[0]


def make_method(configuration: Mapping[str, Any]):
    """The method that a configuration with keys `estimator` and `parameters` describes.

    Those that share work between candidates in a way of their own are made by `make` of their
    `method_module`.
    """
    module = method_module(configuration)
    if module is not None:
        return importlib.import_module(module).make(configuration)
    estimator = load_estimator(configuration["estimator"])
    parameters = dict(configuration.get("parameters") or {})
    for_selection = {**parameters, **(configuration.get("selection_parameters") or {})}
    if issubclass(estimator, MultivariateSVC):
        _check_path_parameters(for_selection, configuration["grid"])
        compare = configuration.get("count_iterations_without_line_search", False)
        return MultivariateMethod(parameters, for_selection, compare)
    return ClassifierMethod(estimator, parameters, for_selection)


def check_training(configuration: Mapping[str, Any], measure: str) -> None:
    """Raise ValueError if the method that a configuration describes cannot train on a measure.

    Multivariate SVMs, whatever their features, are trained on a measure; others are merely
    selected by it.
    """
    estimator = load_estimator(configuration["estimator"])
    if _is_own(estimator) and estimator.__name__ in _TRAINED_ON_A_MEASURE:
        parameters = configuration.get("parameters") or {}
        training_loss(measure, at_most_k=parameters.get("at_most_k", False))


def _check_path_parameters(parameters, grid):
    known = {"at_most_k", "fit_intercept", "line_search", "max_planes", "tol", "max_iter"}
    unknown = sorted(set(parameters) - known)
    if list(grid) != ["C"] or unknown:
        raise ValueError(
            "MultivariateSVC is fitted along a path over C, with a linear kernel: its grid must be "
            f"C alone, found {list(grid)}; its parameters can be {', '.join(sorted(known))}"
            + (f", found {', '.join(unknown)}" if unknown else "")
        )
    if not all(is_number(C) and C > 0 for C in grid["C"]):
        raise ValueError(f"C must be a positive number, found {grid['C']}")


@dataclass(frozen=True)
class Fitted:
    """A fitted classifier, and whether it gave no ConvergenceWarning."""

    model: Any
    converged: bool


class ClassifierMethod:
    """Any classifier with `decision_function` or `predict_proba`.

    Of what an estimator may offer besides, these are used: `path_decisions(X, y, X_validation,
    candidates)`, the decision values of all candidates, one fit going on from another;
    `batch_decision_function(X)`, decisions on examples taken together; `stopping_parameters(X, y)`,
    parameters that make a fit reach the accuracy asked for; and `relative_gap(X, y)`, the accuracy
    that a fit has reached. The last two are not timed.

    `budget` counts what all fits take, as in every method.
    """

    def __init__(self, estimator, parameters, for_selection):
        self.budget = OperationBudget()
        self._estimator = estimator
        self._parameters = parameters
        self._for_selection = for_selection
        self.depends_on_measure = "measure" in inspect.signature(estimator).parameters

    def _make(self, parameters, measure):
        extra = {"measure": measure} if self.depends_on_measure else {}
        return self._estimator(**parameters, **extra)

    def validation_scores(self, X, positive, X_validation, candidates, measure):
        """Scores of the validation part, shape (n_candidates, n); whether w = 0: never asked."""
        y = positive.astype(int)
        if hasattr(self._estimator, "path_decisions"):
            model = self._make(self._for_selection, measure)
            arguments = (X, y, X_validation, candidates)
            scores, unfinished = count_warnings(model.path_decisions, *arguments)
        else:
            scores = np.empty((len(candidates), X_validation.shape[0]))
            unfinished = 0
            for place, candidate in enumerate(candidates):
                model = self._make({**self._for_selection, **candidate}, measure)
                _, warned = count_warnings(model.fit, X, y)
                self._spend(model, X)
                scores[place] = _decisions(model, X_validation)
                unfinished += warned > 0
        if unfinished:
            logger.warning("%d of %d candidates did not converge", unfinished, len(candidates))
        return scores, np.zeros(len(candidates), dtype=bool)

    def settle(self, X, positive, parameters, measure) -> dict[str, Any]:
        """The parameters of the final fit: those given, and the estimator's stopping parameters."""
        if not hasattr(self._estimator, "stopping_parameters"):
            return parameters
        model = self._make({**self._parameters, **parameters}, measure)
        return {**parameters, **model.stopping_parameters(X, positive.astype(int))}

    def fit(self, X, positive, parameters, measure) -> Fitted:
        """Fit on the whole training part."""
        model = self._make({**self._parameters, **parameters}, measure)
        _, warned = count_warnings(model.fit, X, positive.astype(int))
        self._spend(model, X)
        return Fitted(model, warned == 0)

    def _spend(self, model, X):
        self.budget.spend(operations_of(getattr(model, "n_iter_", None), X))

    def scores(self, fitted: Fitted, X):
        """Decision values, float64, shape (n,)."""
        return _decisions(fitted.model, X)

    def record(self, fitted: Fitted, X, positive) -> dict[str, Any]:
        """What is to be recorded of a fit on X."""
        model, converged = fitted.model, fitted.converged
        n_iter = getattr(model, "n_iter_", None)
        gap = getattr(model, "dual_gap_", None)
        if hasattr(model, "relative_gap"):
            gap = model.relative_gap(X, positive.astype(int))
            # No warning does not mean that the gap asked for was reached.
            converged = converged and gap <= getattr(model, "gap", np.inf)
        return {
            "converged": converged,
            "n_iter": None if n_iter is None else int(np.max(n_iter)),
            "dual_gap": gap,
            "objective": getattr(model, "objective_", None),
        }


def count_warnings(function, *arguments):
    """What the function returns, and how many ConvergenceWarnings it gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        result = function(*arguments)
    return result, sum(issubclass(each.category, ConvergenceWarning) for each in caught)


def _decisions(model, X):
    for name in ("batch_decision_function", "decision_function"):
        if hasattr(model, name):
            return np.asarray(getattr(model, name)(X), dtype=np.float64)
    return np.asarray(model.predict_proba(X)[:, 1] - 0.5, dtype=np.float64)


class MultivariateMethod:
    """The multivariate SVM: its candidates for C share one path of cutting planes.

    C of the configuration is the cost of an example, LIBLINEAR's convention, so that it means the
    same for every number of samples: the solver's C is that times n/100.
    """

    depends_on_measure = True

    def __init__(self, parameters, for_selection, count_without_line_search=False):
        self.budget = OperationBudget()
        self._parameters = parameters
        self._for_selection = for_selection
        self._count_without_line_search = count_without_line_search

    def training_features(self, X, positive, parameters):
        """What the SVM is fitted to."""
        return X

    def validation_scores(self, X, positive, X_validation, candidates, measure):
        """Scores of the validation part, shape (n_candidates, n), and whether w = 0."""
        options, stopping = _split_parameters(self._for_selection)
        solver = make_solver(X, positive, measure, **options)
        scores = np.empty((len(candidates), X_validation.shape[0]))
        degenerate = np.zeros(len(candidates), dtype=bool)
        for place in np.argsort([candidate["C"] for candidate in candidates], kind="stable"):
            C = candidates[place]["C"] * X.shape[0] / 100
            solution = solver.solve(C, **stopping)
            self.budget.spend(operations_of(solution.n_iter, X))
            scores[place] = X_validation @ solution.w[:-1] + solution.w[-1]
            degenerate[place] = solver.is_degenerate(C)
        return scores, degenerate

    def settle(self, X, positive, parameters, measure) -> dict[str, Any]:
        """The parameters of the final fit: those given."""
        return parameters

    def fit(self, X, positive, parameters, measure) -> Fitted:
        """Fit on the whole training part."""
        C = parameters["C"] * X.shape[0] / 100
        options, stopping = _split_parameters(self._parameters)
        solver = make_solver(X, positive, measure, **options)
        solution = solver.solve(C, **stopping)
        self.budget.spend(operations_of(solution.n_iter, X))
        return Fitted((solver, solution, C, measure), solution.converged)

    def scores(self, fitted: Fitted, X):
        """Decision values, float64, shape (n,)."""
        solution = fitted.model[1]
        return X @ solution.w[:-1] + solution.w[-1]

    def record(self, fitted: Fitted, X, positive) -> dict[str, Any]:
        """What is to be recorded of a fit on X."""
        solver, solution, C, measure = fitted.model
        record = {
            "converged": solution.converged,
            "n_iter": solution.n_iter,
            "dual_gap": solution.dual_gap,
            "objective": solution.objective,
            "degenerate": solver.is_degenerate(C),
        }
        if self._count_without_line_search:
            options, stopping = _split_parameters(self._parameters)
            options["line_search"] = False
            plain = make_solver(X, positive, measure, **options).solve(
                C, tol=1e-9, eps=SVM_PERF_EPS, max_iter=stopping.get("max_iter", 10_000)
            )
            record["n_iter_without_line_search"] = plain.n_iter
            record["converged_without_line_search"] = plain.converged
        return record


def _split_parameters(parameters):
    """Parameters of `make_solver` and those of `solve`."""
    stopping = {key: parameters[key] for key in ("tol", "max_iter") if key in parameters}
    return {key: parameters[key] for key in parameters if key not in stopping}, stopping
