"""How classifier adaptation and the weighted ensemble are fitted: along a path over C."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from beyond_accuracy.estimators.auxiliaries import augment
from beyond_accuracy.estimators.capo import CAPOClassifier
from beyond_accuracy.experiments.auxiliary_outputs import AuxiliaryOutputs
from beyond_accuracy.experiments.budget import OperationBudget
from beyond_accuracy.experiments.grid import is_number
from beyond_accuracy.experiments.methods import Fitted, MultivariateMethod, load_estimator

_OF_SVM = {"fit_intercept", "line_search", "max_planes", "tol", "max_iter"}
_OF_CAPO = {"B", "cross_fit", "cv", "random_state"}


def make(configuration: Mapping[str, Any]) -> "AdaptationMethod":
    """The method that a configuration with `estimator`, `parameters` and `auxiliaries` describes.

    `auxiliaries` maps names to configurations with `estimator` and `parameters`.

    Raises
    ------
    ValueError
        If a parameter is none of a path over C, or the grid is not of C and B.
    """
    estimator = load_estimator(configuration["estimator"])
    delta = issubclass(estimator, CAPOClassifier)
    parameters = dict(configuration.get("parameters") or {})
    for_selection = {**parameters, **(configuration.get("selection_parameters") or {})}
    known = _OF_SVM | _OF_CAPO if delta else _OF_SVM
    chosen = {"C", "B"} if delta else {"C"}
    unknown = sorted(set(for_selection) - known)
    grid = configuration.get("grid") or {}
    if unknown or "C" not in grid or not set(grid) <= chosen:
        raise ValueError(
            f"{estimator.__name__} is fitted along a path over C: its grid must be C"
            f"{' and possibly B' if delta else ' alone'}, found {list(grid)}; its parameters can "
            f"be {', '.join(sorted(known))}" + (f", found {', '.join(unknown)}" if unknown else "")
        )
    for name, values in grid.items():
        if not all(is_number(value) and value > 0 for value in values):
            raise ValueError(f"{name} must be a positive number, found {values}")
    return AdaptationMethod(parameters, for_selection, _make_all(configuration), delta)


def _make_all(configuration):
    """The unfitted auxiliaries by name; none while only the configuration is checked."""
    auxiliaries = configuration.get("auxiliaries") or {}
    if not isinstance(auxiliaries, Mapping):
        return {}
    return {
        name: load_estimator(each["estimator"])(**(each.get("parameters") or {}))
        for name, each in auxiliaries.items()
    }


class AdaptationMethod:
    """The multivariate SVM on features and outputs ±1 of auxiliaries, or on the outputs alone.

    All candidates and all measures share the auxiliaries of a training part. C is that of
    `MultivariateMethod`. Auxiliaries that predict one class only on a part are left out of it, and
    recorded; of a problem without any there is left the linear SVM, and nothing of an ensemble.

    Parameters
    ----------
    parameters, for_selection : mapping
        Of the final fit, and while candidates are compared.
    auxiliaries : mapping of name to unfitted classifier
    delta : bool
        Whether the features are used as well: CAPO, and not the weighted ensemble.
    """

    depends_on_measure = True

    def __init__(self, parameters, for_selection, auxiliaries, delta):
        own = {name: parameters[name] for name in _OF_CAPO if name in parameters}
        self._B = own.get("B", 1.0)
        self._delta = delta
        cross_fit = own.get("cv", 5) if own.get("cross_fit") else None
        self._auxiliaries = AuxiliaryOutputs(auxiliaries, cross_fit, own.get("random_state", 0))
        self._compared = {}
        self._svm = MultivariateMethod(*(
            {name: given[name] for name in given if name in _OF_SVM}
            for given in (parameters, for_selection)
        ))  # fmt: skip

    @property
    def budget(self) -> OperationBudget:
        """What the task's budget is, and how much of it is spent."""
        return self._svm.budget

    @budget.setter
    def budget(self, budget):
        self._svm.budget = budget

    def prepare(self, X, positive, X_new):
        """Fit the auxiliaries, unless they are fitted to this part, and apply them to both."""
        self._auxiliaries.predict(X, positive, X_new)

    def training_features(self, X, positive, parameters):
        """What the SVM is fitted to."""
        return self._augmented(X, self._trained(X, positive).outputs, parameters)

    def validation_scores(self, X, positive, X_validation, candidates, measure):
        """Scores of the validation part, shape (n_candidates, n), and whether w = 0."""
        trained = self._trained(X, positive)
        outputs = trained.outputs
        new = self._auxiliaries.predict(X, positive, X_validation)
        self._compared[id(trained)] = trained
        scores = np.empty((len(candidates), X_validation.shape[0]))
        degenerate = np.zeros(len(candidates), dtype=bool)
        used = np.array([self._B_of(candidate) for candidate in candidates])
        for B in np.unique(used):
            places = np.flatnonzero(used == B)
            scores[places], degenerate[places] = self._svm.validation_scores(
                self._augmented(X, outputs, {"B": B}),
                positive,
                self._augmented(X_validation, new, {"B": B}),
                [{"C": candidates[place]["C"]} for place in places],
                measure,
            )
        return scores, degenerate

    def settle(self, X, positive, parameters, measure) -> dict[str, Any]:
        """The parameters of the final fit: those given."""
        return parameters

    def fit(self, X, positive, parameters, measure) -> Fitted:
        """Fit on the whole training part."""
        features = self.training_features(X, positive, parameters)
        fitted = self._svm.fit(features, positive, {"C": parameters["C"]}, measure)
        return Fitted((fitted, parameters, X, positive), fitted.converged)

    def scores(self, fitted: Fitted, X):
        """Decision values, float64, shape (n,)."""
        svm, parameters, X_train, positive = fitted.model
        outputs = self._auxiliaries.predict(X_train, positive, X)
        return self._svm.scores(svm, self._augmented(X, outputs, parameters))

    def record(self, fitted: Fitted, X, positive) -> dict[str, Any]:
        """What is to be recorded of a fit on X."""
        left_out = self._describe_left_out(self._trained(X, positive).left_out)
        return {**self._svm.record(fitted.model[0], X, positive), "left_out": left_out}

    def _trained(self, X, positive):
        trained = self._auxiliaries.train(X, positive)
        if not self._delta and not trained.models:
            raise ValueError(
                "every auxiliary predicts one class only on the training data, so that there is "
                "nothing to weigh"
            )
        return trained

    def _describe_left_out(self, left_out):
        """Names of the auxiliaries left out of the fit, or of how many parts of the selection."""
        parts = [trained.left_out for trained in self._compared.values()]
        names = dict.fromkeys(name for part in (left_out, *parts) for name in part)
        return ", ".join(
            name
            if name in left_out
            else f"{name} in {sum(name in part for part in parts)} of {len(parts)} parts"
            for name in names
        )

    def _B_of(self, parameters):
        return parameters.get("B", self._B)

    def _augmented(self, X, outputs, parameters):
        if not self._delta:
            return outputs
        return augment(X, outputs, self._B_of(parameters)) if outputs.shape[1] else X
