"""Fit methods at given values of C, B and training size, without hyperparameter selection."""

import functools
import inspect
import itertools

import numpy as np

from beyond_accuracy.measures import get_measure
from beyond_accuracy_pipeline.experiments.dotted_paths import load_estimator
from beyond_accuracy_pipeline.experiments.experiment import Clock
from beyond_accuracy_pipeline.experiments.memory import ResultMemory
from beyond_accuracy_pipeline.experiments.methods import (
    ALGORITHM_1,
    SVM_PERF_EPS,
    Method,
    OperationBudget,
)
from beyond_accuracy_pipeline.experiments.studies.cells import evaluate_cells
from beyond_accuracy_pipeline.experiments.tasks import first_of_each_class, stratified_sample
from beyond_accuracy_pipeline.reproduction.budget import BudgetExceededError
from beyond_accuracy_pipeline.results.columns import Rows

# A fit that takes more CPU seconds is not repeated, because noise is then relatively small.
LONG = 0.5


def sweep(data, settings, seed_and_paper, *, values=True) -> tuple[Rows, Rows]:
    """Fit methods with each combination of C, B and fraction of the training set.

    C is the SVM's cost of errors. B is the penalty of CAPO (classifier adaptation) on the weights
    of its auxiliary classifiers. `settings` has the values of C, B and the fraction, the methods
    and the measures. `settings["widths"]` maps (method, measure) to the kernel width. Only the
    first task of the data is learned.

    With `settings["algorithm_1"]`, fits use Algorithm 1 of Joachims (2005), a cutting-plane method,
    to SVM-perf's default accuracy. Its oracle finds the label vector whose constraint the current
    SVM violates most.

    Return (rows, seconds), with one dict per fit. A row has the number of iterations, the test
    value of the measure if `values`, and the number of oracle calls of Algorithm 1. `seconds` has
    the median CPU seconds of the fit, and the seconds of its auxiliary classifiers. If a fit needs
    more than `settings["budget"]` operations, its status is "timeout". Fits that differ only by a
    later fraction of the training set are then skipped, with the same status.
    """
    algorithm_1 = settings["algorithm_1"]
    axes = [settings[axis] for axis in ("methods", "measures", "train_fraction")]
    axes += [settings["B"] or [1.0], settings["C"]]
    cells = [
        {"method": method, "measure": measure, "train_fraction": share, "B": B, "C": float(C)}
        for method, measure, share, B, C in itertools.product(*axes)
    ]

    def start(data, task):
        # Methods share auxiliaries, so that each is fitted once.
        memory = ResultMemory()
        methods = {name: Method(method, memory) for name, method in settings["methods"].items()}
        warmed, beyond_budget = set(), set()

        # All fits get the same array objects, so that the memory finds their digests quickly.
        @functools.cache
        def part(share):
            examples = stratified_sample(task.train, round(share * len(task.train)))
            return data.X_train[examples], task.train[examples]

        def fit(row, X, positive, budget=None):
            method, clock = methods[row["method"]], Clock()
            method.budget = OperationBudget(budget)
            parameters = _parameters(row, settings)
            if algorithm_1:
                parameters |= {**ALGORITHM_1, "max_iter": settings["max_iter"]}
            if method.prepares:
                X_new = data.X_test if values else X[:1]
                clock.time("auxiliaries", "", "", method.prepare, X, positive, X_new)
            training = X, positive, parameters, row["measure"]
            fitted = clock.time("fit", "", "", method.fit, *training)
            if values:
                scores = method.scores(fitted, data.X_test)
                row["value"] = get_measure(row["measure"]).score(task.test, scores)
            row["n_iter"] = fitted.model.n_iter_
            if algorithm_1:
                # One oracle call is at w = 0.
                row["oracle_calls"] = row["n_iter"] + 1
                if not fitted.converged:
                    limit = f"{settings['max_iter']} iterations do not reach"
                    row["reason"] = f"{limit} SVM-perf's eps of {SVM_PERF_EPS}"
                    row["status"] = "timeout"
            seconds = {entry["stage"]: entry["cpu_seconds"] for entry in clock.rows}
            return {
                "cpu_seconds": seconds["fit"],
                "auxiliary_cpu_seconds": seconds.get("auxiliaries", 0.0),
            }

        def evaluate(row):
            X, positive = part(row["train_fraction"])
            row["n_train"] = len(positive)
            if (row["method"], row["measure"]) not in warmed:
                # Measured times must not include the loading of compiled code.
                warmed.add((row["method"], row["measure"]))
                few = first_of_each_class(task.train)
                fit(dict(row), data.X_train[few], task.train[few])
            same_but_size = tuple(row[name] for name in ("method", "measure", "B", "C"))
            if same_but_size in beyond_budget:
                raise BudgetExceededError("a fit to fewer examples went beyond the budget")
            try:
                spent = fit(row, X, positive, settings["budget"])
            except BudgetExceededError:
                beyond_budget.add(same_but_size)
                raise
            runs = [spent["cpu_seconds"]]
            while runs[0] <= LONG and len(runs) < settings.get("repetitions", 1):
                runs.append(fit(dict(row), X, positive)["cpu_seconds"])
            return {**spent, "cpu_seconds": float(np.median(runs))}

        return evaluate

    return evaluate_cells(data, cells, start)


def _parameters(row, settings):
    """Return the parameters of a row's fit: C and, if the method takes them, B and kernel width."""
    method = settings["methods"][row["method"]]
    parameters = {"C": row["C"], "C_convention": "svm_perf"}
    if "B" in inspect.signature(load_estimator(method["estimator"])).parameters:
        parameters["B"] = row["B"]
    if "gamma" in method["grid"]:
        key = row["method"], row["measure"]
        if key not in settings["widths"]:
            raise ValueError("model selection has chosen no width of the kernel for this measure")
        parameters["gamma"] = settings["widths"][key]
    return parameters
