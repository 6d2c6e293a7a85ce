"""The studies of Cheng et al. (2016), with chosen iterations."""

from collections.abc import Mapping

import numpy as np

from beyond_accuracy_pipeline.results.frames import write_study
from beyond_accuracy_pipeline.results.layout import study_data_sets, study_file

from .synthetic import SyntheticRun

# Iterations with the line search, iterations without it, and LIBLINEAR's rounds.
METHODS = ("bm_ls_cs", "bm_nls_cs", "svm_cs")
ITERATIONS = (5, 60, 3)


def write_studies(
    run: SyntheticRun,
    iterations: Mapping[tuple[str, float], tuple[int, int]] | None = None,
    *,
    stalls: bool = False,
) -> None:
    """Write the studies of all available data sets.

    `iterations` are by (data set, C), with and without the line search. If it stalls, the third
    iteration with the line search does not change the primal value.
    """
    for data_set in study_data_sets(run.configuration, "convergence"):
        rows = []
        Cs = run.configuration["studies"]["convergence"]["C"]
        for C, selected in [*((C, False) for C in Cs), (Cs[0], True)]:
            counts = (*(iterations or {}).get((data_set, C), ITERATIONS[:2]), ITERATIONS[2])
            for method, n_iterations in zip(METHODS, counts, strict=True):
                keys = {"data_set": data_set, "task": "class 0", "C": float(C), "t": 0.2}
                keys |= {"selected": selected, "method": method}
                rows += _minimization(keys, n_iterations, stalls and method == METHODS[0])
        if not run.n_classes.get(data_set, 3):
            rows = []
        write_study(study_file(run.folder, run.paper, "convergence", data_set), rows, "convergence")
    for data_set in study_data_sets(run.configuration, "line_search"):
        k = np.linspace(-1, 2, 40) if run.n_classes.get(data_set, 3) else []
        keys = {"data_set": data_set, "task": "class 0", "C": 10.0, "iteration": 5}
        rows = [keys | {"k": step, "before": step - 0.41, "after": step - 0.39} for step in k]
        path = study_file(run.folder, run.paper, "line_search", data_set)
        write_study(path, rows, "line_search")
    for classes in study_data_sets(run.configuration, "learnable"):
        keys = {"data_set": classes, "measure": "f1", "n_train": 900, "n_train_positives": 30}
        rows = [
            keys
            | {"task": task, "learnable": task == "2", "learnable_without_intercept": task > "1"}
            for task in ("1", "2", "3")
        ]
        path = study_file(run.folder, run.paper, "learnable", classes)
        write_study(path, rows, "learnable")


def _minimization(keys: Mapping[str, object], n_iterations: int, stalls: bool) -> list[dict]:
    """Return rows from w = 0 on: the primal falls from 10 to 1; the dual, if any, rises to it."""
    rows = []
    for iteration in range(n_iterations + 1):
        halvings = 1 if stalls and iteration == 2 else iteration
        primal = 1.0 + 9.0 * 0.5**halvings
        dual = np.nan if keys["method"] == "svm_cs" else 0.9999 * iteration / n_iterations
        row = {"iteration": iteration, "primal": primal, "dual": dual, "visited": 1.1 * primal}
        rows.append({**keys, **row, "bound": 0.99, "converged": True})
    return rows
