"""Minimizations of one cost-sensitive hinge loss by several methods, iteration by iteration.

All of them minimize the same objective, ½‖w‖² + ½b² + C·Σ c(y_i)·max(0, 1 − y_i·f(x_i)) with the
costs of a target of F1, so that their curves can be compared.
"""

import time
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning

from beyond_accuracy.datasets.errors import DataSetUnavailable
from beyond_accuracy.datasets.prepared import load_prepared
from beyond_accuracy.estimators.f_measure_svc import costs_of_target
from beyond_accuracy.estimators.liblinear_target_cost_svc import LiblinearTargetCostSVC
from beyond_accuracy.experiments.finite_features import not_finite
from beyond_accuracy.experiments.store import write_table
from beyond_accuracy.experiments.tasks import binary_tasks
from beyond_accuracy.solvers.hinge import BundleMethod, HingePath, HingeProblem

BM_LS_CS, BM_NLS_CS, SVM_CS = "bm_ls_cs", "bm_nls_cs", "svm_cs"

_KEYS = {"data_set": "string", "task": "string", "C": "float64", "method": "string"}
CURVE_COLUMNS = {
    **_KEYS,
    "iteration": "int64",
    "primal": "float64",
    "dual": "float64",
    "visited": "float64",
    "converged": "bool",
}
SECOND_COLUMNS = {**_KEYS, "iteration": "int64", "cpu_seconds": "float64"}
LINE_COLUMNS = {
    "data_set": "string",
    "task": "string",
    "C": "float64",
    "iteration": "int64",
    "k": "float64",
    "before": "float64",
    "after": "float64",
}

# Compiled code is loaded by a minimization on so many examples of each class.
_EXAMPLES_TO_WARM_UP = 50


def run_convergence(
    prepared_folder,
    *,
    data_set: str,
    configuration: Mapping[str, Any],
    curves,
    line_search,
    seconds,
) -> None:
    """Follow the minimizations on one data set and write three tables.

    `curves` has a row for each iteration: the best `primal` and `dual` so far, and the primal at
    the point `visited` last (for LIBLINEAR, whose iterations are rounds and which has no dual,
    that at its end). `line_search` has the breakpoints k of one line search of BM-ls-CS at C_shown,
    with the derivative `before` and `after` them. `seconds` has the CPU seconds until each row of
    `curves`. Without data all three are empty.

    Parameters
    ----------
    configuration : mapping
        `t`, `C`, `C_shown`, `mu`, `tol`, `max_iter`, `liblinear_rounds`, `line_search_iteration`;
        see the paper's configuration.
    """
    rows, lines, times = [], [], []
    try:
        data = load_prepared(prepared_folder)
    except DataSetUnavailable:
        data = None
    if data is not None and not_finite(data) is None:
        for task in binary_tasks(data):
            if not task.train.any() or task.train.all():
                continue
            found = _follow(data.X_train, task.train, configuration)
            keys = {"data_set": data_set, "task": task.name}
            for table, part in zip((rows, times, lines), found, strict=True):
                table.extend({**keys, **row} for row in part)
    for output, part, columns in (
        (curves, rows, CURVE_COLUMNS),
        (seconds, times, SECOND_COLUMNS),
        (line_search, lines, LINE_COLUMNS),
    ):
        write_table(output, pd.DataFrame(part, columns=list(columns)).astype(columns))


def _follow(X, positive, configuration):
    """Rows of curves, of seconds and of the line search."""
    examples = np.concatenate(
        [np.flatnonzero(members)[:_EXAMPLES_TO_WARM_UP] for members in (positive, ~positive)]
    )
    for line_search in (True, False):
        _bundle(X[examples], positive[examples], 1.0, line_search, configuration)
    rows, times, lines = [], [], []
    for C in configuration["C"]:
        for method, line_search in ((BM_LS_CS, True), (BM_NLS_CS, False)):
            steps, solution = _bundle(X, positive, C, line_search, configuration)
            for step, primal, dual, visited, cpu in steps:
                keys = {"C": C, "method": method, "iteration": step}
                last = {"converged": solution.converged}
                rows.append({**keys, "primal": primal, "dual": dual, "visited": visited, **last})
                times.append({**keys, "cpu_seconds": cpu})
        for rounds, primal, gap, cpu in _liblinear(X, positive, C, configuration):
            keys = {"C": C, "method": SVM_CS, "iteration": rounds}
            converged = gap <= configuration["tol"]
            rows.append({**keys, "primal": primal, "visited": primal, "converged": converged})
            times.append({**keys, "cpu_seconds": cpu})
    shown = configuration["C_shown"]
    lines = [{"C": shown, **each} for each in _line_search(X, positive, shown, configuration)]
    return rows, times, lines


def _bundle(X, positive, C, line_search, configuration):
    """(iteration, primal, dual, visited, CPU seconds) of each iteration; the solution."""
    started = time.process_time()
    method = BundleMethod(
        _problem(X, positive, configuration), line_search=line_search, mu=configuration["mu"]
    )
    steps = []

    def note(step):
        elapsed = time.process_time() - started
        steps.append((step.iteration, step.primal, step.dual, method.visited, elapsed))

    stopping = {"tol": configuration["tol"], "max_iter": configuration["max_iter"]}
    solution = method.solve(C, callback=note, **stopping)
    return steps, solution


def _problem(X, positive, configuration):
    missed, false_alarm = costs_of_target(configuration["t"], 1.0)
    costs = np.where(positive, missed, false_alarm)
    return HingeProblem(X, positive, costs, intercept="regularized")


def _line_search(X, positive, C, configuration):
    """Breakpoints of the line search of the iteration asked for, or of the last one before."""
    method = BundleMethod(_problem(X, positive, configuration), mu=configuration["mu"])
    limit = configuration["line_search_iteration"]
    method.solve(C, tol=configuration["tol"], max_iter=limit - 1)
    k, before, after = method.derivative_along_line(C)
    return [
        {"iteration": limit, "k": x, "before": low, "after": high}
        for x, low, high in zip(k, before, after, strict=True)
    ]


def _liblinear(X, positive, C, configuration):
    """(rounds, primal, relative gap, CPU seconds) of fits that are stopped earlier or later."""
    missed, false_alarm = costs_of_target(configuration["t"], 1.0)
    path = HingePath(X, positive)
    bound = path.solve(C * missed, C * false_alarm, tol=1e-5).dual_objective
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for rounds in configuration["liblinear_rounds"]:
            model = LiblinearTargetCostSVC(
                configuration["t"], C=C, tol=1e-9, max_iter=rounds, random_state=0
            )
            started = time.process_time()
            model.fit(X, positive.astype(np.int64))
            elapsed = time.process_time() - started
            gap = (model.objective_ - bound) / model.objective_
            yield rounds, model.objective_, gap, elapsed
            if gap <= configuration["tol"] / 10 or model.n_iter_ < rounds:
                return
