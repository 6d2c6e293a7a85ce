"""Against the time of the two matrix-vector products that no iteration can avoid."""

import numpy as np

from benchmarks.report import Section, Target, significant
from benchmarks.tasks import gaussians
from benchmarks.times_of_fits import fit
from benchmarks.timing import median_seconds

_TOLERANCE = 1e-3
_SHARE_ASKED = 0.5


def measure(tasks, sizes, repetitions, folder) -> Section:
    """F1 on 22 dense features, in both precisions."""
    rows, targets = [], []
    for dtype in (np.float64, np.float32):
        task = gaussians(sizes.large_rows, 22, dtype=dtype)
        w = np.ones(22, dtype=dtype)
        weights = np.ones(sizes.large_rows, dtype=dtype)
        fit(gaussians(500, 22, dtype=dtype), "f1", _TOLERANCE)
        (forward, _), (backward, _), (elapsed, solution) = median_seconds(
            repetitions,
            lambda task=task, w=w: task.X @ w,
            lambda task=task, weights=weights: weights @ task.X,
            lambda task=task: fit(task, "f1", _TOLERANCE),
        )
        share = (forward + backward) * solution.n_iter / elapsed
        name, percent = str(np.dtype(dtype)), f"{100 * share:.0f} %"
        products = (significant(1000 * forward), significant(1000 * backward))
        work = (f"{solution.n_iter}", f"{solution.n_searches}", significant(elapsed))
        rows.append((name, *products, *work, percent))
        what = f"share of the two products in a fit, {name}"
        targets.append(Target(what, f"{100 * _SHARE_ASKED:.0f} %", percent, share >= _SHARE_ASKED))
    return Section(
        "The limit: two matrix-vector products an iteration",
        f"F1 on {sizes.large_rows:,} × 22 dense examples, to a gap of {_TOLERANCE:g}. X·w and "
        "weights·X are timed by themselves with BLAS, in the precision of the data; the share is "
        "their time, times the iterations, in that of the whole fit.",
        ("precision", "X·w, ms", "weights·X, ms", "iterations", "searches", "fit, s", "share"),
        rows,
        targets,
    )
