"""Protocol for multi-label data: fit one model of the labels, then apply all decision rules.

A decision rule turns label probabilities into predicted labels. The regularization strength of the
labels' classifiers is selected by cross-validation, with the log-loss as criterion. All rules use
the same samples of the test examples.
"""

import json
import logging
import warnings
from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.utils import get_tags

from beyond_accuracy.estimators.exact_f_measure_plug_in import ExactFMeasurePlugIn
from beyond_accuracy.estimators.probabilistic_classifier_chain import (
    MOST_ENUMERATED,
    ProbabilisticClassifierChain,
)
from beyond_accuracy.estimators.ridge_logistic_regression import RidgeLogisticRegression
from beyond_accuracy_pipeline.experiments.dotted_paths import load_estimator
from beyond_accuracy_pipeline.experiments.experiment import Experiment, FitResult, attempt
from beyond_accuracy_pipeline.experiments.grid import in_order
from beyond_accuracy_pipeline.experiments.label_decisions import (
    Decision,
    LabelProbabilities,
    choose_thresholds,
    decide,
    expected_value,
)
from beyond_accuracy_pipeline.experiments.tasks import dense
from beyond_accuracy_pipeline.results.scores import EXPECTED, PREDICTION, TRUE_LABELS

logger = logging.getLogger(__name__)

ALL_DECISIONS = "all"
"""Task name in the rows of times that all decisions share."""


def make_base(configuration: Mapping[str, Any], n_folds: int, seed: int):
    """Return the unfitted classifier for one label, which selects its hyperparameters by log-loss.

    `configuration` is the section of the method. `n_folds` is the number of folds for the
    selection.
    """
    base = load_estimator(configuration["base"])
    fixed = dict(configuration.get("base_parameters") or {})
    grid = {name: in_order(values) for name, values in configuration["grid"].items()}
    if issubclass(base, RidgeLogisticRegression):
        return base(**grid, **{"cv": n_folds, "random_state": seed, **fixed})
    if "random_state" in base().get_params():
        fixed = {"random_state": seed, **fixed}
    if not grid:
        return base(**fixed)
    splits = KFold(n_folds, shuffle=True, random_state=seed)
    return GridSearchCV(base(**fixed), grid, cv=splits, scoring="neg_log_loss")


