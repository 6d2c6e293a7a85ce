"""How SVMs with a kernel are fitted: compared on a part of the examples, then trained on all."""

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse

from beyond_accuracy.estimators.kernels import Kernel
from beyond_accuracy.estimators.multivariate_svc import MultivariateSVC
from beyond_accuracy.experiments.budget import OperationBudget, operations_of
from beyond_accuracy.experiments.grid import is_number
from beyond_accuracy.experiments.methods import (
    ClassifierMethod,
    Fitted,
    MultivariateMethod,
    count_warnings,
    load_estimator,
)
from beyond_accuracy.solvers.kernel_factor import evaluate_kernel, factor_kernel

_OF_SVM = {"fit_intercept", "max_planes", "tol", "max_iter"}
_OF_KERNEL = {"kernel", "n_components", "trace_tol"}
_KERNELS = ("rbf", "laplacian")


def make(configuration: Mapping[str, Any]) -> "MultivariateKernelMethod | SubsampledMethod":
    """The method that a configuration with `estimator` and a kernel describes.

    Raises
    ------
    ValueError
        If a multivariate SVM has a parameter that is none of a path over C for each width, another
        kernel than "rbf" or "laplacian", or a grid that is not of C and gamma.
    """
    estimator = load_estimator(configuration["estimator"])
    parameters = dict(configuration.get("parameters") or {})
    for_selection = {**parameters, **(configuration.get("selection_parameters") or {})}
    rows = configuration.get("selection_rows")
    if not issubclass(estimator, MultivariateSVC):
        return SubsampledMethod(estimator, parameters, for_selection, rows)
    grid = configuration.get("grid") or {}
    unknown = sorted(set(for_selection) - _OF_SVM - _OF_KERNEL)
    if unknown or set(grid) != {"C", "gamma"}:
        raise ValueError(
            "MultivariateSVC with a kernel is fitted along a path over C for each width: its grid "
            f"must be C and gamma, found {list(grid)}; its parameters can be "
            f"{', '.join(sorted(_OF_SVM | _OF_KERNEL))}"
            + (f", found {', '.join(unknown)}" if unknown else "")
        )
    if for_selection.get("kernel", "rbf") not in _KERNELS:
        raise ValueError(f"kernel must be one of {_KERNELS}, found {for_selection['kernel']!r}")
    for name, values in grid.items():
        if not all(is_number(value) and value > 0 for value in values):
            raise ValueError(f"{name} must be a positive number, found {values}")
    return MultivariateKernelMethod(parameters, for_selection, rows)


def examples_to_compare_on(positive, n_rows) -> np.ndarray:
    """Indices of `n_rows` of the examples, in order; of both classes in their proportion.

    They depend on the labels alone, so that all methods and candidates see the same; a larger
    sample holds a smaller one, up to rounding. None is all.
    """
    if n_rows is None or n_rows >= len(positive):
        return np.arange(len(positive))
    rng = np.random.default_rng(0)
    chosen = []
    for members in (np.flatnonzero(positive), np.flatnonzero(~positive)):
        share = max(round(n_rows * len(members) / len(positive)), 1)
        chosen.append(rng.permutation(members)[:share])
    return np.sort(np.concatenate(chosen))


class _Compared:
    """A method whose candidates are fitted to so many rows of each part; all if it is None."""

    rows: int | None

    def with_rows(self, rows):
        """The same method, whose candidates are compared on another number of rows."""
        other = copy.copy(self)
        other.rows = rows
        return other


class SubsampledMethod(_Compared, ClassifierMethod):
    """Any classifier, whose candidates are compared on a part of the examples."""

    def __init__(self, estimator, parameters, for_selection, rows=None):
        super().__init__(estimator, parameters, for_selection)
        self.rows = rows

    def validation_scores(self, X, positive, X_validation, candidates, measure):
        """Scores of the validation part, shape (n_candidates, n); whether w = 0: never asked."""
        rows = examples_to_compare_on(positive, self.rows)
        return super().validation_scores(X[rows], positive[rows], X_validation, candidates, measure)

    def record(self, fitted: Fitted, X, positive) -> dict[str, Any]:
        """What is to be recorded of a fit on X."""
        error = getattr(fitted.model, "kernel_error_", None)
        return {**super().record(fitted, X, positive), "kernel_error": error}


class MultivariateKernelMethod(_Compared):
    """The multivariate SVM on the factor of a kernel: a path over C for each width.

    C is that of `MultivariateMethod`. While candidates are compared, `n_components` and `trace_tol`
    of `for_selection` apply.
    """

    depends_on_measure = True

    def __init__(self, parameters, for_selection, rows=None):
        self.rows = rows
        self.budget = OperationBudget()
        self._parameters = {"kernel": "rbf", **parameters}
        self._for_selection = {"kernel": "rbf", **for_selection}

    def validation_scores(self, X, positive, X_validation, candidates, measure):
        """Scores of the validation part, shape (n_candidates, n), and whether w = 0."""
        rows = examples_to_compare_on(positive, self.rows)
        X, positive = X[rows], positive[rows]
        options = {name: self._for_selection[name] for name in _OF_SVM & set(self._for_selection)}
        svm = MultivariateMethod(options, options)
        svm.budget = self.budget
        scores = np.empty((len(candidates), X_validation.shape[0]))
        degenerate = np.zeros(len(candidates), dtype=bool)
        widths = np.array([candidate["gamma"] for candidate in candidates])
        for gamma in np.unique(widths):
            places = np.flatnonzero(widths == gamma)
            features, new = self._features(X, X_validation, gamma)
            scores[places], degenerate[places] = svm.validation_scores(
                features,
                positive,
                new,
                [{"C": candidates[place]["C"]} for place in places],
                measure,
            )
        return scores, degenerate

    def settle(self, X, positive, parameters, measure) -> dict[str, Any]:
        """The parameters of the final fit: those given."""
        return parameters

    def fit(self, X, positive, parameters, measure) -> Fitted:
        """Fit on the whole training part."""
        model = MultivariateSVC(
            measure,
            C=parameters["C"] * X.shape[0] / 100,
            gamma=parameters["gamma"],
            **self._parameters,
        )
        _, warned = count_warnings(model.fit, X, positive.astype(int))
        factor = X.shape[0] * model.kernel_rank_
        self.budget.spend((2.0 * model.n_iter_ + model.kernel_rank_) * factor)
        return Fitted(model, warned == 0)

    def scores(self, fitted: Fitted, X):
        """Decision values, float64, shape (n,)."""
        return fitted.model.decision_function(X)

    def record(self, fitted: Fitted, X, positive) -> dict[str, Any]:
        """What is to be recorded of a fit on X."""
        model = fitted.model
        return {
            "converged": fitted.converged,
            "n_iter": model.n_iter_,
            "dual_gap": model.dual_gap_,
            "objective": model.objective_,
            "degenerate": model.degenerate_,
            "kernel_error": model.kernel_error_,
        }

    def _features(self, X, X_new, gamma):
        """Features of both, whose products are the kernel's values, up to the factor's error."""
        given = self._for_selection
        centre = X.mean(axis=0) if not scipy.sparse.issparse(X) else None
        centre = centre if given["kernel"] == "rbf" else None
        kernel = Kernel(given["kernel"], float(gamma), centre=centre)
        factor = factor_kernel(
            X,
            kernel,
            max_rank=given.get("n_components"),
            trace_tol=given.get("trace_tol") or 0.0,
        )
        self.budget.spend(operations_of(factor.rank / 2, factor.features))
        new = factor.map(evaluate_kernel(kernel, X_new, X[factor.pivots]))
        return factor.features, new
