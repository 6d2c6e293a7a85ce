"""Cost-sensitive hinge loss: this package's algorithms and LIBLINEAR, at equal objective."""

import os
from functools import partial

import numpy as np
import scipy.sparse
from sklearn.preprocessing import normalize

from benchmarks.fits import Decrease
from benchmarks.liblinear import MOST_ROUNDS, cheapest_tolerance, fit_liblinear, objective_of
from benchmarks.report import Section, show, significant
from benchmarks.tasks import MIRROR_VARIABLE, Task, read_libsvm
from benchmarks.timing import median_seconds, seconds
from beyond_accuracy.solvers.hinge import HingePath
from beyond_accuracy_pipeline.reproduction.liblinear_target_cost_svc import (
    TOLERANCES_OF_LIBLINEAR,
)

_TOLERANCE = 1e-3
_TARGET = 0.2
_CLASS_WEIGHT = {0: _TARGET, 1: 2 - _TARGET}
_MOST_FEATURES_OF_INTERIOR_POINT = 500
# An algorithm that needs more iterations has no seconds.
_MOST_ITERATIONS = 3000
_ALGORITHMS = ("bundle", "coordinate_descent", "interior_point")
_ROWS_TO_WARM_UP = 300
# What takes longer is measured once.
_SECONDS_OF_ONE_RUN = 3.0
# Files of the mirror, number of features, and whether stored as dense.
_DATA_SETS = {
    "a3a": ("a3a.xz", 123, False),
    "ijcnn1": ("ijcnn1.xz", 22, True),
    "letter": ("letter.scale.xz", 16, True),
    "satimage": ("satimage.scale.xz", 36, True),
    "news20": ("news20.xz", 62061, False),
}


def measure(tasks, sizes, repetitions, folder) -> Section:
    """Measure each data set and C.

    Without a mirror, the tasks are the generated ones. A quick run measures C = 1 alone.
    """
    if sizes.quick or not os.environ.get(MIRROR_VARIABLE):
        measured = tasks.values()
    else:
        measured = [_read(name, *file) for name, file in _DATA_SETS.items()]
    rows = []
    for task in measured:
        for C in (1.0,) if sizes.quick else (1.0, 10.0, 100.0):
            rows.append(_row(task, C, repetitions))
            show(rows[-1])
    tolerances = ", ".join(f"{tol:g}" for tol in TOLERANCES_OF_LIBLINEAR)
    return Section(
        "Cost-sensitive hinge loss",
        "The objective is ½‖w‖² + ½b² + C·Σ c·max(0, 1 − y·f(x)). A missed positive costs "
        f"{2 - _TARGET:g} and a false alarm {_TARGET:g}. This package runs to a certified gap of "
        f"{_TOLERANCE:g}, once with each algorithm and once with `auto`, which chooses. LIBLINEAR "
        f"is `LinearSVC` with the first of the tolerances {tolerances} at which its objective is "
        f"at most {_TOLERANCE:g} above the lowest one found, and at most {MOST_ROUNDS:,} rounds. A "
        '">" means: not reached in these rounds. An algorithm that needs more than '
        f"{_MOST_ITERATIONS:,} iterations has no seconds.",
        (
            "data", "C", "bundle, s", "coordinate descent, s", "interior point, s", "auto is",
            "LIBLINEAR, s", "auto, s", "LIBLINEAR, share", "auto, share",
        ),
        rows,
    )  # fmt: skip


def _row(task: Task, C, repetitions):
    names = [*_ALGORITHMS]
    if task.X.shape[1] > _MOST_FEATURES_OF_INTERIOR_POINT:
        names.remove("interior_point")
    # Compiled code is loaded before the clock starts.
    for name in (*names, "auto"):
        _solve(task.sample(_ROWS_TO_WARM_UP), C, name)
    first = {name: seconds(partial(_solve, task, C, name)) for name in names}
    lowest = min(solution.objective for _, (solution, _) in first.values())
    tol, reached = cheapest_tolerance(
        task, C, TOLERANCES_OF_LIBLINEAR, lowest * (1 + _TOLERANCE), _CLASS_WEIGHT
    )
    finished = {name: took for name, (took, (found, _)) in first.items() if found.converged}
    again = [name for name, took in finished.items() if took <= _SECONDS_OF_ONE_RUN]
    *measured, (auto, (solution, chosen)), (liblinear, model) = median_seconds(
        repetitions,
        *(partial(_solve, task, C, name) for name in again),
        partial(_solve, task, C, "auto"),
        partial(fit_liblinear, task, C, tol, _CLASS_WEIGHT),
    )
    finished |= {name: took for name, (took, _) in zip(again, measured, strict=True)}
    decrease = Decrease(
        C * (_CLASS_WEIGHT[1] * task.n_positives + _TARGET * np.count_nonzero(~task.positive)),
        max(found.dual_objective for found in (solution, *(f for _, (f, _) in first.values()))),
    )
    return (
        task.name,
        f"{C:g}",
        *(significant(finished[name]) if name in finished else "–" for name in _ALGORITHMS),
        chosen.replace("_", " "),
        significant(liblinear) if reached else f"> {significant(liblinear)}",
        significant(auto),
        decrease.share(objective_of(model, task)),
        decrease.share(solution.objective),
    )


def _solve(task, C, algorithm):
    path = HingePath(task.X, task.positive, algorithm=algorithm)
    solution = path.solve(C * (2 - _TARGET), C * _TARGET, tol=_TOLERANCE, max_iter=_MOST_ITERATIONS)
    return solution, path.algorithm


def _read(name, file, n_features, dense):
    """Return a data set as the paper's configuration has it: the smallest class is positive."""
    X, y = read_libsvm(file, n_features)
    classes, counts = np.unique(y, return_counts=True)
    positive = y == (classes[-1] if len(classes) == 2 else classes[np.argmin(counts)])
    if name == "news20":
        X = normalize(X)
    X = X.toarray() if dense else scipy.sparse.csr_matrix(X)
    if not dense:
        # LIBLINEAR takes no others.
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return Task(name, X, positive, X.shape[0] / 100)