class MultilabelExperiment(Experiment):
    """Experiment that fits one multi-label model, and predicts the test part by several rules."""

    def __post_init__(self):
        super().__post_init__()
        data, configuration = self.data, self.method_configuration
        self._decisions = {name: Decision.of(name) for name in configuration["inference"]}
        n_folds = self.paper_configuration["selection"]["folds"]
        base = make_base(configuration, n_folds, self._derive_seed("folds"))
        estimator = load_estimator(configuration["estimator"])
        parameters = dict(configuration.get("parameters") or {})
        if issubclass(estimator, ProbabilisticClassifierChain):
            parameters["random_state"] = self._derive_seed("samples")
        self._model = estimator(base, **parameters)
        self._splits = KFold(n_folds, shuffle=True, random_state=self._derive_seed("thresholds"))
        self._X_train, self._X_test = data.X_train, data.X_test
        if scipy.sparse.issparse(data.X_train) and not get_tags(self._model.base).input_tags.sparse:
            self._X_train, self._X_test = dense(data.X_train), dense(data.X_test)

    def run(self) -> FitResult:
        labels = {}
        record, failure = attempt("fit", self._fit)
        if failure is None:
            labels, failure = attempt("labels", self._describe_labels)
        arrays: dict[str, np.ndarray] = {}
        rows = []
        for name, decision in self._decisions.items():
            outcome = failure
            if outcome is None and decision.exact and True not in labels:
                n_labels = self.data.y_train.shape[1]
                reason = "only a classifier chain has the exact joint distribution of the labels"
                if n_labels > MOST_ENUMERATED:
                    most = f"the exact distribution takes at most {MOST_ENUMERATED} labels"
                    reason = f"{most}, the data set has {n_labels}"
                outcome = "unavailable", reason
            if outcome is None:
                source = labels[decision.exact]
                _, outcome = attempt(name, self._decide, name, decision, source, arrays)
            status, reason = outcome or ("ok", "")
            row = {"task": name, "status": status, "reason": reason, **(record or {})}
            rows += [{**row, "measure": measure} for measure in self._measures]
        if arrays:
            arrays[TRUE_LABELS] = dense(self.data.y_test).astype(np.uint8)
        return FitResult(list(self._decisions), arrays, rows, self._clock.rows)

    def _fit(self):
        """Fit the model and return facts about the fit for the table of fits."""
        data = self.data
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            self._time_for_all("fit", self._model.fit, self._X_train, dense(data.y_train))
        for warning in caught:
            logger.warning("%s", warning.message)
        record = {
            "converged": not any(issubclass(w.category, ConvergenceWarning) for w in caught),
            "n_train": data.X_train.shape[0],
            "n_test": data.X_test.shape[0],
        }
        regressions = getattr(self._model, "regressions_", None)
        if regressions is not None:
            chosen = [None if np.isnan(C) else float(C) for C in regressions.C]
            record["selected"] = json.dumps({"C": chosen})
            record["n_iter"] = int(np.max(regressions.n_iter))
        return record

    def _describe_labels(self):
        """Return label probabilities of the test part: {False: estimated, True: exact}."""
        X, model = self._X_test, self._model
        # Calls for one example load compiled code before the clock starts.
        if isinstance(model, ExactFMeasurePlugIn):
            model.joint(X[:1])
            return {False: self._time_for_all("predict_proba", self._joint, X)}
        if not isinstance(model, ProbabilisticClassifierChain):
            model.predict_proba(X[:1])
            marginals = self._time_for_all("predict_proba", model.predict_proba, X)
            return {False: LabelProbabilities(marginals)}
        model.sample(X[:1])
        labels = {False: self._time_for_all("sample", self._sample, X)}
        needed = any(decision.exact for decision in self._decisions.values())
        if needed and model.n_labels_ <= MOST_ENUMERATED:
            exact_joint = partial(self._joint, exact=True)
            labels[True] = self._time_for_all("enumerate", exact_joint, X)
        return labels

    def _time_for_all(self, stage, function, *arguments):
        """Call a function and record its time as one that all decision rules share."""
        return self._clock.time(stage, ALL_DECISIONS, "", function, *arguments)

    def _sample(self, X):
        """Return label probabilities of X as samples that the classifier chain draws."""
        samples = self._model.sample(X)
        return LabelProbabilities(samples.mean(axis=1), samples)

    def _joint(self, X, **options):
        """Return label probabilities of X as the model's joint distribution of the labels."""
        joint, p_empty = self._model.joint(X, **options)
        marginals = self._model.predict_proba(X, **options)
        return LabelProbabilities(marginals, joint=joint, p_empty=p_empty)

    def _decide(self, name, decision, labels, arrays):
        """Add one decision rule's predictions, and their expected F-measures, to `arrays`."""
        thresholds = None
        if decision.is_tuned:
            thresholds = choose_thresholds(decision, self._held_out, dense(self.data.y_train))
        # Load compiled code before the clock starts.
        decide(decision, labels.first(), thresholds)
        prediction = self._clock.time("decide", name, "", decide, decision, labels, thresholds)
        arrays[PREDICTION + name] = prediction
        arrays[EXPECTED + name] = expected_value(decision, labels, prediction)

    @cached_property
    def _held_out(self):
        return self._time_for_all("select", self._hold_out)

    def _hold_out(self):
        """Return out-of-fold label probabilities of the training examples, shape (n, m)."""
        X, Y = self._X_train, dense(self.data.y_train)
        marginals = np.empty(Y.shape)
        with warnings.catch_warnings():
            # The fit to all training examples reports convergence.
            warnings.simplefilter("ignore", ConvergenceWarning)
            for train, test in self._splits.split(Y):
                model = clone(self._model).fit(X[train], Y[train])
                marginals[test] = model.predict_proba(X[test])
        return marginals
