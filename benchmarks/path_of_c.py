"""A path over 13 values of C against as many single fits."""

import numpy as np

from benchmarks.report import Section, Target, significant
from benchmarks.timing import median_seconds
from beyond_accuracy.solvers import make_solver, multivariate_svm_path

_TOLERANCE = 1e-3
_MULTIPLES = tuple(2.0**power for power in range(-6, 7))
_SECONDS_ASKED = 2.0


def measure(tasks, sizes, repetitions, folder) -> Section:
    """F1 on ijcnn1, or on the dense task where there is no mirror."""
    task = tasks.ijcnn1 or tasks.dense
    Cs = [task.C / 64 * multiple for multiple in _MULTIPLES]

    def path():
        return multivariate_svm_path(task.X, task.positive, "f1", Cs, tol=_TOLERANCE)

    def single_fits():
        return [make_solver(task.X, task.positive, "f1").solve(C, tol=_TOLERANCE) for C in Cs]

    make_solver(task.X, task.positive, "f1").solve(Cs[0], tol=0.5)
    (together, solutions), (apart, others) = median_seconds(repetitions, path, single_fits)
    worst = max(
        abs(ours.objective - theirs.objective) / theirs.objective
        for ours, theirs in zip(solutions, others, strict=True)
    )
    rows = [
        (what, significant(seconds), f"{sum(s.n_iter for s in fits)}", f"{significant(ratio)}×")
        for what, seconds, fits, ratio in (
            ("path", together, solutions, 1.0),
            ("single fits", apart, others, apart / together),
        )
    ]
    hardest = int(np.argmax([s.n_iter for s in others]))
    target = Target.at_most("ijcnn1, F1, path of 13 values of C", _SECONDS_ASKED, together)
    return Section(
        "A path over C",
        f"F1 on {task.name}, C from {Cs[0]:.4g} to {Cs[-1]:.6g} in {len(Cs)} steps, each to a gap "
        f"of {_TOLERANCE:g}. The primals of the two agree within {worst:.1e}. The hardest single "
        f"fit has C = {Cs[hardest]:.4g} and takes {others[hardest].n_iter} iterations.",
        ("", "seconds", "iterations", "ratio"),
        rows,
        [target] if tasks.ijcnn1 else [],
    )
