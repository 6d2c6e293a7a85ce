"""Cost-sensitive hinge loss: the bundle method, its rivals and LIBLINEAR, at equal objective."""

import lzma
import os
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import scipy.sparse
from sklearn.datasets import load_svmlight_file
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC

from benchmarks.report import Section, Target, significant
from benchmarks.tasks import MIRROR_VARIABLE, Task
from benchmarks.timing import median_seconds
from benchmarks.timing import seconds as seconds_of
from beyond_accuracy.estimators.liblinear_target_cost_svc import TOLERANCES_OF_LIBLINEAR
from beyond_accuracy.solvers.hinge import HingePath

_TOLERANCE = 1e-3
_TARGET = 0.2
_MOST_ROUNDS = 5000
_MOST_FEATURES_OF_INTERIOR_POINT = 500
# Beyond this many iterations an algorithm is left out of what follows.
_MOST_ITERATIONS = 3000
_ALGORITHMS = ("bundle", "bundle_without_line_search", "coordinate_descent", "interior_point")
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
_FEWER_ITERATIONS = 5.0
_FASTER = 2.0
_NO_SLOWER = 1.0


def measure(tasks, sizes, repetitions, folder) -> Section:
    """One row a data set and C: iterations, and seconds of each algorithm, of auto, of LIBLINEAR.

    Without a mirror on the generated tasks; a quick run measures C = 1 alone.
    """
    quick = sizes.dense_rows < 1000
    known = [tasks.dense, tasks.sparse] if quick else _real_tasks() or [tasks.dense, tasks.sparse]
    tolerances = ", ".join(f"{tol:g}" for tol in TOLERANCES_OF_LIBLINEAR)
    rows, targets = [], []
    for task in known:
        for C in (1.0,) if quick else (1.0, 10.0, 100.0):
            row, found = _compare(task, C, repetitions)
            rows.append(row)
            targets += found
    return Section(
        "Cost-sensitive hinge loss",
        f"½‖w‖² + ½b² + C·Σ c·max(0, 1 − y·f(x)) with the costs {2 - _TARGET:g} of a missed "
        f"positive and {_TARGET:g} of a false alarm, to a certified gap of {_TOLERANCE:g}. "
        f'"bundle" is BM-ls-CS, "no line search" BM-nls-CS. LIBLINEAR: '
        f"`LinearSVC` with the first of the tolerances {tolerances} at "
        f"which its objective, recomputed, is at most {_TOLERANCE:g} above the lowest one found, "
        f"and at most {_MOST_ROUNDS:,} rounds; > : not reached in these. An algorithm that needs "
        f"more than {_MOST_ITERATIONS:,} iterations has no seconds.",
        (
            "data",
            "C",
            "bundle, iterations",
            "no line search, iterations",
            "bundle, s",
            "no line search, s",
            "coordinate descent, s",
            "interior point, s",
            "auto, s",
            "auto is",
            "LIBLINEAR, s",
        ),
        rows,
        targets,
    )


def _compare(task: Task, C, repetitions):
    names = [*_ALGORITHMS]
    if task.X.shape[1] > _MOST_FEATURES_OF_INTERIOR_POINT:
        names.remove("interior_point")
    # Compiled code is loaded before the clock starts.
    for name in (*names, "auto"):
        _solve(task.first_rows(_ROWS_TO_WARM_UP), C, name)
    first = {name: seconds_of(partial(_solve, task, C, name)) for name in names}
    lowest = min(solution.objective for _, (solution, _) in first.values())
    tol, reached = _cheapest_tolerance(task, C, lowest * (1 + _TOLERANCE))
    finished = {name: took for name, (took, (found, _)) in first.items() if found.converged}
    quick = [name for name, took in finished.items() if took <= _SECONDS_OF_ONE_RUN]
    functions = [partial(_solve, task, C, name) for name in (*quick, "auto")]
    measured = median_seconds(repetitions, *functions, partial(_liblinear, task, C, tol))
    seconds = finished | {
        name: took for name, (took, _) in zip((*quick, "auto"), measured, strict=False)
    }
    chosen = measured[-2][1][1]
    liblinear = measured[-1][0]
    first = {name: found for name, (_, found) in first.items()}
    iterations = {name: first[name][0].n_iter for name in ("bundle", "bundle_without_line_search")}
    row = (
        task.name,
        f"{C:g}",
        *(_count(first[name][0]) for name in iterations),
        *(significant(seconds[name]) if name in seconds else "–" for name in _ALGORITHMS),
        significant(seconds["auto"]),
        chosen.replace("_", " "),
        significant(liblinear) if reached else f"> {significant(liblinear)}",
    )
    return row, _targets(task.name, C, iterations, seconds, liblinear, reached)


