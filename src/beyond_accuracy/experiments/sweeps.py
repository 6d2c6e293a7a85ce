"""Fits at given hyperparameters, one after another: what changes with C, B and training size."""

import json
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
from sklearn.exceptions import ConvergenceWarning

from beyond_accuracy.datasets.errors import DataSetUnavailable
from beyond_accuracy.datasets.prepared import load_prepared
from beyond_accuracy.experiments.adaptation import AdaptationMethod
from beyond_accuracy.experiments.budget import BudgetExceeded, OperationBudget
from beyond_accuracy.experiments.finite_features import not_finite
from beyond_accuracy.experiments.kernel_methods import (
    MultivariateKernelMethod,
    examples_to_compare_on,
)
from beyond_accuracy.experiments.methods import SVM_PERF_EPS, make_method
from beyond_accuracy.experiments.result import Clock
from beyond_accuracy.experiments.store import write_table
from beyond_accuracy.experiments.tasks import binary_tasks, few_of_each_class
from beyond_accuracy.measures import get_measure
from beyond_accuracy.solvers import make_solver

KEY_COLUMNS = {
    "data_set": "string",
    "task": "string",
    "measure": "string",
    "method": "string",
    "C": "float64",
    "B": "float64",
    "train_fraction": "float64",
    "n_train": "Int64",
}
COLUMNS = {
    **KEY_COLUMNS,
    "value": "float64",
    "status": "string",
    "reason": "string",
    "n_iter": "Int64",
    "oracle_calls": "Int64",
}
SECOND_COLUMNS = {
    **KEY_COLUMNS,
    "cpu_seconds": "float64",
    "auxiliary_cpu_seconds": "float64",
}


@dataclass(frozen=True)
class _Point:
    """One fit of a sweep; C is SVM-perf's."""

    method: str
    measure: str
    C: float
    B: float
    fraction: float


def run_sweep(
    prepared_folder,
    *,
    sweep: str,
    data_set: str,
    settings: Mapping[str, Any],
    methods: Mapping[str, Mapping[str, Any]],
    measures: list[str],
    budget: float | None = None,
    chosen: Mapping[str, Any],
    rows,
    seconds,
) -> None:
    """Make the fits of one sweep on one data set and write two tables.

    `rows` has a row for each fit, with the measure's `value` on the test set; `seconds` the
    processor seconds of each, and apart from them those of its auxiliaries. A sweep of
    "oracle_calls_by_C" has the calls of the oracle in place of a value. C is SVM-perf's.

    Parameters
    ----------
    settings : mapping
        `methods`, `C`, and where they apply `measures`, `B`, `train_fraction`, `max_iter`.
    methods : mapping of name to configuration of a method
    measures : list of str
        The paper's, if the settings name none.
    budget : float, optional
        Operations of each fit, beyond which its status is "timeout".
    chosen : mapping of method to path
        Fits of model selection, from which methods with a kernel take its width.
    """
    found, times = [], []
    for point, row, cpu in _sweep(
        prepared_folder, sweep, data_set, settings, methods, measures, budget, chosen
    ):
        keys = {
            "data_set": data_set,
            "method": point.method,
            "measure": point.measure,
            "C": point.C,
            "B": point.B,
            "train_fraction": point.fraction,
        }
        found.append({"status": "ok", "reason": "", **keys, **row})
        if cpu:
            own = {name: row[name] for name in ("task", "n_train") if name in row}
            times.append({**keys, **own, **cpu})
    for output, table, columns in ((rows, found, COLUMNS), (seconds, times, SECOND_COLUMNS)):
        write_table(output, pd.DataFrame(table, columns=list(columns)).astype(columns))


