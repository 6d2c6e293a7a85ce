"""Cost-sensitive hinge loss: the bundle method, its rivals and LIBLINEAR, at equal objective."""

from functools import partial

import numpy as np
import scipy.sparse
from sklearn.preprocessing import normalize

from benchmarks.liblinear import MOST_ROUNDS, cheapest_tolerance, fit_liblinear
from benchmarks.report import Section, Target, significant
from benchmarks.tasks import Task, read_libsvm
from benchmarks.timing import median_seconds
from benchmarks.timing import seconds as seconds_of
from beyond_accuracy.solvers.hinge import HingePath
from beyond_accuracy_pipeline.reproduction.liblinear_target_cost_svc import (
    TOLERANCES_OF_LIBLINEAR,
)

_TOLERANCE = 1e-3
_TARGET = 0.2
_CLASS_WEIGHT = {0: _TARGET, 1: 2 - _TARGET}
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
    if tasks.ijcnn1 is None or quick:
        measured = [tasks.dense, tasks.sparse]
    else:
        measured = [_read(name, *file) for name, file in _DATA_SETS.items()]
    tolerances = ", ".join(f"{tol:g}" for tol in TOLERANCES_OF_LIBLINEAR)
    rows, targets = [], []
    for task in measured:
        for C in (1.0,) if quick else (1.0, 10.0, 100.0):
            row, targets_of_row = _compare(task, C, repetitions)
            rows.append(row)
            targets += targets_of_row
    return Section(
        "Cost-sensitive hinge loss",
        f"½‖w‖² + ½b² + C·Σ c·max(0, 1 − y·f(x)) with the costs {2 - _TARGET:g} of a missed "
        f"positive and {_TARGET:g} of a false alarm, to a certified gap of {_TOLERANCE:g}. "
        f'"bundle" is BM-ls-CS, "no line search" BM-nls-CS. LIBLINEAR: '
        f"`LinearSVC` with the first of the tolerances {tolerances} at "
        f"which its objective, recomputed, is at most {_TOLERANCE:g} above the lowest one found, "
        f"and at most {MOST_ROUNDS:,} rounds; > : not reached in these. An algorithm that needs "
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
    enough = lowest * (1 + _TOLERANCE)
    tol, reached = cheapest_tolerance(task, C, TOLERANCES_OF_LIBLINEAR, enough, _CLASS_WEIGHT)
    finished = {name: took for name, (took, (found, _)) in first.items() if found.converged}
    quick = [name for name, took in finished.items() if took <= _SECONDS_OF_ONE_RUN]
    functions = [partial(_solve, task, C, name) for name in (*quick, "auto")]
    measured = median_seconds(
        repetitions, *functions, partial(fit_liblinear, task, C, tol, _CLASS_WEIGHT)
    )
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
    where = f"{name}, C = {C:g}: "
    at_least = "" if reached else "> "

    def ratio_reached(what, asked, ratio, mark=""):
        text = f"{mark}{significant(ratio)}×"
        return Target(where + what, f"{asked:g}×", text, ratio >= asked)

    fewer = iterations["bundle_without_line_search"] / max(iterations["bundle"], 1)
    asked = _FEWER_ITERATIONS if name in ("a3a", "ijcnn1") and C >= 10 else 1.0
    yield ratio_reached("iterations without line search over those with it", asked, fewer)
    if name == "ijcnn1" and C >= 10 and "bundle" in seconds:
        faster = liblinear / seconds["bundle"]
        yield ratio_reached("LIBLINEAR's time over the bundle method's", _FASTER, faster, at_least)
    faster = liblinear / seconds["auto"]
    yield ratio_reached("LIBLINEAR's time over auto's", _NO_SLOWER, faster, at_least)


def _solve(task, C, algorithm):
    path = HingePath(task.X, task.positive, algorithm=algorithm)
    solution = path.solve(C * (2 - _TARGET), C * _TARGET, tol=_TOLERANCE, max_iter=_MOST_ITERATIONS)
    return solution, path.algorithm


def _count(solution):
    return f"{solution.n_iter:,}" if solution.converged else f"> {solution.n_iter:,}"


def _read(name, file, n_features, dense):
    """A data set as the paper's configuration has it: the smallest class against the rest."""
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