def _targets(name, C, iterations, seconds, liblinear, reached):
    with_search, without = iterations["bundle"], iterations["bundle_without_line_search"]
    where = f"{name}, C = {C:g}: "
    ratio = without / max(with_search, 1)
    asked = _FEWER_ITERATIONS if name in ("a3a", "ijcnn1") and C >= 10 else 1.0
    targets = [
        Target(
            where + "iterations without line search over those with it",
            f"{asked:g}×",
            f"{significant(ratio)}×",
            ratio >= asked,
        )
    ]
    at_least = "" if reached else "> "
    if name == "ijcnn1" and C >= 10 and "bundle" in seconds:
        faster = liblinear / seconds["bundle"]
        targets.append(
            Target(
                where + "LIBLINEAR's time over the bundle method's",
                f"{_FASTER:g}×",
                f"{at_least}{significant(faster)}×",
                faster >= _FASTER,
            )
        )
    faster = liblinear / seconds["auto"]
    targets.append(
        Target(
            where + "LIBLINEAR's time over auto's",
            f"{_NO_SLOWER:g}×",
            f"{at_least}{significant(faster)}×",
            faster >= _NO_SLOWER,
        )
    )
    return targets


def _solve(task, C, algorithm):
    path = HingePath(task.X, task.positive, algorithm=algorithm)
    solution = path.solve(C * (2 - _TARGET), C * _TARGET, tol=_TOLERANCE, max_iter=_MOST_ITERATIONS)
    return solution, path.algorithm


def _count(solution):
    return f"{solution.n_iter:,}" if solution.converged else f"> {solution.n_iter:,}"


def _liblinear(task, C, tol):
    model = LinearSVC(
        loss="hinge",
        C=C,
        class_weight={0: _TARGET, 1: 2 - _TARGET},
        tol=tol,
        max_iter=_MOST_ROUNDS,
        random_state=0,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(task.X, task.positive.astype(np.int64))


def objective_of(model, task, C) -> float:
    """The primal of a fitted `LinearSVC`, computed without the solvers of this package."""
    w, b = model.coef_[0], model.intercept_[0]
    margins = np.where(task.positive, 1.0, -1.0) * (task.X @ w + b)
    costs = C * np.where(task.positive, 2 - _TARGET, _TARGET)
    return float(0.5 * (w @ w + b * b) + costs @ np.maximum(0.0, 1.0 - margins))


def _cheapest_tolerance(task, C, enough):
    for tol in TOLERANCES_OF_LIBLINEAR:
        model = _liblinear(task, C, tol)
        if objective_of(model, task, C) <= enough:
            return tol, True
        if model.n_iter_ >= _MOST_ROUNDS:
            return tol, False
    return tol, False


def _real_tasks():
    mirror = os.environ.get(MIRROR_VARIABLE)
    return [_read(Path(mirror) / "libsvm", name) for name in _DATA_SETS] if mirror else []


def _read(folder, name):
    """A data set as the paper's configuration has it: the smallest class against the rest."""
    file, n_features, dense = _DATA_SETS[name]
    with lzma.open(folder / file) as stream:
        X, y = load_svmlight_file(stream, n_features=n_features, zero_based=False)
    classes, counts = np.unique(y, return_counts=True)
    positive = y == (classes[-1] if len(classes) == 2 else classes[np.argmin(counts)])
    if name == "news20":
        X = normalize(X)
    X = X.toarray() if dense else scipy.sparse.csr_matrix(X)
    if not dense:
        # LIBLINEAR takes no others.
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return Task(name, X, positive, X.shape[0] / 100)
