"""Auxiliaries chosen by the target measure, out of many, against those taken by default."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from beyond_accuracy.datasets.errors import DataSetUnavailable
from beyond_accuracy.datasets.prepared import load_prepared
from beyond_accuracy.estimators.auxiliaries import augment
from beyond_accuracy.estimators.core_vector_machine import CoreVectorMachine
from beyond_accuracy.experiments.finite_features import not_finite
from beyond_accuracy.experiments.grid import Grid
from beyond_accuracy.experiments.kernel_methods import examples_to_compare_on
from beyond_accuracy.experiments.methods import MultivariateMethod
from beyond_accuracy.experiments.seeds import derive_seed
from beyond_accuracy.experiments.store import write_table
from beyond_accuracy.experiments.tasks import binary_tasks, split_folds
from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers.core_vector_machine import inverse_mean_squared_distance

DEFAULT, SELECTED = "default", "selected"
COLUMNS = {
    "data_set": "string",
    "task": "string",
    "measure": "string",
    "n_candidates": "Int64",
    "which": "string",
    "auxiliaries": "string",
    "C": "float64",
    "auxiliary_value": "float64",
    "capo_value": "float64",
    "status": "string",
    "reason": "string",
}


def run_auxiliary_selection(
    prepared_folder,
    *,
    paper: str,
    data_set: str,
    settings: Mapping[str, Any],
    measures: list[str],
    folds: int,
    seed: int,
    output,
) -> None:
    """Choose core vector machines by cross-validation of each measure, and adapt those chosen.

    The candidates are all kernels with all widths; the default ones are all kernels with the
    width 1, as many as are chosen. Candidates, and C of the adaptation to either, are compared on
    so many examples of each training part; what is chosen is then fitted to everything. A row has
    the mean of the auxiliaries' test values, by their decision values, and the value of CAPO.

    Parameters
    ----------
    settings : mapping
        `kernels`, `widths` (factors on the inverse mean squared distance of the training rows),
        `parameters` of the core vector machines, `rows`, `C` (of an example), `tol`, `max_iter`.
    measures : list of str
    folds, seed : int
        Of the cross-validation; the folds are those of the paper's other fits. The random states
        of the core vector machines are derived from the seed as well.
    """
    rows = []
    try:
        data = load_prepared(prepared_folder)
    except DataSetUnavailable as error:
        rows = _without_result(measures, "unavailable", str(error))
    else:
        task = binary_tasks(data)[0]
        parts = None
        problem = not_finite(data) or task.problem()
        if problem is None:
            names = (seed, paper, data.name, task.name, "folds")
            parts = split_folds(task.train, folds, derive_seed(*names))
            if parts is None:
                problem = f"a class has fewer training examples than there are folds, {folds}"
        if problem is not None:
            rows = _without_result(measures, "failed", problem)
        else:
            stream = (seed, paper, data.name, "auxiliary_selection")
            selection = _Selection(data, task, parts, settings, stream)
            rows = [row for measure in measures for row in selection.rows(measure)]
        rows = [{**row, "task": task.name} for row in rows]
    n_candidates = len(settings["kernels"]) * len(settings["widths"])
    rows = [{"data_set": data_set, "n_candidates": n_candidates, **row} for row in rows]
    write_table(output, pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS))


def _without_result(measures, status, reason):
    return [
        {"measure": measure, "which": which, "status": status, "reason": reason}
        for measure in measures
        for which in (DEFAULT, SELECTED)
    ]


class _Selection:
    """Candidates on one data set: their decision values on the folds, and their final fits."""

    def __init__(self, data, task, parts, settings, stream):
        self._stream = stream
        self._data, self._task, self._settings = data, task, settings
        self._names = [
            (kernel, width) for kernel in settings["kernels"] for width in settings["widths"]
        ]
        self._parts = []
        for part, validation in parts:
            part = part[examples_to_compare_on(task.train[part], settings["rows"])]
            self._parts.append((part, validation, self._decisions(part, validation)))
        self._final = {}

    def _machine(self, name, X):
        kernel, width = name
        gamma = width * inverse_mean_squared_distance(X)
        state = derive_seed(*self._stream, kernel, str(width))
        parameters = {"random_state": state, **self._settings["parameters"]}
        return CoreVectorMachine(kernel=kernel, gamma=gamma, **parameters)

    def _decisions(self, part, validation):
        """Decision values of all candidates on both parts, shape (n_candidates, n) each."""
        X, positive = self._data.X_train[part], self._task.train[part]
        trained, new = [], []
        for name in self._names:
            model = self._machine(name, X).fit(X, positive.astype(int))
            trained.append(model.decision_function(X))
            new.append(model.decision_function(self._data.X_train[validation]))
        return np.array(trained), np.array(new)

    def rows(self, measure):
        """A row for the default auxiliaries, and one for those selected by the measure."""
        scorer = get_measure(measure)
        reached = np.mean(
            [
                [scorer.score(self._task.train[validation], scores) for scores in new]
                for _, validation, (_, new) in self._parts
            ],
            axis=0,
        )
        default = [self._names.index((kernel, 1)) for kernel in self._settings["kernels"]]
        selected = np.argsort(-reached, kind="stable")[: len(default)].tolist()
        for which, places in ((DEFAULT, default), (SELECTED, selected)):
            C = self._choose_C(measure, places)
            finals = [self._fit_all(place) for place in places]
            values = [scorer.score(self._task.test, test) for _, test in finals]
            names = [
                f"{kernel} {width:g}" for kernel, width in map(self._names.__getitem__, places)
            ]
            yield {
                "measure": measure,
                "which": which,
                "auxiliaries": ", ".join(names),
                "C": C,
                "auxiliary_value": float(np.mean(values)),
                "capo_value": self._adapt(measure, finals, C),
                "status": "ok",
                "reason": "",
            }

    def _svm(self):
        options = {name: self._settings[name] for name in ("tol", "max_iter")}
        return MultivariateMethod(options, options)

    def _choose_C(self, measure, places):
        """C of the adaptation to these candidates, compared on the folds; the grid grows."""
        grid = Grid({"C": self._settings["C"]}, {"C": "both"}, max_extensions=3)
        scorer, known = get_measure(measure), {}
        while True:
            missing = [C for C in grid.values["C"] if C not in known]
            reached = np.zeros(len(missing))
            for part, validation, (trained, new) in self._parts:
                features = augment(self._data.X_train[part], _signs(trained[places]))
                others = augment(self._data.X_train[validation], _signs(new[places]))
                scores, _ = self._svm().validation_scores(
                    features,
                    self._task.train[part],
                    others,
                    [{"C": C} for C in missing],
                    measure,
                )
                truth = self._task.train[validation]
                reached += [scorer.score(truth, row) / len(self._parts) for row in scores]
            known |= dict(zip(missing, reached, strict=True))
            best = max(known.values())
            equal = [C for C in grid.values["C"] if known[C] == best]
            chosen = equal[(len(equal) - 1) // 2]
            if not grid.grow([(chosen,)]):
                return chosen

    def _fit_all(self, place):
        """Decision values on the training and the test part of a fit to the training part."""
        if place not in self._final:
            X = self._data.X_train
            model = self._machine(self._names[place], X).fit(X, self._task.train.astype(int))
            self._final[place] = (
                model.decision_function(X),
                model.decision_function(self._data.X_test),
            )
        return self._final[place]

    def _adapt(self, measure, finals, C):
        """The measure's test value of CAPO with auxiliaries of these decision values."""
        trained, test = (_signs(np.array(part)) for part in zip(*finals, strict=True))
        svm = self._svm()
        fitted = svm.fit(augment(self._data.X_train, trained), self._task.train, {"C": C}, measure)
        scores = svm.scores(fitted, augment(self._data.X_test, test))
        return get_measure(measure).score(self._task.test, scores)


def _signs(decisions):
    """Outputs ±1, shape (n, m), from decision values (m, n)."""
    return np.where(decisions.T > 0, 1.0, -1.0)