def _sweep(folder, sweep, data_set, settings, methods, measures, budget, chosen):
    """(point, row, seconds) of each fit; seconds are None where there are none."""
    points = list(_points(settings, measures))
    try:
        data = load_prepared(folder)
    except DataSetUnavailable as error:
        for point in points:
            yield point, {"status": "unavailable", "reason": str(error)}, None
        return
    task = binary_tasks(data)[0]
    problem = not_finite(data) or task.problem()
    if problem is not None:
        for point in points:
            yield point, {"status": "failed", "reason": problem, "task": task.name}, None
        return
    made = {name: make_method(methods[name]) for name in settings["methods"]}
    widths = {name: _chosen_widths(path) for name, path in chosen.items()}
    fit = _count_calls if sweep == "oracle_calls_by_C" else _measure
    few = few_of_each_class(task.train)
    warmed = set()
    for point in points:
        method = made[point.method]
        rows = examples_to_compare_on(task.train, round(point.fraction * len(task.train)))
        X, positive = data.X_train[rows], task.train[rows]
        keys = {"task": task.name, "n_train": len(rows)}
        try:
            parameters = _parameters(point, method, len(rows), widths)
            if (point.method, point.measure) not in warmed:
                # So that no seconds are those of loading compiled code.
                warmed.add((point.method, point.measure))
                _quietly(fit, method, data.X_train[few], task.train[few], task, data, point,
                         _parameters(point, method, len(few), widths), settings)  # fmt: skip
            method.budget = OperationBudget(budget)
            row, cpu = _quietly(fit, method, X, positive, task, data, point, parameters, settings)
        except (MemoryError, OSError):
            raise
        except BudgetExceeded as error:
            row, cpu = {"status": "timeout", "reason": str(error)}, None
        except Exception as error:
            row, cpu = {"status": "failed", "reason": f"{type(error).__name__}: {error}"}, None
        yield point, {**keys, **row}, cpu


def _points(settings, measures) -> Iterator[_Point]:
    for method in settings["methods"]:
        for measure in settings.get("measures") or measures:
            for fraction in settings.get("train_fraction") or [1.0]:
                for B in settings.get("B") or [1.0]:
                    for C in settings["C"]:
                        yield _Point(method, measure, float(C), float(B), float(fraction))


def _parameters(point, method, n, widths):
    """The parameters of a fit to n examples; the methods' C is the cost of an example."""
    parameters = {"C": point.C * 100 / n}
    if isinstance(method, AdaptationMethod):
        return {**parameters, "B": point.B}
    if isinstance(method, MultivariateKernelMethod):
        if point.measure not in widths.get(point.method, {}):
            raise ValueError("model selection has chosen no width of the kernel for this measure")
        return {**parameters, "gamma": widths[point.method][point.measure]}
    return parameters


def _chosen_widths(path):
    """The width of the kernel that model selection has chosen for each measure."""
    fits = pd.read_parquet(path)
    fits = fits[fits["status"] == "ok"]
    return {row.measure: json.loads(row.selected)["gamma"] for row in fits.itertuples()}


def _quietly(function: Callable, *arguments):
    with warnings.catch_warnings():
        # What did not converge is told by its iterations or status.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return function(*arguments)


def _measure(method, X, positive, task, data, point, parameters, settings):
    """Fit and score the test set."""
    clock = Clock()
    if hasattr(method, "prepare"):
        clock.time("auxiliaries", "", "", method.prepare, X, positive, data.X_test)
    fitted = clock.time("fit", "", "", method.fit, X, positive, parameters, point.measure)
    value = get_measure(point.measure).score(task.test, method.scores(fitted, data.X_test))
    n_iter = method.record(fitted, X, positive)["n_iter"]
    return {"value": value, "n_iter": n_iter}, _seconds(clock)


def _count_calls(method, X, positive, task, data, point, parameters, settings):
    """Run Algorithm 1 to SVM-perf's accuracy, and count the calls of its oracle.

    There is one at w = 0, and one an iteration.
    """
    clock = Clock()
    if hasattr(method, "prepare"):
        clock.time("auxiliaries", "", "", method.prepare, X, positive, X[:1])
    features = method.training_features(X, positive, parameters)
    max_iter = settings["max_iter"]

    def minimize():
        solver = make_solver(features, positive, point.measure, line_search=False)
        return solver.solve(point.C, tol=0.0, eps=SVM_PERF_EPS, max_iter=max_iter)

    solution = clock.time("fit", "", "", minimize)
    row = {"n_iter": solution.n_iter, "oracle_calls": solution.n_iter + 1}
    if not solution.converged:
        reason = f"{max_iter} iterations do not reach SVM-perf's eps of {SVM_PERF_EPS}"
        row |= {"status": "timeout", "reason": reason}
    return row, _seconds(clock)


def _seconds(clock):
    spent = {row["stage"]: row["cpu_seconds"] for row in clock.rows}
    return {
        "cpu_seconds": spent["fit"],
        "auxiliary_cpu_seconds": spent.get("auxiliaries", 0.0),
    }
