"""Auxiliaries chosen by the target measure, out of many, against those taken by default."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from beyond_accuracy.estimators.auxiliaries import augment
from beyond_accuracy.estimators.core_vector_machine import CoreVectorMachine
from beyond_accuracy.experiments.experiment import CannotRun
from beyond_accuracy.experiments.grid import Grid, middle_of_best
from beyond_accuracy.experiments.methods import Method
from beyond_accuracy.experiments.seeds import derive_seed
from beyond_accuracy.experiments.studies.cells import evaluate_cells
from beyond_accuracy.experiments.tasks import split_folds, stratified_sample
from beyond_accuracy.measures import get_measure
from beyond_accuracy.results.columns import Rows
from beyond_accuracy.solvers.core_vector_machine import inverse_mean_squared_distance

DEFAULT, SELECTED = "default", "selected"


def auxiliary_selection(data, settings: Mapping[str, Any], stream) -> tuple[Rows, Rows]:
    """Choose core vector machines by cross-validation of each measure, and adapt those chosen.

    The candidates are all kernels with all widths; the default ones are all kernels with the
    width 1, as many as are chosen. Candidates, and C of the adaptation to either, are compared on
    so many examples of each training part; what is chosen is then fitted to everything. A row has
    the mean of the auxiliaries' test values, by their decision values, and the value of CAPO.

    Parameters
    ----------
    settings : mapping
        `measures`, `kernels`, `widths` (factors on the inverse mean squared distance of the
        training rows), `parameters` of the core vector machines, `rows`, `C` (of an example),
        `tol`, `max_iter`, and `folds`, which are those of the paper's other fits.
    stream : sequence
        Seed and paper, of folds and of the core vector machines.
    """
    n_candidates = len(settings["kernels"]) * len(settings["widths"])
    cells = [
        {"measure": measure, "which": which, "n_candidates": n_candidates}
        for measure in settings["measures"]
        for which in (DEFAULT, SELECTED)
    ]

    def start(data, task):
        folds, names = settings["folds"], (*stream, data.name)
        parts = split_folds(task.train, folds, derive_seed(*names, task.name, "folds"))
        if parts is None:
            raise CannotRun(f"a class has fewer training examples than there are folds, {folds}")
        return _Selection(data, task, parts, settings, (*names, "auxiliary_selection")).complete

    return evaluate_cells(data, cells, start)


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
            part = part[stratified_sample(task.train[part], settings["rows"])]
            training = data.X_train[part], task.train[part], data.X_train[validation]
            decisions = [self._decisions(name, *training) for name in self._names]
            trained, new = map(np.array, zip(*decisions, strict=True))
            self._parts.append((part, validation, (trained, new)))
        self._final = {}

    def _decisions(self, name, X, positive, X_new):
        """Decision values, on X and on X_new, of a candidate fitted to X."""
        kernel, width = name
        gamma = width * inverse_mean_squared_distance(X)
        state = derive_seed(*self._stream, kernel, str(width))
        parameters = {"random_state": state, **self._settings["parameters"]}
        model = CoreVectorMachine(kernel=kernel, gamma=gamma, **parameters)
        model.fit(X, positive.astype(int))
        return model.decision_function(X), model.decision_function(X_new)

    def complete(self, row):
        """Add to the row of the default auxiliaries, or of those selected by the measure."""
        default = [self._names.index((kernel, 1)) for kernel in self._settings["kernels"]]
        measure = get_measure(row["measure"])
        candidates = default if row["which"] == DEFAULT else self._best(measure, len(default))
        C = self._choose_C(measure, candidates)
        for candidate in set(candidates) - set(self._final):
            training = self._data.X_train, self._task.train, self._data.X_test
            self._final[candidate] = self._decisions(self._names[candidate], *training)
        finals = [self._final[candidate] for candidate in candidates]
        values = [measure.score(self._task.test, test) for _, test in finals]
        names = [self._names[candidate] for candidate in candidates]
        row |= {
            "auxiliaries": ", ".join(f"{kernel} {width:g}" for kernel, width in names),
            "C": C,
            "auxiliary_value": float(np.mean(values)),
            "capo_value": self._adapt(measure, finals, C),
        }

    def _best(self, measure, number):
        """So many candidates with the largest mean value on the folds."""
        values = np.mean(
            [
                [measure.score(self._task.train[validation], scores) for scores in new]
                for _, validation, (_, new) in self._parts
            ],
            axis=0,
        )
        return np.argsort(-values, kind="stable")[:number].tolist()

    def _svm(self):
        parameters = {name: self._settings[name] for name in ("tol", "max_iter")}
        estimator = "beyond_accuracy.estimators.MultivariateSVC"
        return Method({"estimator": estimator, "parameters": parameters})

    def _choose_C(self, measure, candidates):
        """C of the adaptation to these candidates, compared on the folds; the grid grows."""
        grid = Grid({"C": self._settings["C"]}, {"C": "both"}, max_extensions=3)
        values: dict[float, float] = {}
        while True:
            missing = [C for C in grid.values["C"] if C not in values]
            means = np.zeros(len(missing))
            for part, validation, (trained, new) in self._parts:
                features = augment(self._data.X_train[part], _signs(trained[candidates]))
                others = augment(self._data.X_train[validation], _signs(new[candidates]))
                scores = self._svm().validation_scores(
                    features,
                    self._task.train[part],
                    others,
                    [{"C": C} for C in missing],
                    measure,
                )
                truth = self._task.train[validation]
                means += [measure.score(truth, row) / len(self._parts) for row in scores]
            values |= dict(zip(missing, means, strict=True))
            compared = grid.values["C"]
            chosen = compared[middle_of_best([values[C] for C in compared])]
            if not grid.grow([{"C": chosen}]):
                return chosen

    def _adapt(self, measure, finals, C):
        """The measure's test value of CAPO with auxiliaries of these decision values."""
        trained, test = (_signs(np.array(part)) for part in zip(*finals, strict=True))
        svm = self._svm()
        fitted = svm.fit(augment(self._data.X_train, trained), self._task.train, {"C": C}, measure)
        scores = svm.scores(fitted, augment(self._data.X_test, test))
        return measure.score(self._task.test, scores)


def _signs(decisions):
    """Outputs ±1, shape (n, m), from decision values (m, n)."""
    return np.where(decisions.T > 0, 1.0, -1.0)
